/** Avoidable losses: the numbers are those of Python's `difficulty`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { avoidable } from "../../../gammon_web/static/js/avoidable.js";

const close = (one, other) => assert.ok(Math.abs(one - other) < 1e-12, `${one}, ${other}`);

test("plays: the five best are candidates, and what seems better than the best loses nothing", () => {
  const plays = [0.1, 0.09, 0.05, -0.1, -0.3, -0.9].map((equity) => ({ equity }));
  close(avoidable({ kind: "play", error: 1, plays, values: null }), 0.9896446797144027);
  assert.equal(
    avoidable({ kind: "play", error: 0.5, plays: [{ equity: 0 }, { equity: 1 }], values: null }),
    0.5,
  );
  assert.equal(avoidable({ kind: "play", error: 0.5, plays: [], values: null }), 0.5);
});

test("the cube: the right and the wrong action", () => {
  const values = (taken) => ({ no_double: 0.6, double_take: taken, double_pass: 1 });
  const of = (kind, error, taken) => avoidable({ kind, error, plays: [], values: values(taken) });
  close(of("no double", 0.05, 0.65), 0.040020740067313376);
  close(of("pass", 0.2, 0.8), 0.19922979352881395);
});
