/**
 * The tally of a rollout: how clear a decision is. tests/engine/engine/test_rollout.py has the same
 * numbers.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Tally, apartBy } from "../../../gammon_web/static/engine/tally.js";

/**
 * The worth of no double, and of double and take; how clear that is without beavers, and with them.
 */
const CUBES = [
  [0.3, -0.005, 81.87109927079855, 1.0675261774823899],
  [-0.21, -0.1, 30.26235459576779, 1.868417818510712],
  [0.5, 0.7, 54.58045302466169, 54.58045302466169],
  [0.5, 1.005, 1.3868515033491484, 1.3868515033491484],
];

/** 324 games, of which each has its own error. @param {number} mean @param {number} seed */
const gamesOf = (mean, seed) =>
  Array.from({ length: 324 }, (_, at) => {
    const equity = mean + 0.1 * Math.sin(at * at + seed);
    return { equity, plain: equity, mwc: 0, results: [0, 0, 0, 1, 0, 0], turns: 1 };
  });

/** @param {...number} means of the candidates */
function tallyOf(...means) {
  const tally = new Tally(means.length, false);
  means.forEach((mean, c) => tally.add(c, gamesOf(mean, c)));
  return tally;
}

const near = (/** @type {number} */ found, /** @type {number} */ wanted) =>
  assert.ok(Math.abs(found - wanted) < 1e-9, `${found}, not ${wanted}`);

test("a decision about the cube is as clear as the less clear of its questions", () => {
  for (const [stay, taken, plain, beavers] of CUBES) {
    near(tallyOf(stay, taken).apart(1, false), plain);
    near(tallyOf(stay, taken).apart(1, true), beavers);
  }
});

test("plays are as clear as the best one leads those that are not out", () => {
  const tally = tallyOf(0, -0.01, -3);
  near(tally.apart(null, false), 2.1617766427574163);
  tally.drop();
  assert.deepEqual(tally.playing, [0, 1]);
});

test("equities that are equal are not apart", () => {
  const worse = gamesOf(0, 0).map(({ equity }) => equity);
  assert.equal(
    apartBy(
      worse.map((equity) => equity + 2e-6),
      worse,
    ),
    0,
  );
  assert.equal(
    apartBy(
      worse.map((equity) => equity - 2e-5),
      worse,
    ),
    -Infinity,
  );
});
