/** The panel of an analysis: the question and the answer. */

import { fieldsOf, withDice, xgidOf } from "../board/position.js";
import { serves } from "./api.js";
import { check, field, heardBy, segments } from "./controls.js";
import { button, card, html, row, scrolling, table } from "./elements.js";
import { rollsGrid, scoresTable } from "./grids.js";
import { heading, helpLink } from "./help.js";
import { within } from "./levels.js";
import { rollouts, rolloutView, rolloutWords } from "./rollout.js";
import { chances, chancesAfter, cubeTable, equityTerm, playsTable, verdictOf } from "./tables.js";
import { percent, signed } from "./words.js";

const DEPTHS = /** @type {[string, string][]} */ ([
  ["1", "Depth 1"],
  ["3", "Depth 3"],
  ["5", "Depth 5"],
  ["7", "Depth 7"],
]);
const ROLLERS = /** @type {[string, string][]} */ ([
  ["roller", "Roller"],
  ["roller+", "Roller+"],
  ...(serves.slowest ? [["roller++", "Roller++"]] : []),
]);
/** What the levels do. */
const LOOKS = {
  1: "Your plays, judged by the network.",
  3: "Also every roll of the opponent, and every reply.",
  5: "Also your next roll and play.",
  7: "Also the opponent's next roll and reply, in some seconds.",
  roller: "Also games from the choices that are close.",
  "roller+": "The same with more games, which take longer.",
  "roller++": "The same with the most games, which take minutes.",
};
/** The note on an answer without the cube. */
const CUBELESS = "Without the cube: score, cube and Jacoby rule do not count.";

/** Whether the page's address works only on this machine. */
const ALONE = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

/**
 * @import {Answer, Roll, Rolls} from "../../answers.js"
 * @import {Analyze, View} from "./analyze.js"
 */

/** The cards: the question, the answer so far, and the IDs. @param {Analyze} mode */
export function analysisCards(mode) {
  const { position, state } = mode;
  const views = /** @type {[View, string][]} */ ([
    ["plays", position.dice ? "Plays" : "Cube"],
    ["rolls", "All rolls"],
    ["scores", "By score"],
    ["rollout", "Rollout"],
  ]);
  const levels = within(mode.isWide ? DEPTHS.slice(0, 2) : [...DEPTHS, ...ROLLERS]);
  const { level, view, cubeless } = state;
  return [
    card(
      "Analysis",
      html("h2", { class: "unseen" }, "Analysis"),
      html(
        "div",
        { class: "row" },
        segments("View", views, view, (chosen) => mode.turn(chosen)),
        html("span", { class: "busy soft small" }, busyWords(mode)),
      ),
      view !== "rollout" &&
        segments(
          "Level",
          levels,
          mode.levelNow,
          (chosen) => mode.askAgain({ level: chosen }),
          LOOKS,
        ),
      html("div", { class: "results", "data-key": view }, results(mode)),
      html(
        "div",
        { class: "row spread" },
        view !== "scores" &&
          check("Without the cube", cubeless, (chosen) => mode.askAgain({ cubeless: chosen })),
        !position.over && button("Play from here", () => mode.play(position.xgid)),
        helpLink("Analysis", "analyze"),
      ),
    ),
    card("Share", heading("Keep and share", "analyze"), copyFields(mode)),
  ];
}

/** The level of the answer, and whether a deeper one is coming. @param {Analyze} mode */
function busyWords({ state: { answer, view, busy } }) {
  const known = answer && view === "plays" ? (answer.level ?? `depth ${answer.depth}`) : "";
  return [known, busy && "searching"].filter(Boolean).join(", ");
}

/** The answer so far. @param {Analyze} mode */
function results(mode) {
  const { answer, many, view } = mode.state;
  if (mode.position.over) return [html("p", {}, mode.turnWords())];
  if (view === "rollout") return rolloutOf(mode);
  if (mode.isWide) {
    if (many && "rolls" in many) return rollsOf(mode, many);
    if (many && "scores" in many) return [scoresOf(mode, many)];
    return awaited(mode, view === "rolls" ? "All 21 rolls are coming." : "All scores are coming.");
  }
  if (!answer) return awaited(mode, "The engine is looking.");
  // Without the cube there is nothing to decide before a roll.
  if ("rolls" in answer) return rollsOf(mode, answer);
  const notes = notesOn(answer).map((note) => html("p", { class: "soft small" }, note));
  if ("candidates" in answer) return [...playsOf(mode, answer), ...notes];
  if (!("cube" in answer)) return [];
  const { names } = mode;
  return [cubeTable(answer, names[1]), chances(answer.probabilities, names), ...notes];
}

/** The rollout: the choice of plays, its table, and all other rollouts. @param {Analyze} mode */
function rolloutOf(mode) {
  const { ticked, tickable } = mode;
  const ticks = tickable.map((play) =>
    check(play, ticked.includes(play), (on) => mode.tick(play, on)),
  );
  const plays = ticks.length
    ? html("fieldset", { class: "ticks" }, html("legend", {}, "Plays to roll out"), ticks)
    : null;
  return [plays, rolloutView(mode.rollout, () => mode.toRoll()), otherRollouts(mode)];
}

/** The rollouts of other positions: those that run or wait, and those that are kept. @param {Analyze} mode */
function otherRollouts(mode) {
  const others = rollouts.list.filter((rollout) => rollout !== mode.rollout);
  if (!others.length) return null;
  const rows = others.map((rollout) => {
    const { id, cubeless, work, status } = rollout;
    const show = button(rolloutWords(rollout), () => mode.showRollout(rollout));
    const act = () => (work ? rollouts.stop(rollout) : rollouts.forget(rollout));
    const end = button(work ? "Stop" : "Forget", act, { class: "plain" });
    return row([show, html("td", { class: "words" }, status), html("td", { class: "end" }, end)], {
      "data-key": `${id} ${cubeless}`,
    });
  });
  const heads = [
    "Position",
    html("th", { scope: "col", class: "words" }, "Games"),
    html("th", { scope: "col" }, html("span", { class: "unseen" }, "End")),
  ];
  return html(
    "div",
    { "data-key": "others" },
    html("h3", {}, "Other rollouts"),
    scrolling("Other rollouts", table("Other rollouts", heads, rows), "others"),
  );
}

/** A line in place of an answer: that it is coming, or why there is none. @param {Analyze} mode @param {string} words */
function awaited({ state: { failed } }, words) {
  return [html("p", { class: failed ? "wrong" : "soft" }, failed || words)];
}

/** Notes on an answer: what it leaves out, and the confidence of a rollout. @param {Answer} answer */
function notesOn(answer) {
  const { level, cubeful } = answer;
  const confidence =
    "cube" in answer ? answer.cube.confidence : "confidence" in answer ? answer.confidence : null;
  const notes = cubeful ? [] : [CUBELESS];
  if (confidence !== null) {
    const share = percent(Math.min(confidence, 0.999));
    notes.push(`Level ${level}: settled by games, which are ${share} % sure of the first choice.`);
  } else if (level?.startsWith("roller")) {
    const why = "nothing is close, all is known, or the time was over";
    notes.push(`Level ${level}: no games were played: ${why}.`);
  }
  return notes;
}

/**
 * The plays, and the chances after the play that arrows show.
 * @param {Analyze} mode
 * @param {import("../../answers.js").Plays} answer
 */
function playsOf(mode, { candidates }) {
  const { mine, all, shown } = mode.state;
  const plays = playsTable(candidates, {
    show: (candidate, how) => mode.pick(candidate, how),
    leave: () => mode.rest(),
    more: () => mode.set({ all: true }),
    mine,
    all,
    chosen: shown?.play,
  });
  const known = shown && "probabilities" in shown ? shown : null;
  return [plays, html("div", {}, known && chancesAfter(known, mode.names))];
}

/** @param {Analyze} mode @param {Rolls} data */
function rollsOf(mode, data) {
  const { roll } = mode.state;
  const show = (/** @type {Roll} */ pointed, /** @type {boolean} */ act) => {
    if (!act) return mode.set({ roll: pointed, shown: pointed });
    mode.state.view = "plays";
    mode.load(withDice(mode.position.xgid, pointed.dice));
  };
  const mean = ` on average over all rolls, depth ${data.depth}`;
  return [
    html(
      "p",
      {},
      equityTerm(data.rolls[0].mwc !== null),
      " ",
      html("strong", {}, signed(data.equity)),
      html("span", { class: "soft" }, mean),
    ),
    rollsGrid(data.rolls, data.equity, show, () => mode.set({ roll: null, shown: null })),
    html(
      "p",
      { class: "soft small" },
      roll && `${roll.dice}: ${roll.play}, ${signed(roll.equity)}`,
    ),
    chances(data.probabilities, mode.names),
    !data.cubeful && html("p", { class: "soft small" }, CUBELESS),
  ];
}

/**
 * @param {Analyze} mode
 * @param {import("../../answers.js").ScoreGrid | import("../../answers.js").PlayGrid} data
 */
function scoresOf(mode, data) {
  const open = (/** @type {[number, number]} */ [own, their]) => {
    const fields = fieldsOf(mode.position.xgid);
    const length = Math.max(own, their);
    const score = /** @type {[number, number]} */ (
      fields.turn === 1 ? [length - own, length - their] : [length - their, length - own]
    );
    mode.state.view = "plays";
    mode.load(xgidOf({ ...fields, length, score, crawford: false }));
  };
  return scoresTable(data, mode.names, open);
}

/** The answer in one line. @param {Analyze} mode */
export function answerWords({ isWide, names, state: { answer, view } }) {
  if (isWide) return view === "rolls" ? "All 21 rolls are there." : "All scores are there.";
  if (!answer) return "";
  const how = answer.level ?? `depth ${answer.depth}`;
  if ("candidates" in answer) {
    const [{ play, equity }] = answer.candidates;
    return `Best by ${how}: ${play}, ${signed(equity)}.`;
  }
  return "cube" in answer ? `By ${how}: ${verdictOf(answer, names[1])}.` : "";
}

/** The IDs of a position, to be copied. @param {Analyze} mode */
function copyFields(mode) {
  const { xgid, ogid, position_id, match_id } = mode.position;
  const link = new URL(`#xgid=${xgid.replace("XGID=", "")}`, location.href.split("#")[0]).href;
  const rows = [
    ["XGID", xgid],
    ["OGID", ogid],
    ["GNU Backgammon ID", `${position_id}:${match_id}`],
    [ALONE ? "Link, for this machine alone" : "Link", link],
  ];
  const fields = rows.map(([name, value]) => {
    const focus = (/** @type {Event} */ event) =>
      /** @type {HTMLInputElement} */ (heardBy(event)).select();
    const copy = async (/** @type {Event} */ event) => {
      heardBy(event).parentElement?.querySelector("input")?.select();
      try {
        await navigator.clipboard.writeText(value);
      } catch {
        document.execCommand("copy"); // the clipboard needs a secure address, and may be forbidden
      }
      mode.copied(name);
    };
    return html(
      "div",
      { class: "id-of" },
      field(name, html("input", { readonly: true, value, focus })),
      html(
        "button",
        { type: "button", click: copy, "aria-label": `Copy ${name}` },
        mode.state.copied === name ? "Copied" : "Copy",
      ),
    );
  });
  const note = "To send the position to somebody, copy its XGID: most programs and sites read it";
  return html(
    "div",
    { class: "ids" },
    html(
      "div",
      { class: "row" },
      button(mode.state.copied === "picture" ? "Copied" : "Copy picture", () =>
        mode.picture(false),
      ),
      button("Save picture", () => mode.picture(true)),
    ),
    fields,
    ALONE && html("p", { class: "soft small" }, `${note}, and so does this page.`),
  );
}
