/** Elements of the page; those of the board and these are made by the same two functions. */

import { html } from "../board/elements.js";

export { html, svg } from "../board/elements.js";

/**
 * The element of the page with an id.
 * @template {HTMLElement} T
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return /** @type {T} */ (found);
}

/**
 * A button that does something.
 * @param {string} name
 * @param {() => void} act
 * @param {import("../board/elements.js").Attributes} [attributes]
 */
export function button(name, act, attributes = {}) {
  return /** @type {HTMLButtonElement} */ (html("button", { type: "button", click: act, ...attributes }, name));
}
