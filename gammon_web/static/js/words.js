/** Numbers and positions in words. */

import { fieldsOf } from "../board/position.js";
import { ALIKE, BLUNDERS } from "./blunders.js";
import { said, t } from "./language.js";

/** @param {number} value @param {number} [digits] */
export function signed(value, digits = 3) {
  const text = Math.abs(value).toFixed(digits);
  const sign = value < 0 && Number(text) !== 0 ? "−" : "+";
  return sign + text;
}

/** A sentence with the minus signs of `signed`. @param {string} words */
export function minused(words) {
  return words.replace(/(?<!\S)-(?=\d)/g, "−");
}

/** @param {number} share rounding errors below 0 are cut off @param {number} [digits] */
export function percent(share, digits = 1) {
  return (100 * Math.max(0, share)).toFixed(digits);
}

/** The marks of errors, by the number of `BLUNDERS` that they reach. */
export const MARKS = ["", "?!", "?", "??"].map((sign, at) => ({ name: t.marks[at], sign }));

/** @param {number} loss */
export function markOf(loss) {
  return BLUNDERS.filter((least) => loss >= least).length;
}

/**
 * The length and the rules in words.
 * @param {Pick<import("../../answers.js").Terms, "length" | "away" | "crawford" | "jacoby" |
 *   "beavers">} terms
 */
export function termsWords(terms) {
  if (!terms.length) {
    const rules = [t.terms.money, terms.jacoby && t.terms.jacoby, terms.beavers && t.terms.beavers];
    return rules.filter(Boolean).join(", ");
  }
  const late = terms.away.includes(1) && terms.away[0] !== terms.away[1];
  const game = terms.crawford ? t.terms.crawford : late ? t.terms.postCrawford : "";
  return [t.terms.match(terms.length), game].filter(Boolean).join(", ");
}

/** Whether a double is a redouble: the player on roll owns the cube. @param {string} xgid */
export function isRedouble(xgid) {
  const { owner, turn } = fieldsOf(xgid);
  return owner === turn;
}

/**
 * The engine's words about a double, changed to a redouble if it is one, in the language of the page.
 * @param {string} words
 * @param {string} xgid
 */
export function doubling(words, xgid) {
  return said(
    isRedouble(xgid) ? words.replace("double", "redouble").replace("Double", "Redouble") : words,
  );
}

/**
 * The judgement of a double, with equities to the player who doubled.
 * @param {{no_double: number, double_take: number, double_pass: number}} values @param {string}
 *   xgid @param {number} [gain] @param {number} [beaver] the value after a beaver, if that is right
 */
export function doubleWords(
  { no_double: stay, double_take: taken, double_pass: passed },
  xgid,
  gain = Math.min(taken, passed) - stay,
  beaver = undefined,
) {
  const size = Math.abs(gain);
  const sign = size < ALIKE / 2 ? 0 : Math.sign(gain);
  const equities = /** @type {const} */ ([signed(stay), signed(taken), signed(passed)]);
  const beavered = beaver === undefined ? "" : signed(beaver);
  return t.tables.double(sign, size.toFixed(3), isRedouble(xgid), ...equities, beavered);
}

/** The head of equities, which in a match are EMG. */
export const EQUITY = (/** @type {boolean} */ inMatch) =>
  inMatch ? t.tables.emg : t.tables.equity;
