/** The panel of an analysis: what is asked, and the answer. */

import { fieldsOf, withDice, xgidOf } from "../board/position.js";
import { get, serves } from "./api.js";
import { check, field, segments } from "./controls.js";
import { button, card, html, refill } from "./elements.js";
import { rollsGrid, scoresTable } from "./grids.js";
import { lowered, within } from "./levels.js";
import { rolloutPanel } from "./rollout.js";
import { chances, chancesAfter, cubeTable, playsTable, verdictOf } from "./tables.js";
import { EQUITY, percent, signed } from "./words.js";

const DEPTHS = /** @type {[string, string][]} */ ([
  ["1", "Depth 1"],
  ["3", "Depth 3"],
  ["5", "Depth 5"],
]);
const ROLLERS = /** @type {[string, string][]} */ ([
  ["roller", "Roller"],
  ["roller+", "Roller+"],
  ...(serves.slowest ? [["roller++", "Roller++"]] : []),
]);
/** What an answer without the cube leaves out. */
const CUBELESS = "Without the cube: score, cube and Jacoby rule do not count.";

/** @import {Position} from "../../answers.js" */

export class AnalyzePanel {
  /** @param {HTMLElement} host @param {import("./analyze.js").Analyze} mode */
  constructor(host, mode) {
    this.host = host;
    this.mode = mode;
    this.answers = html("div", { class: "results" });
    /** Where the chances after a play are shown. */
    this.shares = html("div");
    /**
     * @type {HTMLElement | null} the rollout of this position, which stays when one looks elsewhere
     */
    this.rollout = null;
  }

  /** Build the panel: what is asked, and the answer. */
  show() {
    if (this.mode.setup) return;
    const position = /** @type {Position} */ (this.mode.position);
    const ask = (/** @type {boolean} */ fresh) => {
      if (fresh) this.mode.answer = null;
      this.show();
      this.mode.ask(true);
    };
    const views = /** @type {[import("./analyze.js").View, string][]} */ ([
      ["plays", position.dice ? "Plays" : "Cube"],
      ["rolls", "All rolls"],
      ["scores", "By score"],
      ["rollout", "Rollout"],
    ]);
    const levels = within(this.mode.isWide ? DEPTHS.slice(0, 2) : [...DEPTHS, ...ROLLERS]);
    this.answers = html("div", { class: "results" });
    refill(
      this.host,
      [
        card(
          "Analysis",
          html("h2", { class: "unseen" }, "Analysis"),
          html(
            "div",
            { class: "row" },
            segments("View", views, this.mode.view, (value) => (this.#turn(value), ask(false))),
            html("span", { class: "busy soft small" }),
          ),
          this.mode.view !== "rollout" &&
            segments(
              "Level",
              levels,
              this.mode.levelNow,
              (value) => ((this.mode.level = value), ask(true)),
            ),
          this.answers,
          this.mode.view !== "scores" &&
            html(
              "div",
              { class: "row" },
              check(
                "Without the cube",
                this.mode.cubeless,
                (value) => (
                  Object.assign(this.mode, { cubeless: value }),
                  (this.rollout = null),
                  ask(true)
                ),
              ),
            ),
        ),
        card(
          "Share",
          html("h2", {}, "Keep and share"),
          copyFields(position, () => this.mode.desk.tell("Copied.")),
        ),
      ],
      this.mode.desk.board,
    );
    this.results();
  }

  /** Turn to a view: what another one asked ends. @param {import("./analyze.js").View} view */
  #turn(view) {
    if (view !== this.mode.view) this.mode.asking.stop();
    Object.assign(this.mode, { view, shown: null });
    this.mode.draw();
  }

  /** Show the answer, as far as it is there. */
  results() {
    if (this.mode.setup) return;
    const position = /** @type {Position} */ (this.mode.position);
    if (position.over) return this.answers.replaceChildren(html("p", {}, this.mode.turnWords()));
    if (this.mode.isWide && !this.answers.querySelector(".rolls"))
      return this.#await(
        this.mode.view === "rolls" ? "All 21 rolls are coming." : "All scores are coming.",
      );
    if (this.mode.isWide) return;
    if (this.mode.view === "rollout") {
      this.rollout ??= rolloutPanel((signal) => this.#toRoll(signal), this.mode.asking);
      if (!this.answers.contains(this.rollout)) this.answers.replaceChildren(this.rollout);
      return;
    }
    const answer = this.mode.answer;
    if (!answer) return this.#await("The engine is looking.");
    const sure = "cube" in answer ? answer.cube.sure : "sure" in answer ? answer.sure : null;
    const unplayed = answer.level?.startsWith("roller")
      ? [
          `Level ${answer.level}: no games were played: nothing is close, all is known, or the time was over.`,
        ]
      : [];
    const said =
      sure === null
        ? unplayed
        : [
            `Level ${answer.level}: settled by games, which are ${percent(Math.min(sure, 0.999))} % sure of the first choice.`,
          ];
    const notes = [...(answer.cubeful ? [] : [CUBELESS]), ...said].map((note) =>
      html("p", { class: "soft small" }, note),
    );
    const focused = document.activeElement?.getAttribute("data-play");
    if ("candidates" in answer) {
      const table = playsTable(answer.candidates, {
        show: (candidate, how) => this.mode.pick(candidate, how),
        mine: this.mode.mine,
        all: this.mode.all,
        chosen: this.mode.shown?.play,
        more: () => ((this.mode.all = true), this.results()),
      });
      this.shares = html("div");
      refill(this.answers, [table, this.shares, ...notes]);
      this.bars();
    } else if ("rolls" in answer) {
      this.rolls(answer); // without the cube there is nothing to decide before a roll
    } else if ("cube" in answer) {
      this.answers.replaceChildren(
        cubeTable(answer, this.mode.names[1]),
        chances(answer.probabilities, this.mode.names),
        ...notes,
      );
    }
    if (focused)
      /** @type {HTMLElement | null} */ (
        this.answers.querySelector(`[data-play="${CSS.escape(focused)}"]`)
      )?.focus();
  }

  /** Say that an answer comes. @param {string} words */
  #await(words) {
    this.answers.replaceChildren(html("p", { class: "soft awaited" }, words));
  }

  /** No answer comes: say why where it was awaited. @param {string} message */
  failed(message) {
    this.busy(false);
    this.answers.querySelector(".awaited")?.replaceWith(html("p", { class: "wrong" }, message));
  }

  /**
   * The position and the plays of a rollout: the three best ones, and that which was tried.
   * @param {AbortSignal} signal
   */
  async #toRoll(signal) {
    const { asked, mine } = this.mode;
    this.mode.answer ??= await get(
      "analyze",
      { ...asked, depth: lowered(3), top: 3, play: mine ? [mine] : [] },
      signal,
    );
    const best = this.mode.candidates.slice(0, 3).map((each) => each.play);
    return { ...asked, plays: [...new Set([...best, ...(mine ? [mine] : [])])] };
  }

  /** @param {import("../../answers.js").Rolls} data */
  rolls(data) {
    const note = html("p", { class: "soft small" });
    const show = (
      /** @type {import("../../answers.js").Roll} */ roll,
      /** @type {boolean} */ act,
    ) => {
      if (act) {
        this.mode.view = "plays";
        return void this.mode.load(
          withDice(/** @type {Position} */ (this.mode.position).xgid, roll.dice),
        );
      }
      note.textContent = `${roll.dice}: ${roll.play}, ${signed(roll.equity)}`;
      this.mode.shown = roll;
      if (!this.mode.walk?.taken.length) this.mode.draw();
    };
    const hide = () => {
      note.textContent = "";
      this.mode.shown = null;
      this.mode.draw();
    };
    this.answers.replaceChildren(
      html(
        "p",
        {},
        `${EQUITY(data.rolls[0].mwc !== null)} `,
        html("strong", {}, signed(data.equity)),
        html("span", { class: "soft" }, ` on average over all rolls, depth ${data.depth}`),
      ),
      rollsGrid(data.rolls, data.equity, show, hide),
      note,
      chances(data.probabilities, this.mode.names),
      ...(data.cubeful ? [] : [html("p", { class: "soft small" }, CUBELESS)]),
    );
  }

  /** @param {import("../../answers.js").Answer} data */
  scores(data) {
    if (!("scores" in data)) return;
    const open = (/** @type {[number, number]} */ [own, their]) => {
      const fields = fieldsOf(/** @type {Position} */ (this.mode.position).xgid);
      const length = Math.max(own, their);
      const score = /** @type {[number, number]} */ (
        fields.turn === 1 ? [length - own, length - their] : [length - their, length - own]
      );
      this.mode.view = "plays";
      this.mode.load(xgidOf({ ...fields, length, score, crawford: false }));
    };
    this.answers.replaceChildren(scoresTable(data, this.mode.names, open));
  }

  /** Show the chances after the play that arrows show. */
  bars() {
    if (!this.mode.shown || this.mode.shown.probabilities === undefined) return;
    this.shares.replaceChildren(...chancesAfter(this.mode.shown, this.mode.names));
  }

  /** What the answer says, in a line. */
  get #words() {
    const { answer, view } = this.mode;
    if (this.mode.isWide)
      return view === "rolls" ? "All 21 rolls are there." : "All scores are there.";
    if (!answer) return "";
    const how = answer.level ?? `depth ${answer.depth}`;
    if ("candidates" in answer)
      return `Best by ${how}: ${answer.candidates[0].play}, ${signed(answer.candidates[0].equity)}.`;
    return "cube" in answer ? `By ${how}: ${verdictOf(answer, this.mode.names[1])}.` : "";
  }

  /** The answer is complete. */
  done() {
    this.busy(false);
    if (!this.mode.mine) this.mode.desk.tell(this.#words);
  }

  /** @param {boolean} busy */
  busy(busy) {
    const note = this.host.querySelector(".busy");
    const known =
      this.mode.answer && this.mode.view === "plays"
        ? (this.mode.answer.level ?? `depth ${this.mode.answer.depth}`)
        : "";
    if (note) note.textContent = busy ? `${known}${known && ", "}searching` : known;
    this.host.setAttribute("aria-busy", String(busy));
  }
}

/** Whether the page's address means the machine itself, wherever it is opened. */
const ALONE = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

/**
 * The IDs of a position, to be copied.
 * @param {import("../../answers.js").Position} position
 * @param {() => void} done
 */
function copyFields(position, done) {
  const gnu = `${position.position_id}:${position.match_id}`;
  const link = new URL(`#xgid=${position.xgid.replace("XGID=", "")}`, location.href.split("#")[0])
    .href;
  const rows = /** @type {[string, string][]} */ ([
    ["XGID", position.xgid],
    ["OGID", position.ogid],
    ["GNU Backgammon ID", gnu],
    [ALONE ? "Link, for this machine alone" : "Link", link],
  ]);
  const fields = rows.map(([name, value]) => {
    const text = html("input", { readonly: true, value, focus: () => text.select() });
    const copy = button(
      "Copy",
      async () => {
        text.select();
        try {
          await navigator.clipboard.writeText(value);
        } catch {
          document.execCommand("copy"); // where the address is not safe, or the browser does not let us
        }
        copy.textContent = "Copied";
        done();
        setTimeout(() => (copy.textContent = "Copy"), 1500);
      },
      { "aria-label": `Copy ${name}` },
    );
    return html("div", { class: "id-of" }, field(name, text), copy);
  });
  const note =
    ALONE &&
    html(
      "p",
      { class: "soft small" },
      "To send the position to somebody, copy its XGID: most programs and sites read it, and so does this page.",
    );
  return html("div", { class: "ids" }, ...fields, note);
}
