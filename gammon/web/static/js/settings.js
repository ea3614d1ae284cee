/** What the page keeps from one visit to the next, and the addresses of its modes. */

/**
 * @template T
 * @param {string} name
 * @param {T} fallback
 * @returns {T}
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

/** Name what is shown in the address, so that the browser's way back leads to it. @param {string} hash */
export function visit(hash) {
  if (location.hash === hash) return;
  if (location.hash) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
}
