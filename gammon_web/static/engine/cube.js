/**
 * A decision about the cube in words. gammon/engine/cube.py is its twin in Python.
 */

/**
 * @import {Cube, CubeValue} from "../../answers.js"
 * @import {Terms} from "./terms.js"
 */

/** Equities that differ by less are equal, as values of ended games have 24 bits. */
const EQUAL = 1e-5;
/** Values that differ by no more are equal. */
const ROUNDING = 1e-9;
/** A decision is close if the other choice is worth less than this much less. */
const CLOSE = 0.02;

/**
 * @param {Terms} terms
 * @param {number[]} chances of the player on roll: to win, with a gammon, ...
 * @param {CubeValue} stay the value of no double
 * @param {CubeValue | null} take the value of double and take; null if there is no double
 * @param {CubeValue | null} pass @returns {Cube}
 */
export function cubeOf(terms, chances, stay, take, pass) {
  const values = { no_double: stay, double_take: take, double_pass: pass, confidence: null };
  if (!take || !pass) {
    return {
      ...values,
      action: "no double",
      answer: null,
      verdict: withoutDouble(terms),
      gain: null,
      close: false,
      answer_gain: null,
      answer_close: false,
    };
  }
  const beaver = terms.beavers && take.equity < 0;
  const answer = take.equity >= pass.equity ? "pass" : beaver ? "beaver" : "take";
  const taken = answer === "beaver" ? 2 * take.equity : take.equity;
  const doubled = Math.min(taken, pass.equity);
  const gain = doubled - stay.equity;
  const action = actionOf(stay.equity, doubled, pass.equity, answer, chances);
  const words = chances[0] > 0 && Math.abs(gain) < EQUAL ? "optional double" : action;
  return {
    ...values,
    action,
    answer,
    verdict: `${doublingWords(words, terms)}, ${answer}`,
    gain,
    close: Math.abs(gain) < CLOSE,
    answer_gain: Math.abs(pass.equity - taken),
    answer_close: Math.abs(pass.equity - taken) < CLOSE,
  };
}

/**
 * @param {number} stay
 * @param {number} doubled the equity of a double with the right answer
 * @param {number} passed @param {string} answer @param {number[]} chances @returns {Cube["action"]}
 */
function actionOf(stay, doubled, passed, answer, [win, gammon]) {
  if (doubled >= stay - ROUNDING) return win > 0 ? "double" : "no double";
  if (stay > passed && gammon > 0) return "too good to double";
  return stay > passed && answer === "pass" ? "double" : "no double"; // the difference is a rounding error
}

/** @param {Terms} terms */
function withoutDouble(terms) {
  const { owner, crawford, live, length, away } = terms;
  if (crawford) return "no double, Crawford game";
  if (owner < 0 && live && (!length || away[1] > terms.cube))
    return "no double, the opponent owns the cube";
  if (!owner && live && away[1] > terms.cube) return "no double, a single win wins the match";
  return doublingWords("no double, dead cube", terms);
}

/**
 * Words about a double, changed to a redouble if the player on roll owns the cube.
 * @param {string} words
 * @param {Terms} terms
 */
export function doublingWords(words, { owner }) {
  return owner > 0 ? words.replaceAll("doubl", "redoubl") : words;
}

/** The equity of a position with the right decisions of both players. @param {Cube} cube */
export function equityOf({ no_double, gain }) {
  return no_double.equity + Math.max(0, gain ?? 0);
}

/** The chance to win the match then; null for money. @param {Cube} cube */
export function mwcOf({ no_double, double_take, double_pass }) {
  const answers = [double_take, double_pass].flatMap((value) => value?.mwc ?? []);
  return no_double.mwc === null || !answers.length
    ? no_double.mwc
    : Math.max(no_double.mwc, Math.min(...answers));
}
