/** A graph of a game: the first player's value before each roll, and the errors. */

import { svg } from "./elements.js";
import { t } from "./language.js";
import { markOf } from "./words.js";

/**
 * @typedef {{value: number, error: number, player: number}} Turn
 *   `value` is to the first player: points, or a chance to win the match.
 */

const WIDTH = 420;
const HEIGHT = 150;
const LEFT = 42;
const BOTTOM = 18;

/**
 * @param {string} name the name of the graph
 * @param {Turn[]} turns
 * @param {{isMatch: boolean, here: number, pick: (at: number) => void}} how
 */
export function graph(name, turns, { isMatch, here, pick }) {
  const values = turns.map(({ value }) => value);
  const middle = isMatch ? 0.5 : 0;
  const unit = isMatch ? 0.1 : 0.5;
  const far = Math.max(...values.map((value) => Math.abs(value - middle)));
  const most = unit * Math.max(2, Math.ceil(far / unit - 1e-9));
  const [low, high] = [middle - most, middle + most];
  const wide = (WIDTH - LEFT - 8) / Math.max(1, turns.length - 1);
  const x = (/** @type {number} */ at) => LEFT + at * wide;
  const y = (/** @type {number} */ value) =>
    8 + (HEIGHT - BOTTOM - 8) * (1 - (Math.max(low, Math.min(high, value)) - low) / (high - low));
  const label = (/** @type {number} */ value) =>
    isMatch
      ? `${Math.round(100 * value)} %`
      : `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value)}`;
  const ticks = [low, middle, high].flatMap((value) => [
    svg("line", {
      x1: LEFT,
      x2: WIDTH - 8,
      y1: y(value),
      y2: y(value),
      class: value === middle ? "zero" : "tick",
    }),
    svg("text", { x: LEFT - 5, y: y(value) + 4, "text-anchor": "end" }, label(value)),
  ]);
  const way = turns.map(({ value }, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const course = svg("polyline", { points: way, class: "course" });
  const area = svg("polygon", {
    points: `${x(0)},${y(middle)} ${way} ${x(turns.length - 1)},${y(middle)}`,
    class: "area",
  });
  const errors = turns.map(
    ({ value, error, player }, at) =>
      markOf(error) > 0 &&
      svg("circle", {
        cx: x(at),
        cy: y(value),
        r: 2.5 + markOf(error),
        class: `error${player ? " their" : ""}`,
      }),
  );
  const at = svg("line", {
    x1: x(here),
    x2: x(here),
    y1: 4,
    y2: HEIGHT - BOTTOM + 4,
    class: "here",
  });
  const title = t.review.graph(name, turns.length);
  const click = (/** @type {Event} */ event) => {
    const { clientX, currentTarget } = /** @type {MouseEvent} */ (event);
    const box = /** @type {SVGElement} */ (currentTarget).getBoundingClientRect();
    const place = ((clientX - box.left) / box.width) * WIDTH;
    pick(Math.max(0, Math.min(turns.length - 1, Math.round((place - LEFT) / wide))));
  };
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": title, click },
    ...ticks,
    area,
    course,
    here >= 0 && at,
    ...errors,
    svg("text", { x: WIDTH - 8, y: HEIGHT - 3, "text-anchor": "end" }, t.review.turns),
  );
}
