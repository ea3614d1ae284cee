/** Rollouts: games from each candidate of a decision, all with the same dice. */

import { flipped } from "../board/position.js";
import { candidatesOf, headed, named, termsAsked } from "./answers.js";
import { cubeOf, equityOf } from "./cube.js";
import { legalOf, numberOf } from "./positions.js";
import { questionOf, termsOf, turned } from "./terms.js";
import { BLOCK, REACH, RolloutSums } from "./rollout_sums.js";

/**
 * @import {Place} from "./ids.js"
 * @import {Engine} from "./gammon.js"
 * @import {Settings} from "./answers.js"
 * @import {Rollout} from "../../answers.js"
 * @typedef {{name: string, points: number[] | null, question: object}} Rolled a candidate, and
 *   the question with which its games start
 * @typedef {{trials: number, seed: number, truncate: number}} Games the number and the
 *   settings of the games
 */

/** Plies of the search that chooses the candidates of a roll. */
const SEARCHED = 3;

/**
 * The candidates: the named plays, or the best plays; before a roll, the two actions of the cube.
 * @param {Engine} engine @param {Place} place @param {Settings} settings @returns {Rolled[]}
 */
function rolledOf(engine, place, settings) {
  const { points, dice } = place;
  const terms = termsAsked(place, settings);
  if (!dice) {
    const question = questionOf(points, terms);
    const may = !settings.cubeless && engine.decide(question, 1).may_double === 1;
    const names = may ? ["No double", "Double, take"] : ["Before the roll"];
    return names.map((name, number) => ({
      name,
      points: null,
      question: { ...question, doubled: number },
    }));
  }
  const start = (/** @type {number[]} */ board) => startOf(board, terms);
  if (!settings.plays.length) {
    const best = candidatesOf(engine, place, { ...settings, depth: SEARCHED }).slice(
      0,
      settings.top,
    );
    return best.map((candidate) => ({
      name: candidate.play,
      points: candidate.points,
      question: start(candidate.points),
    }));
  }
  const legal = legalOf(engine, points, terms, dice);
  const wanted = new Set(settings.plays.map((text) => numberOf(text, points, legal, dice)));
  return [...wanted].map((at) => ({
    name: legal[at].notation,
    points: legal[at].points,
    question: start(legal[at].points),
  }));
}

/**
 * The question with which the games after a play start.
 * @param {number[]} points seen from the player who moved
 * @param {import("./terms.js").Terms} terms of the player who moved
 */
export function startOf(points, terms) {
  return { ...questionOf(flipped(points), turned(terms)), may_begin: 1 };
}

/**
 * Play the games, block by block, and report the present result after each block.
 * @param {Engine} engine @param {Place} place
 * @param {Settings} settings `depth` is the depth of each play and double
 * @param {Games} games
 * @param {(rollout: () => Rollout, last: boolean) => Promise<boolean>} heard returns whether to go on
 */
export async function rollOut(engine, place, settings, games, heard) {
  const begun = performance.now();
  const rolled = rolledOf(engine, place, settings);
  const terms = termsAsked(place, settings);
  const pass = rolled.length === 2 && !place.dice ? passed(engine, place) : null;
  const after = place.dice !== null;
  const sums = new RolloutSums(engine, rolled.length, after, pass && pass.equity, terms.beavers);
  const result = () => ({
    ...answered(place, settings, games, rolled, sums, pass),
    seconds: (performance.now() - begun) / 1000,
  });
  for (let first = 0; first < games.trials; first += BLOCK) {
    for (const c of sums.playing)
      sums.add(
        c,
        engine.games(
          { ...rolled[c].question, seed: games.seed, trial: first, truncate: games.truncate },
          settings.depth,
        ),
      );
    if (!(await heard(result, sums.trials >= games.trials))) return;
    if (rolled[0].points) sums.drop();
  }
}

/**
 * The answer by the games so far.
 * @param {Place} place @param {Settings} settings @param {Games} games @param {Rolled[]} rolled
 *   @param {RolloutSums} sums @param {import("../../answers.js").CubeValue | null} pass of the cube
 */
function answered(place, settings, games, rolled, sums, pass) {
  const terms = termsAsked(place, settings);
  const mwcs = terms.length ? sums.meansOf(sums.mwcs) : null;
  const unadjusted = sums.meansOf(sums.unadjusted);
  const cube = pass && decided(terms, sums, pass);
  const candidates = rolled.map((_, c) => {
    const { mean, error, behind } = sums.judged[c];
    const jsd = Math.max(sums.judged[c].jsd, 0);
    return {
      name: rolled[c].name,
      points: rolled[c].points,
      equity: mean,
      error,
      interval: /** @type {[number, number]} */ ([mean - REACH * error, mean + REACH * error]),
      loss: Math.max(behind, 0),
      jsd: Number.isFinite(jsd) ? jsd : null,
      may_be_best: jsd < REACH,
      mwc: mwcs && mwcs[c].mean,
      mwc_error: mwcs && mwcs[c].error,
      unadjusted: { mean: unadjusted[c].mean, error: unadjusted[c].error },
      probabilities: named(sums.chances(c)),
      trials: sums.equities[c].length,
      dropped: sums.isOut(c),
    };
  });
  if (!cube) candidates.sort((a, b) => Number(a.dropped) - Number(b.dropped) || a.loss - b.loss);
  const { depth, level, algorithm, ...head } = headed(place, settings);
  return {
    ...head,
    dice: place.dice && place.dice.join(""),
    settings: { ...games, depth },
    candidates,
    cube,
    equity: cube ? equityOf(cube) : candidates[0].equity,
    trials: sums.trials,
    games: sums.equities.reduce((sum, equity) => sum + equity.length, 0),
    turns: sums.turns,
    complete: sums.trials >= games.trials,
  };
}

/**
 * The value of double and pass.
 * @param {Engine} engine
 * @param {Place} place
 * @returns {import("../../answers.js").CubeValue}
 */
function passed(engine, place) {
  const terms = termsOf(place.context);
  const { equity, mwc } = engine.decide(questionOf(place.points, terms), 1);
  return { equity: equity[2], mwc: terms.length ? mwc[2] : null, kind: "exact", error: null };
}

/**
 * The decision about the cube by the means.
 * @param {import("./terms.js").Terms} terms
 * @param {RolloutSums} sums
 * @param {import("../../answers.js").CubeValue} pass
 */
function decided(terms, sums, pass) {
  const [stay, take] = [0, 1].map((c) => sums.value(c, terms.length > 0));
  return cubeOf(terms, sums.chances(0), stay, take, pass);
}
