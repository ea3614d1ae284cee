/** The arrows of a play, drawn into a document that only remembers. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { arrows } from "../../../gammon/web/static/board/arrows.js";
import { OPENING } from "../../../gammon/web/static/board/constants.js";
import { Layout, RADIUS } from "../../../gammon/web/static/board/geometry.js";
import { legsOf } from "../../../gammon/web/static/board/position.js";

globalThis.document = {
  createElementNS: (_, name) => ({
    name, attributes: {}, children: [],
    setAttribute(key, value) { this.attributes[key] = value; },
    append(child) { this.children.push(child); },
  }),
};

const layout = new Layout(false);

/** The arrows of a play of the opening: places, and where the shaft begins and the tip is. */
function drawn(notation, points = OPENING) {
  const made = arrows(points, legsOf(notation), layout);
  return made.filter((each) => each.name === "polygon").map(({ attributes }) => {
    const corners = attributes.points.split(" ").map((corner) => corner.split(",").map(Number));
    const [first, last] = [corners[0], corners[6]];
    const begin = { x: (first[0] + last[0]) / 2, y: (first[1] + last[1]) / 2 };
    return { from: attributes["data-from"], to: attributes["data-to"], begin, tip: { x: corners[3][0], y: corners[3][1] } };
  });
}

function near(spot, other) {
  assert.ok(Math.hypot(spot.x - other.x, spot.y - other.y) < 0.2, JSON.stringify([spot, other]));
}

test("an arrow leads from the last checker of a point to the next place on another", () => {
  const [one, two] = drawn("8/5 6/5");
  assert.deepEqual([one.from, one.to, two.from, two.to], ["8", "5", "6", "5"]);
  near(one.begin, layout.checker(8, 2));
  near(one.tip, layout.checker(5, 0));
  near(two.begin, layout.checker(6, 4));
  near(two.tip, layout.checker(5, 1));
});

test("a hit has a cross, and the arrow ends at the rim of the checker", () => {
  const points = [...OPENING];
  points[18] = -1;
  const made = arrows(points, legsOf("24/18*"), layout);
  assert.deepEqual(made.map((each) => each.name), ["polygon", "g"]);
  assert.equal(made[1].attributes["data-point"], "18");
  const [{ tip }] = drawn("24/18*", points);
  const { x, y } = layout.checker(18, 0);
  assert.ok(Math.abs(Math.hypot(tip.x - x, tip.y - y) - RADIUS) < 0.2);
});

test("checkers that are borne off go to slab after slab", () => {
  const points = OPENING.map((count, place) => (place === 6 ? 2 : Math.min(0, count)));
  const tips = drawn("6/off(2)", points).map(({ tip }) => tip);
  for (const [at, tip] of tips.entries()) {
    const { x, y, width, height } = layout.slab(true, 13 + at);
    near(tip, { x: x + width / 2, y: y + height / 2 });
  }
});

test("arrows of two checkers do not cross", () => {
  const [one, two] = drawn("13/5(2)");
  assert.ok((one.begin.y - two.begin.y) * (one.tip.y - two.tip.y) >= 0);
});
