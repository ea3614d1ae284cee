/** A match as plain data: what its games brought, and its record. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { askedOf, game, newMatch, recordOf, wonOf } from "../../../gammon_web/static/js/match.js";

/** A match whose first game has begun. */
function begun(settings = {}) {
  const match = newMatch({
    length: 5,
    jacoby: true,
    cube: true,
    depth: 3,
    seed: 1,
    name: "Ann",
    ...settings,
  });
  match.games.push({ score: match.score, crawford: false, actions: [], winner: null, points: 0 });
  return match;
}

test("the points of the games that are over are told, those of the engine below 0", () => {
  const match = begun({ cube: false });
  assert.deepEqual(wonOf(match), { length: 5, jacoby: true, cube: false, won: [] });
  const games = [
    [0, 4],
    [1, 2],
    [null, 0],
  ].map(([winner, points]) => ({ ...game(match), winner, points }));
  assert.deepEqual(wonOf({ ...match, games }).won, [4, -2]);
});

test("an opponent of a strength has other errors in each game; one without goes by its depth", () => {
  const match = begun();
  assert.deepEqual(askedOf(match, "x"), { id: "x", depth: 3 });
  const weaker = { ...match, strength: 10, errors: 40 };
  assert.deepEqual(askedOf(weaker, "x"), { id: "x", strength: 10, noise_seed: 41 });
  weaker.games = [...match.games, game(match)];
  assert.equal(askedOf(weaker, "x").noise_seed, 42);
});

test("the record of a match has names, a day and the games", () => {
  const match = begun();
  game(match).actions.push({ player: 0, dice: "31", play: "8/5 6/5" });
  const { names, length, date, games } = recordOf(match);
  assert.deepEqual(
    [names, length, games],
    [["Ann", "gammon"], 5, [{ ...game(match), jacoby: true, cube: true }]],
  );
  assert.match(date, /^\d{4}\.\d\d\.\d\d$/);
  assert.equal(recordOf({ ...match, name: "" }).names[0], "You");
});
