/**
 * The figures of the players of a match: errors, rates and luck, as numbers and as text.
 * gammon_study/reviews/totals.py and gammon_study/view/review.py are the twins in Python.
 */

import { ALIKE, BLUNDERS, ratingOf } from "../js/blunders.js";

/** @import {Choice, Luck, ErrorSums, Totals, Figure} from "../../answers.js" */

/** Words with the upper bounds of their rates: XG's for PR, GNU Backgammon's for its own rate. */
const CLASSES = /** @type {[number, string][]} */ ([
  [2.5, "world champ"],
  [5, "world class"],
  [7.5, "expert"],
  [12.5, "advanced"],
  [17.5, "intermediate"],
  [22.5, "casual player"],
  [30, "beginner"],
  [Infinity, "distracted"],
]);
const RATINGS = /** @type {[number, string][]} */ ([
  [2, "supernatural"],
  [5, "world class"],
  [8, "expert"],
  [12, "advanced"],
  [18, "intermediate"],
  [26, "casual player"],
  [35, "beginner"],
  [Infinity, "awful"],
]);
const KINDS = /** @type {const} */ (["play", "no double", "double", "take", "pass"]);
/** The parts of the decisions, and the kinds in each. */
export const PARTS = /** @type {const} */ ({
  plays: ["play"],
  doubles: ["no double", "double"],
  takes: ["take", "pass"],
});
/** A lower PR is written as 0.00, and has no meaning: the player chose as the review does. */
const FLAWLESS = 0.005;

/** With fewer decisions a player gets no word. */
const LEAST_DECISIONS = 30;

/**
 * @param {[number, string][]} words
 * @param {number | null} value
 * @param {number} decisions the number of decisions behind the rate
 */
const word = (words, value, decisions) =>
  value === null || decisions < LEAST_DECISIONS
    ? null
    : /** @type {[number, string]} */ (words.find(([bound]) => value < bound))[1];

/** @param {number} sum @param {number} count */
const thousandfold = (sum, count) => (count ? (1000 * sum) / count : null);

/** @template T @param {T[]} all @param {(each: T) => number} of */
const sum = (all, of) => all.reduce((total, item) => total + of(item), 0);

/**
 * XG's class of a PR; null for few decisions, or if the PR has no meaning.
 * @param {number | null} pr
 * @param {number} counted the number of decisions that count
 */
export function classOf(pr, counted) {
  return pr !== null && pr < FLAWLESS ? null : word(CLASSES, pr, counted);
}

/** @param {Pick<Choice, "counted" | "active" | "error" | "cost">[]} choices @returns {ErrorSums} */
export function errorsOf(choices) {
  const [counted, active] = [
    sum(choices, (choice) => Number(choice.counted)),
    sum(choices, (choice) => Number(choice.active)),
  ];
  const error = sum(choices, (choice) => choice.error);
  const marks = choices.map((choice) => BLUNDERS.filter((least) => choice.error >= least).length);
  return {
    choices: choices.length,
    counted,
    active,
    wrong: choices.filter((choice) => choice.error >= ALIKE).length,
    error,
    cost: sum(choices, (choice) => choice.cost),
    marks: /** @type {ErrorSums["marks"]} */ (
      [1, 2, 3].map((level) => marks.filter((mark) => mark === level).length)
    ),
    pr: ratingOf(error, counted),
    rate: thousandfold(error, active),
  };
}

/**
 * @param {Choice[]} choices of both players
 * @param {Luck[]} lucks of both
 * @param {number} player
 * @returns {Totals}
 */
export function totalsOf(choices, lucks, player) {
  const mine = choices.filter((choice) => choice.player === player);
  const rolled = lucks.filter((luck) => luck.player === player);
  const of = (/** @type {readonly Choice["kind"][]} */ kinds) =>
    errorsOf(mine.filter(({ kind }) => kinds.includes(kind)));
  const all = errorsOf(mine);
  const { pr } = all;
  return {
    pr,
    pr_class: classOf(pr, all.counted),
    snowie_rate: thousandfold(all.error, lucks.length),
    rating: word(RATINGS, all.rate, all.active),
    all,
    plays: of(PARTS.plays),
    cube: of([...PARTS.doubles, ...PARTS.takes]),
    doubles: of(PARTS.doubles),
    takes: of(PARTS.takes),
    kinds: Object.fromEntries(KINDS.map((kind) => [kind, of([kind])])),
    luck: sum(rolled, ({ equity }) => equity),
    luck_value: sum(rolled, ({ value }) => value),
  };
}

/**
 * A list with the note on a player whose PR has no meaning; else an empty list.
 * @param {string} name
 * @param {Totals} totals
 */
export function flawlessNote(name, { pr, all }) {
  if (pr === null || pr >= FLAWLESS) return [];
  return [
    `${name} made the review's own choices (${all.counted} count), as does a program that searches as deep. PR 0.00 means nothing then: look deeper.`,
  ];
}

/**
 * A number of 0 or more with some digits; a tie is rounded to an even digit, as in Python.
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  const inTheMiddle = (value * 2 ** (digits + 1)) % 2 === 1;
  const below = Math.floor(value * 10 ** digits);
  return inTheMiddle && below % 2 === 0
    ? (below / 10 ** digits).toFixed(digits)
    : value.toFixed(digits);
}

/** A number with its sign; 0 has a plus. @param {number} value @param {number} digits */
export function plus(value, digits) {
  const size = fixed(Math.abs(value), digits);
  return (value < 0 && Number(size) !== 0 ? "-" : "+") + size;
}

/**
 * The figures as text.
 * @param {(Totals & {result: number | null, luck_adjusted_result: number | null})[]} players
 * @param {number} length of the match
 * @returns {Figure[]}
 */
export function figuresOf(players, length) {
  const costText = (/** @type {number | null} */ value) =>
    value === null ? "-" : length ? `${plus(100 * value, 2)} %` : plus(value, 3);
  const some = (/** @type {number | null} */ value, digits = 1) =>
    value === null ? "-" : fixed(value, digits);
  const pair = (/** @type {number} */ equity, /** @type {number} */ cost) =>
    `${plus(equity, 3)} (${costText(cost)})`;
  const lost = ({ error, cost } = /** @type {ErrorSums} */ ({})) => pair(-error, -cost);
  const rated = (/** @type {ErrorSums} */ { pr, counted }) =>
    pr === null ? "-" : `${some(pr, 2)} in ${counted}`;
  const wrong = (/** @type {ErrorSums} */ errors) =>
    errors.wrong ? `${errors.wrong}: ${lost(errors)}` : "0";
  /**
   * @type {[string, (player: typeof players[number]) => string | number | null][]} a blank before a
   *   name: it is a part of the figure above
   */
  const rows = [
    ["PR", ({ pr }) => some(pr, 2)],
    ["XG's class", ({ pr_class }) => pr_class],
    [" decisions", ({ all }) => all.counted],
    [" errors", ({ all }) => lost(all)],
    ["PR: plays", ({ plays }) => rated(plays)],
    ["PR: doubles", ({ doubles }) => rated(doubles)],
    ["PR: takes", ({ takes }) => rated(takes)],
    ["Plays", ({ plays }) => wrong(plays)],
    [" unforced, of all", ({ plays }) => `${plays.active} of ${plays.choices}`],
    [" doubtful, bad, very bad", ({ plays }) => plays.marks.join(", ")],
    ["Doubles", ({ doubles }) => wrong(doubles)],
    [" doubtful, bad, very bad doubles", ({ doubles }) => doubles.marks.join(", ")],
    [" missed doubles", ({ kinds }) => wrong(kinds["no double"])],
    [" wrong doubles", ({ kinds }) => wrong(kinds.double)],
    ["Takes", ({ takes }) => wrong(takes)],
    [" doubtful, bad, very bad takes", ({ takes }) => takes.marks.join(", ")],
    [" wrong takes", ({ kinds }) => wrong(kinds.take)],
    [" wrong passes", ({ kinds }) => wrong(kinds.pass)],
    ["Cube", ({ cube }) => lost(cube)],
    [" counted by GNU, of all", ({ cube }) => `${cube.active} of ${cube.choices}`],
    ["GNU rate: plays", ({ plays }) => some(plays.rate)],
    ["GNU rate: cube", ({ cube }) => some(cube.rate)],
    ["GNU rate: all", ({ all }) => some(all.rate)],
    [" GNU's word for it", ({ rating }) => rating],
    ["Snowie rate", ({ snowie_rate }) => some(snowie_rate)],
    ["Luck", ({ luck, luck_value }) => pair(luck, luck_value)],
    ["Result", ({ result }) => costText(result)],
    ["Result, luck taken out", ({ luck_adjusted_result }) => costText(luck_adjusted_result)],
  ];
  return rows.map(([name, of]) => ({
    name: name.trim(),
    part: name.startsWith(" "),
    values: /** @type {[string, string]} */ (players.map((player) => String(of(player) ?? "-"))),
  }));
}

/** The sentences about the units of errors, luck and results, and the words. @param {number} length */
export function unitsOf(length) {
  const words = "The glossary, docs/glossary.md, explains the words.";
  if (!length)
    return `Errors and luck are in points of the cube, and in brackets in points. ${words}`;
  return `Errors and luck are in EMG, and in brackets as a chance to win the match; so are results. Where more is at stake, the same EMG moves that chance further, so the two sums may differ in sign. ${words}`;
}
