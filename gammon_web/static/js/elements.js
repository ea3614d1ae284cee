/** Elements of the page; those of the board and these are made by the same two functions. */

import { html } from "../board/dom.js";
import { morph } from "./morph.js";

/** @import {Child} from "../board/dom.js" */

export { html, svg } from "../board/dom.js";

/**
 * The element of the page with an id.
 * @template {HTMLElement} T
 * @param {string} id @returns {T}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return /** @type {T} */ (element);
}

/** Whether letters are typed into an element. @param {EventTarget | null} element */
export function isTyped(element) {
  return (
    element instanceof HTMLElement &&
    element.matches("textarea, input:not([type=checkbox], [type=file], [readonly])")
  );
}

/**
 * A button that does something.
 * @param {Child | Child[]} name @param {() => void} act @param
 *   {import("../board/dom.js").Attributes} [attributes]
 */
export function button(name, act, attributes = {}) {
  return html("button", { type: "button", click: act, ...attributes }, name);
}

/** What the focus can be on. */
const FOCUSABLE = "a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex='0']";

/** What can have the focus in a place now. @param {HTMLElement} host */
function focusable(host) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll(FOCUSABLE));
  return [...all].filter((element) => !element.closest("[hidden]"));
}

/**
 * Have these in a place, and nothing else. A focus stays on its element, as all that is alike
 * stays; where that is gone, it goes to the one that is the same number now, or to another place.
 * @param {HTMLElement} host @param {Child[]} children @param {{focus: () => void}} [other]
 */
export function refill(host, children, other = undefined) {
  const held = /** @type {HTMLElement | null} */ (document.activeElement);
  const at = held && held !== host && host.contains(held) ? focusable(host).indexOf(held) : -1;
  morph(host, html("div", {}, children).childNodes);
  if (!held || at < 0) return;
  const now = focusable(host);
  if (!now.includes(held)) (now[Math.min(at, now.length - 1)] ?? other)?.focus();
}

/**
 * A card of a panel.
 * @param {string} name for a screen reader
 * @param {...(Child | Child[] | Child[][])} children
 */
export function card(name, ...children) {
  return html("section", { class: "card", "aria-label": name, "data-key": name }, ...children);
}

/**
 * A row of a table.
 * @param {(Child | Child[])[]} cells cells, or what one has inside; false leaves one out
 * @param {import("../board/dom.js").Attributes} [attributes]
 */
export function row(cells, attributes = {}) {
  const columns = cells
    .filter((cell) => cell !== false)
    .map((cell) => (cell instanceof HTMLTableCellElement ? cell : html("td", {}, cell)));
  return html("tr", attributes, columns);
}

/**
 * A table.
 * @param {string} caption
 * @param {(Child | Child[])[]} heads names of columns, or cells
 * @param {HTMLElement[]} rows @param {import("../board/dom.js").Attributes} [attributes]
 * @param {string} [look] classes of the caption, which is for a screen reader alone unless they say
 *   otherwise
 */
export function table(caption, heads, rows, attributes = {}, look = "unseen") {
  const cells = heads.map((head) =>
    typeof head === "string" ? html("th", { scope: "col" }, head) : head,
  );
  return html(
    "table",
    attributes,
    html("caption", { class: look }, caption),
    html("thead", {}, row(cells)),
    html("tbody", {}, rows),
  );
}

/**
 * A part that scrolls where the window has less room.
 * @param {string} name for a screen reader
 * @param {Child | Child[]} inside @param {string} [kind] more classes
 */
export function scrolling(name, inside, kind = "") {
  const attributes = { role: "region", "aria-label": name, "data-key": name, tabindex: 0 };
  return html("div", { class: `scroll ${kind}`.trim(), ...attributes }, inside);
}
