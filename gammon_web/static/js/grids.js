/**
 * Tables of cells to press: all 21 rolls, each with the equity of its best play; and the best choice
 * at each score of a match.
 */

import { button, html, row, scrolling, table } from "./elements.js";
import { term } from "./help.js";
import { said, t } from "./language.js";
import { beaverOf } from "./tables.js";
import { signed } from "./words.js";

/** @import {Roll} from "../../answers.js" */

/** The gains of a double, or its losses, from which a cell is coloured, and coloured deeper. */
const BOUNDS = [0.02, 0.06];

/**
 * All rolls as a grid of 6 x 6.
 * @param {Roll[]} rolls
 * @param {number} mean of all rolls
 * @param {(roll: Roll, act: boolean) => void} show
 * @param {() => void} hide called when the mouse has left and no roll has the focus
 */
export function rollsGrid(rolls, mean, show, hide) {
  const byDice = new Map(rolls.map((roll) => [roll.dice, roll]));
  const spread = Math.sqrt(
    rolls.reduce((sum, { probability, equity }) => sum + probability * (equity - mean) ** 2, 0),
  );
  const numbers = [1, 2, 3, 4, 5, 6];
  const rows = numbers.map((one) => {
    const cells = numbers.map((other) => {
      const roll = /** @type {Roll} */ (
        byDice.get(`${Math.max(one, other)}${Math.min(one, other)}`)
      );
      const far = (roll.equity - mean) / (spread || 1);
      const level = Math.max(-2, Math.min(2, Math.sign(far) * Math.floor(Math.abs(far) + 0.5)));
      const equity = signed(roll.equity, 2);
      const name = t.grids.roll(equity, one, other, roll.play);
      const look = () => show(roll, false);
      return button(html("span", {}, equity), () => show(roll, true), {
        class: `level-${level}`,
        "aria-label": name,
        title: name,
        focus: look,
        pointerenter: look,
      });
    });
    return row([html("th", { scope: "row" }, one), ...cells]);
  });
  const pointerleave = (/** @type {Event} */ event) => {
    if (!(/** @type {Node} */ (event.currentTarget).contains(document.activeElement))) hide();
  };
  const every = table(t.grids.rolls, [html("td"), ...numbers.map(String)], rows, {
    class: "rolls",
    pointerleave,
  });
  return scrolling(t.analyze.rolls, every);
}

/**
 * All scores, and below them the scores with a name.
 * @param {import("../../answers.js").ScoreGrid | import("../../answers.js").PlayGrid} grid
 * @param {[string, string]} names of the player on roll, and of the opponent
 * @param {(away: [number, number]) => void} open
 */
export function scoresTable({ scores, named }, [own, their], open) {
  /**
   * @type {Map<string, string>} the letters of plays; A is the best play for money, which comes first
   */
  const letters = new Map();
  /**
   * The contents of a cell: a few letters, their meaning, and a level for the colour.
   * @param {{play: string} | import("../../answers.js").Cube} best
   */
  const cellOf = (best) => {
    if (!("play" in best)) return cubeCellOf(best);
    const letter = letters.get(best.play) ?? String.fromCharCode(65 + (letters.size % 26));
    letters.set(best.play, letter);
    return { short: letter, words: best.play, level: letter === "A" ? 0 : 1 };
  };
  const places = /** @type {Record<string, string>} */ ({
    money: t.grids.money,
    "cube-centred": t.grids.centred,
    "cube-mine": t.grids.cubeOf(own),
    "cube-theirs": t.grids.cubeOf(their),
  });
  const lines = Object.entries(named).map(([name, best]) => {
    const [first, moneys] = Array.isArray(best) ? best : [best];
    const { short, words } = cellOf(first);
    const lost = moneys && t.grids.loses(cellOf(moneys).short, moneys.loss.toFixed(3));
    return row([
      html(
        "th",
        { scope: "row" },
        name === "dmp" ? term(t.grids.dmp, "dmp") : (places[name] ?? name),
      ),
      html("td", { class: "words" }, "play" in first && `${short} `, words, lost),
    ]);
  });
  /** @type {HTMLElement[]} */
  const rows = [];
  for (const score of scores) {
    const { short, words, level } = cellOf("cube" in score ? score.cube : score);
    const [mine, its] = score.away;
    const name = t.grids.score(own, mine, their, its, words);
    const parts = short.split(" ").map((part, at) => html(at ? "small" : "span", {}, part));
    const cell = button(parts, () => open(score.away), {
      class: `level-${level}`,
      "aria-label": name,
      title: name,
    });
    (rows[mine] ??= row([html("th", { scope: "row" }, mine)])).append(html("td", {}, cell));
  }
  const heads = rows.map((_, at) => `${their} ${at}`);
  return html(
    "div",
    { class: "results" },
    scrolling(
      t.analyze.scores,
      table(t.grids.scores, [html("td", {}, own), ...heads.slice(1)], rows.slice(1), {
        class: "rolls",
      }),
    ),
    html(
      "p",
      { class: "small" },
      letters.size
        ? [...letters].map(([play, letter]) => `${letter} ${play}`).join("; ")
        : t.grids.legend,
    ),
    html(
      "table",
      { class: "small" },
      html("caption", { class: "unseen" }, t.grids.named),
      html("tbody", {}, lines),
    ),
    html("p", { class: "soft small" }, t.grids.note),
  );
}

/** @param {import("../../answers.js").Cube} cube */
function cubeCellOf(cube) {
  const { action, answer, gain, verdict, no_double, double_take, double_pass } = cube;
  if (gain === null || answer === null) return { short: "–", words: said(verdict), level: 0 };
  const letter = { "no double": "N", double: "D", "too good to double": "T" }[action];
  const level = Math.sign(gain) * BOUNDS.filter((bound) => Math.abs(gain) >= bound).length;
  const values = {
    "no double": no_double,
    "double, take": double_take,
    "double, beaver": beaverOf(cube),
    "double, pass": double_pass,
  };
  const turn = verdict.includes("redouble") ? "redouble" : "double";
  const named = Object.entries(values).map(([name, value]) =>
    value ? `${said(name.replace("double", turn))} ${signed(value.equity)}` : "",
  );
  return {
    short: `${letter}${answer[0]} ${signed(gain, 2)}`,
    words: `${said(verdict)} (${signed(gain)}): ${named.filter(Boolean).join("; ")}`,
    level,
  };
}
