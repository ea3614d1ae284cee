/** The trend: the PR of each match as a dot, and of the last ten matches as a line. */

import { svg } from "./elements.js";
import { t } from "./language.js";

const WIDTH = 420;
const HEIGHT = 130;
const LEFT = 30;
const BOTTOM = 18;

/** @param {import("../../answers.js").Trend[]} trend the matches in the order of their days */
export function trendGraph(trend) {
  const rated = trend.filter(({ pr }) => pr !== null);
  const highest = Math.max(1, ...rated.map(({ pr, mean }) => Math.max(Number(pr), Number(mean))));
  const unit = [1, 2, 5, 10, 20, 50].find((step) => highest <= 4 * step) ?? 100;
  const top = unit * Math.ceil(highest / unit);
  const wide = (WIDTH - LEFT - 12) / Math.max(1, rated.length - 1);
  const x = (/** @type {number} */ at) => (LEFT + 4 + at * wide).toFixed(1);
  const y = (/** @type {number | null} */ pr) =>
    (8 + (HEIGHT - BOTTOM - 8) * (1 - Number(pr) / top)).toFixed(1);
  const ticks = Array.from({ length: top / unit + 1 }, (_, step) => [
    svg("line", { x1: LEFT, x2: WIDTH - 4, y1: y(step * unit), y2: y(step * unit), class: "tick" }),
    svg("text", { x: LEFT - 5, y: Number(y(step * unit)) + 4, "text-anchor": "end" }, step * unit),
  ]);
  const dots = rated.map(({ pr, played }, at) =>
    svg(
      "circle",
      { cx: x(at), cy: y(pr), r: 2.5, class: "match" },
      svg("title", {}, t.study.dot(played ?? "", Number(pr).toFixed(2))),
    ),
  );
  const points = rated.map(({ mean }, at) => `${x(at)},${y(mean)}`).join(" ");
  const [first, last] = [rated[0]?.played, rated[rated.length - 1]?.played];
  const mean = Number(rated[rated.length - 1]?.mean).toFixed(2);
  const name = t.study.trendOf(rated.length, mean);
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": name },
    ...ticks.flat(),
    ...dots,
    svg("polyline", { points, class: "course" }),
    svg("text", { x: LEFT, y: HEIGHT - 3 }, first ?? t.study.first),
    svg("text", { x: WIDTH - 4, y: HEIGHT - 3, "text-anchor": "end" }, last ?? t.study.last),
  );
}
