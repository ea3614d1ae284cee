/** The parts of a drawn board: the empty board, checkers, the cube and the dice. */

import { svg } from "./dom.js";
import { BAR, DRAWN, RADIUS, THEIR_BAR, VIEW } from "./geometry.js";
import { offOf } from "./position.js";

/** @import {Layout} from "./geometry.js" */

/** The pips of a die: their columns and rows from the middle. */
const PIPS = [
  [],
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [-1, 1],
    [1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [-1, 1],
    [0, 0],
    [1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [1, -1],
    [1, 0],
    [1, 1],
  ],
];
const DIE = 38;
const CUBE = 40;

/**
 * @param {number} x
 * @param {number} y
 * @param {string | number} words
 * @param {number} size
 * @param {import("./dom.js").Attributes} attributes
 */
function text(x, y, words, size, attributes) {
  const place = { x, y: y + 0.36 * size, "font-size": size, "text-anchor": "middle" };
  return svg("text", { ...place, ...attributes }, String(words));
}

/** The board without checkers. @param {Layout} layout */
export function ground(layout) {
  const frame = svg("rect", { ...VIEW, class: "frame", rx: 9 });
  const made = [frame, svg("rect", { ...layout.field, class: "field" })];
  for (let place = 1; place <= 24; place++) {
    const corners = layout
      .triangle(place)
      .map(({ x, y }) => `${x},${y}`)
      .join(" ");
    const kind = place % 2 ? "odd" : "even";
    made.push(svg("polygon", { class: `point ${kind}`, "data-point": place, points: corners }));
    const { x, y } = layout.number(place);
    made.push(text(x, y, place, 13, { class: "number" }));
  }
  made.push(svg("rect", { ...layout.bar, class: "bar" }));
  made.push(svg("rect", { ...layout.field, class: "edge" }));
  for (const own of [true, false])
    made.push(svg("rect", { ...layout.tray(own), class: "tray", rx: 3 }));
  return made;
}

/**
 * A checker.
 * @param {import("./geometry.js").Spot} spot
 * @param {string} side x or o
 * @param {string} number a number on the checker
 * @param {import("./dom.js").Attributes} [attributes]
 */
export function checker({ x, y }, side, number = "", attributes = {}) {
  const shade = svg("circle", { cx: x, cy: y + 1.5, r: RADIUS, class: "shade" });
  const disc = svg("circle", { cx: x, cy: y, r: RADIUS - 1, class: "disc" });
  let inside = null;
  if (number) inside = text(x, y, number, 20, { class: "count" });
  else if (side === "x") inside = svg("circle", { cx: x, cy: y, r: 0.6 * RADIUS, class: "ring" });
  return svg("g", { class: `checker ${side}`, ...attributes }, shade, disc, inside);
}

/**
 * All checkers, including borne-off ones.
 * @param {number[]} points 26 counts
 * @param {string} own x or o, the side that counts positive
 * @param {Layout} layout
 */
export function checkers(points, own, layout) {
  const their = own === "x" ? "o" : "x";
  const made = [];
  points.forEach((count, place) => {
    const side = count > 0 ? own : their;
    const onBar = place === BAR || place === THEIR_BAR ? " on-bar" : "";
    const most = Math.min(Math.abs(count), DRAWN);
    for (let row = 0; row < most; row++) {
      const number = row === DRAWN - 1 && Math.abs(count) > DRAWN ? String(Math.abs(count)) : "";
      const kind = { class: `checker ${side}${onBar}`, "data-point": place };
      made.push(checker(layout.checker(place, row), side, number, kind));
    }
  });
  for (const isOwn of [true, false]) {
    const side = isOwn ? own : their;
    const off = offOf(points)[isOwn ? 0 : 1];
    for (let row = 0; row < off; row++)
      made.push(svg("rect", { ...layout.slab(isOwn, row), class: `checker ${side} off`, rx: 2 }));
    if (off > 0) {
      const { x, y } = layout.offNumber(isOwn);
      made.push(text(x, y, off, 16, { class: `count ${side} off` }));
    }
  }
  return made;
}

/** @typedef {{value: number, owner: number, offered?: boolean}} Cube its owner is 1, -1 or 0 */

/**
 * The cube: beside its owner's tray, in the middle, or on the board if on offer.
 * @param {Cube} cube
 * @param {Layout} layout
 */
export function cube({ value, owner, offered }, layout) {
  const { x, y } = offered ? layout.left : layout.cube(owner);
  const size = Math.min(22, 48 / String(value).length);
  return svg(
    "g",
    { class: "cube" },
    svg("rect", { x: x - CUBE / 2, y: y - CUBE / 2, width: CUBE, height: CUBE, rx: 5 }),
    text(x, y, value, size, { class: "value" }),
  );
}

/** @typedef {{values: number[], side: string, left?: boolean, used?: boolean[]}} Dice */

/** Dice in the colours of their player. @param {Dice} dice @param {Layout} layout */
export function dice({ values, side, left, used }, layout) {
  const middle = left ? layout.left : layout.right;
  const wide = values.length > 2 ? DIE + 8 : DIE + 12;
  return values.map((value, number) => {
    const x = middle.x + (number - (values.length - 1) / 2) * wide;
    const y = middle.y;
    const face = svg("rect", {
      x: x - DIE / 2,
      y: y - DIE / 2,
      width: DIE,
      height: DIE,
      rx: 7,
      class: "face",
    });
    const pips = PIPS[value].map(([column, row]) =>
      svg("circle", { cx: x + 10 * column, cy: y + 10 * row, r: 3.6, class: "pip" }),
    );
    const kind = `die ${side}${used?.[number] ? " used" : ""}`;
    return svg("g", { class: kind, "data-value": value }, face, ...pips);
  });
}
