/** The engine as a player: it doubles, takes, plays, and answers resignations. */

import { Refusal } from "../js/refusal.js";
import { answerOf, checkOffer, decisionOf } from "./answers.js";
import { cubeOf } from "./cube.js";
import { movesOf, notationOf, positionOf, wonBy } from "./positions.js";
import { HIGHEST, after, doubled, offered, questionOf, termsOf, withTerms } from "./terms.js";

/**
 * @import {Place} from "./ids.js"
 * @import {Engine} from "./gammon.js"
 * @import {Settings} from "./answers.js"
 * @typedef {{strength: number, seed: number}} Errs a performance rating, and the seed of the noise
 */

/** A resignation is accepted even if playing on is worth this much more. */
const GRACE = 1e-4;

/**
 * The action of the engine in a position.
 * @param {Engine} engine @param {Place} place @param {Settings} settings
 * @param {Errs | null} errs for an opponent that errs and decides at depth 1
 * @returns {import("../../answers.js").Turn}
 */
export function turnOf(engine, place, settings, errs) {
  checkOffer(place);
  const terms = termsOf(place.context);
  if (place.dice) return played(engine, place, settings, errs);
  const cube = decided(engine, place, settings, errs);
  if (!place.context.offer) {
    if (terms.cube >= HIGHEST || cube.action !== "double") return { action: "roll" };
    return { action: "double", position: positionOf(engine, offered(place)) };
  }
  if (2 * terms.cube > HIGHEST) throw new Refusal(`a double beyond a cube of ${HIGHEST}`);
  if (cube.answer === "pass") return { action: "pass" };
  const beaver = cube.answer === "beaver" && 4 * terms.cube <= HIGHEST;
  const taken = doubled(terms);
  return {
    action: beaver ? "beaver" : "take",
    position: positionOf(
      engine,
      withTerms(place, beaver ? { ...taken, cube: 2 * taken.cube } : taken),
    ),
  };
}

/**
 * @param {Engine} engine
 * @param {Place} place
 * @param {Settings} settings
 * @param {Errs | null} errs
 */
function decided(engine, place, settings, errs) {
  const { cube, probabilities } = decisionOf(engine, place, settings);
  if (!errs) return cube;
  const { no_double: stay, double_take: take, double_pass: pass } = cube;
  const chances = Object.values(probabilities);
  const [by] = engine.misjudge([place.points], chances, errs.strength, errs.seed);
  return cubeOf(
    termsOf(place.context),
    chances,
    { ...stay, equity: stay.equity + by },
    take && { ...take, equity: take.equity + 2 * by },
    pass,
  );
}

/**
 * The best play of a roll.
 * @param {Engine} engine @param {Place} place @param {Settings} settings @param {Errs | null} errs
 *   @returns {import("../../answers.js").RollPlayed}
 */
function played(engine, place, { depth }, errs) {
  const question = questionOf(place.points, termsOf(place.context), place.dice ?? undefined, 1);
  const plays = engine.analyze(question, depth);
  const best = errs ? misjudged(engine, plays, errs) : plays[0];
  const moves = movesOf(best.moves);
  const position = positionOf(engine, after(place, best.points));
  return {
    action: "play",
    notation: notationOf(moves),
    steps: moves.map(([source, target]) => [source, target]),
    xgid: position.xgid,
    position,
  };
}

/**
 * The play that seems best with noise. gammon/engine/misjudge.py explains the noise.
 * @param {Engine} engine @param {import("./gammon.js").Play[]} plays best first @param {Errs} errs
 */
function misjudged(engine, plays, { strength, seed }) {
  const boards = plays.map(({ points }) => points);
  const errors = engine.misjudge(boards, plays[0].chances, strength, seed);
  const seems = plays.map(({ equity }, at) => equity + errors[at]);
  return plays[seems.indexOf(Math.max(...seems))];
}

/**
 * Whether the engine accepts a resignation of the player on roll.
 * @param {Engine} engine @param {Place} place
 * @param {number} points 1 to 3, without the cube
 * @param {Settings} settings @returns {import("../../answers.js").Resigned}
 */
export function resignedOf(engine, place, points, settings) {
  const terms = termsOf(place.context);
  const { results } = engine.evaluate(questionOf(place.points, terms), 1);
  const answer = answerOf(engine, place, { ...settings, top: 1, plays: [], cubeless: false });
  const equity =
    "candidates" in answer
      ? answer.candidates[0].equity
      : /** @type {import("../../answers.js").Decision} */ (answer).equity;
  return {
    accept: results[3 - points] - GRACE <= equity,
    won: wonBy(-place.context.turn, points, terms),
  };
}
