// @ts-check
/** The table of plays: equity, loss, and how well each value is known. */

import { button, html } from "./elements.js";
import { MARKS, markOf, percent, signed } from "./words.js";

/**
 * @typedef {{play: string, points: number[], equity: number, mwc: number | null, loss: number,
 *   kind: "exact" | "bound" | "static", depth: number, named: boolean,
 *   probabilities: import("./chances.js").Probabilities}} Candidate
 */

/** Plays that are shown at first. */
const SHORT = 10;

const KINDS = {
  exact: "the value of best play to this depth",
  bound: "a proven upper bound: it is worth this or less",
  static: "the network's word, without a search",
  rollout: "the mean of games",
};

/** @param {string} kind */
export function kindMark(kind) {
  const title = KINDS[/** @type {"exact"} */ (kind)] ?? "";
  return html("span", { class: `kind ${kind}`, title }, kind);
}

/**
 * @param {number} loss
 * @param {string} [sign] stands before it
 */
export function lossCell(loss, sign = "") {
  const mark = markOf(loss);
  const { name, sign: judged } = MARKS[mark];
  if (loss === 0) return html("td", { class: "mark-0" }, "best", html("span", { class: "sign" }));
  const words = sign + loss.toFixed(3);
  return html("td", { class: `mark-${mark}` }, words, html("span", { class: "sign", title: name }, judged), html("span", { class: "unseen" }, ` ${name}`));
}

/**
 * A table of plays. Its rows are buttons; the arrow keys go from one to the next.
 * @param {Candidate[]} candidates best first
 * @param {{show: (candidate: Candidate, act: boolean) => void, mine?: string, all?: boolean, more: () => void, chosen?: string}} how
 *   `mine` is the play that was tried on the board
 */
export function playsTable(candidates, { show, mine, all, more, chosen }) {
  const shown = all ? candidates : candidates.filter((each, at) => at < SHORT || each.play === mine);
  const body = html("tbody", {}, shown.map((candidate) => {
    const bound = candidate.kind === "bound";
    const rank = candidates.indexOf(candidate) + 1;
    const pick = button("", () => show(candidate, true), { "data-play": candidate.play });
    pick.append(html("span", { class: "rank" }, `${rank}.`), candidate.play);
    const kind = [candidate.kind, candidate.play === mine ? "mine" : "", candidate.play === chosen ? "chosen" : ""];
    const row = html(
      "tr",
      { class: kind.join(" ") },
      html("td", {}, pick),
      html("td", {}, (bound ? "≤ " : "") + signed(candidate.equity)),
      lossCell(candidate.loss, bound ? "≥ " : ""),
      html("td", {}, bound ? "" : percent(candidate.probabilities.win)),
      html("td", {}, kindMark(candidate.kind)),
    );
    const look = () => {
      for (const other of body.children) other.classList.toggle("chosen", other === row);
      show(candidate, false);
    };
    row.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && look());
    pick.addEventListener("focus", look);
    return row;
  }));
  body.addEventListener("keydown", (event) => {
    const way = { ArrowUp: "previousElementSibling", ArrowDown: "nextElementSibling" }[event.key];
    if (!way) return;
    event.preventDefault();
    const row = /** @type {HTMLElement} */ (event.target).closest("tr");
    const next = row?.[/** @type {"nextElementSibling"} */ (way)];
    /** @type {HTMLElement | null | undefined} */ (next?.querySelector("button"))?.focus();
  });
  const heads = ["Play", "Equity", "Loss", "Win %", "Value"].map((name) => html("th", { scope: "col" }, name));
  const table = html("table", { class: "plays" }, html("caption", { class: "unseen" }, "Plays, best first"), html("thead", {}, html("tr", {}, heads)), body);
  const rest = candidates.length - shown.length;
  return html("div", { class: "scroll" }, table, rest > 0 && button(`Show all ${candidates.length} plays`, more, { class: "plain" }));
}
