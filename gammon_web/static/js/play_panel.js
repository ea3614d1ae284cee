/** The panel of a match: its settings, the score, a hint, and the record. */

import { fieldsOf } from "../board/position.js";
import { check, field, heardBy, segments, select } from "./controls.js";
import { button, card, html } from "./elements.js";
import { wholeOf } from "./ending.js";
import { CLOCK, newBanks } from "./clock.js";
import { heading, term, WORDS } from "./help.js";
import { lowered, within } from "./levels.js";
import { NAMES, game, namesOf, seated } from "./match.js";
import { anySeed } from "./rolling.js";
import { keep } from "./settings.js";
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
  [0, "Money games"],
  ...[1, 3, 5, 7, 9, 11, 15, 21, 25].map((length) => [length, `Match to ${length}`]),
]);
const DEPTHS = /** @type {[number, string][]} */ ([
  [1, "1: at once"],
  [3, "3: strong"],
  [5, "5: strongest"],
]);
const STRENGTHS = /** @type {[number | null, string][]} */ ([
  [25, "PR 25: beginner"],
  [15, "PR 15: intermediate"],
  [10, "PR 10: advanced"],
  [7, "PR 7: expert"],
  [5, "PR 5: expert"],
  [3, "PR 3: world class"],
  [null, "Full"],
]);
const DICE = /** @type {[boolean, string][]} */ ([
  [false, "Rolled for me"],
  [true, "I type them in"],
]);
const OPPONENTS = /** @type {[boolean, string][]} */ ([
  [false, "gammon and I"],
  [true, "Both by hand"],
]);
const PACES = /** @type {[number, string][]} */ ([
  [2, "Slow"],
  [1, "Normal"],
  [0.4, "Fast"],
  [0, "At once"],
]);
const SEED_HELP =
  "All rolls follow from the seed before the first checker moves. The same seed gives the same dice.";
const HANDS =
  "Click a checker: it moves by the left die. Drag it, or click where it shall go. Click the dice to swap them. Keys: arrows and Enter, U undo, X swap, R roll, D double, H hint, B take back.";

/** What an early tutor does. */
const EARLY =
  "The tutor asks whether to take an error back before gammon goes on; else it tells afterwards.";
/** What both sides by hand are for. */
const BY_HAND =
  "By hand you move both sides: to enter a match that was played over the board, with its dice, and save it as .mat; or for two people at one board.";

/** The heading: whether a match begins, or a game goes on from a position. @param {Play} play */
function headOf({ state: { from, settings } }) {
  if (from) return [heading("Play on from here", "play")];
  const rules = term("The rules", "the-rules");
  return [
    heading(settings.byHand ? "Play with both sides by hand" : "Play against gammon", "play"),
    html(
      "p",
      { class: "soft small" },
      "New to backgammon? ",
      rules,
      " take a minute to read.",
      settings.strength === 25 &&
        !settings.byHand &&
        " The opponent chosen below is a beginner, too.",
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
    "Depth of gammon",
    select(within(DEPTHS), lowered(depth), (value) => set({ depth: value })),
    WORDS.depth,
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
    [1, "The side on roll"],
    [-1, "The other side"],
  ]);
  return card(
    "New match",
    headOf(play),
    html(
      "div",
      { class: "fields" },
      from === null &&
        field(
          "What to play",
          select(LENGTHS, length, (value) => set({ length: value })),
        ),
      field(
        "Who plays",
        select(OPPONENTS, byHand, (value) => set({ byHand: value })),
        BY_HAND,
      ),
      from !== null &&
        !byHand &&
        field(
          "You play",
          select(sides, fieldsOf(from).turn, (turn) => play.set({ from: seated(from, turn) })),
        ),
      !byHand &&
        field(
          "Strength of gammon",
          select(STRENGTHS, strength, (value) => set({ strength: value })),
          `gammon errs like a player of this PR. ${WORDS.pr}`,
        ),
      depthField,
      !byHand &&
        field(
          "Tutor",
          select(TUTORS, tutor, (value) => set({ tutor: value })),
          "The tutor tells when a decision of yours loses as much equity, and offers to take it back.",
        ),
      byHand
        ? nameField("Player at the bottom", name, "X", (value) => ({ name: value }))
        : nameField("Your name in files", name, NAMES[0], (value) => ({ name: value })),
      byHand && nameField("Player at the top", opponent, "O", (value) => ({ opponent: value })),
    ),
    byHand && html("p", { class: "soft small" }, BY_HAND),
    html(
      "div",
      { class: "row" },
      from === null && check("With the cube", cube, (value) => set({ cube: value }), WORDS.cube),
      from === null &&
        check(
          "Jacoby rule for money",
          jacoby,
          (value) => set({ jacoby: value }),
          WORDS["jacoby-rule"],
        ),
      check("With a clock", clock, (value) => set({ clock: value }), CLOCK),
      !byHand &&
        tutor > 0 &&
        check("Warn before gammon answers", early, (value) => set({ early: value }), EARLY),
    ),
    segments("Dice", DICE, typed, (value) => set({ typed: value })),
    html(
      "div",
      { class: "fields", hidden: typed },
      field(
        "Seed of the dice",
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
    html("p", { class: "soft small", id: "seed-help", hidden: typed }, SEED_HELP),
    html(
      "div",
      { class: "row" },
      button("Start", () => start(play), { class: "first", id: "start" }),
      from !== null && button("Not from here", () => play.set({ from: null }), { class: "plain" }),
    ),
    html("p", { class: "soft small" }, HANDS),
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
    return play.area.say(`The seed is a whole number from 0 to ${SEEDS}.`, true);
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
  const record = card("Record", heading("Record", "play"), play.record.view());
  return [play.state.hint && hintCard(play, play.state.hint), scoreCard(play), record];
}

/** The opponent in words. @param {import("./match.js").Match} match */
function whomOf({ byHand, strength, depth }) {
  if (byHand) return "both sides by hand";
  return strength ? `gammon at PR ${strength}` : `gammon at depth ${depth}`;
}

/** @param {Play} play */
function scoreCard(play) {
  const { length, score: points, games, jacoby, seed, xgid, from } = play.going;
  const { crawford, score } = game(play.going) ?? { crawford: false, score: points };
  const away = /** @type {[number, number]} */ (score.map((won) => length - won));
  const terms = { length, away, crawford, jacoby, beavers: false };
  const dice = seed === null ? "dice typed in" : `dice of seed ${seed}`;
  const pace = select(PACES, play.state.pace, (value) => {
    keep("pace", value);
    play.set({ pace: value });
  });
  const number = from ? "Played on from a position" : `Game ${games.length || 1}`;
  return card(
    "Match",
    html(
      "p",
      { class: "soft small" },
      `${number}, ${termsWords(terms)}; ${whomOf(play.going)}; ${dice}.`,
    ),
    html("p", { class: "small" }, play.tutor.words),
    html(
      "div",
      { class: "row low" },
      field("Checkers move", pace),
      button("Analyze this", () => play.to.analyze(xgid), { disabled: !xgid }),
      button(`End the ${wholeOf(play.going)}`, () => play.ending.leave(), { class: "plain" }),
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
  const close = button("Close", act, { class: "plain" });
  const head = html("div", { class: "head" }, heading("Hint", "analyze"), close);
  if ("candidates" in answer) return card("Hint", head, ...playsIn(play, answer.candidates));
  if (!("cube" in answer)) return card("Hint", head);
  const names = sidesOf(play);
  const table = cubeTable(answer, names[1].replace("You", "you"));
  return card("Hint", head, table, chances(answer.probabilities, names));
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
  if ("candidates" in answer) return `Hint: ${answer.candidates[0].play}.`;
  const opponent = sidesOf(play)[1].replace("You", "you");
  return "cube" in answer ? `Hint: ${verdictOf(answer, opponent)}.` : "";
}
