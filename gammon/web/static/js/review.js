// @ts-check
/** Review: a match from a file or from play, what each decision cost, and its equity graph. */

import { viewOf } from "../board/board.js";
import { fieldsOf, pipsOf, withDice } from "../board/position.js";
import { get, isStopped, serves, stream } from "./api.js";
import { ALIKE } from "./constants.js";
import { button, byId, html } from "./elements.js";
import { graph } from "./graph.js";
import { marked } from "./plays.js";
import { forgetReview, keepPlace, keepReview, keptReview } from "./review_store.js";
import { kept, keep, visit } from "./settings.js";
import { segments, select } from "./tabs.js";
import { does, MARKS, markOf, signed } from "./words.js";

/**
 * @typedef {import("./review_store.js").Reviewed} Reviewed
 * @typedef {Reviewed["choices"][number]} Choice
 */

export class Review {
  /** @type {Reviewed | null} */
  data = null;
  /** @type {Choice | null} */
  choice = null;
  /** @type {Blob | null} */
  file = null;
  name = "";
  /** The depth at which gammon played this match on the page, or 0. */
  played = 0;
  game = 0;
  depth = kept("review", 3);
  /** Which choices are listed: those that lost something, or all. */
  wrong = true;
  /** @type {"made" | "best"} the play that arrows show */
  arrows = "best";
  /** @type {Map<string, number>} */
  values = new Map();
  active = false;
  #stop = new AbortController();
  /** @type {AbortController | null} */
  #graphing = null;

  /**
   * @param {import("./desk.js").Desk} desk
   * @param {(xgid: string) => void} analyze
   */
  constructor(desk, analyze) {
    this.desk = desk;
    this.analyze = analyze;
    this.host = byId("review");
  }

  /** The review, which is there. */
  get reviewed() {
    return /** @type {Reviewed} */ (this.data);
  }

  enter() {
    this.active = true;
    visit("#review");
    this.desk.ask("");
    this.desk.offer([]);
    this.desk.rest();
    if (!this.data) this.#restore();
    if (this.data) return this.show();
    this.desk.say(serves.reviews ? "Open a match: a .mat file, as most programs and sites export it, GNU Backgammon's .sgf, BGBlitz's .bgf, or eXtreme Gammon's .xg." : "");
    this.#chooser();
  }

  leave() {
    this.active = false;
    this.#graphing?.abort();
  }

  /** Bring back the review that was there before the page was loaded again. */
  #restore() {
    const found = this.file ? null : keptReview();
    if (!found) return;
    const { at, ...rest } = found;
    Object.assign(this, rest);
    this.choice = this.reviewed.choices[at] ?? null;
    this.game = this.choice?.game ?? 0;
  }

  /** Forget the match, and ask for another one. */
  #leave() {
    Object.assign(this, { data: null, choice: null });
    forgetReview();
    this.enter();
  }

  #chooser(message = "") {
    if (!serves.reviews) {
      const words = html("p", {}, "This page has no server, and a review of a match needs one. gammon on your own machine has it: ", html("code", {}, "gammon serve"), ".");
      return this.host.replaceChildren(html("section", { class: "card", "aria-label": "Open a match" }, html("h2", {}, "Review a match"), words));
    }
    const input = /** @type {HTMLInputElement} */ (html("input", { type: "file", accept: ".mat,.sgf,.txt,.bgf,.xg", "aria-label": "Match file" }));
    input.addEventListener("change", () => input.files?.[0] && this.open(input.files[0], input.files[0].name));
    this.host.replaceChildren(
      html(
        "section",
        { class: "card", "aria-label": "Open a match" },
        html("h2", {}, "Review a match"),
        message && html("p", { class: "wrong" }, message),
        html("div", { class: "drop" }, html("p", {}, "Drop a match file on this page, or choose one."), input),
        html("div", { class: "row" }, html("span", { class: "soft small" }, "Depth"), this.#depths()),
        html("p", { class: "soft small" }, "Depth 3 takes seconds for a match, depth 5 a minute or so. The file stays on your machine."),
      ),
    );
  }

  #depths() {
    return segments("Depth of the review", [[1, "1"], [3, "3"], [5, "5"]], this.depth, (value) => {
      this.depth = value;
      keep("review", value);
      if (this.data && this.file) this.open(this.file, this.name, this.played);
    });
  }

  /**
   * Review a match file.
   * @param {Blob} file
   * @param {string} name
   * @param {number} [played] the depth at which gammon played it here
   */
  async open(file, name, played = 0) {
    this.#stop.abort();
    const { signal } = (this.#stop = new AbortController());
    Object.assign(this, { file, name, played, data: null, choice: null, game: 0 });
    this.values.clear();
    forgetReview();
    this.desk.offer([]);
    const bar = /** @type {HTMLProgressElement} */ (html("progress", { "aria-label": "Review" }));
    const card = html("section", { class: "card", "aria-label": "Progress" }, html("h2", {}, `Reviewing ${name}`), bar);
    this.host.replaceChildren(card);
    this.desk.say("Every decision is being analyzed.");
    try {
      const handlers = {
        progress: (/** @type {import("../../answers.js").Progress} */ { done, of }) => ((bar.max = of || 1), (bar.value = done)),
        review: (/** @type {Reviewed} */ data) => (this.data = data),
      };
      await stream("review", { depth: this.depth }, handlers, signal, file);
      if (!this.data) throw new Error("The review ended without an answer.");
      keepReview({ data: this.data, file, name, played });
      if (this.active) this.show();
    } catch (error) {
      if (isStopped(error)) return;
      this.desk.say(/** @type {Error} */ (error).message, true);
      this.#chooser(/** @type {Error} */ (error).message);
    }
  }

  /** The choices of the game that is shown. */
  get choices() {
    return this.reviewed.choices.filter((each) => each.game === this.game && this.#isListed(each));
  }

  /** @param {Choice} choice */
  #isListed({ error }) {
    return !this.wrong || error >= ALIKE;
  }

  show() {
    const { players, games, length, notes } = this.reviewed;
    const other = button("Another match", () => this.#leave(), { class: "plain" });
    const list = games.map((game, /** @type {number} */ at) => /** @type {[number, string]} */ ([at, `Game ${at + 1}, ${game.score[0]} to ${game.score[1]}`]));
    this.games = select(list, this.game, (value) => ((this.game = value), this.#game()));
    this.plot = html("div", { class: "plot" });
    this.list = html("div", { class: "scroll" });
    this.host.replaceChildren(
      html("section", { class: "card", "aria-label": "Summary" },
        html("div", { class: "head" }, html("h2", {}, `${players[0].name} and ${players[1].name}, ${length ? `match to ${length}` : "money"}`), other),
        html("div", { class: "scroll", role: "region", "aria-label": "Figures", tabindex: 0 }, this.#totals()),
        notes.map((note) => html("p", { class: "soft small" }, note)),
        this.reviewed.depth <= this.played && html("p", { class: "soft small" }, `gammon played at depth ${this.played} here, and this review looks no deeper: it agrees with what gammon did.${this.played < 5 ? " At depth 5 it judges gammon, too." : ""}`),
        html("div", { class: "row" }, html("span", { class: "soft small" }, "Depth"), this.#depths())),
      html("section", { class: "card", "aria-label": "Decisions" },
        html("div", { class: "row" },
          html("label", {}, html("span", { class: "unseen" }, "Game"), this.games),
          segments("Decisions", [[true, "Errors"], [false, "All decisions"]], this.wrong, (value) => ((this.wrong = value), this.#rows()))),
        this.plot,
        this.list),
    );
    this.#game(this.choice);
  }

  /** The figures of both players, as the server writes them. */
  #totals() {
    const { players, figures = [], units = "" } = this.reviewed;
    const table = html("table", { class: "figures short" },
      html("caption", { class: "unseen" }, "Both players"),
      html("thead", {}, html("tr", {}, html("td", {}, ""), players.map(({ name }) => html("th", { scope: "col" }, name)))),
      html("tbody", {}, figures.map(({ name, part, values }) =>
        html("tr", { class: part ? "part" : "" }, html("td", { class: "words" }, name), values.map((value) => html("td", {}, value.replace(" %", "\u00a0%")))))));
    return [
      html("div", { class: "row" }, segments("Figures", [[true, "Main figures"], [false, "All figures"]], true, (short) => table.classList.toggle("short", short))),
      table,
      html("p", { class: "soft small" }, units),
    ];
  }

  /** Show the game, and of its choices this one, or the worst. @param {Choice | null} [choice] */
  #game(choice = null) {
    const all = this.reviewed.choices.filter((each) => each.game === this.game);
    const worst = all.reduce((most, each) => (each.error > most.error ? each : most), all[0]);
    this.choice = choice ?? worst ?? null;
    if (this.games) this.games.value = String(this.game);
    this.#rows();
    this.#graph();
    if (this.choice) this.#look(this.choice);
  }

  #rows() {
    const rows = this.choices.map((choice) => {
      const { player, kind, made, best, error, xgid, action } = choice;
      const mark = markOf(error);
      const dice = fieldsOf(xgid).dice;
      const pick = button("", () => this.#look(choice), { "data-choice": `${action} ${kind}` });
      pick.append(html("span", { class: "rank" }, `${action + 1}.`), `${this.reviewed.players[player].name} ${/\d/.test(dice) ? dice : ""}`);
      pick.addEventListener("focus", () => this.choice !== choice && this.#look(choice));
      const what = kind === "play" ? made : `${made}`;
      return html("tr", { class: choice === this.choice ? "chosen" : "" },
        html("td", {}, pick),
        html("td", { class: "words" }, what, best !== made && html("span", { class: "soft" }, ` (best: ${best})`)),
        html("td", { class: `mark-${mark}` }, error >= 0.0005 ? error.toFixed(3) : "", marked(mark)));
    });
    const heads = ["Turn", "Decision", "Error"].map((name, at) => html("th", { scope: "col", class: at === 1 ? "words" : "" }, name));
    const body = html("tbody", {}, rows);
    body.addEventListener("keydown", (event) => {
      const by = /** @type {1 | -1 | undefined} */ ({ ArrowUp: -1, ArrowDown: 1 }[event.key]);
      if (by) (event.preventDefault(), this.#next(by));
    });
    this.list?.replaceChildren(rows.length ? html("table", {}, html("caption", { class: "unseen" }, "Decisions"), html("thead", {}, html("tr", {}, heads)), body) : html("p", { class: "soft" }, "No error of .001 or more in this game: Next leads to the next one."));
  }

  /** Go on to the next choice that is listed, in the next game after the last one of a game. @param {1 | -1} by */
  #next(by) {
    const all = this.reviewed.choices;
    let at = all.indexOf(/** @type {Choice} */ (this.choice)) + by;
    while (all[at] && !this.#isListed(all[at])) at += by;
    const next = all[at];
    if (!next) return this.desk.say(`This is the ${by > 0 ? "last" : "first"} ${this.wrong ? "error" : "decision"} of the match.`);
    const inList = this.list?.contains(document.activeElement);
    if (next.game === this.game) this.#look(next);
    else {
      this.game = next.game;
      this.#game(next);
      this.desk.say(`Game ${this.game + 1}. ${this.desk.status.textContent}`);
    }
    if (inList) /** @type {HTMLElement | null | undefined} */ (this.list?.querySelector(".chosen button"))?.focus();
  }

  /** Show a choice on the board. @param {Choice} choice */
  #look(choice) {
    this.choice = choice;
    this.arrows = "best";
    keepPlace(this.reviewed.choices.indexOf(choice));
    const at = this.choices.indexOf(choice);
    this.list?.querySelectorAll("tbody tr").forEach((row, number) => row.classList.toggle("chosen", number === at));
    this.#draw();
    this.#graph();
  }

  #draw() {
    const choice = /** @type {Choice} */ (this.choice);
    const { xgid, kind, made, best, error, player, values } = choice;
    const fields = fieldsOf(xgid);
    const view = viewOf(fields, kind === "play" ? (this.arrows === "best" ? best : made) : null);
    const legs = view.play;
    const offered = view.cube?.offered;
    this.desk.board.show(view);
    const names = this.reviewed.players.map((each) => each.name);
    const roller = fields.turn === 1 ? 0 : 1;
    const pips = pipsOf(fields.points);
    const side = (/** @type {number} */ who) => ({ pips: pips[who ^ roller], side: /** @type {"x" | "o"} */ (who === 0 ? "x" : "o"), name: names[who], score: `${fields.score[who]}${fields.length ? ` of ${fields.length}` : ""}` });
    const words = (/** @type {number} */ who) => (who === player ? (offered ? "to answer" : "to move") : "");
    this.desk.players({ ...side(1 - roller), turn: words(1 - roller) }, { ...side(roller), turn: words(roller) });
    const lost = error >= 0.0005 ? `, which loses ${error.toFixed(3)}${markOf(error) ? ` (${MARKS[markOf(error)].name})` : ""}; best is ${best}` : ", which is right";
    const cube = values ? ` No double ${signed(values.no_double)}, take ${signed(values.double_take)}, pass ${signed(values.double_pass)}.` : "";
    const deed = kind === "play" ? `${does(names[player], "play")} ${made}` : `${names[player]}: ${made}`;
    this.desk.say(`${deed}${lost}.${cube}`);
    const show = (/** @type {"made" | "best"} */ which) => () => ((this.arrows = which), this.#draw());
    this.desk.offer([
      { name: "Previous", act: () => this.#next(-1), key: "k" },
      { name: "Next", act: () => this.#next(1), key: "j", first: true },
      { name: "Show the best", act: show("best"), key: "s", off: !legs || made === best || this.arrows === "best" },
      { name: "Show the played", act: show("made"), key: "p", off: !legs || made === best || this.arrows === "made" },
      { name: "Analyze this", act: () => this.analyze(xgid), key: "a" },
    ]);
  }

  /** The turns of the game, one for each roll or decision before it. */
  #turns() {
    const all = this.reviewed.choices.filter((each) => each.game === this.game);
    /** @type {Map<number, Choice[]>} */
    const turns = new Map();
    for (const each of all) turns.set(each.action, [...(turns.get(each.action) ?? []), each]);
    return [...turns.values()].filter((choices) => !["take", "pass"].includes(choices[0].kind));
  }

  /** Draw the graph; what it shows is asked turn by turn, at depth 1. */
  async #graph() {
    const turns = this.#turns();
    const ids = turns.map((choices) => withDice(choices[0].xgid, "00"));
    const plot = () => {
      const known = turns.filter((_, at) => this.values.has(ids[at]));
      if (known.length < 2) return;
      const points = known.map((choices) => {
        const error = Math.max(...choices.map((each) => each.error));
        return { value: /** @type {number} */ (this.values.get(withDice(choices[0].xgid, "00"))), error, player: choices[0].player, title: "" };
      });
      const here = known.findIndex((choices) => choices.some((each) => each.action === this.choice?.action));
      const pick = (/** @type {number} */ at) => {
        const worst = known[at].reduce((most, each) => (each.error > most.error ? each : most));
        this.#look(worst);
      };
      const name = this.reviewed.players[0].name;
      const what = this.reviewed.length ? `Chance of ${name} to win the match` : `Equity of ${name}, in points`;
      this.plot?.replaceChildren(html("h3", {}, `${what}, at depth 1. Dots are errors.`), graph(points, { isMatch: this.reviewed.length > 0, here, pick }));
    };
    plot();
    if (this.#graphing && !this.#graphing.signal.aborted && this.graphed === this.game) return;
    this.#graphing?.abort();
    const { signal } = (this.#graphing = new AbortController());
    this.graphed = this.game;
    try {
      for (const [at, id] of ids.entries()) {
        if (!this.values.has(id)) {
          const answer = /** @type {import("../../answers.js").Decision} */ (await get("analyze", { id, depth: 1 }, signal));
          this.values.set(id, valueOf(answer, fieldsOf(id)));
        }
        if (at % 10 === 9) plot();
      }
      plot();
    } catch (error) {
      if (!isStopped(error)) this.plot?.replaceChildren(html("p", { class: "soft small" }, /** @type {Error} */ (error).message));
    }
  }
}

/**
 * How well the first player stands: points for money, else the chance to win the match.
 * @param {import("../../answers.js").Decision} decision
 * @param {import("../board/position.js").Fields} fields
 */
function valueOf({ equity, mwc }, { turn, cube }) {
  if (mwc === null) return turn * cube * equity;
  return turn === 1 ? mwc : 1 - mwc;
}
