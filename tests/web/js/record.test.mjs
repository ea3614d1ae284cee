/** The file of a match, as far as no play is in it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fileOf } from "../../../gammon/web/static/engine/record.js";

/** The comments of a file. */
const said = (length, ...games) =>
  fileOf(null, { length, games: games.map((each) => ({ actions: [], ...each })) }).split("\n").filter((line) => line.startsWith(";"));

/** The line of both players. */
const headOf = (names) => fileOf(null, { names, games: [{ actions: [] }] }).split("\n").find((line) => line.includes(" : 0"));

test("no name of a player is a comment, ends too soon, or is unseen", () => {
  assert.equal(headOf(["Ann", "Bob"]), " Ann : 0                           Bob : 0");
  assert.match(headOf([";Ann\u202e :\n 7", " \u200b "]), /^ -Ann - 7 : 0 +player 2 : 0$/);
  assert.match(headOf(["", "\ud800\u2028x".padEnd(99, "y")]), /^ player 1 : 0 +\ufffd xy{57} : 0$/);
});

test("a file says the rules that a reader would not guess", () => {
  assert.deepEqual(said(0, {}), []);
  assert.deepEqual(said(0, { jacoby: true, cube: false }), ['; [Jacoby "On"]', '; [CubeLimit "1"]']);
  assert.deepEqual(said(3, { jacoby: true, cube: true }), []);
  assert.deepEqual(said(3, { score: [2, 0] }), ['; [Crawford "Off"]']);
  assert.deepEqual(said(3, { score: [2, 0], crawford: true }, { score: [2, 1] }), []);
});
