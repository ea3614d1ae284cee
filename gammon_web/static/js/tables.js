/**
 * The tables of an answer: plays, the decision about the cube, and the chances of both sides.
 */

import { fieldsOf } from "../board/position.js";
import { button, html, row, scrolling, table } from "./elements.js";
import { head, term } from "./help.js";
import { said, t } from "./language.js";
import { doubleWords, EQUITY, MARKS, markOf, percent, signed } from "./words.js";

/** @import {Candidate, CubeValue, Probabilities} from "../../answers.js" */

/** The number of plays that a table shows at first. */
const SHORT = 10;

/** The name of equities, which explains itself. @param {boolean} inMatch */
export const equityTerm = (inMatch) => term(EQUITY(inMatch), inMatch ? "emg" : "equity");

/** The head of equities. @param {boolean} inMatch */
export const equityHead = (inMatch) => html("th", { scope: "col" }, equityTerm(inMatch));

/** The last heads of a decision about the cube. @param {boolean} inMatch */
const ends = (inMatch) => [
  inMatch && head(t.tables.match, "match-equity-table"),
  head(t.tables.value, "exact"),
];

/**
 * @param {Candidate["kind"]} kind
 * @param {number | null} [error] the standard error of a rollout
 * @param {string} [name] shown in place of the kind
 */
function kindMark(kind, error = null, name = t.tables.kinds[kind][0]) {
  const spread = error === null ? "" : t.tables.standardError(error.toFixed(4));
  const [, meaning] = t.tables.kinds[kind];
  return html("span", { class: `kind ${kind}`, "data-tip": meaning + spread }, name);
}

/**
 * The mark of an error, visible and for a screen reader.
 * @param {number} mark how many of `BLUNDERS` the error reaches
 */
export function marked(mark) {
  const { name, sign } = MARKS[mark];
  return [
    html("span", { class: "sign", "data-tip": name && `${name}: ${t.help.words.error}` }, sign),
    html("span", { class: "unseen" }, ` ${name}`),
  ];
}

/**
 * @param {number} loss
 * @param {string} [sign] the sign before the loss
 * @param {boolean} [sure] whether the loss is significant, so that it is marked
 */
export function lossCell(loss, sign = "", sure = true) {
  const mark = sure ? markOf(loss) : 0;
  if (loss === 0)
    return html("td", { class: "mark-0" }, t.tables.best, html("span", { class: "sign" }));
  return html("td", { class: `mark-${mark}` }, sign + loss.toFixed(3), marked(mark));
}

/**
 * Move the focus to the row above or below.
 * @param {Event} event a press of a key
 */
export function stepInTable(event) {
  const way = { ArrowUp: "previousElementSibling", ArrowDown: "nextElementSibling" }[
    /** @type {KeyboardEvent} */ (event).key
  ];
  if (!way) return;
  event.preventDefault();
  const row = /** @type {HTMLElement} */ (event.target).closest("tr");
  const next = row?.[/** @type {"nextElementSibling"} */ (way)];
  next?.querySelector("button")?.focus();
}

/** A listener that acts for a mouse, but not for a finger. @param {() => void} act @returns {EventListener} */
function byMouse(act) {
  return (event) => /** @type {PointerEvent} */ (event).pointerType === "mouse" && act();
}

/**
 * A table of plays. Its rows are buttons; the arrow keys go from one to the next.
 * @param {Candidate[]} candidates best first
 * @param {{show: (candidate: Candidate, how: "look" | "stay" | "act") => void, leave: () => void,
 *   mine?: string, all?: boolean, more?: () => void, chosen?: string}} how
 *   `mine` is the play that was tried on the board, `chosen` the play that arrows show; `show` shows
 *   a play that the mouse points at, that has the focus, or that was pressed; `leave` is called when
 *   the mouse leaves the plays
 */
export function playsTable(candidates, { show, leave, mine, all, more = () => {}, chosen }) {
  const inMatch = candidates.some(({ mwc }) => mwc !== null);
  const shown = all ? candidates : candidates.filter(({ play }, at) => at < SHORT || play === mine);
  const rows = shown.map((candidate) => {
    const { play, kind, equity, loss, probabilities, mwc, rollout, depth } = candidate;
    const rank = html("span", { class: "rank" }, `${candidates.indexOf(candidate) + 1}.`);
    return row(
      [
        button([rank, play], () => show(candidate, "act"), {
          "data-play": play,
          focus: () => show(candidate, "stay"),
        }),
        signed(equity),
        lossCell(loss, "", kind !== "shallow"),
        html("td", { class: "win" }, percent(probabilities.win)),
        inMatch && html("td", { class: "mwc" }, mwc === null ? "" : percent(mwc, 2)),
        kindMark(kind, rollout?.error, kind === "shallow" ? t.common.toDepth(depth) : undefined),
      ],
      {
        class: [kind, play === mine ? "mine" : "", play === chosen ? "chosen" : ""].join(" "),
        "data-key": play,
        pointerenter: byMouse(() => show(candidate, "look")),
      },
    );
  });
  const heads = [
    t.tables.play,
    equityHead(inMatch),
    head(t.tables.loss, "error"),
    head(t.tables.win, "gammon-backgammon", "win"),
    inMatch && head(t.tables.match, "match-equity-table", "mwc"),
    head(t.tables.value, "exact"),
  ];
  return html(
    "div",
    { class: "scroll" },
    table(t.tables.plays, heads, rows, {
      class: "plays",
      pointerleave: byMouse(leave),
      keydown: stepInTable,
    }),
    candidates.length > shown.length &&
      button(t.tables.showAll(candidates.length), more, { class: "plain" }),
  );
}

/**
 * The verdict; if a double is on offer, the answer comes first.
 * @param {import("../../answers.js").Decision} answer
 * @param {string} opponent who answers a double
 */
export function verdictOf({ cube: { answer, verdict }, xgid }, opponent) {
  return fieldsOf(xgid).dice === "D" && answer
    ? t.tables.answerBy(said(answer), opponent, said(verdict))
    : said(verdict);
}

/**
 * @param {import("../../answers.js").Decision} answer
 * @param {string} opponent who answers a double
 */
export function cubeTable(answer, opponent) {
  const { cube: decision, xgid } = answer;
  const { no_double: stay, double_take: take, double_pass: pass, gain } = decision;
  const answers = fieldsOf(xgid).dice === "D" && take && pass && gain !== null;
  const isClose = !answers && decision.close;
  return html(
    "div",
    {},
    html(
      "p",
      { class: "verdict" },
      verdictOf(answer, opponent),
      (isClose || decision.answer_close) &&
        html("span", { class: "soft small" }, t.tables.close(isClose, decision.answer_close)),
    ),
    answers
      ? scrolling(t.tables.answers, answersTable(decision))
      : scrolling(t.tables.actions, actionsTable(answer)),
    answers &&
      html(
        "p",
        { class: "soft small" },
        doubleWords(
          { no_double: stay.equity, double_take: take.equity, double_pass: pass.equity },
          xgid,
          gain,
          beaverOf(decision)?.equity,
        ),
      ),
  );
}

/** @param {import("../../answers.js").Decision} answer */
function actionsTable({ cube: decision, equity: best, terms }) {
  const [stay, turn] = terms.owner > 0 ? ["No redouble", "Redouble"] : ["No double", "Double"];
  const rows = /** @type {[string, CubeValue][]} */ (
    [
      [stay, decision.no_double],
      [`${turn}, take`, decision.double_take],
      [`${turn}, beaver`, beaverOf(decision)],
      [`${turn}, pass`, decision.double_pass],
    ].filter(([, value]) => value !== null)
  );
  const inMatch = rows.some(([, { mwc }]) => mwc !== null);
  const heads = [
    t.tables.action,
    equityHead(inMatch),
    head(t.tables.difference, "error"),
    ...ends(inMatch),
  ];
  const body = rows.map(([name, { equity, mwc, kind, error }]) =>
    row([
      said(name),
      signed(equity),
      difference(equity - best),
      inMatch && (mwc === null ? "" : percent(mwc, 2)),
      kindMark(kind, error),
    ]),
  );
  return table(t.tables.cube, heads, body);
}

/**
 * The value of a double that is beavered, if that is the right answer, to the player who doubled.
 * @param {import("../../answers.js").Cube} cube @returns {CubeValue | null}
 */
export function beaverOf({ answer, double_take: take }) {
  if (answer !== "beaver" || !take) return null;
  return { ...take, equity: 2 * take.equity, error: take.error && 2 * take.error };
}

/**
 * The answers to a double, the best first, with equities to the player who answers.
 * @param {import("../../answers.js").Cube} cube
 */
export function answersTable(cube) {
  const { double_take: take, double_pass: pass } = cube;
  const rows = /** @type {[string, CubeValue][]} */ (
    [
      ["Beaver", beaverOf(cube)],
      ["Take", take],
      ["Pass", pass],
    ].filter(([, value]) => value)
  ).sort((one, other) => one[1].equity - other[1].equity);
  const inMatch = rows.some(([, { mwc }]) => mwc !== null);
  const heads = [
    t.tables.answer,
    equityHead(inMatch),
    head(t.tables.loss, "error"),
    ...ends(inMatch),
  ];
  const body = rows.map(([name, { equity, mwc, kind, error }]) =>
    row([
      said(name),
      signed(-equity),
      lossCell(equity - rows[0][1].equity),
      inMatch && (mwc === null ? "" : percent(1 - mwc, 2)),
      kindMark(kind, error),
    ]),
  );
  return table(t.tables.answersOf, heads, body);
}

/**
 * The cell with the difference of an action from the best choice.
 * @param {number} by the difference
 * @param {boolean} [sure] whether the difference is significant
 */
export function difference(by, sure = true) {
  if (Math.abs(by) < 5e-7) return lossCell(0);
  if (by < 0) return lossCell(-by, "−", sure);
  return html("td", { class: "soft" }, signed(by), html("span", { class: "sign" }));
}

/**
 * @param {Probabilities} chances
 * @param {[string, string]} names of the player on roll and of the opponent
 */
export function chances(chances, names) {
  const sides = [
    {
      kind: "own",
      name: names[0],
      win: chances.win,
      gammon: chances.win_gammon,
      backgammon: chances.win_backgammon,
    },
    {
      kind: "their",
      name: names[1],
      win: 1 - chances.win,
      gammon: chances.lose_gammon,
      backgammon: chances.lose_backgammon,
    },
  ];
  return html("div", { class: "chances" }, sides.map(side));
}

/**
 * The chances after a play, under its name.
 * @param {{play: string, probabilities: Probabilities}} candidate
 * @param {[string, string]} names
 */
export function chancesAfter({ play, probabilities }, names) {
  return [html("h3", {}, t.tables.after(play)), chances(probabilities, names)];
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
    html("span", { class: "detail" }, t.tables.gammons(percent(gammon), percent(backgammon))),
  ];
}

/**
 * What an answer leaves out: all of the cube, or as the server says.
 * @param {{cubeful: boolean, notes: string[]}} answer
 */
export function leftOut({ cubeful, notes }) {
  if (!cubeful) return [html("p", { class: "soft small" }, t.analyze.cubeless)];
  return notes.map((note) => html("p", { class: "soft small", lang: "en" }, note));
}
