/**
 * Errors of an opponent of a strength: those of Python, which its own tests compare with a twin.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { errorsOf, misjudgedPlays, sigmaOf } from "../../../gammon_web/static/engine/misjudge.js";

/** The boards and errors of tests/engine/engine/test_luck.py. */
const GOLDEN = [
  [
    [-1, 6, 2, 2, -3, 2, 2, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0, 0, -2, -2, -3, -2, 0, 0, 0],
    -1.4938757662962316,
  ],
  [
    [0, 1, 1, 0, 4, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, -2, 0, 0],
    1.1946507524368684,
  ],
  [
    [0, 0, 0, 2, 3, 2, 2, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, -6, 0],
    0.558633424862425,
  ],
];

test("errors are those of Python, and opposite for the other side", () => {
  const errorOf = errorsOf(1);
  for (const [points, error] of GOLDEN) {
    assert.ok(Math.abs(errorOf(points) - error) < 1e-12);
    assert.ok(Math.abs(errorOf(points.map((_, at) => -points[25 - at])) + error) < 1e-12);
  }
});

test("sizes grow with the rating, in straight lines", () => {
  assert.equal(sigmaOf(2), 0.0365);
  assert.equal(sigmaOf(30), 0.28);
  assert.ok(Math.abs(sigmaOf(12.5) - (sigmaOf(10) + sigmaOf(15)) / 2) < 1e-12);
});

test("plays come in the order in which they seem good", () => {
  const chances = [0.5, 0.1, 0, 0.1, 0];
  const plays = GOLDEN.map(([points], at) => ({ points, chances, equity: -0.01 * at }));
  const found = misjudgedPlays(plays, { strength: 15, seed: 1 });
  assert.deepEqual(
    found.map(({ points }) => plays.findIndex((play) => play.points === points)),
    [1, 2, 0],
  );
  assert.ok(Math.abs(found[0].equity - (-0.01 + 0.166 * Math.sqrt(1.6) * GOLDEN[1][1])) < 1e-9);
});
