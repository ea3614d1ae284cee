/** The panel of a match: its settings, the score, a hint, and the record. */

import { fieldsOf } from "../board/position.js";
import { check, field, heardBy, segments, select } from "./controls.js";
import { button, card, html } from "./elements.js";
import { wholeOf } from "./ending.js";
import { newBanks } from "./clock.js";
import { heading, term } from "./help.js";
import { t } from "./language.js";
import { lowered, within } from "./levels.js";
import { NAMES, game, namesOf, seated } from "./match.js";
import { anySeed } from "./rolling.js";
import { keep, me } from "./settings.js";
import { chances, chancesAfter, cubeTable, playsTable, verdictOf } from "./tables.js";
import { TUTORS } from "./tutor.js";
import { termsWords } from "./words.js";

/** @import {Play} from "./play.js" */

/** The highest seed of dice. */
const SEEDS = 4294967295;

/** The default settings of a new match; `typed`: the player types in the dice. */
export const SETTINGS = {
  length: 5,
  depth: 3,
  strength: /** @type {number | null} */ (25),
  jacoby: true,
  cube: true,
  typed: false,
  tutor: 0,
  early: true,
  name: "",
  byHand: false,
  opponent: "",
  clock: false,
};
/** @typedef {typeof SETTINGS} Settings */

const LENGTHS = /** @type {[number, string][]} */ ([
  [0, t.play.money],
  ...[1, 3, 5, 7, 9, 11, 15, 21, 25].map((length) => [length, t.play.matchTo(length)]),
]);
const DEPTHS = /** @type {[number, string][]} */ ([
  [1, t.play.depth1],
  [3, t.play.depth3],
  [5, t.play.depth5],
]);
const STRENGTHS = /** @type {[number | null, string][]} */ ([
  [25, t.play.beginnerPr],
  [15, t.play.intermediatePr],
  [10, t.play.advancedPr],
  [7, t.play.expertPr],
  [5, t.play.strongerPr],
  [3, t.play.worldClassPr],
  [null, t.play.full],
]);
const DICE = /** @type {[boolean, string][]} */ ([
  [false, t.play.rolled],
  [true, t.play.typed],
]);
const OPPONENTS = /** @type {[boolean, string][]} */ ([
  [false, t.play.gammonAndI],
  [true, t.play.bothByHand],
]);
const PACES = /** @type {[number, string][]} */ ([
  [2, t.play.slow],
  [1, t.play.normal],
  [0.4, t.play.fast],
  [0, t.play.atOnce],
]);

/** The heading: whether a match begins, or a game goes on from a position. @param {Play} play */
function headOf({ state: { from, settings } }) {
  if (from) return [heading(t.play.playOn, "play")];
  const rules = term(t.play.rules, "the-rules");
  return [
    heading(settings.byHand ? t.play.byHand : t.play.against, "play"),
    html(
      "p",
      { class: "soft small" },
      `${t.play.newHere} `,
      rules,
      ` ${t.play.rulesAfter}`,
      settings.strength === 25 && !settings.byHand && ` ${t.play.beginner}`,
    ),
  ];
}

/** The settings before a match. @param {Play} play */
export function settingsCard(play) {
  const { settings, seed, from } = play.state;
  const {
    length,
    depth,
    strength,
    tutor,
    early,
    name,
    cube,
    jacoby,
    typed,
    byHand,
    opponent,
    clock,
  } = settings;
  const set = (/** @type {Partial<Settings>} */ change) =>
    play.set({ settings: { ...settings, ...change } });
  const text = (/** @type {Event} */ event) =>
    /** @type {HTMLInputElement} */ (heardBy(event)).value;
  const depthField = field(
    t.play.depthOf,
    select(within(DEPTHS), lowered(depth), (value) => set({ depth: value })),
    t.help.words.depth,
  );
  depthField.hidden = strength !== null || byHand;
  const nameField = (
    /** @type {string} */ label,
    /** @type {string} */ value,
    /** @type {string} */ placeholder,
    /** @type {(name: string) => Partial<Settings>} */ changed,
  ) => {
    const input = (/** @type {Event} */ event) => set(changed(text(event)));
    const attributes = { value, maxlength: 60, placeholder, autocomplete: "off", input };
    return field(label, html("input", attributes));
  };
  const sides = /** @type {[number, string][]} */ ([
    [1, t.play.onRoll],
    [-1, t.play.otherSide],
  ]);
  return card(
    t.play.newMatch,
    headOf(play),
    html(
      "div",
      { class: "fields" },
      from === null &&
        field(
          t.play.what,
          select(LENGTHS, length, (value) => set({ length: value })),
        ),
      field(
        t.play.who,
        select(OPPONENTS, byHand, (value) => set({ byHand: value })),
        t.play.whyByHand,
      ),
      from !== null &&
        !byHand &&
        field(
          t.play.youPlay,
          select(sides, fieldsOf(from).turn, (turn) => play.set({ from: seated(from, turn) })),
        ),
      !byHand &&
        field(
          t.play.strength,
          select(STRENGTHS, strength, (value) => set({ strength: value })),
          `${t.play.strengthTip} ${t.help.words.pr}`,
        ),
      depthField,
      !byHand &&
        field(
          t.tutor.name,
          select(TUTORS, tutor, (value) => set({ tutor: value })),
          t.tutor.tip,
        ),
      byHand
        ? nameField(t.play.bottom, name, "X", (value) => ({ name: value }))
        : nameField(t.play.yourName, name, me() || NAMES[0], (value) => ({ name: value })),
      byHand && nameField(t.play.top, opponent, "O", (value) => ({ opponent: value })),
    ),
    byHand && html("p", { class: "soft small" }, t.play.whyByHand),
    html(
      "div",
      { class: "row" },
      from === null &&
        check(t.play.withCube, cube, (value) => set({ cube: value }), t.help.words.cube),
      from === null &&
        check(
          t.play.jacoby,
          jacoby,
          (value) => set({ jacoby: value }),
          t.help.words["jacoby-rule"],
        ),
      check(t.play.withClock, clock, (value) => set({ clock: value }), t.play.clock),
      !byHand &&
        tutor > 0 &&
        check(t.tutor.early, early, (value) => set({ early: value }), t.tutor.earlyTip),
    ),
    segments(t.play.dice, DICE, typed, (value) => set({ typed: value })),
    html(
      "div",
      { class: "fields", hidden: typed },
      field(
        t.play.seed,
        html("input", {
          type: "number",
          min: 0,
          max: SEEDS,
          required: true,
          value: seed,
          inputmode: "numeric",
          id: "seed",
          "aria-describedby": "seed-help",
          input: (event) => play.set({ seed: text(event) }),
        }),
      ),
    ),
    html("p", { class: "soft small", id: "seed-help", hidden: typed }, t.play.seedTip),
    html(
      "div",
      { class: "row" },
      button(t.play.start, () => start(play), { class: "first", id: "start" }),
      from !== null && button(t.play.notFrom, () => play.set({ from: null }), { class: "plain" }),
    ),
    html("p", { class: "soft small" }, t.play.hands),
  );
}

/** Start a match with the chosen settings. @param {Play} play */
function start(play) {
  const { settings, seed } = play.state;
  const { typed, ...rest } = { ...settings, depth: lowered(settings.depth) };
  const tutor = rest.byHand ? 0 : rest.tutor;
  const field = /** @type {HTMLInputElement | null} */ (play.host.querySelector("#seed"));
  if (!typed && !field?.checkValidity()) {
    field?.focus();
    return play.area.say(t.play.seedWrong(SEEDS), true);
  }
  rest.name = rest.name.trim();
  rest.opponent = rest.opponent.trim();
  play.state.settings = { typed, ...rest };
  keep("play", play.state.settings);
  play.state.seed = String(anySeed());
  const { from } = play.state;
  const clock = rest.clock ? newBanks(from ? fieldsOf(from).length : rest.length) : null;
  play.start({ ...rest, tutor, clock, errors: anySeed(), seed: typed ? null : Number(seed) });
}

/** A hint, the score, and the record. @param {Play} play */
export function matchCards(play) {
  const record = card(t.play.record, heading(t.play.record, "play"), play.record.view());
  return [play.state.hint && hintCard(play, play.state.hint), scoreCard(play), record];
}

/** The opponent in words. @param {import("./match.js").Match} match */
function whomOf({ byHand, strength, depth }) {
  if (byHand) return t.play.bothSides;
  return strength ? t.play.gammonAtPr(strength) : t.play.gammonAtDepth(depth);
}

/** @param {Play} play */
function scoreCard(play) {
  const { length, score: points, games, jacoby, seed, xgid, from } = play.going;
  const { crawford, score } = game(play.going) ?? { crawford: false, score: points };
  const away = /** @type {[number, number]} */ (score.map((won) => length - won));
  const terms = { length, away, crawford, jacoby, beavers: false };
  const dice = seed === null ? t.play.diceTyped : t.play.diceOfSeed(seed);
  const pace = select(PACES, play.state.pace, (value) => {
    keep("pace", value);
    play.set({ pace: value });
  });
  const number = from ? t.play.playedOn : t.play.game(games.length || 1);
  return card(
    t.play.match,
    html(
      "p",
      { class: "soft small" },
      `${number}, ${termsWords(terms)}; ${whomOf(play.going)}; ${dice}.`,
    ),
    html("p", { class: "small" }, play.tutor.words),
    html(
      "div",
      { class: "row low" },
      field(t.play.pace, pace),
      button(t.common.analyzeThis, () => play.to.analyze(xgid), { disabled: !xgid }),
      button(t.ending.end[wholeOf(play.going)], () => play.ending.leave(), { class: "plain" }),
    ),
  );
}

/** The names of the player on roll and of the opponent. @param {Play} play @returns {[string, string]} */
function sidesOf(play) {
  const [own, their] = namesOf(play.match);
  return play.state.position?.turn === 1 ? [own, their] : [their, own];
}

/** @param {Play} play @param {import("../../answers.js").Answer} answer */
function hintCard(play, answer) {
  const act = () => {
    play.set({ hint: null });
    play.area.board.focus();
  };
  const close = button(t.common.close, act, { class: "plain" });
  const head = html("div", { class: "head" }, heading(t.play.hint, "analyze"), close);
  if ("candidates" in answer) return card(t.play.hint, head, ...playsIn(play, answer.candidates));
  if (!("cube" in answer)) return card(t.play.hint, head);
  const names = sidesOf(play);
  const table = cubeTable(answer, names[1]);
  return card(t.play.hint, head, table, chances(answer.probabilities, names));
}

/** @param {Play} play @param {import("../../answers.js").Candidate[]} candidates */
function playsIn(play, candidates) {
  const { arrows, held } = play.state;
  const best = candidates.slice(0, 3);
  const shown = best.find(({ play: name }) => name === arrows) ?? best[0];
  const plays = playsTable(best, {
    show: ({ play: name }, how) =>
      play.set({ arrows: name, held: how === "look" ? play.state.held : name }),
    leave: () => play.set({ arrows: held }),
    all: true,
    chosen: shown.play,
  });
  return [plays, html("div", {}, chancesAfter(shown, sidesOf(play)))];
}

/**
 * A hint in one line.
 * @param {Play} play
 * @param {import("../../answers.js").Answer} answer
 */
export function hintWords(play, answer) {
  if ("candidates" in answer) return t.play.hintPlay(answer.candidates[0].play);
  return "cube" in answer ? t.play.hintPlay(verdictOf(answer, sidesOf(play)[1])) : "";
}
