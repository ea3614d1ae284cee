// @ts-check
/** What the page keeps from one visit to the next. */

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
