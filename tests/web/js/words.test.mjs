/** Numbers and positions in words. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  doubling,
  markOf,
  MARKS,
  minused,
  percent,
  signed,
  termsWords,
} from "../../../gammon_web/static/js/words.js";
import { en } from "../../../gammon_web/static/js/texts/en.js";

test("numbers have their sign, and nothing that is shown as 0 is below it", () => {
  assert.deepEqual(
    [signed(0.1234), signed(-1.5, 1), signed(-0.0004), signed(0)],
    ["+0.123", "−1.5", "+0.000", "+0.000"],
  );
  assert.deepEqual([percent(0.4567), percent(-1e-9)], ["45.7", "0.0"]);
  assert.equal(minused("24-13 is worth -0.736, or -1"), "24-13 is worth −0.736, or −1");
});

test("errors have marks from their bounds on", () => {
  const signs = [0, 0.0299, 0.03, 0.06, 0.1199, 0.12, 2].map((loss) => MARKS[markOf(loss)].sign);
  assert.deepEqual(signs, ["", "", "?!", "?", "?", "??", "??"]);
});

test("terms", () => {
  const money = { length: 0, crawford: false, jacoby: true, beavers: true };
  assert.equal(termsWords(money), "money, Jacoby, beavers");
  assert.equal(termsWords({ ...money, jacoby: false, beavers: false }), "money");
  const match = { length: 7, away: [3, 1], crawford: true };
  assert.equal(termsWords(match), "match to 7, Crawford");
  assert.equal(termsWords({ ...match, crawford: false }), "match to 7, post-Crawford");
  assert.equal(termsWords({ ...match, away: [1, 1], crawford: false }), "match to 7");
});

test("who owns the cube redoubles", () => {
  const board = "XGID=-b----E-C---eE---c-e----B-";
  const said = ["0:0:1", "1:1:1", "1:-1:1", "1:-1:-1"].map((rest) =>
    doubling("No double", `${board}:${rest}:00:0:0:0:0:10`),
  );
  assert.deepEqual(said, ["No double", "No redouble", "No double", "No redouble"]);
  assert.equal(doubling("Double, take", `${board}:1:1:1:00:0:0:0:0:10`), "Redouble, take");
});

test("who does what, and how many", () => {
  const { passes, begins } = en.play;
  assert.deepEqual([passes("You"), passes("gammon")], ["You pass.", "gammon passes."]);
  assert.equal(begins("You", "3", "gammon", "1", "You"), "You roll 3, gammon rolls 1: you begin.");
  assert.deepEqual([1, 0, 2].map(en.common.matchCount), ["1 match", "0 matches", "2 matches"]);
});
