/** The candidates of a decision that was made: what the review, the file and games say of each. */

import { fieldsOf } from "../board/position.js";
import { button, html } from "./elements.js";
import { lossCell } from "./tables.js";
import { doubling, EQUITY, percent, signed } from "./words.js";

/**
 * @typedef {import("../../answers.js").StudiedChoice} Choice
 * @typedef {{title: string, second: string, said: Map<string, [number, HTMLElement]>}} Source
 *   who says it, what its second number is, and the equity and the cell of that number by candidate
 */

const ACTIONS = ["No double", "Double, take", "Double, pass"];
/** The row of `ACTIONS` that a choice about the cube is. */
const MADE = /** @type {Record<string, string>} */ ({ "no double": ACTIONS[0], double: ACTIONS[1], take: ACTIONS[1], pass: ACTIONS[2] });
const CHANCES = /** @type {const} */ ([["win", "Win %", "wins"], ["win_gammon", "W g", "wins with a gammon"], ["win_backgammon", "W bg", "wins with a backgammon"], ["lose_gammon", "L g", "losses with a gammon"], ["lose_backgammon", "L bg", "losses with a backgammon"]]);

/** @param {Choice} choice of which `made` is "" where nothing was done @param {(play: string) => void} show shows a play on the board */
export function candidatesTable(choice, show) {
  const { kind, made, best, plays, chances } = choice;
  const isPlay = kind === "play";
  const sources = isPlay ? playSources(choice) : cubeSources(choice);
  const names = isPlay ? [...new Set(sources.flatMap(({ said }) => [...said.keys()]))] : ACTIONS;
  const mine = isPlay ? made : made && MADE[kind];
  const after = new Map(isPlay ? plays.map(({ play, probabilities }) => [play, probabilities]) : chances ? [[ACTIONS[0], chances]] : []);
  const unit = EQUITY(fieldsOf(choice.xgid).length > 0);
  const above = sources.length > 1 && html("tr", {}, html("td"), sources.map(({ title }) => html("th", { scope: "colgroup", colspan: 2 }, title)));
  const heads = [isPlay ? "Play" : "Action", ...sources.flatMap(({ second }) => [unit, second])].map((name) => html("th", { scope: "col" }, name));
  const odds = CHANCES.map(([each, name, title]) => html("th", { scope: "col", class: `odds ${each}`, title }, name));
  const rows = names.map((name) => {
    const found = after.get(name);
    const said = sources.flatMap(({ said }) => {
      const pair = said.get(name);
      return pair ? [html("td", {}, signed(pair[0])), pair[1]] : [html("td"), html("td")];
    });
    const first = isPlay ? button(name, () => show(name), { "data-play": name }) : doubling(name, choice.xgid);
    const is = [name === mine ? "mine" : "", name === best ? "best" : ""].join(" ").trim();
    return html("tr", { class: is || null },
      html("td", {}, first, name === mine && html("span", { class: "soft small" }, " made")),
      said,
      CHANCES.map(([each]) => html("td", { class: `odds ${each}` }, found ? percent(found[each]) : "")));
  });
  return html("div", { class: "scroll", role: "region", "aria-label": "Candidates", tabindex: 0 },
    html("table", { class: "candidates" }, html("caption", { class: "soft small" }, sources.length > 1 ? "" : sources[0].title), html("thead", {}, above, html("tr", {}, heads, odds)), html("tbody", {}, rows)));
}

/** @param {Choice} choice @returns {Source[]} */
function playSources({ plays, stored, rollout, depth }) {
  const lost = (/** @type {{play: string, equity: number}[]} */ all) =>
    new Map(all.map(({ play, equity }) => [play, /** @type {[number, HTMLElement]} */ ([equity, lossCell(all[0].equity - equity)])]));
  const found = [{ title: `gammon, depth ${depth}`, second: "Loss", said: lost(plays) }];
  if (stored?.plays.length) {
    // The best two of the file, and those that we name too.
    const known = new Set([...plays.map(({ play }) => play), ...stored.plays.slice(0, 2).map(({ play }) => play)]);
    found.push({ title: `In the file, ${stored.plays[0].level}`, second: "Loss", said: lost(stored.plays.filter(({ play }) => known.has(play))) });
  }
  return rollout ? [...found, rolled(rollout)] : found;
}

/** @param {Choice} choice @returns {Source[]} */
function cubeSources({ values, stored, rollout, depth }) {
  const found = [];
  const add = (/** @type {string} */ title, /** @type {number[]} */ equities) => {
    const right = Math.max(equities[0], Math.min(equities[1], equities[2]));
    found.push({ title, second: "Difference", said: new Map(equities.map((equity, at) => [ACTIONS[at], /** @type {[number, HTMLElement]} */ ([equity, html("td", {}, equity === right ? "" : signed(equity - right))])])) });
  };
  if (values) add(`gammon, depth ${depth}`, [values.no_double, values.double_take, values.double_pass]);
  if (stored?.cube) add(`In the file, ${stored.cube.level}`, [stored.cube.no_double, stored.cube.double_take, 1]);
  if (rollout) found.push(rolled(rollout));
  return found;
}

/** @param {NonNullable<Choice["rollout"]>} rollout @returns {Source} */
function rolled({ trials, candidates }) {
  return { title: `Rollout, ${trials} games`, second: "s.e.", said: new Map(candidates.map(({ name, equity, error }) => [name, [equity, html("td", {}, error.toFixed(3))]])) };
}
