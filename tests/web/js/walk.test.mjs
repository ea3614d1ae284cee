/** A play in the making: graphs of legal plays as `GET /position` gives them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Walk } from "../../../gammon_web/static/js/walk.js";

/** 26 counts, of which those that are named are not 0. */
const board = (counts) => Array.from({ length: 26 }, (_, place) => counts[place] ?? 0);

/** `XGID=----aAB-----------------b-:0:0:1:21:0:0:0:0:10` */
const HOME = {
  dice: "21",
  points: board({ 4: -1, 5: 1, 6: 2, 24: -2 }),
  plays: ["6/5 6/4*", "6/4* 5/4", "6/4*/3", "6/3", "5/2", "5/4*/2"],
  steps: [
    [
      [6, 5, 1, 1],
      [5, 4, 1, 4],
      [6, 4, 2, 7],
      [5, 3, 2, 9],
    ],
    [
      [6, 4, 2, 2],
      [5, 3, 2, 3],
    ],
    [],
    [],
    [
      [6, 4, 2, 5],
      [4, 2, 2, 6],
    ],
    [],
    [],
    [
      [6, 5, 1, 2],
      [5, 4, 1, 5],
      [4, 3, 1, 8],
    ],
    [],
    [
      [6, 5, 1, 3],
      [3, 2, 1, 10],
    ],
    [],
  ],
  ends: { 2: 0, 3: 3, 5: 1, 6: 5, 8: 2, 10: 4 },
};

/** `XGID=-----A------------a-a---bA:0:0:1:65:0:0:0:0:10` */
const BAR = {
  dice: "65",
  points: board({ 5: 1, 18: -1, 20: -1, 24: -2, 25: 1 }),
  plays: ["bar/14", "bar/20*/14"],
  steps: [
    [
      [25, 20, 5, 1],
      [25, 19, 6, 3],
    ],
    [[20, 14, 6, 2]],
    [],
    [[19, 14, 5, 4]],
    [],
  ],
  ends: { 2: 1, 4: 0 },
};

test("a board shows two dice and marks no place until a checker has moved", () => {
  const walk = new Walk(HOME);
  assert.deepEqual(walk.shown("o"), {
    points: HOME.points,
    sources: [],
    dice: [{ values: [2, 1], side: "o", used: [false, false] }],
  });
  walk.click(6);
  assert.deepEqual(walk.shown("x"), {
    points: walk.points,
    sources: walk.sources,
    dice: [{ values: [2, 1], side: "x", used: [true, false] }],
  });
  assert.ok(walk.sources.size);
  const doubled = new Walk({ ...HOME, dice: "11" });
  assert.deepEqual(doubled.shown("x").dice[0].values, [1, 1]);
  doubled.taken = [[6, 5, 1, 1]];
  assert.deepEqual(doubled.shown("x").dice[0].values, [1, 1, 1, 1]);
});

test("a click plays the left die first, and after a swap the other", () => {
  const walk = new Walk(HOME);
  assert.deepEqual(walk.click(6), [[6, 4, 2, 7]]);
  assert.deepEqual(
    walk.points,
    board({ 0: -1, 4: 1, 5: 1, 6: 1, 24: -2 }),
    "a hit checker is on its bar",
  );
  assert.deepEqual(walk.used, [true, false]);
  assert.equal(walk.play, null, "a checker must still move");
  walk.undo();
  walk.swap();
  assert.deepEqual(walk.click(6), [[6, 5, 1, 1]]);
  assert.deepEqual(
    [walk.dice, walk.used],
    [
      [1, 2],
      [true, false],
    ],
  );
  walk.click(6);
  assert.equal(walk.play, "6/5 6/4*");
  walk.restart();
  assert.deepEqual(walk.points, HOME.points);
});

test("a click on a place makes a point of it, or goes there the shortest way", () => {
  const walk = new Walk(HOME);
  assert.equal(walk.click(4).length, 2);
  assert.equal(walk.play, "6/4* 5/4");
  const far = new Walk(HOME);
  assert.deepEqual(far.click(2), [
    [5, 3, 2, 9],
    [3, 2, 1, 10],
  ]);
  assert.equal(far.play, "5/2");
  far.restart();
  far.swap();
  far.click(2);
  assert.equal(far.play, "5/4*/2");
});

test("a checker is dropped where its dice lead, by the left die first", () => {
  const walk = new Walk(HOME);
  assert.deepEqual(new Set(walk.targets(6)), new Set([4, 5, 3]));
  assert.deepEqual(walk.drop(6, 24), []);
  assert.deepEqual(
    walk.drop(6, 3).map(([, to]) => to),
    [4, 3],
  );
  assert.equal(walk.play, "6/4*/3");
});

test("a checker on the bar is first, and both halves of the bar are one", () => {
  const walk = new Walk(BAR);
  assert.deepEqual([...walk.sources], [25]);
  assert.equal(walk.refusal(5), "Enter from the bar first.");
  assert.deepEqual(walk.click(0), [[25, 19, 6, 3]]);
  assert.equal(walk.refusal(7), "No legal move to the 7 point.");
  assert.equal(walk.refusal(5), "No legal move from the 5 point.");
  assert.equal(walk.refusal("off"), "Nothing can be borne off now.");
  assert.equal(walk.refusal(25), "No checker of yours is on the bar.");
  walk.click(19);
  assert.equal(walk.play, "bar/14");
  assert.equal(walk.refusal(14), "All dice are played.");
});

test("checkers are borne off, and a double has four dice", () => {
  const off = {
    ...HOME,
    dice: "11",
    points: board({ 1: 2 }),
    steps: [[[1, 0, 1, 1]], [[1, 0, 1, 2]], []],
    ends: { 2: 0 },
  };
  const walk = new Walk(off);
  assert.deepEqual(walk.targets(1), ["off"]);
  walk.click("off");
  assert.deepEqual(walk.used, [true, false, false, false]);
  walk.drop(1, "off");
  assert.deepEqual(walk.points, board({}));
});

test("where no checker can move, that is the play", () => {
  const walk = new Walk({ ...BAR, plays: [""], steps: [[]], ends: { 0: 0 } });
  assert.equal(walk.play, "");
  assert.equal(walk.forced, "");
  assert.equal(walk.refusal(25), "No checker can move.");
  assert.equal(new Walk(HOME).forced, null);
});

test("the steps of a whole play lead to it, in whatever order", () => {
  for (const position of [HOME, BAR])
    for (const [index, play] of position.plays.entries()) {
      const walk = new Walk(position);
      walk.lead(index);
      assert.equal(walk.play, play);
    }
});
