/** The chances of wins, gammons and backgammons, as bars of both sides. */

import { html } from "./elements.js";
import { percent } from "./words.js";

/** @import {Probabilities} from "../../answers.js" */

/** @param {Probabilities} chances @param {[string, string]} names of the player on roll and of the opponent */
export function chances(chances, names) {
  const sides = [
    { kind: "own", name: names[0], win: chances.win, gammon: chances.win_gammon, backgammon: chances.win_backgammon },
    { kind: "their", name: names[1], win: 1 - chances.win, gammon: chances.lose_gammon, backgammon: chances.lose_backgammon },
  ];
  return html("div", { class: "chances" }, sides.map(side));
}

/**
 * The chances after a play, under its name.
 * @param {{play: string, probabilities: Probabilities}} candidate
 * @param {[string, string]} names
 */
export function chancesAfter({ play, probabilities }, names) {
  return [html("h3", {}, `Chances after ${play}`), chances(probabilities, names)];
}

/** @param {{kind: string, name: string, win: number, gammon: number, backgammon: number}} side */
function side({ kind, name, win, gammon, backgammon }) {
  const parts = { backgammon, gammon: gammon - backgammon, win: win - gammon };
  const bar = html("div", { class: "bar-of", "aria-hidden": "true" });
  for (const [part, share] of Object.entries(parts)) {
    const piece = html("i", { class: part });
    piece.style.width = `${100 * Math.max(0, share)}%`;
    bar.append(piece);
  }
  return [
    html("span", { class: kind }, name),
    html("div", { class: kind }, bar),
    html("strong", {}, `${percent(win)} %`),
    html("span", { class: "detail" }, `gammons ${percent(gammon)}, backgammons ${percent(backgammon)}`),
  ];
}
