/**
 * Positions for the page: the terms, the plays of a roll, and the graph of their steps.
 */

import { SIZE } from "../board/constants.js";
import { findPlay, mostOf, offOf, pipsOf } from "../board/position.js";
import { Refusal, quoted } from "../js/refusal.js";
import { matchIdOf, ogidOf, positionIdOf, xgidOf } from "./ids.js";
import {
  HIGHEST,
  LONGEST,
  after,
  doubled,
  offered,
  questionOf,
  entryOf,
  termsOf,
  withTerms,
} from "./terms.js";

/**
 * @import {Place} from "./ids.js"
 * @import {Terms} from "./terms.js"
 * @import {Engine} from "./gammon.js"
 * @import {GameEnd} from "../../answers.js"
 * @typedef {[source: number, target: number, hit: number]} Move
 * @typedef {{board: number[], left: number[]}} Stop a board within a play, and the remaining dice
 */

/** The IDs of a place, as every answer has them. @param {Place} place */
export function idsOf(place) {
  return {
    position_id: positionIdOf(place.points),
    match_id: matchIdOf(place),
    xgid: xgidOf(place),
    ogid: ogidOf(place),
  };
}

/** Whether a side has borne off all its checkers. @param {number[]} points */
export function isOver(points) {
  return [1, -1].some((side) => points.every((count) => side * count <= 0));
}

/** Refuse a place that the core cannot analyze. @param {Engine} engine @param {Place} place */
export function checkPlace(engine, { points, context, dice }) {
  const { length, cube, owner, crawford } = termsOf(context);
  /** @type {[boolean, string][]} */
  const faults = [
    [length > LONGEST, `match length ${length}: expected a whole number from 0 to ${LONGEST}`],
    [cube > HIGHEST, `cube ${cube}: expected 1, 2, 4, ... ${HIGHEST}`],
    [owner !== 0 && cube === 1, `cube owner ${owner}: expected 0, since nobody owns a cube at 1`],
    [crawford && cube > 1, `cube ${cube} in the Crawford game: expected 1`],
  ];
  const fault = faults.find(([isThere]) => isThere);
  if (fault) throw new Refusal(fault[1], "invalid_position");
  try {
    engine.plays(questionOf(points, termsOf(context), dice ?? [1, 1]));
  } catch (error) {
    throw new Refusal(/** @type {Error} */ (error).message, "invalid_position");
  }
}

/**
 * The end of a game that a seat wins by so many points, without the cube.
 * @param {number} seat
 * @param {number} points
 * @param {Terms} terms
 * @returns {GameEnd}
 */
export function wonBy(seat, points, terms) {
  const counted = Math.min(points, mostOf(terms));
  return { winner: /** @type {1 | -1} */ (seat), points: counted, scored: counted * terms.cube };
}

/**
 * The end of a game, or null if the game goes on.
 * @param {Place} place
 * @param {Terms} terms
 * @returns {GameEnd | null}
 */
export function over({ points, context }, terms) {
  if (!isOver(points)) return null;
  const side = points.some((count) => count > 0) ? -1 : 1; // the side without checkers
  const theirs = points.map((count) => Math.max(0, -side * count));
  const home = side === 1 ? theirs.slice(0, 7) : theirs.slice(SIZE - 7); // the loser's checkers in the winner's home or on the bar
  const most = offOf(theirs)[0] > 0 ? 1 : home.some((count) => count) ? 3 : 2;
  return wonBy(side * context.turn, most, terms);
}

/**
 * The moves of a play.
 * @param {number[]} flat source, target and 1 for a hit, four times
 * @returns {Move[]}
 */
export function movesOf(flat) {
  const every = [0, 3, 6, 9].map((at) => /** @type {Move} */ (flat.slice(at, at + 3)));
  return every.filter(([source]) => source > 0);
}

/** A play as people write it, such as `24/18*\/13`. @param {Move[]} moves */
export function notationOf(moves) {
  if (!moves.length) return "cannot move";
  /** @type {Move[][]} The moves of each checker, the rearmost checker first. */
  const chains = [];
  for (const move of [...moves].sort((a, b) => b[0] - a[0] || b[1] - a[1])) {
    const chain = chains.find((chain) => chain[chain.length - 1][1] === move[0]);
    if (chain) chain.push(move);
    else chains.push([move]);
  }
  const last = (/** @type {Move[]} */ chain) => chain[chain.length - 1];
  chains.sort((a, b) => b[0][0] - a[0][0] || last(b)[1] - last(a)[1]);
  const name = (/** @type {number} */ place) =>
    place === SIZE - 1 ? "bar" : place === 0 ? "off" : String(place);
  const counted = new Map();
  for (const chain of chains) {
    const stops = chain
      .filter((move) => move[2] || move === last(chain))
      .map(([, target, hit]) => name(target) + "*".repeat(hit));
    const item = [name(chain[0][0]), ...stops].join("/");
    counted.set(item, (counted.get(item) ?? 0) + 1);
  }
  return [...counted].map(([item, times]) => (times > 1 ? `${item}(${times})` : item)).join(" ");
}

/**
 * The plays of a roll with their notation.
 * @param {Engine} engine
 * @param {number[]} points
 * @param {Terms} terms
 * @param {[number, number]} dice
 */
export function legalOf(engine, points, terms, dice) {
  return engine
    .plays(questionOf(points, terms, dice))
    .map((play) => ({ ...play, notation: notationOf(movesOf(play.moves)) }));
}

/**
 * The number of the play that a text names.
 * @param {string} text @param {number[]} points @param {{notation: string, points: number[]}[]}
 *   plays @param {number[] | null} dice
 */
export function numberOf(text, points, plays, dice) {
  const at = findPlay(text, { points, plays });
  if (at < 0)
    throw new Refusal(
      `${quoted(text)} is not a legal play of ${dice?.join("")} here`,
      "invalid_play",
    );
  return at;
}

/**
 * The graph of the steps of all legal plays, and for its end nodes the index of their play.
 * @param {Engine} engine lists the moves of single checkers
 * @param {Place} place
 * @param {import("./gammon.js").Play[]} plays all plays of the roll
 */
function stepsOf(engine, place, plays) {
  const [low, high] = /** @type {number[]} */ (place.dice).slice().sort();
  const dice = low === high ? [low, low, low, low] : [low, high];
  const terms = termsOf(place.context);
  const length = movesOf(plays[0].moves).length;
  const numbers = new Map(plays.map(({ points }, number) => [String(points), number]));
  const nameOf = (/** @type {Stop} */ { board, left }) => `${board}:${left}`;
  const isEnd = (/** @type {Stop} */ { left }) => dice.length - left.length === length;
  /** Whether a legal play passes through a stop. @param {Stop} stop @returns {boolean} */
  const leads = (stop) => (isEnd(stop) ? numbers.has(String(stop.board)) : moves(stop).length > 0);
  /** @type {Map<string, {source: number, target: number, die: number, next: Stop}[]>} */
  const known = new Map();
  /** The next moves of legal plays. @param {Stop} stop */
  const moves = (stop) => {
    const { board, left } = stop;
    const legal =
      known.get(nameOf(stop)) ??
      [...new Set(left)]
        .flatMap((die) => {
          const rest = left.filter((_, at) => at !== left.indexOf(die));
          return engine
            .plays(questionOf(board, terms, [die, 0]))
            .map(({ points, moves: [source, target] }) => ({
              source,
              target,
              die,
              next: { board: points, left: rest },
            }));
        })
        .filter(({ next }) => leads(next));
    known.set(nameOf(stop), legal);
    return legal;
  };
  /** @type {Stop[]} */
  const stops = [{ board: place.points, left: dice }];
  const at = new Map([[nameOf(stops[0]), 0]]);
  /** @type {[number, number, number, number][][]} */
  const nodes = [];
  /** @type {Record<number, number>} */
  const ends = {};
  for (const stop of stops) {
    let full = isEnd(stop) ? [] : moves(stop);
    // If only one of two dice can be played, it must be the higher one if possible.
    if (length === 1 && full.some(({ die }) => die === high))
      full = full.filter(({ die }) => die === high);
    if (isEnd(stop)) ends[nodes.length] = /** @type {number} */ (numbers.get(String(stop.board)));
    nodes.push(
      full.map(({ source, target, die, next }) => {
        const name = nameOf(next);
        if (!at.has(name)) at.set(name, stops.push(next) - 1);
        return [source, target, die, /** @type {number} */ (at.get(name))];
      }),
    );
  }
  return { steps: nodes, ends };
}

/** @param {Engine} engine @param {Place} place @returns {import("../../answers.js").Position} */
export function positionOf(engine, place) {
  const { points, dice, context } = place;
  const terms = termsOf(context);
  const won = over(place, terms);
  if (!won) checkPlace(engine, place);
  const begun = dice !== null || context.offer !== "" || won !== null;
  const may =
    !begun && terms.cube < HIGHEST && engine.decide(questionOf(points, terms), 1).may_double === 1;
  const asked =
    context.offer === "D" && terms.cube < HIGHEST && !terms.crawford && terms.owner >= 0;
  const plays = dice && !won ? legalOf(engine, points, terms, dice) : null;
  return {
    points,
    dice: dice && dice.join(""),
    ...idsOf(place),
    terms: entryOf(terms),
    pips: /** @type {[number, number]} */ (pipsOf(points)),
    doubled: context.offer === "D",
    turn: /** @type {1 | -1} */ (context.turn),
    over: won,
    may_double: may,
    after_double: may ? xgidOf(offered(place)) : null,
    after_take: asked ? xgidOf(withTerms(place, doubled(terms))) : null,
    after_pass: asked ? wonBy(context.turn, 1, terms) : null,
    plays:
      plays &&
      plays.map(({ notation, points: board }) => ({
        notation,
        points: board,
        xgid: xgidOf(after(place, board)),
      })),
    ...(plays ? stepsOf(engine, place, plays) : { steps: null, ends: null }),
  };
}
