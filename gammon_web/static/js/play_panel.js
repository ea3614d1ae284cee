/** The panel of a match: its settings, the score, a hint, and the record. */

import { check, field, segments, select } from "./controls.js";
import { button, card, html, refill } from "./elements.js";
import { lowered, within } from "./levels.js";
import { NAMES, game } from "./match.js";
import { GameRecord } from "./game_record.js";
import { anySeed } from "./rolling.js";
import { keep, kept } from "./settings.js";
import { chances, chancesAfter, cubeTable, playsTable, verdictOf } from "./tables.js";
import { TUTORS } from "./tutor.js";
import { stakesWords } from "./words.js";

/** The highest seed of dice. */
const SEEDS = 4294967295;

export class PlayPanel {
  /** @param {HTMLElement} host @param {import("./play.js").Play} play */
  constructor(host, play) {
    this.host = host;
    this.play = play;
    this.hints = html("div");
    this.record = new GameRecord(play);
    this.rate = html("p", { class: "small" });
    /** The settings of a new match, as they were chosen last, and the seed of its dice. */
    this.chosen = {
      length: 5,
      depth: 3,
      strength: /** @type {number | null} */ (null),
      jacoby: true,
      cube: true,
      typed: false,
      tutor: 0,
      name: "",
      ...kept("play", {}),
    };
    this.seed = String(anySeed());
  }

  show() {
    if (!this.play.match) return this.host.replaceChildren(this.#settings());
    this.hints.replaceChildren();
    const record = card("Record", html("h2", {}, "Record"), this.record.host);
    this.host.replaceChildren(this.hints, this.#score(), record);
    this.record.show();
  }

  #settings() {
    const { chosen } = this;
    chosen.depth = lowered(chosen.depth);
    const lengths = /** @type {[number, string][]} */ ([
      [0, "Money games"],
      ...[1, 3, 5, 7, 9, 11, 15, 21, 25].map((each) => [each, `Match to ${each}`]),
    ]);
    const depths = within(
      /** @type {[number, string][]} */ ([
        [1, "1: at once"],
        [3, "3: strong"],
        [5, "5: strongest"],
      ]),
    );
    const strengths = /** @type {[number | null, string][]} */ ([
      [null, "Full"],
      [3, "PR 3: world class"],
      [5, "PR 5: expert"],
      [7, "PR 7: expert"],
      [10, "PR 10: advanced"],
      [15, "PR 15: intermediate"],
      [25, "PR 25: beginner"],
    ]);
    const depth = field(
      "Depth of gammon",
      select(depths, chosen.depth, (value) => (chosen.depth = value)),
    );
    const errs = (/** @type {number | null} */ value) => {
      chosen.strength = value;
      depth.hidden = value !== null;
    };
    errs(chosen.strength);
    const seed = html("input", {
      type: "number",
      min: 0,
      max: SEEDS,
      required: true,
      value: this.seed,
      inputmode: "numeric",
      "aria-describedby": "seed-help",
      input: () => (this.seed = seed.value),
    });
    const seeds = html("div", { class: "fields" }, field("Seed of the dice", seed));
    const name = html("input", {
      value: chosen.name,
      maxlength: 60,
      placeholder: NAMES[0],
      autocomplete: "nickname",
      input: () => (chosen.name = name.value),
    });
    const help = html(
      "p",
      { class: "soft small", id: "seed-help" },
      "All rolls follow from the seed before the first checker moves. The same seed gives the same dice.",
    );
    const typed = (/** @type {boolean} */ value) => {
      chosen.typed = value;
      seeds.hidden = help.hidden = value;
    };
    typed(chosen.typed);
    const start = () => {
      if (!chosen.typed && !seed.checkValidity()) {
        seed.focus();
        return this.play.desk.say(`The seed is a whole number from 0 to ${SEEDS}.`, true);
      }
      chosen.name = name.value.trim();
      const { typed: byHand, ...rest } = chosen;
      keep("play", chosen);
      this.seed = String(anySeed());
      this.play.start({ ...rest, errors: anySeed(), seed: byHand ? null : Number(seed.value) });
    };
    return card(
      "New match",
      html("h2", {}, "Play against gammon"),
      html(
        "div",
        { class: "fields" },
        field(
          "What to play",
          select(lengths, chosen.length, (value) => (chosen.length = value)),
        ),
        field("Strength of gammon", select(strengths, chosen.strength, errs)),
        depth,
        field(
          "Tutor",
          select(TUTORS, chosen.tutor, (value) => (chosen.tutor = value)),
        ),
        field("Your name in files", name),
      ),
      html(
        "div",
        { class: "row" },
        check("With the cube", chosen.cube, (value) => (chosen.cube = value)),
        check("Jacoby rule for money", chosen.jacoby, (value) => (chosen.jacoby = value)),
      ),
      segments(
        "Dice",
        [
          [false, "Rolled for me"],
          [true, "I type them in"],
        ],
        chosen.typed,
        typed,
      ),
      seeds,
      help,
      html("div", {}, button("Start", start, { class: "first", id: "start" })),
      html(
        "p",
        { class: "soft small" },
        "Click a checker: it moves by the left die. Drag it, or click where it shall go. Click the dice to swap them. Keys: arrows and Enter, U undo, X swap, R roll, D double, H hint, B take back.",
      ),
    );
  }

  #score() {
    const match = this.play.going;
    const { crawford, score } = game(match) ?? { crawford: false, score: match.score };
    const away = /** @type {[number, number]} */ (score.map((points) => match.length - points));
    const stakes = { length: match.length, away, crawford, jacoby: match.jacoby, beavers: false };
    const paces = /** @type {[number, string][]} */ ([
      [2, "Slow"],
      [1, "Normal"],
      [0.4, "Fast"],
      [0, "At once"],
    ]);
    const dice = match.seed === null ? "dice typed in" : `dice of seed ${match.seed}`;
    return card(
      "Match",
      html(
        "p",
        { class: "soft small" },
        `Game ${match.games.length || 1}, ${stakesWords(stakes)}; gammon at ${match.strength ? `PR ${match.strength}` : `depth ${match.depth}`}; ${dice}.`,
      ),
      this.rate,
      html(
        "div",
        { class: "row low" },
        field(
          "Checkers move",
          select(paces, this.play.pace, (value) => keep("pace", (this.play.pace = value))),
        ),
        button("Analyze this", () => this.play.to.analyze(match.xgid), { disabled: !match.xgid }),
        button(match.length ? "End the match" : "End the session", () => this.play.ending.leave(), {
          class: "plain",
        }),
      ),
    );
  }

  /** @param {import("../../answers.js").Answer | null} data */
  hint(data) {
    if (!data) return refill(this.hints, [], this.play.desk.board);
    const shares = html("div");
    const show = (/** @type {import("../../answers.js").Candidate} */ candidate) => {
      this.play.arrows = candidate.play;
      this.play.draw();
      shares.replaceChildren(...chancesAfter(candidate, ["You", NAMES[1]]));
    };
    const body = [
      html(
        "div",
        { class: "head" },
        html("h2", {}, "Hint"),
        button("Close", () => this.hint(null), { class: "plain" }),
      ),
    ];
    if ("candidates" in data) {
      const best = data.candidates.slice(0, 3);
      body.push(
        playsTable(best, { show, more: () => {}, all: true, chosen: best[0].play }),
        shares,
      );
      show(best[0]);
      this.play.desk.say(`Hint: ${best[0].play}.`);
    } else if ("cube" in data) {
      const yours = this.play.position?.turn === 1;
      const opponent = yours ? NAMES[1] : "you";
      body.push(
        cubeTable(data, opponent),
        chances(data.probabilities, yours ? ["You", NAMES[1]] : [NAMES[1], "You"]),
      );
      this.play.desk.say(`Hint: ${verdictOf(data, opponent)}.`);
    }
    this.hints.replaceChildren(card("Hint", ...body));
  }
}
