// @ts-check
/** What a reload brings back of a review: what the page shows of it, the file of the match, and the place. */

import { keep, kept } from "./settings.js";

/**
 * @typedef {import("../../answers.js").Review} Review
 * @typedef {Pick<Review["choices"][number], "game" | "action" | "player" | "kind" | "xgid" | "made" | "best" | "error" | "values">} Choice
 * @typedef {Pick<Review, "players" | "games" | "figures" | "units" | "length" | "depth" | "notes"> & {choices: Choice[]}} Reviewed
 * @typedef {{data: Reviewed, name: string, played: number, file: Blob}} Kept
 */

/**
 * Keep a review. What the page does not show of it stays out: a browser keeps some megabytes.
 * @param {Kept} review
 */
export async function keepReview({ data, name, played, file }) {
  forgetReview();
  const { players, games, figures, units, length, depth, notes } = data;
  const choices = data.choices.map(({ game, action, player, kind, xgid, made, best, error, values }) => ({ game, action, player, kind, xgid, made, best, error, values }));
  const reader = new FileReader();
  reader.addEventListener("load", () => keep("reviewed", { data: { players, games, figures, units, length, depth, notes, choices }, name, played, file: reader.result }));
  reader.readAsDataURL(file);
}

/** @returns {Kept & {at: number} | null} `at` is the number of the choice that was shown */
export function keptReview() {
  const found = kept("reviewed", /** @type {Omit<Kept, "file"> & {file: string} | null} */ (null));
  if (!found) return null;
  const bytes = Uint8Array.from(atob(found.file.split(",")[1]), (letter) => letter.charCodeAt(0));
  return { ...found, file: new Blob([bytes]), at: kept("reviewed-at", -1) };
}

export function forgetReview() {
  keep("reviewed", null);
}

/** @param {number} at the number of the choice that is shown */
export function keepPlace(at) {
  keep("reviewed-at", at);
}
