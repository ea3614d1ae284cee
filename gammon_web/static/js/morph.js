/**
 * Makes what a place has be what it shall have. What is alike stays the same element, and with it
 * the focus, a selection, how far it is scrolled, and what is typed.
 */

import { html, listenAs } from "../board/dom.js";

/** @typedef {{of: unknown[], make: () => Element}} Promised */
/** @type {WeakMap<Node, Promised>} elements that are made where they are new, or of other things */
const promised = new WeakMap();
/** @type {WeakMap<Node, unknown[]>} what those are of that are there */
const made = new WeakMap();

/**
 * An element of a long list, which stays as it is while it is of the same things.
 * @param {string} tag @param {string} key @param {unknown[]} of @param {() => Element} make
 */
export function lazy(tag, key, of, make) {
  const element = html(tag, { "data-key": key, "data-lazy": true });
  promised.set(element, { of, make });
  return element;
}

/** What was promised, in a node that is new. @param {Node} node */
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

/** Whether an element is of these things already. @param {Node} node @param {unknown[]} of */
function isOf(node, of) {
  return made.get(node)?.every((thing, at) => thing === of[at]) ?? false;
}

/** Elements are alike that have one tag, and one id or `data-key`. @param {Node} node */
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
    // An element that is moved loses the focus: then the others move.
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
  // Details are opened and closed by a person, not by a state.
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
