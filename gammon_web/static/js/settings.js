/**
 * What the page keeps from one visit to the next, what a person chose among it, and the addresses
 * of its modes.
 */

import { byId } from "./elements.js";

/**
 * @template T
 * @param {string} name @param {T} fallback @returns {T}
 */
export function kept(name, fallback) {
  try {
    const text = localStorage.getItem(`gammon.${name}`);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** @param {string} name @param {unknown} value null forgets it */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`gammon.${name}`);
    else localStorage.setItem(`gammon.${name}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing: the page works without.
  }
}

/** Hear when another tab keeps something else. @param {string} name @param {() => void} heard */
export function onKept(name, heard) {
  addEventListener("storage", ({ key }) => key === `gammon.${name}` && heard());
}

/**
 * Name what is shown in the address, so that the browser's way back leads to it.
 * @param {string} hash
 * @param {boolean} [isNamed] whether the address names it already, in other words: these are in the
 *   way
 */
export function visit(hash, isNamed = false) {
  if (location.hash === hash) return;
  if (location.hash && !isNamed) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
}

/**
 * Do as was chosen about colours and letters as keys, and hear what is chosen next.
 * @param {import("./desk.js").Desk} desk
 */
export function looks(desk) {
  const theme = /** @type {HTMLSelectElement} */ (byId("theme"));
  theme.value = kept("theme", "auto");
  const paint = () => {
    if (theme.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  };
  theme.addEventListener("change", () => (keep("theme", theme.value), paint()));
  paint();
  const letters = /** @type {HTMLInputElement} */ (byId("letters"));
  desk.letters = letters.checked = kept("letters", true);
  letters.addEventListener("change", () => keep("letters", (desk.letters = letters.checked)));
}
