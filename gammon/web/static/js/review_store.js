/** What a reload brings back of a review: it, the file of the match, and the place. */

import { keep, kept } from "./settings.js";

/** @typedef {{data: import("../../answers.js").Review, name: string, played: number, file: Blob}} Kept */

/** Keep a review, if it is no larger than what a browser keeps. @param {Kept} review */
export function keepReview({ file, ...rest }) {
  forgetReview();
  const reader = new FileReader();
  reader.addEventListener("load", () => keep("reviewed", { ...rest, file: reader.result }));
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
