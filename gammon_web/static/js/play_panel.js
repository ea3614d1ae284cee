/** The panel of a match: its settings, the score, a hint, and the record. */

import { check, field, heardBy, segments, select } from "./controls.js";
import { button, card, html } from "./elements.js";
import { heading, term, WORDS } from "./help.js";
import { lowered, within } from "./levels.js";
import { NAMES, game } from "./match.js";
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
  name: "",
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

/** The settings before a match. @param {Play} play */
export function settingsCard(play) {
  const { settings, seed } = play.state;
  const { length, depth, strength, tutor, name, cube, jacoby, typed } = settings;
  const set = (/** @type {Partial<Settings>} */ change) =>
    play.set({ settings: { ...settings, ...change } });
  const text = (/** @type {Event} */ event) =>
    /** @type {HTMLInputElement} */ (heardBy(event)).value;
  const depthField = field(
    "Depth of gammon",
    select(within(DEPTHS), lowered(depth), (value) => set({ depth: value })),
    WORDS.depth,
  );
  depthField.hidden = strength !== null;
  return card(
    "New match",
    heading("Play against gammon", "play"),
    html(
      "p",
      { class: "soft small" },
      "New to backgammon? ",
      term("The rules", "the-rules"),
      " take a minute to read.",
      strength === 25 && " The opponent chosen below is a beginner, too.",
    ),
    html(
      "div",
      { class: "fields" },
      field(
        "What to play",
        select(LENGTHS, length, (value) => set({ length: value })),
      ),
      field(
        "Strength of gammon",
        select(STRENGTHS, strength, (value) => set({ strength: value })),
        `gammon errs like a player of this PR. ${WORDS.pr}`,
      ),
      depthField,
      field(
        "Tutor",
        select(TUTORS, tutor, (value) => set({ tutor: value })),
        "The tutor tells when a decision of yours loses as much equity, and offers to take it back.",
      ),
      field(
        "Your name in files",
        html("input", {
          value: name,
          maxlength: 60,
          placeholder: NAMES[0],
          autocomplete: "nickname",
          input: (event) => set({ name: text(event) }),
        }),
      ),
    ),
    html(
      "div",
      { class: "row" },
      check("With the cube", cube, (value) => set({ cube: value }), WORDS.cube),
      check(
        "Jacoby rule for money",
        jacoby,
        (value) => set({ jacoby: value }),
        WORDS["jacoby-rule"],
      ),
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
      {},
      button("Start", () => start(play), { class: "first", id: "start" }),
    ),
    html("p", { class: "soft small" }, HANDS),
  );
}

/** Start a match with the chosen settings. @param {Play} play */
function start(play) {
  const { settings, seed } = play.state;
  const { typed, ...rest } = { ...settings, depth: lowered(settings.depth) };
  const field = /** @type {HTMLInputElement | null} */ (play.host.querySelector("#seed"));
  if (!typed && !field?.checkValidity()) {
    field?.focus();
    return play.area.say(`The seed is a whole number from 0 to ${SEEDS}.`, true);
  }
  rest.name = rest.name.trim();
  play.state.settings = { typed, ...rest };
  keep("play", play.state.settings);
  play.state.seed = String(anySeed());
  play.start({ ...rest, errors: anySeed(), seed: typed ? null : Number(seed) });
}

/** A hint, the score, and the record. @param {Play} play */
export function matchCards(play) {
  const record = card("Record", heading("Record", "play"), play.record.view());
  return [play.state.hint && hintCard(play, play.state.hint), scoreCard(play), record];
}

/** @param {Play} play */
function scoreCard(play) {
  const { length, score: points, games, depth, strength, jacoby, seed, xgid } = play.going;
  const { crawford, score } = game(play.going) ?? { crawford: false, score: points };
  const away = /** @type {[number, number]} */ (score.map((won) => length - won));
  const terms = { length, away, crawford, jacoby, beavers: false };
  const dice = seed === null ? "dice typed in" : `dice of seed ${seed}`;
  const whom = strength ? `PR ${strength}` : `depth ${depth}`;
  const pace = select(PACES, play.state.pace, (value) => {
    keep("pace", value);
    play.set({ pace: value });
  });
  const what = length ? "match" : "session";
  return card(
    "Match",
    html(
      "p",
      { class: "soft small" },
      `Game ${games.length || 1}, ${termsWords(terms)}; gammon at ${whom}; ${dice}.`,
    ),
    html("p", { class: "small" }, play.tutor.words),
    html(
      "div",
      { class: "row low" },
      field("Checkers move", pace),
      button("Analyze this", () => play.to.analyze(xgid), { disabled: !xgid }),
      button(`End the ${what}`, () => play.ending.leave(), { class: "plain" }),
    ),
  );
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
  const yours = play.state.position?.turn === 1;
  const names = /** @type {[string, string]} */ (yours ? ["You", NAMES[1]] : [NAMES[1], "You"]);
  const table = cubeTable(answer, yours ? NAMES[1] : "you");
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
  return [plays, html("div", {}, chancesAfter(shown, ["You", NAMES[1]]))];
}

/**
 * A hint in one line.
 * @param {Play} play
 * @param {import("../../answers.js").Answer} answer
 */
export function hintWords(play, answer) {
  if ("candidates" in answer) return `Hint: ${answer.candidates[0].play}.`;
  const opponent = play.state.position?.turn === 1 ? NAMES[1] : "you";
  return "cube" in answer ? `Hint: ${verdictOf(answer, opponent)}.` : "";
}
