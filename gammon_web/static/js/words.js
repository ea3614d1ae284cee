/** Numbers and positions in words. */

import { fieldsOf } from "../board/position.js";
import { ALIKE, BLUNDERS } from "./blunders.js";

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
export const MARKS = [
  { name: "", sign: "" },
  { name: "doubtful", sign: "?!" },
  { name: "bad", sign: "?" },
  { name: "very bad", sign: "??" },
];

/** @param {number} loss */
export function markOf(loss) {
  return BLUNDERS.filter((least) => loss >= least).length;
}

/** @param {number} count @param {string} noun @param {string} [end] of its plural */
export function counted(count, noun, end = "s") {
  return `${count} ${noun}${count === 1 ? "" : end}`;
}

/**
 * The length and the rules in words.
 * @param {Pick<import("../../answers.js").Terms, "length" | "away" | "crawford" | "jacoby" |
 *   "beavers">} terms
 */
export function termsWords(terms) {
  if (!terms.length) {
    const rules = ["money", terms.jacoby && "Jacoby", terms.beavers && "beavers"];
    return rules.filter(Boolean).join(", ");
  }
  const late = terms.away.includes(1) && terms.away[0] !== terms.away[1];
  return `match to ${terms.length}${terms.crawford ? ", Crawford" : late ? ", post-Crawford" : ""}`;
}

/**
 * Words about a double, changed to a redouble if the player on roll owns the cube.
 * @param {string} words
 * @param {string} xgid
 */
export function doubling(words, xgid) {
  const { owner, turn } = fieldsOf(xgid);
  return owner === turn ? words.replace("double", "redouble").replace("Double", "Redouble") : words;
}

/**
 * The judgement of a double, with equities to the player who doubled.
 * @param {{no_double: number, double_take: number, double_pass: number}} values @param {string}
 *   xgid @param {number} [gain]
 */
export function doubleWords(
  { no_double: stay, double_take: taken, double_pass: passed },
  xgid,
  gain = Math.min(taken, passed) - stay,
) {
  const effect =
    Math.abs(gain) < ALIKE / 2
      ? "loses nothing"
      : `${gain > 0 ? "gains" : "loses"} ${Math.abs(gain).toFixed(3)}`;
  const [name, still] = [doubling("double", xgid), doubling("no double", xgid)];
  return `The ${name} ${effect}: ${still} ${signed(stay)}, ${name}, take ${signed(taken)}, ${name}, pass ${signed(passed)}.`;
}

/** A subject and its verb: "You take", "gammon takes". @param {string} name @param {string} verb */
export function does(name, verb) {
  if (name === "You") return `You ${verb}`;
  return `${name} ${verb}${verb.endsWith("s") ? "es" : "s"}`;
}

/** The head of equities, which in a match are EMG. */
export const EQUITY = (/** @type {boolean} */ inMatch) => (inMatch ? "EMG" : "Equity");

/** The names of the results by their points. */
export const RESULTS = ["", "a single game", "a gammon", "a backgammon"];
