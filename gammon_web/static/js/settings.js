/**
 * The page's storage between visits, the person's settings, and the addresses of the modes.
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

/** @param {string} name @param {unknown} value null removes the entry */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`gammon.${name}`);
    else localStorage.setItem(`gammon.${name}`, JSON.stringify(value));
  } catch {
    // The page works without storage. A large review that fills it gives way to all else.
    if (name.startsWith("reviewed") || kept("reviewed", null) === null) return;
    keep("reviewed", null);
    keep(name, value);
  }
}

/** The name of the person in matches, whose errors come first. */
export function me() {
  return kept("me", "You");
}

/** Whether a player is the person. @param {string} name */
export function isMe(name) {
  return name.toLowerCase() === me().toLowerCase();
}

/** Call a function when another tab changes an entry. @param {string} name @param {() => void} heard */
export function onKept(name, heard) {
  addEventListener("storage", ({ key }) => key === `gammon.${name}` && heard());
}

/**
 * Put what is shown into the address, so that the browser's Back leads to it.
 * @param {string} hash
 * @param {boolean} [isNamed] whether to replace the present address, which means the same
 */
export function visit(hash, isNamed = false) {
  if (location.hash === hash) return;
  if (location.hash && !isNamed) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
}

/**
 * A check box of the page whose state is stored.
 * @param {string} name the name of the entry, and the id of the box
 * @param {boolean} fallback
 * @param {(value: boolean) => void} heard called with the state, at once and after each change
 */
export function checked(name, fallback, heard) {
  const box = /** @type {HTMLInputElement} */ (byId(name));
  box.checked = kept(name, fallback);
  heard(box.checked);
  box.addEventListener("change", () => (keep(name, box.checked), heard(box.checked)));
}

/**
 * Apply the settings for colours, the direction of play and letter keys, and follow their changes.
 * @param {import("./board_area.js").BoardArea} area
 */
export function looks(area) {
  const theme = /** @type {HTMLSelectElement} */ (byId("theme"));
  theme.value = kept("theme", "auto");
  const paint = () => {
    if (theme.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  };
  theme.addEventListener("change", () => (keep("theme", theme.value), paint()));
  paint();
  checked("letters", true, (on) => (area.letters = on));
  checked("mirrored", false, (on) => area.board.mirror(on));
}
