/** Review: a match from a file or from play, what each decision cost, and its equity graph. */

import { serves, stream } from "./api.js";
import { Asking } from "./asking.js";
import { segments } from "./controls.js";
import { Decisions } from "./decisions.js";
import { button, byId, card, html, row, table } from "./elements.js";
import { graph } from "./graph.js";
import { answered, within } from "./levels.js";
import { saveReport } from "./save.js";
import { keep, kept, visit } from "./settings.js";

/**
 * @import {Decision} from "./decisions.js"
 * @typedef {import("../../answers.js").Review} Reviewed
 */

/** @typedef {"1" | "3" | "5" | "roller"} Level */

const LEVELS = /** @type {[Level, string][]} */ ([["1", "1"], ["3", "3"], ["5", "5"], ...(serves.formats ? [["roller", "Roller"]] : [])]);

export class Review {
  /** @type {Reviewed | null} */
  data = null;
  /** @type {Blob | null} */
  file = null;
  name = "";
  /** The depth at which gammon played this match on the page, or 0. */
  played = 0;
  /** How far a review looks: a depth, or a level that plays games where choices are close. */
  level = levelKept();
  active = false;
  /** Whether a match is being reviewed. */
  running = false;
  /** Why the review that was asked for last has failed. */
  failed = "";
  /** Whether the page is that of this review, and shows no other. */
  alone = false;
  plot = html("div", { class: "plot" });

  /** @param {import("./desk.js").Desk} desk @param {((xgid: string) => void) | null} analyze null where nobody answers */
  constructor(desk, analyze) {
    this.desk = desk;
    this.asking = new Asking(desk, () => this.active);
    this.decisions = new Decisions(desk, { analyze, looked: () => this.#looked(), listed: () => this.#graph() });
    this.host = byId("review");
  }

  /** The review, which is there. */
  get reviewed() {
    return /** @type {Reviewed} */ (this.data);
  }

  enter() {
    this.active = true;
    visit("#review");
    this.desk.clear();
    if (this.running) return this.desk.say("Every decision is being analyzed.");
    const at = this.data ? this.#place : this.#restore();
    if (this.data) return this.show(at);
    this.desk.say(`Open a match: a .mat file, as most programs and sites export it${serves.formats ? ", GNU Backgammon's .sgf, BGBlitz's .bgf, or eXtreme Gammon's .xg" : ""}.`);
    this.#chooser();
  }

  leave() {
    this.active = false;
  }

  /** Bring back the review that was there before the page was loaded again, and return the place. */
  #restore() {
    const found = kept("reviewed", /** @type {{file: string | null} | null} */ (null));
    if (!found) return -1;
    const text = found.file?.split(",")[1];
    const file = text === undefined ? null : new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
    Object.assign(this, { ...found, file });
    return kept("reviewed-at", -1);
  }

  /** Keep the review in place of the one before, if it is no larger than what a browser keeps. */
  #keep() {
    const { data, file, name, played } = this;
    keep("reviewed", null);
    if (!file) return keep("reviewed", { data, name, played, file });
    const reader = new FileReader();
    reader.addEventListener("load", () => keep("reviewed", { data, name, played, file: reader.result }));
    reader.readAsDataURL(file);
  }

  /** Forget the match, and ask for another one. */
  #leave() {
    Object.assign(this, { data: null, file: null });
    this.decisions.chosen = null;
    keep("reviewed", null);
    this.enter();
  }

  /** A review did not come to its end: show the one that was there before. @param {string} [message] why @param {number} [at] */
  #back(message = "", at = this.#place) {
    this.running = false;
    this.failed = message;
    if (!this.data) this.#chooser();
    else if (this.active) this.show(at);
    if (this.active) this.desk.say(message || "The review has stopped.", message !== "");
  }

  #chooser() {
    const accept = `.mat,.txt,${serves.formats ? ".sgf,.bgf,.xg," : ""}.html,.json`;
    const input = html("input", { type: "file", accept, "aria-label": "Match file" });
    input.addEventListener("change", () => input.files?.[0] && this.open(input.files[0], input.files[0].name));
    const slow = serves.formats ? "a minute or so; Roller, which plays games where choices are close, some minutes" : "some minutes";
    const times = serves.depth < 5 ? "A match takes seconds." : `Depth 3 takes seconds for a match, depth 5 ${slow}.`;
    const others = serves.formats ? "" : " Other match files need gammon on your own machine.";
    this.#fill("input",
      card("Open a match",
        html("h2", {}, "Review a match"),
        this.failed && html("p", { class: "wrong" }, this.failed),
        html("div", { class: "drop" }, html("p", {}, `Drop a match file${serves.formats ? "" : " (.mat)"} on this page, or choose one; or a review that was saved as HTML or JSON.${others}`), input),
        this.#depths(answered(this.level)),
        html("p", { class: "soft small" }, `${times} The file stays on your machine.`)),
    );
  }

  /** @param {string} now */
  #depths(now) {
    const choice = segments("Depth of the review", within(LEVELS), /** @type {Level} */ (now), (value) => {
      this.level = value;
      keep("review", value);
      if (this.data && this.file) this.open(this.file, this.name, this.played);
    });
    return html("div", { class: "row" }, html("span", { class: "soft small" }, "Depth"), choice);
  }

  /** Fill the panel. A focus in it goes to the first of these. @param {string} first a selector @param {HTMLElement[]} cards */
  #fill(first, ...cards) {
    const held = this.host.contains(document.activeElement);
    this.host.replaceChildren(...cards);
    if (held) /** @type {HTMLElement | null} */ (this.host.querySelector(first))?.focus();
  }

  /** Show a review that was saved; where the file has none, what was there stays. @param {Blob} file @param {string} name */
  async #openSaved(file, name) {
    const { data, file: match, played } = this;
    const at = this.#place;
    try {
      Object.assign(this, { data: reviewIn(await file.text()), file: null, played: 0 });
      this.show();
      this.asking.stop();
      this.running = false;
      this.#keep();
    } catch {
      Object.assign(this, { data, file: match, played });
      if (!this.running) this.#back("", at);
      this.desk.say(`${name} has no review: expected what gammon review wrote, as HTML or JSON.`, true);
    }
  }

  /**
   * Review a match file, or show a review that was saved.
   * @param {Blob} file @param {string} name
   * @param {number} [played] the depth at which gammon played it here
   */
  async open(file, name, played = 0) {
    if (/\.(html?|json)$/i.test(name)) return this.#openSaved(file, name);
    this.asking.stop();
    if (!this.data) this.#restore();
    this.running = true;
    this.failed = "";
    this.desk.clear();
    const bar = html("progress", { "aria-label": "Review" });
    const stop = () => (this.asking.stop(), this.#back());
    this.#fill("button", card("Progress", html("h2", {}, `Reviewing ${name}`), bar, html("div", {}, button("Stop", stop))));
    this.desk.say("Every decision is being analyzed.");
    /** @type {Reviewed | null} */
    let data = null;
    const handlers = {
      progress: (/** @type {import("../../answers.js").Progress} */ { done, of }) => ((bar.max = of || 1), (bar.value = done)),
      review: (/** @type {Reviewed} */ found) => (data = found),
    };
    await this.asking.ask(async (signal) => {
      await stream("review", { level: /** @type {Level} */ (answered(this.level)) }, handlers, signal, file);
      if (!data) throw new Error("The review ended without an answer.");
      Object.assign(this, { data, file, name, played, running: false });
      this.decisions.chosen = null;
      this.#keep();
      if (this.active) this.show();
    }, ({ message }) => this.#back(message));
  }

  /** Show the review. @param {number} [at] the number of the choice that is shown at first */
  show(at = -1) {
    const { players, games, length, notes, details } = this.reviewed;
    const other = !this.alone && button("Another match", () => this.#leave(), { class: "plain" });
    const save = this.file && button("Save as HTML", () => saveReport(this.reviewed, this.name).catch((error) => this.desk.say(error.message, true)), { class: "plain" });
    const where = Object.entries(details).filter(([name]) => name !== "Comment").map(([, value]) => value).join(" · ");
    const figures = html("details", {}, html("summary", {}, "Figures"), html("div", { class: "scroll", role: "region", "aria-label": "Figures", tabindex: 0 }, this.#totals()));
    const stored = this.reviewed.stored_by;
    this.#fill("summary",
      card("Summary",
        html("div", { class: "head" }, html("h2", {}, `${players[0].name} and ${players[1].name}, ${length ? `match to ${length}` : "money"}`), html("div", { class: "row" }, save, other)),
        where && html("p", { class: "soft small" }, where),
        html("div", { class: "rates" }, players.map(rateOf)),
        figures,
        [...notes, ...(stored ? [`Beside it stands the analysis in the file, by ${stored}.`] : [])].map((note) => html("p", { class: "soft small" }, note)),
        this.reviewed.depth <= this.played && html("p", { class: "soft small" }, `gammon played at depth ${this.played} here, and this review looks no deeper: it agrees with what gammon did.${this.played < 5 && serves.depth >= 5 ? " At depth 5 it judges gammon, too." : ""}`),
        this.file && this.#depths(this.reviewed.level ?? String(this.reviewed.depth))),
      this.decisions.detail,
      card("Decisions", this.decisions.filters, this.plot, this.decisions.list),
    );
    const all = decisionsOf(this.reviewed);
    this.decisions.title = players.map(({ name }) => name).join(" against ");
    this.decisions.show(all, games.map(({ score }, game) => `Game ${game + 1}, ${score[0]} to ${score[1]}`), all[at] ?? null);
  }

  /** The figures of both players, as the server writes them. */
  #totals() {
    const { players, figures = [], units = "" } = this.reviewed;
    const rows = figures.map(({ name, part, values }) => row([html("td", { class: "words" }, name), ...values.map((value) => value.replace(" %", "\u00a0%"))], { class: part ? "part" : "" }));
    const both = table("Both players", [html("td"), ...players.map(({ name }) => name)], rows, { class: "figures short" });
    return [
      html("div", { class: "row" }, segments("Figures", [[true, "Main figures"], [false, "All figures"]], true, (short) => both.classList.toggle("short", short))),
      both,
      html("p", { class: "soft small" }, units),
    ];
  }

  /** The number of the choice that is shown, or -1. */
  get #place() {
    const { all, chosen } = this.decisions;
    return chosen ? all.indexOf(chosen) : -1;
  }

  #looked() {
    keep("reviewed-at", this.#place);
    this.#graph();
  }

  /** Draw how well the first player stood after each turn of the game, or of all games. */
  #graph() {
    const { filter, chosen, all } = this.decisions;
    const { games, length, players } = this.reviewed;
    /** @type {Map<string, Decision[]>} the decisions by the action that they led to */
    const turns = new Map();
    for (const each of all) {
      if (filter.game >= 0 && each.game !== filter.game) continue;
      const key = `${each.game} ${each.action}`;
      turns.set(key, [...(turns.get(key) ?? []), each]);
    }
    const known = [...turns.values()];
    if (known.length < 2) return this.plot.replaceChildren();
    const points = known.map((decisions) => {
      const { worth = 0, game, player } = decisions[decisions.length - 1];
      const [own, their] = games[game].score;
      return { value: length ? worth : worth + own - their, error: Math.max(...decisions.map(({ error }) => error)), player };
    });
    const here = known.findIndex((decisions) => decisions.some((each) => each === chosen));
    const pick = (/** @type {number} */ at) => this.decisions.look(known[at].reduce((most, each) => (each.error > most.error ? each : most)));
    const what = length ? `Chance of ${players[0].name} to win the match` : `Points of ${players[0].name}`;
    this.plot.replaceChildren(html("h3", {}, `${what}. Dots are errors.`), graph(what, points, { isMatch: length > 0, here, pick }));
  }
}

/** The level that was chosen last, or the usual one: with a server at the same address there are more levels. @returns {Level} */
function levelKept() {
  const name = String(kept("review", 3));
  return LEVELS.find(([level]) => level === name)?.[0] ?? "3";
}

/** The review in a file that has one. @param {string} text @returns {Reviewed} */
function reviewIn(text) {
  const data = JSON.parse(/id="given">(.*?)<\/script>/s.exec(text)?.[1] ?? text);
  if (![data.players, data.games, data.choices, data.rolls].every(Array.isArray)) throw new Error("no review");
  return data;
}

/** What people look for first. @param {Reviewed["players"][number]} player */
function rateOf({ name, pr, pr_class }) {
  return html("p", {}, html("strong", {}, pr === null ? "–" : pr.toFixed(2)), ` PR ${name}`, pr_class && html("span", { class: "soft" }, `, ${pr_class}`));
}

/** The choices of a review as decisions. @param {Reviewed} review @returns {Decision[]} */
function decisionsOf({ choices, players, rolls }) {
  const lucks = new Map(rolls.map(({ game, action, equity }) => [`${game} ${action}`, equity]));
  const names = /** @type {[string, string]} */ (players.map(({ name }) => name));
  return choices.map((choice) => ({
    ...choice,
    names,
    where: `Game ${choice.game + 1}, turn ${choice.action + 1}`,
    luck: choice.kind === "play" ? lucks.get(`${choice.game} ${choice.action}`) : undefined,
  }));
}
