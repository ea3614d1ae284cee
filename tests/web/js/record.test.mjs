/** The file of a match, as far as no play is in it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fileOf } from "../../../gammon/web/static/engine/record.js";

/** The comments of a file. */
const said = (length, ...games) =>
  fileOf(null, { length, games: games.map((each) => ({ actions: [], ...each })) }).split("\n").filter((line) => line.startsWith(";"));

test("a file says the rules that a reader would not guess", () => {
  assert.deepEqual(said(0, {}), []);
  assert.deepEqual(said(0, { jacoby: true, cube: false }), ['; [Jacoby "On"]', '; [CubeLimit "1"]']);
  assert.deepEqual(said(3, { jacoby: true, cube: true }), []);
  assert.deepEqual(said(3, { score: [2, 0] }), ['; [Crawford "Off"]']);
  assert.deepEqual(said(3, { score: [2, 0], crawford: true }, { score: [2, 1] }), []);
});
