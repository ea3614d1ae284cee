/**
 * Levels with rollouts: games settle plays, or a decision about the cube, that a search leaves close.
 */

import { digits, named, termsAsked, withoutCube } from "./answers.js";
import { cubeOf, equityOf, mwcOf } from "./cube.js";
import { startOf } from "./trials.js";
import { questionOf, termsOf } from "./terms.js";
import { BLOCK, RolloutSums } from "./rollout_sums.js";

/**
 * @import {Place} from "./ids.js"
 * @import {Engine} from "./gammon.js"
 * @import {Settings} from "./answers.js"
 * @import {Plays, Decision} from "../../answers.js"
 * @typedef {{depth: number, reach: number, most: number, rounds: number[], turns: number, plies: number, move_filter: string}} Level
 *   gammon/core/level.py explains the numbers
 */

/** @type {Record<string, Level>} */
export const LEVELS = {
  roller: {
    depth: 5,
    reach: 0.04,
    most: 5,
    rounds: [36, 72],
    turns: 7,
    plies: 3,
    move_filter: "tiny",
  },
  "roller+": {
    depth: 5,
    reach: 0.06,
    most: 6,
    rounds: [36, 72, 144, 288],
    turns: 7,
    plies: 3,
    move_filter: "tiny",
  },
};
/** The numbers of the move filters of games. @type {Record<string, number>} */
const FILTERS = { "": 0, tiny: 1 };
/** The clearness, in standard errors of the differences, at which a decision is settled. */
const CLEAR = 4;

/**
 * The answer of a search, with the results of games if it is close.
 * @template {Plays | Decision} A
 * @param {Engine} engine @param {Place} place @param {Settings} settings
 * @param {string} name the name of the level
 * @param {A} answer the answer of the search
 * @param {() => Promise<boolean>} wanted whether to go on
 * @returns {Promise<A>}
 */
export async function settled(engine, place, settings, name, answer, wanted) {
  const level = LEVELS[name];
  const rolled =
    "candidates" in answer
      ? await plays(engine, place, settings, level, answer, wanted)
      : await cube(engine, place, level, answer, wanted);
  return /** @type {A} */ ({ ...rolled, level: name });
}

/**
 * Play the rounds; after each round the worse half of the plays is dropped.
 * @param {Engine} engine @param {Level} level
 * @param {object[]} starts the questions of the candidates
 * @param {RolloutSums} sums
 * @param {() => Promise<boolean>} wanted
 * @returns {Promise<boolean>} whether all rounds were played
 */
async function play(engine, level, starts, sums, wanted) {
  const games = { seed: 1, truncate: level.turns, filter: FILTERS[level.move_filter] };
  let done = 0;
  for (const goal of level.rounds) {
    const { playing } = sums;
    for (; done < goal; done += BLOCK) {
      for (const c of playing)
        sums.add(c, engine.games({ ...starts[c], ...games, trial: done }, level.plies));
      if (!(await wanted())) return false;
    }
    if (sums.clear >= CLEAR) break;
    sums.halve();
  }
  return true;
}

/**
 * @param {Engine} engine
 * @param {Place} place
 * @param {Settings} settings
 * @param {Level} level
 * @param {Plays} answer
 * @param {() => Promise<boolean>} wanted
 * @returns {Promise<Plays>}
 */
async function plays(engine, place, settings, level, answer, wanted) {
  const terms = termsAsked(place, settings);
  const near = answer.candidates
    .filter(({ kind, loss }) => kind !== "shallow" && loss <= level.reach)
    .slice(0, level.most);
  const close = [
    ...near,
    ...answer.candidates.filter((candidate) => candidate.named && !near.includes(candidate)),
  ];
  if (close.length < 2) return answer;
  const sums = new RolloutSums(engine, close.length, true);
  const starts = close.map(({ points }) => startOf(points, terms));
  if (!(await play(engine, level, starts, sums, wanted))) return answer;
  const { results } = engine.evaluate(questionOf(place.points, terms), 1);
  const { best, judged } = sums;
  const highest = judged[best];
  const mwcs = sums.meansOf(sums.mwcs);
  const rolled = close.map((candidate, c) => {
    // The loss against the best play comes from the games that both have played with the same dice.
    const { behind, behind_error, error: own } = judged[c];
    const whole = sums.equities[c].length === sums.equities[best].length;
    const error = whole ? own : Math.hypot(highest.error, behind_error);
    const chances = sums.chances(c);
    const mwc = mwcs[best].mean - mwcs[c].behind;
    const jsd = c === best ? 0 : judged[c].jsd;
    return {
      ...candidate,
      equity: highest.mean - behind,
      loss: Math.max(behind, 0),
      probabilities: named(chances),
      exact: false,
      kind: /** @type {"rollout"} */ ("rollout"),
      cubeless_equity: candidate.cubeless_equity === null ? null : withoutCube(chances, results),
      mwc: terms.length ? mwc : null,
      rollout: { error, jsd: Number.isFinite(jsd) ? jsd : null, trials: sums.equities[c].length },
    };
  });
  const without = (/** @type {number} */ c) => rolled[c].cubeless_equity ?? 0;
  const order = close
    .map((_, c) => c)
    .sort(
      (a, b) =>
        digits(rolled[b]) - digits(rolled[a]) || without(b) - without(a) || sums.byOut(a, b),
    );
  const others = answer.candidates.filter((candidate) => !close.includes(candidate));
  const ahead = close[best].loss; // the loss of that play by the search, which is the reference for the others
  const behind = others.map((other) => ({ ...other, loss: Math.max(other.loss - ahead, 0) }));
  const [, ...rest] = order.map((c) => rolled[c].rollout.jsd ?? Infinity);
  return {
    ...answer,
    candidates: [...order.map((c) => rolled[c]), ...behind],
    confidence: normal(Math.min(...rest)),
  };
}

/**
 * @param {Engine} engine
 * @param {Place} place
 * @param {Level} level
 * @param {Decision} answer
 * @param {() => Promise<boolean>} wanted
 * @returns {Promise<Decision>}
 */
async function cube(engine, place, level, answer, wanted) {
  const { gain, answer_gain, double_pass } = answer.cube;
  if (gain === null || answer_gain === null || Math.min(Math.abs(gain), answer_gain) > level.reach)
    return answer;
  const terms = termsOf(place.context);
  const question = questionOf(place.points, terms);
  const cash = /** @type {import("../../answers.js").CubeValue} */ (double_pass).equity;
  const sums = new RolloutSums(engine, 2, false, cash, terms.beavers);
  if (!(await play(engine, level, [question, { ...question, doubled: 1 }], sums, wanted)))
    return answer;
  const [stay, take] = [0, 1].map((c) => sums.value(c, terms.length > 0));
  const chances = sums.chances(0);
  const cube = {
    ...cubeOf(terms, chances, stay, take, double_pass),
    confidence: normal(sums.clear),
  };
  return {
    ...answer,
    cube,
    equity: equityOf(cube),
    mwc: mwcOf(cube),
    probabilities: named(chances),
  };
}

/**
 * The chance that a normal variable is below a number of standard deviations, by Simpson's rule.
 * @param {number} x
 */
function normal(x) {
  const far = Math.min(Math.abs(x), 9);
  const steps = 1000;
  const weights = Array.from({ length: steps + 1 }, (_, at) =>
    at === 0 || at === steps ? 1 : at % 2 ? 4 : 2,
  );
  const half =
    (weights.reduce(
      (sum, weight, at) => sum + weight * Math.exp(-0.5 * ((far * at) / steps) ** 2),
      0,
    ) *
      far) /
    (3 * steps * Math.sqrt(2 * Math.PI));
  return 0.5 + Math.sign(x) * half;
}
