/** Reviews that were saved with version 1 of the JSON. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { upgraded } from "../../../gammon_web/static/js/version_1.js";

test("a review of version 1 gets the names of version 2", () => {
  const totals = { pr: 5, luck_worth: 0.25 };
  const old = {
    schema_version: 1,
    players: [
      { name: "Ann", ...totals },
      { name: "Bob", ...totals },
    ],
    left: 3,
    games: [{ winner: 0, players: [totals, totals] }],
    choices: [{ made: "8/5 6/5", worth: 0.5, why: "Wins less.", themes: ["prime"] }],
    rolls: [{ game: 0, equity: 0.1, worth: 0.05 }],
  };
  const present = { pr: 5, luck_value: 0.25 };
  assert.deepEqual(upgraded(old), {
    schema_version: 2,
    players: [
      { name: "Ann", ...present },
      { name: "Bob", ...present },
    ],
    unfinished: 3,
    games: [{ winner: 0, players: [present, present] }],
    choices: [{ made: "8/5 6/5", game_value: 0.5, explanation: "Wins less.", themes: ["prime"] }],
    rolls: [{ game: 0, equity: 0.1, value: 0.05 }],
  });
});

test("a review of version 2 stays as it is", () => {
  const present = { schema_version: 2, choices: [{ explanation: "Wins less." }] };
  assert.equal(upgraded(present), present);
});
