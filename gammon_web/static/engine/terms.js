/** The terms of a game, seen from the player on roll, and the questions to the core. */

import { flipped } from "../board/position.js";

/**
 * @import {Context, Place} from "./ids.js"
 * @typedef {import("../../answers.js").Terms & {live: boolean}} Terms `live`: whether there is a cube
 *   that can be turned
 */

/** The highest cube that the core can analyze. */
export const HIGHEST = 64;
/** The longest match that the core can analyze. */
export const LONGEST = 64;
/** @type {Terms} */
export const MONEY = {
  length: 0,
  away: [0, 0],
  crawford: false,
  cube: 1,
  owner: 0,
  jacoby: false,
  beavers: false,
  live: true,
};

/** @param {Context} context @returns {Terms} */
export function termsOf(context) {
  const { length, scores, turn, crawford, cube, owner, jacoby, beavers, most } = context;
  const [bottom, top] = length ? scores.map((score) => length - score) : [0, 0];
  return {
    length,
    away: turn === 1 ? [bottom, top] : [top, bottom],
    crawford: crawford && length > 0 && bottom + top > 2,
    cube: 2 ** cube,
    owner: owner * turn,
    jacoby: jacoby && !length,
    beavers: beavers && !length,
    live: cube < most,
  };
}

/**
 * A line about the highest cube of a context if doubles can pass it, since values do not know it.
 * @param {Context} context
 * @returns {string[]}
 */
export function limitNotes(context) {
  const terms = termsOf(context);
  const highest = Math.min(2 ** context.most, HIGHEST);
  let turning = [terms, turned(terms)].filter(mayDouble);
  while (turning.length && turning[0].cube < highest)
    turning = turning.map((side) => turned(doubled(side))).filter(mayOffer);
  if (!turning.length) return [];
  return [
    `Highest cube of ${highest} not taken into account: values are as if doubles could go on.`,
  ];
}

/** Whether the player on roll can turn the cube, and could gain by it. @param {Terms} terms */
function mayDouble({ length, away, cube, owner, crawford, live }) {
  if (owner < 0 || crawford || !live) return false;
  return !length || away[0] > cube;
}

/** Whether that player `mayDouble`, and the doubled cube is supported. @param {Terms} terms */
function mayOffer(terms) {
  return mayDouble(terms) && terms.cube < HIGHEST;
}

/**
 * A line about a position that is too good to double where a double costs nothing.
 * @param {Context} context @param {import("../../answers.js").Cube} cube @returns {string[]}
 */
export function doubtfulNotes(context, { action, no_double }) {
  const { away, cube, owner } = termsOf(context);
  const [own, their] = away;
  const isFree =
    (owner >= 0 && own > cube && cube >= their) || (owner <= 0 && their > cube && cube >= own);
  if (action !== "too good to double" || no_double.kind === "rollout" || !isFree) return [];
  return [
    `A double costs ${context.turn === 1 ? "X" : "O"} nothing. Then the model of the cube makes No double up to 0.1 too good: a rollout is more reliable.`,
  ];
}

/** The entry `terms` of an answer. @param {Terms} terms @returns {import("../../answers.js").Terms} */
export function entryOf({ live, ...entry }) {
  return entry;
}

/** The same terms, seen from the opponent. @param {Terms} terms @returns {Terms} */
export function turned(terms) {
  return { ...terms, away: [terms.away[1], terms.away[0]], owner: 0 - terms.owner };
}

/** The terms after a double of the player on roll and a take. @param {Terms} terms @returns {Terms} */
export function doubled(terms) {
  return { ...terms, cube: 2 * terms.cube, owner: -1 };
}

/**
 * The place with other terms, and no double on offer.
 * @param {Place} place
 * @param {Terms} terms
 * @returns {Place}
 */
export function withTerms(place, terms) {
  const { length, away, cube, owner, crawford, jacoby, beavers, live } = terms;
  const { turn, most } = place.context;
  const [own, their] = away.map((points) => length - points);
  const log = Math.log2(cube);
  return {
    ...place,
    context: {
      ...place.context,
      cube: log,
      owner: owner * turn,
      scores: turn === 1 ? [own, their] : [their, own],
      length,
      crawford,
      jacoby,
      beavers,
      most: live ? (most > log ? most : 10) : log,
      offer: "",
      resignation: 0,
      decides: 0,
    },
  };
}

/**
 * The place with another roll, or none.
 * @param {Place} place
 * @param {[number, number] | null} dice
 * @returns {Place}
 */
export function withDice(place, dice) {
  const { context } = place;
  return {
    ...place,
    dice,
    context: dice && context.offer ? { ...context, offer: "", decides: 0 } : context,
  };
}

/**
 * The place after a play, with the opponent on roll.
 * @param {Place} place
 * @param {number[]} points seen from the player who moved
 * @returns {Place}
 */
export function after(place, points) {
  const { context } = place;
  return {
    points: flipped(points),
    dice: null,
    context: { ...context, turn: -context.turn, offer: "", resignation: 0, decides: 0 },
  };
}

/** The place with a double of the player on roll on offer. @param {Place} place @returns {Place} */
export function offered(place) {
  return { ...place, context: { ...place.context, offer: "D", decides: -place.context.turn } };
}

/**
 * The question to the core about points and terms.
 * @param {number[]} points @param {Terms} terms @param {[number, number]} [dice] @param {number}
 *   [top]
 */
export function questionOf(points, terms, dice = [0, 0], top = 0) {
  const { live, crawford, jacoby, beavers, ...same } = terms;
  return {
    ...same,
    points,
    dice,
    top,
    crawford: Number(crawford),
    jacoby: Number(jacoby),
    beavers: Number(beavers),
    dead: Number(!live),
  };
}
