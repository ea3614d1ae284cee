/** Elements of the page; those of the board and these are made by the same two functions. */

import { html } from "../board/dom.js";

/** @import {Child} from "../board/dom.js" */

export { html, svg } from "../board/dom.js";

/**
 * The element of the page with an id.
 * @template {HTMLElement} T
 * @param {string} id @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return /** @type {T} */ (found);
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

/**
 * Put other elements in a place. A focus in it stays: on the one with the same id, or else on the
 * one that is the same
 * number now, or on another place where there is none.
 * @param {HTMLElement} host @param {(Node | string)[]} children @param {{focus: () => void}}
 *   [other]
 */
export function refill(host, children, other = undefined) {
  const old = document.activeElement;
  const all = () =>
    /** @type {HTMLElement[]} */ ([...host.querySelectorAll(FOCUSABLE)]).filter(
      (each) => !each.closest("[hidden]"),
    );
  const at =
    old && old !== host && host.contains(old)
      ? all().indexOf(/** @type {HTMLElement} */ (old))
      : -1;
  host.replaceChildren(...children);
  if (!old || at < 0) return;
  const now = all();
  (
    now.find(({ id }) => id && id === old.id) ??
    now[Math.min(at, now.length - 1)] ??
    other
  )?.focus();
}

/**
 * A card of a panel.
 * @param {string} name for a screen reader
 * @param {...(Child | Child[] | Child[][])} children
 */
export function card(name, ...children) {
  return html("section", { class: "card", "aria-label": name }, ...children);
}

/**
 * A row of a table.
 * @param {(Child | Child[])[]} cells what is no cell gets one; false leaves one out
 * @param {import("../board/dom.js").Attributes} [attributes]
 */
export function row(cells, attributes = {}) {
  const made = cells
    .filter((each) => each !== false)
    .map((each) => (each instanceof HTMLTableCellElement ? each : html("td", {}, each)));
  return html("tr", attributes, made);
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
  const cells = heads.map((each) =>
    typeof each === "string" ? html("th", { scope: "col" }, each) : each,
  );
  return html(
    "table",
    attributes,
    html("caption", { class: look }, caption),
    html("thead", {}, row(cells)),
    html("tbody", {}, rows),
  );
}
