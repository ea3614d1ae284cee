/** Elements of HTML and of SVG. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */
/**
 * @typedef {Record<string, string | number | boolean | EventListener | null | undefined>}
 *   Attributes
 */

/**
 * @param {Element} made
 * @param {Attributes} attributes a function listens, null and false are left out
 * @param {Child[]} children
 */
function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false)
      made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      made.append(typeof child === "number" ? String(child) : child);
  return made;
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
