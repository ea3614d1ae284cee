/**
 * Changes the children of an element into other children. Elements that are alike stay, and with
 * them the focus, a selection, the scroll position and typed text.
 */

import { html, listenAs } from "../board/dom.js";

/** @typedef {{of: unknown[], make: () => Element}} Promised */
/** @type {WeakMap<Node, Promised>} placeholders whose elements are made only if they are needed */
const promised = new WeakMap();
/** @type {WeakMap<Node, unknown[]>} the values that present elements were made from */
const made = new WeakMap();

/**
 * A placeholder for an element of a long list, which is made again only if its values `of` change.
 * @param {string} tag @param {string} key @param {unknown[]} of @param {() => Element} make
 */
export function lazy(tag, key, of, make) {
  const element = html(tag, { "data-key": key, "data-lazy": true });
  promised.set(element, { of, make });
  return element;
}

/** A new node with the elements of its placeholders. @param {Node} node */
function fulfilled(node) {
  const promise = promised.get(node);
  if (promise) {
    const element = promise.make();
    made.set(element, promise.of);
    return element;
  }
  if (node instanceof Element)
    for (const element of node.querySelectorAll("[data-lazy]"))
      element.replaceWith(fulfilled(element));
  return node;
}

/** Whether an element was made from these values. @param {Node} node @param {unknown[]} of */
function isOf(node, of) {
  return made.get(node)?.every((thing, at) => thing === of[at]) ?? false;
}

/** The kind of a node: nodes with the same tag and the same id or `data-key` are alike. @param {Node} node */
function kindOf(node) {
  if (!(node instanceof Element)) return node.nodeName;
  return `${node.localName} ${node.id || (node.getAttribute("data-key") ?? "")}`;
}

/** @param {Element | DocumentFragment} host @param {Iterable<Node>} children */
export function morph(host, children) {
  let current = host.firstChild;
  for (const child of [...children]) {
    let same = current;
    while (same && kindOf(same) !== kindOf(child)) same = same.nextSibling;
    const promise = promised.get(child);
    if (!same) {
      host.insertBefore(fulfilled(child), current);
      continue;
    }
    // A moved element loses the focus, so the others move if it has the focus.
    if (current !== same && !same.contains(document.activeElement))
      current = host.insertBefore(same, current);
    while (current && current !== same) {
      const next = current.nextSibling;
      host.append(current);
      current = next;
    }
    if (!promise) become(same, child);
    else if (!isOf(same, promise.of)) {
      become(same, promise.make());
      made.set(same, promise.of);
    }
    current = same.nextSibling;
  }
  while (current) {
    const next = current.nextSibling;
    current.remove();
    current = next;
  }
}

/** @param {Node} node @param {Node} other */
function become(node, other) {
  if (!(node instanceof Element && other instanceof Element)) {
    if (node.nodeValue !== other.nodeValue) node.nodeValue = other.nodeValue;
    return;
  }
  // The person opens and closes details, not the state.
  for (const { name } of [...node.attributes])
    if (!other.hasAttribute(name) && name !== "open") node.removeAttribute(name);
  for (const { name, value } of other.attributes) {
    if (node.getAttribute(name) === value) continue;
    if (name === "style") /** @type {HTMLElement} */ (node).style.cssText = value;
    else node.setAttribute(name, value);
    if (name === "value" && node instanceof HTMLInputElement && node.value !== value)
      node.value = value;
  }
  listenAs(node, other);
  morph(node, other.childNodes);
  if (node instanceof HTMLInputElement) node.checked = /** @type {typeof node} */ (other).checked;
  if (node instanceof HTMLSelectElement)
    node.selectedIndex = /** @type {typeof node} */ (other).selectedIndex;
}
