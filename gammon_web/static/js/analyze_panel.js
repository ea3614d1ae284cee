/** The panel of an analysis: the question and the answer. */

import { fieldsOf, withDice, xgidOf } from "../board/position.js";
import { serves } from "./api.js";
import { check, field, heardBy, segments } from "./controls.js";
import { button, card, html, row, scrolling, table } from "./elements.js";
import { rollsGrid, scoresTable } from "./grids.js";
import { heading, helpLink } from "./help.js";
import { t } from "./language.js";
import { within } from "./levels.js";
import { goesOn } from "./match.js";
import { rollouts, rolloutView, rolloutWords } from "./rollout.js";
import {
  chances,
  chancesAfter,
  cubeTable,
  equityTerm,
  leftOut,
  playsTable,
  verdictOf,
} from "./tables.js";
import { percent, signed } from "./words.js";

const DEPTHS = /** @type {[string, string][]} */ ([
  ["1", t.analyze.depth("1")],
  ["3", t.analyze.depth("3")],
  ["5", t.analyze.depth("5")],
  ["7", t.analyze.depth("7")],
]);
const ROLLERS = /** @type {[string, string][]} */ ([
  ["roller", "Roller"],
  ["roller+", "Roller+"],
]);

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
    ["plays", position.dice ? t.analyze.plays : t.analyze.cube],
    ["rolls", t.analyze.rolls],
    ["scores", t.analyze.scores],
    ["rollout", t.analyze.rollout],
  ]);
  const levels = within(mode.isWide ? DEPTHS.slice(0, 2) : [...DEPTHS, ...ROLLERS]);
  const { level, view, cubeless } = state;
  return [
    card(
      t.analyze.name,
      html("h2", { class: "unseen" }, t.analyze.name),
      html(
        "div",
        { class: "row" },
        segments(t.analyze.view, views, view, (chosen) => mode.turn(chosen)),
        html("span", { class: "busy soft small" }, busyWords(mode)),
      ),
      view !== "rollout" &&
        segments(
          t.analyze.level,
          levels,
          mode.levelNow,
          (chosen) => mode.askAgain({ level: chosen }),
          t.analyze.levels,
        ),
      html("div", { class: "results", "data-key": view }, results(mode)),
      html(
        "div",
        { class: "row spread" },
        view !== "scores" &&
          check(t.analyze.withoutCube, cubeless, (chosen) => mode.askAgain({ cubeless: chosen })),
        !position.over &&
          goesOn(position.xgid) &&
          button(t.analyze.playFromHere, () => mode.play(position.xgid)),
        helpLink(t.analyze.name, "analyze"),
      ),
    ),
    card(t.analyze.share, heading(t.analyze.keepAndShare, "analyze"), copyFields(mode)),
  ];
}

/** The level of the answer, and whether a deeper one is coming. @param {Analyze} mode */
function busyWords({ state: { answer, view, busy } }) {
  const known = answer && view === "plays" ? (answer.level ?? t.common.toDepth(answer.depth)) : "";
  return [known, busy && t.analyze.searching].filter(Boolean).join(", ");
}

/** The answer so far. @param {Analyze} mode */
function results(mode) {
  const { answer, many, view } = mode.state;
  if (mode.position.over) return [html("p", {}, mode.turnWords())];
  if (view === "rollout") return rolloutOf(mode);
  if (mode.isWide) {
    if (many && "rolls" in many) return rollsOf(mode, many);
    if (many && "scores" in many) return scoresOf(mode, many);
    return awaited(mode, view === "rolls" ? t.analyze.rollsComing : t.analyze.scoresComing);
  }
  if (!answer) return awaited(mode, t.analyze.looking);
  // Without the cube there is nothing to decide before a roll.
  if ("rolls" in answer) return rollsOf(mode, answer);
  const confidence = notesOn(answer).map((note) => html("p", { class: "soft small" }, note));
  const notes = [...leftOut(answer), ...confidence];
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
    ? html("fieldset", { class: "ticks" }, html("legend", {}, t.rollouts.plays), ticks)
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
    const end = button(work ? t.common.stop : t.rollouts.forget, act, { class: "plain" });
    return row([show, html("td", { class: "words" }, status), html("td", { class: "end" }, end)], {
      "data-key": `${id} ${cubeless}`,
    });
  });
  const heads = [
    t.page.position,
    html("th", { scope: "col", class: "words" }, t.rollouts.games),
    html("th", { scope: "col" }, html("span", { class: "unseen" }, t.rollouts.end)),
  ];
  return html(
    "div",
    { "data-key": "others" },
    html("h3", {}, t.rollouts.others),
    scrolling(t.rollouts.others, table(t.rollouts.others, heads, rows), "others"),
  );
}

/** A line in place of an answer: that it is coming, or why there is none. @param {Analyze} mode @param {string} words */
function awaited({ state: { failed } }, words) {
  return [html("p", { class: failed ? "wrong" : "soft" }, failed || words)];
}

/** Notes on an answer: the confidence of a rollout. @param {Answer} answer */
function notesOn(answer) {
  const { level } = answer;
  const confidence =
    "cube" in answer ? answer.cube.confidence : "confidence" in answer ? answer.confidence : null;
  const notes = [];
  if (confidence !== null) {
    const share = percent(Math.min(confidence, 0.999));
    notes.push(t.analyze.settled(level ?? "", share));
  } else if (level?.startsWith("roller")) {
    notes.push(t.analyze.notSettled(level));
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
  return [
    html(
      "p",
      {},
      equityTerm(data.rolls[0].mwc !== null),
      " ",
      html("strong", {}, signed(data.equity)),
      html("span", { class: "soft" }, t.analyze.mean(data.depth)),
    ),
    rollsGrid(data.rolls, data.equity, show, () => mode.set({ roll: null, shown: null })),
    html(
      "p",
      { class: "soft small" },
      roll && `${roll.dice}: ${roll.play}, ${signed(roll.equity)}`,
    ),
    chances(data.probabilities, mode.names),
    ...leftOut(data),
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
  return [scoresTable(data, mode.names, open), ...leftOut(data)];
}

/** The answer in one line. @param {Analyze} mode */
export function answerWords({ isWide, names, state: { answer, view } }) {
  if (isWide) return view === "rolls" ? t.analyze.rollsThere : t.analyze.scoresThere;
  if (!answer) return "";
  const how = answer.level ?? t.common.toDepth(answer.depth);
  if ("candidates" in answer) {
    const [{ play, equity }] = answer.candidates;
    return t.analyze.bestBy(how, play, signed(equity));
  }
  return "cube" in answer ? t.analyze.verdictBy(how, verdictOf(answer, names[1])) : "";
}

/** The IDs of a position, to be copied. @param {Analyze} mode */
function copyFields(mode) {
  const { xgid, ogid, position_id, match_id } = mode.position;
  const link = new URL(`#xgid=${xgid.replace("XGID=", "")}`, location.href.split("#")[0]).href;
  const rows = [
    ["XGID", xgid],
    ["OGID", ogid],
    [t.analyze.gnuId, `${position_id}:${match_id}`],
    [ALONE ? t.analyze.linkHere : t.analyze.link, link],
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
        { type: "button", click: copy, "aria-label": t.analyze.copyNamed(name) },
        mode.state.copied === name ? t.analyze.copiedNow : t.analyze.copy,
      ),
    );
  });
  return html(
    "div",
    { class: "ids" },
    html(
      "div",
      { class: "row" },
      button(mode.state.copied === "picture" ? t.analyze.copiedNow : t.analyze.copyPicture, () =>
        mode.picture(false),
      ),
      button(t.analyze.savePicture, () => mode.picture(true)),
      serves.all && serves.adds && button(t.notes.write, () => mode.note(xgid)),
    ),
    fields,
    ALONE && html("p", { class: "soft small" }, t.analyze.toSend),
  );
}
