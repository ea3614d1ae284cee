/**
 * Explanations and themes of decisions: the core's numbers in words.
 * gammon_study/reviews/explain.py has the same words.
 */

import { pipsOf } from "../board/position.js";
import { doublingWords } from "./cube.js";
import { THEMES } from "./gammon.js";
import { fixed, plus } from "./totals.js";

/**
 * @import {Reasons} from "./gammon.js"
 * @import {Terms} from "./terms.js"
 */

/** The names of the counts. */
const COUNTS = [
  "checkers off",
  "shots left of 36:",
  "blots",
  "points at home",
  "their checkers on the bar",
  "checkers back",
];
/** For each chance its verb, its object, and the word for less. */
const CHANCES = [
  ["wins", "", "less"],
  ["wins", " gammons", "fewer"],
  ["loses", " gammons", "fewer"],
];

/** The themes of a decision. @param {Reasons} reasons @returns {string[]} */
export function themesOf({ themes }) {
  return THEMES.filter((_, at) => (themes >> at) & 1);
}

/** @param {string[]} clauses */
function sentences(clauses) {
  return clauses
    .filter((clause) => clause)
    .map((clause) => `${clause[0].toUpperCase()}${clause.slice(1)}.`)
    .join(" ");
}

/** The explanation of a wrong play. @param {Reasons} reasons */
export function whyPlay(reasons) {
  const [lost, saved] = [-1, 1].map((sign) => chancesOf(reasons, sign).join(", "));
  const byCube = cubeOf(reasons);
  const against = lost || byCube;
  const first = saved && against ? `${saved}, but ${against}` : against;
  return sentences([first, countsOf(reasons).join(", "), lost && byCube]);
}

/**
 * The chances that are better than after the best play; with sign -1, worse.
 * @param {Reasons} reasons
 * @param {number} sign
 */
function chancesOf({ chances, more }, sign) {
  return CHANCES.flatMap(([verb, what, less], at) => {
    const difference = fixed(Math.abs(100 * more[at]), 1);
    const words = `${verb} ${difference} % ${more[at] > 0 ? "more" : less}${what}`;
    return chances[at] === sign ? [words] : [];
  });
}

/** @param {Reasons} reasons */
function cubeOf({ cube, without }) {
  if (!cube) return "";
  const beside = cube === 1 ? "both are worth the same" : `this is worth ${fixed(without, 3)} more`;
  return `the cube makes the difference: without it ${beside}`;
}

/** The counts on the board that are worse than after the best play. @param {Reasons} reasons */
function countsOf(reasons) {
  const { counted, counts, best_counts: best, pointed, points, best_points } = reasons;
  const texts = COUNTS.flatMap((name, at) =>
    counted[at] ? [`${name} ${counts[at]} (best ${best[at]})`] : [],
  );
  const made = `makes ${pointNames(points)} (best ${pointNames(best_points)})`;
  return pointed ? [...texts, made] : texts;
}

/** Points in words; points in the opponent's home get the opponent's numbers. @param {number} bits */
function pointNames(bits) {
  const places = Array.from({ length: 24 }, (_, at) => 24 - at).filter((at) => (bits >> at) & 1);
  const names = places.map((at) => (at > 18 ? `their ${25 - at}-point` : `the ${at}-point`));
  return names.join(" and ") || "no point";
}

/**
 * The explanation of a wrong choice about the cube.
 * @param {boolean} answers whether the opponent made the choice
 * @param {{no_double: number, double_take: number, double_pass: number}} values
 * @param {number[]} chances
 * @param {number[]} points
 * @param {Terms} terms
 */
export function whyCube(answers, values, chances, points, terms) {
  const { no_double: stay, double_take: taken, double_pass: passed } = values;
  const [win, won, , lost] = chances.map((chance) => `${fixed(100 * chance, 0)} %`);
  const gammons = [won, lost].some((share) => share !== "0 %");
  const wins = `${answers ? "the doubler" : "the player on roll"} wins ${win}${
    gammons ? `, ${won} with a gammon, and loses ${lost} with one` : ""
  }`;
  const [own, their] = pipsOf(points);
  const pips = `pips ${own} to ${their}`;
  if (answers) {
    const words = [`take ${plus(0 - taken, 3)}`, "pass -1.000"];
    return sentences([wins, pips, (taken < 1 ? words : words.reverse()).join(", ")]);
  }
  const double = plus(Math.min(taken, passed), 3);
  const worth = `no double is worth ${plus(stay, 3)}, a double ${double}`;
  const answer = taken > passed ? "pass" : "take";
  return sentences([wins, pips, `${doublingWords(worth, terms)} (${answer})`]);
}
