/** Positions and plays as texts. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { OPENING } from "../../../gammon_web/static/board/constants.js";
import {
  fieldsOf,
  findPlay,
  flipped,
  isXgid,
  legsOf,
  mostOf,
  moved,
  pipsOf,
  placeName,
  withDice,
  xgidOf,
} from "../../../gammon_web/static/board/position.js";

import { limitNotes } from "../../../gammon_web/static/engine/terms.js";

const LETTERS = "-b----E-C---eE---c-e----B-";

test("the opening is the same from both sides, 167 pips each", () => {
  assert.deepEqual(flipped(OPENING), OPENING);
  assert.deepEqual(pipsOf(OPENING), [167, 167]);
  assert.deepEqual(pipsOf(moved(OPENING, 24, 18)), [161, 167]);
});

for (const rest of [
  "0:0:1:31:0:0:0:0:10",
  "1:1:1:00:3:5:0:7:10",
  "2:-1:-1:D:3:5:0:7:10",
  "0:0:-1:65:6:2:1:7:10",
  "0:0:1:00:0:0:3:0:10",
  "0:0:1:00:0:0:1:0:10",
  "3:1:-1:52:0:0:2:0:3",
  "0:0:1:00:2:1:3:0:6",
])
  test(`an XGID that is read and written is the same: ${rest}`, () => {
    const text = `XGID=${LETTERS}:${rest}`;
    assert.equal(xgidOf(fieldsOf(text)), text);
  });

test("the fields of an XGID, by seat but for the points", () => {
  const fields = fieldsOf("XGID=-A----------------------bB:2:-1:-1:31:3:5:1:7:10");
  assert.equal(fields.points[0], -2, "of the player on roll at the top");
  assert.equal(fields.points[1], 2);
  assert.equal(fields.points[24], -1);
  const { cube, owner, turn, dice, score, crawford, length, most } = fields;
  assert.deepEqual([cube, owner, turn, dice, score, length], [4, -1, -1, "31", [3, 5], 7]);
  assert.deepEqual([crawford, fields.jacoby, fields.beavers, most], [true, false, false, 10]);
  const money = fieldsOf(`XGID=${LETTERS}:0:0:1:00:0:0:3:0:0`);
  assert.deepEqual(
    [money.crawford, money.jacoby, money.beavers, money.most, money.dice],
    [false, true, true, 0, ""],
  );
});

test("by the Jacoby rule a game brings one point until somebody owns the cube", () => {
  const most = [
    "0:0:1:00:0:0:1:0:10",
    "1:1:1:00:0:0:1:0:10",
    "0:0:1:00:0:0:0:0:10",
    "0:0:1:00:3:6:1:7:10",
  ];
  assert.deepEqual(
    most.map((rest) => mostOf(fieldsOf(`XGID=${LETTERS}:${rest}`))),
    [1, 3, 3, 3],
  );
});

test("a game begins with a player and a roll: its board is the same from both sides", () => {
  const opening = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:2:0:5";
  for (const most of [10, 0])
    assert.equal(
      xgidOf({ ...fieldsOf(`${opening}:${most}`), turn: -1, dice: "65" }),
      `${opening.replace("1:00", "-1:65")}:${most}`,
    );
});

test("other dice leave the rest", () => {
  assert.equal(withDice("XGID=x:0:0:1:31:0:0:0:0:10", "00"), "XGID=x:0:0:1:00:0:0:0:0:10");
});

test("a play is read leg by leg", () => {
  assert.deepEqual(legsOf("24/18*/13 6/off(2)"), [
    { from: 24, to: 18, hit: true },
    { from: 18, to: 13, hit: false },
    { from: 6, to: 0, hit: false },
    { from: 6, to: 0, hit: false },
  ]);
  assert.deepEqual(legsOf("Bar - 20*(2), 8/7"), [
    { from: 25, to: 20, hit: true },
    { from: 25, to: 20, hit: false },
    { from: 8, to: 7, hit: false },
  ]);
  assert.deepEqual(legsOf("“b–20” 6/o"), [
    { from: 25, to: 20, hit: false },
    { from: 6, to: 0, hit: false },
  ]);
  assert.deepEqual(legsOf(""), []);
  for (const wrong of ["24", "24/", "27/20", "8/5(5)", "8/5*x", "hello"])
    assert.equal(legsOf(wrong), null, wrong);
});

test("a play is told by where checkers go, and by the blots that they meet", () => {
  // A roll of 21 from the 8 point: by way of a blot on 7, or of 6, where nobody stands.
  const points = Array(26).fill(0);
  [points[8], points[7], points[24]] = [2, -1, -2];
  const by = (/** @type {[number, number][]} */ ...legs) =>
    legs.reduce((at, [from, to]) => moved(at, from, to), points);
  const plays = [
    { notation: "8/7*/5", points: by([8, 7], [7, 5]) },
    { notation: "8/5", points: by([8, 6], [6, 5]) },
    { notation: "8/7* 8/6", points: by([8, 7], [8, 6]) },
  ];
  const found = (/** @type {string} */ text) => findPlay(text, { points, plays });
  assert.equal(found("8/7/5"), 0, "without the star");
  assert.equal(found("8/6/5"), 1, "with the middle point");
  assert.equal(found("7/5 8/7"), 0, "the second half first");
  assert.equal(found("8/6 8/7"), 2);
  assert.equal(
    findPlay("8/5", { points, plays: [plays[0]] }),
    0,
    "the only way leads over the blot",
  );
  assert.equal(
    findPlay("8/5", { points, plays: [plays[0], { ...plays[0] }] }),
    -1,
    "two of them can be meant",
  );
  assert.equal(found("8/4"), -1);
});

test("a checker that moves leaves its place, and hits a blot", () => {
  const points = [...OPENING];
  points[20] = -1;
  const after = moved(points, 24, 20);
  assert.deepEqual([after[24], after[20], after[0]], [1, 1, -1]);
  assert.equal(points[20], -1, "the board before is as it was");
  const off = moved(after, 6, 0);
  assert.deepEqual(
    [off[6], off[0]],
    [4, -1],
    "place 0 is the tray of one and the bar of the other",
  );
});

test("a play is found by its name, or by the board after it", () => {
  const play = (notation, ...moves) => ({
    notation,
    xgid: "",
    points: moves.reduce((points, [from, to]) => moved(points, from, to), OPENING),
  });
  const plays = [
    play("8/5 6/5", [8, 5], [6, 5]),
    play("13/10 6/5", [13, 10], [6, 5]),
    play("13/9", [13, 9]),
  ];
  const position = { points: OPENING, plays };
  assert.equal(findPlay(" 13/10 6/5", position), 1);
  assert.equal(findPlay("6-5, 8-5", position), 0);
  assert.equal(findPlay("13/11 11/9", position), 2);
  assert.equal(findPlay("24/20", position), -1, "not with these dice");
  assert.equal(findPlay("7/3", position), -1, "from an empty point");
  assert.equal(findPlay("", position), -1);
});

test("places say what lies on them", () => {
  const points = [...OPENING];
  points[6] -= 3;
  points[25] = 1;
  const names = ["off", 25, 0, 6, 1, 2].map((place) => placeName(place, points));
  assert.deepEqual(names, [
    "Off, 2 of yours, 0 of the opponent's",
    "Your bar, 1",
    "Opponent's bar, empty",
    "6 point, 2 of yours",
    "1 point, 2 of the opponent's",
    "2 point, empty",
  ]);
});

test("a text is an XGID, or it is not", () => {
  const rest = ":1:-1:1:31:3:5:0:7:10";
  assert.ok(isXgid(`XGID=${LETTERS}${rest}`) && isXgid(`${LETTERS}${rest.replace("31", "D")}`));
  const wrong = [
    "",
    LETTERS,
    `${LETTERS.slice(1)}${rest}`,
    `${LETTERS}:1:-1:0:31:3:5:0:7:10`,
    `${LETTERS}:99:-1:1:31:3:5:0:7:10`,
    `${LETTERS}${rest.replace("31", "71")}`,
    `-P${LETTERS.slice(2)}${rest}`,
    `AB${LETTERS.slice(2)}${rest}`,
  ];
  for (const text of wrong) assert.equal(isXgid(text), false, text);
});

for (const [length, scores, cube, owner, most, told] of [
  [0, [0, 0], 0, 0, 1, 2],
  [0, [0, 0], 0, 0, 6, 0],
  [0, [0, 0], 1, 1, 1, 0],
  [5, [0, 0], 0, 0, 2, 4],
  [5, [0, 0], 0, 0, 3, 0],
  [7, [4, 0], 1, 1, 2, 4],
  [7, [4, 0], 1, -1, 2, 0],
])
  test(`the highest cube in a match to ${length}, cube ${cube} of ${owner}, most ${most}`, () => {
    const rules = { crawford: false, jacoby: false, beavers: false, turn: 1 };
    const notes = limitNotes({ length, scores, cube, owner, most, ...rules });
    const said = `Highest cube of ${told} not taken into account: values are as if doubles could go on.`;
    assert.deepEqual(notes, told ? [said] : []);
  });
