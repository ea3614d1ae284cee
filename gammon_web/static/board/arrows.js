/** The arrows of a play: one for each checker, with a stop where it hits. */

import { svg } from "./dom.js";
import { RADIUS } from "./geometry.js";
import { offOf } from "./position.js";

/** @import {Spot} from "./geometry.js" */
/**
 * @typedef {{from: number, to: number, hit: boolean}} Leg The path of a checker to a hit or to its
 *   end.
 */

const SHAFT = 3;
const HEAD = 17;
const WING = 10;

/**
 * The arrows of a play and the marks of its hits, on the board before the play.
 * @param {number[]} points 26 counts before the play, seen from the player who makes it
 * @param {Leg[]} legs @param {import("./geometry.js").Layout} layout
 */
export function arrows(points, legs, layout) {
  const hits = new Map();
  for (const leg of legs) if (leg.hit) hits.set(leg.to, layout.checker(leg.to, 0));
  const made = shafts(points, legs, layout).map(({ from, to, begin, end }) => {
    const hit = hits.get(to);
    const rim = hit && hit.x === end.x && hit.y === end.y ? RADIUS : 0;
    const kind = { class: "arrow", "data-from": from, "data-to": to };
    return svg("polygon", { ...kind, points: outline(begin, end, rim) });
  });
  for (const [place, { x, y }] of hits) {
    const far = 0.5 * RADIUS;
    const cross = `M${x - far} ${y - far}L${x + far} ${y + far}M${x - far} ${y + far}L${x + far} ${y - far}`;
    const both = ["halo", "cross"].map((kind) => svg("path", { d: cross, class: kind }));
    made.push(svg("g", { class: "hit", "data-point": place }, ...both));
  }
  return made;
}

/**
 * The begin and the end of each arrow: the last checker of its source, and the place of the next
 * checker on its target.
 * @param {number[]} points @param {Leg[]} legs @param {import("./geometry.js").Layout} layout
 */
function shafts(points, legs, layout) {
  const counts = [...points];
  let [off] = offOf(points);
  for (const leg of legs) if (leg.hit) counts[leg.to] = 0;
  const placed = legs.map(({ from, to }) => {
    const begin = layout.checker(from, --counts[from]);
    if (to !== 0) return { from, to, begin, end: layout.checker(to, counts[to]++) };
    const slab = layout.slab(true, off++);
    return { from, to, begin, end: { x: slab.x + slab.width / 2, y: slab.y + slab.height / 2 } };
  });
  return uncrossed(placed);
}

/**
 * Arrows, changed so that arrows with the same source and target do not cross.
 * @param {{from: number, to: number, begin: Spot, end: Spot}[]} arrows
 */
function uncrossed(arrows) {
  for (let first = 0; first < arrows.length;) {
    const { from, to } = arrows[first];
    let next = first + 1;
    while (next < arrows.length && arrows[next].from === from && arrows[next].to === to) next++;
    const group = arrows.slice(first, next);
    const last = group[group.length - 1];
    if ((group[0].begin.y - last.begin.y) * (group[0].end.y - last.end.y) < 0) {
      const begins = group.map((arrow) => arrow.begin).reverse();
      group.forEach((arrow, at) => (arrow.begin = begins[at]));
    }
    first = next;
  }
  return arrows;
}

/**
 * The corners of an arrow whose tip is `rim` before its end.
 * @param {Spot} begin
 * @param {Spot} end
 * @param {number} rim
 */
function outline(begin, end, rim) {
  const far = Math.hypot(end.x - begin.x, end.y - begin.y) || 1;
  const along = { x: (end.x - begin.x) / far, y: (end.y - begin.y) / far };
  const length = far - rim;
  const neck = length - HEAD;
  const corners = [
    [0, SHAFT],
    [neck, SHAFT],
    [neck, WING],
    [length, 0],
    [neck, -WING],
    [neck, -SHAFT],
    [0, -SHAFT],
  ];
  return corners
    .map(([forth, aside]) => {
      const x = begin.x + forth * along.x - aside * along.y;
      const y = begin.y + forth * along.y + aside * along.x;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(" ");
}
