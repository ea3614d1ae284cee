/** A match as plain data: its score, its cube and its record. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { addGame, endGame, game, newMatch, opening, recordOf } from "../../../gammon/web/static/js/match.js";
import { fieldsOf } from "../../../gammon/web/static/js/position.js";

/** A match whose first game has begun. */
function begun(settings = {}) {
  const match = newMatch({ length: 5, jacoby: true, cube: true, depth: 3, seed: 1, name: "Ann", ...settings });
  addGame(match);
  match.xgid = opening(match, 1, "31");
  return match;
}

test("a match ends at its length, and the Crawford game is played once", () => {
  const match = begun();
  const crawford = [];
  for (const [winner, points] of [[0, 4], [1, 2], [1, 8]]) {
    crawford.push(game(match).crawford);
    endGame(match, winner, points);
    if (match.phase !== "matchOver") addGame(match);
  }
  assert.deepEqual(crawford, [false, true, false]);
  assert.deepEqual(match.score, [4, 5], "points beyond the length do not count");
  assert.equal(match.phase, "matchOver");
  assert.deepEqual(match.games.map((each) => each.score), [[0, 0], [4, 0], [4, 2]]);
});

test("a match to one point has no Crawford game, and money has no end", () => {
  assert.equal(game(begun({ length: 1 })).crawford, false);
  const money = begun({ length: 0 });
  endGame(money, 1, 192);
  assert.deepEqual([money.score, money.phase], [[0, 192], "gameOver"]);
});

test("the opening has the rules of the match", () => {
  const match = begun({ length: 0 });
  assert.match(match.xgid, /:0:0:1:31:0:0:1:0:10$/);
  assert.match(opening(begun(), -1, "65"), /:0:0:-1:65:0:0:0:5:10$/);
  assert.ok(fieldsOf(begun({ cube: false }).xgid).dead);
});

test("the record of a match has names, a day and the games", () => {
  const match = begun();
  game(match).actions.push({ player: 0, dice: "31", play: "8/5 6/5" });
  const { names, length, date, games } = recordOf(match);
  assert.deepEqual([names, length, games], [["Ann", "gammon"], 5, match.games]);
  assert.match(date, /^\d{4}\.\d\d\.\d\d$/);
  assert.equal(recordOf({ ...match, name: "" }).names[0], "You");
});
