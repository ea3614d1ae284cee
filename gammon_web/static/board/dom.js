/** Elements of HTML and of SVG. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */
/**
 * @typedef {Record<string, string | number | boolean | EventListener | null | undefined>}
 *   Attributes
 */

/** @type {WeakMap<EventTarget, Record<string, EventListener>>} the listeners of elements by event */
const listeners = new WeakMap();

/** @param {Event} event */
function hear(event) {
  const { currentTarget: element, type } = event;
  if (element) listeners.get(element)?.[type]?.(event);
}

/** @param {Element} element @param {Record<string, EventListener>} heard by the names of events */
function listen(element, heard) {
  for (const name of Object.keys(heard)) element.addEventListener(name, hear);
  listeners.set(element, heard);
}

/**
 * Give an element the listeners of another one, which is not shown. The listeners must not refer to
 * the other element, but use `currentTarget`.
 * @param {Element} element @param {Element} other
 */
export function listenAs(element, other) {
  listen(element, listeners.get(other) ?? {});
}

/**
 * @param {Element} element
 * @param {Attributes} attributes a function is a listener; null and false are left out
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  /** @type {Record<string, EventListener>} */
  const heard = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") heard[name] = value;
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  listen(element, heard);
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(typeof child === "number" ? String(child) : child);
  return element;
}

/**
 * An element of HTML.
 * @template {string} T
 * @param {T} tag @param {Attributes} [attributes] @param {...(Child | Child[] | Child[][])}
 *   children
 * @returns {T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T] : HTMLElement}
 */
export function html(tag, attributes = {}, ...children) {
  return /** @type {any} */ (
    fill(document.createElement(tag), attributes, /** @type {Child[]} */ (children.flat(2)))
  );
}

/**
 * An element of SVG.
 * @param {string} tag @param {Attributes} [attributes] @param {...(Child | Child[] | Child[][])}
 *   children @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (
    fill(document.createElementNS(SVG, tag), attributes, /** @type {Child[]} */ (children.flat(2)))
  );
}
