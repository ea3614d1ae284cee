/** Elements of the page, made by the same two functions as the board's. */

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

/** Selects the elements that can have the focus. */
const FOCUSABLE = "a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex='0']";

/** The elements in a host that can have the focus now. @param {HTMLElement} host */
function focusable(host) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll(FOCUSABLE));
  return [...all].filter((element) => !element.closest("[hidden]"));
}

/**
 * Replace the children of a host. Elements that are alike stay, and with them the focus. If the
 * focused element is gone, the focus goes to the element at the same number, or to `other`.
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
 * @param {(Child | Child[])[]} cells cells, or their contents; false is left out
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
 * @param {string} [look] classes of the caption, which by default only a screen reader reads
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
 * A part that scrolls in a narrow window.
 * @param {string} name for a screen reader
 * @param {Child | Child[]} inside @param {string} [kind] more classes
 */
export function scrolling(name, inside, kind = "") {
  const attributes = { role: "region", "aria-label": name, "data-key": name, tabindex: 0 };
  return html("div", { class: `scroll ${kind}`.trim(), ...attributes }, inside);
}
