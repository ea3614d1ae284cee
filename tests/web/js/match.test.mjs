/** A match as plain data: what its games brought, and its record. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fieldsOf, flipped } from "../../../gammon_web/static/board/position.js";
import {
  askedOf,
  copyOf,
  game,
  namesOf,
  newMatch,
  playedFrom,
  recordOf,
  seated,
  wonOf,
} from "../../../gammon_web/static/js/match.js";

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

test("a copy of a match stays while the match goes on, and shares the finished games", () => {
  const match = begun();
  const first = { ...game(match), winner: 0, points: 1 };
  match.games = [first, game(match)];
  const copy = copyOf(match);
  game(match).actions.push({ player: 0, dice: "31", play: "8/5 6/5" });
  match.games.push(first);
  Object.assign(match, { at: 9, phase: "gameOver" });
  assert.deepEqual([copy.at, copy.phase, copy.games.length], [0, "begin", 2]);
  assert.deepEqual(game(copy).actions, []);
  assert.equal(copy.games[0], first);
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

test("where both sides are moved by hand, both have names", () => {
  const match = begun({ byHand: true, opponent: "Bob" });
  assert.deepEqual(namesOf(match), ["Ann", "Bob"]);
  assert.deepEqual(recordOf(match).names, ["Ann", "Bob"]);
  assert.deepEqual(namesOf(begun({ byHand: true, name: "" })), ["X", "O"]);
  assert.deepEqual(namesOf(begun({ opponent: "Bob" })), ["You", "gammon"]);
  assert.deepEqual(namesOf(null), ["You", "gammon"]);
});

const MIDDLE = "XGID=-a-B-BC-A---bC---c-db-A--A:1:-1:1:52:3:5:0:7:10";

test("with another player on roll, points, cube and score change their sides", () => {
  assert.equal(seated(MIDDLE, 1), MIDDLE);
  const other = seated(MIDDLE, -1);
  assert.equal(seated(other, 1), MIDDLE);
  const [before, after] = [fieldsOf(MIDDLE), fieldsOf(other)];
  assert.deepEqual(after.points, before.points, "seen from the player on roll");
  assert.deepEqual([after.turn, after.owner, after.score], [-1, 1, [5, 3]]);
  const [bottom, letters] = [other, MIDDLE].map((xgid) => xgid.slice(5, 31));
  const seen = fieldsOf(`XGID=${letters}:0:0:1:00:0:0:0:0:10`).points;
  assert.deepEqual(fieldsOf(`XGID=${bottom}:0:0:1:00:0:0:0:0:10`).points, flipped(seen));
});

test("a game goes on without beavers, which cannot be answered here", () => {
  const from = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";
  assert.equal(playedFrom(begun(), from).xgid, from.replace(":3:0:10", ":1:0:10"));
});

for (const [turn, dice, phase] of [
  [1, "00", "human"],
  [-1, "00", "engine"],
  [1, "52", "rolled"],
  [-1, "52", "engineRolled"],
  [1, "D", "answering"],
  [-1, "D", "offered"],
])
  test(`a game goes on from a position: ${turn} ${dice}`, () => {
    const from = seated(MIDDLE.replace(":52:", `:${dice}:`).replace(":-1:1:", ":1:1:"), turn);
    const match = playedFrom(begun(), from);
    assert.deepEqual([match.phase, match.xgid, match.from], [phase, from, from]);
    assert.deepEqual([match.length, match.games.length], [7, 1]);
    assert.deepEqual(match.score, turn === 1 ? [3, 5] : [5, 3]);
    assert.deepEqual(game(match).score, match.score);
  });
