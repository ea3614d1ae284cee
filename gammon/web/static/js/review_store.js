// @ts-check
/** What a reload brings back of a review: its figures, the file of the match, and the place. */

import { keep, kept } from "./settings.js";

/** @typedef {{data: any, name: string, played: number, file: Blob, at: number}} Kept `at` is the number of the choice that was shown */

/**
 * Keep a review. What the page does not show of it stays out: a browser keeps some megabytes.
 * @param {{data: any, name: string, played: number, file: Blob}} review
 */
export async function keepReview({ data, name, played, file }) {
  forgetReview();
  const { players, games, length, depth, notes } = data;
  const choices = data.choices.map((/** @type {import("./review.js").Choice} */ { game, action, player, kind, xgid, made, best, error, values }) => ({ game, action, player, kind, xgid, made, best, error, values }));
  const reader = new FileReader();
  reader.addEventListener("load", () => keep("reviewed", { data: { players, games, length, depth, notes, choices }, name, played, file: reader.result }));
  reader.readAsDataURL(file);
}

/** @returns {Kept | null} */
export function keptReview() {
  const found = kept("reviewed", null);
  if (!found) return null;
  const { data, name, played, file } = /** @type {any} */ (found);
  const bytes = Uint8Array.from(atob(file.split(",")[1]), (letter) => letter.charCodeAt(0));
  return { data, name, played, file: new Blob([bytes]), at: kept("reviewed-at", -1) };
}

export function forgetReview() {
  keep("reviewed", null);
}

/** @param {number} at the number of the choice that is shown */
export function keepPlace(at) {
  keep("reviewed-at", at);
}
