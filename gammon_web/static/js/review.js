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

/** The depth of the review that comes before a deeper one. */
const FIRST = 3;
const LEVELS = /** @type {[Level, string][]} */ ([
  ["1", "1"],
  ["3", "3"],
  ["5", "5"],
  ...(serves.formats ? [["roller", "Roller"]] : []),
]);

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
  /** Whether it is the match that is shown, which is looked at more deeply. */
  deeper = false;
  /** Why the review that was asked for last has failed. */
  failed = "";
  /** Whether the page is that of this review, and shows no other. */
  alone = false;
  plot = html("div", { class: "plot" });
  /** How far the review is that goes on. */
  bar = html("progress", { "aria-label": "Review" });

  /**
   * @param {import("./desk.js").Desk} desk
   * @param {((xgid: string) => void) | null} analyze null where nobody answers
   */
  constructor(desk, analyze) {
    this.desk = desk;
    this.asking = new Asking(desk, () => this.active);
    this.decisions = new Decisions(desk, {
      analyze,
      looked: () => this.#looked(),
      listed: () => this.#graph(),
      heard: () => this.active,
    });
    this.host = byId("review");
  }

  /** The review, which is there. */
  get reviewed() {
    return /** @type {Reviewed} */ (this.data);
  }

  enter() {
    this.active = true;
    visit("#review");
    if (this.running && !this.deeper) return this.desk.say("Every decision is being analyzed.");
    const at = this.data ? this.#place : this.#restore();
    if (this.data) return this.show(at);
    this.desk.say(
      `Open a match: a .mat file, as most programs and sites export it${serves.formats ? ", GNU Backgammon's .sgf, BGBlitz's .bgf, or eXtreme Gammon's .xg" : ""}.`,
    );
    this.#chooser();
  }

  leave() {
    this.active = false;
  }

  /**
   * Bring back the review that was there before the page was loaded again, and return the place.
   */
  #restore() {
    const found = kept("reviewed", /** @type {{file: string | null} | null} */ (null));
    if (!found) return -1;
    const text = found.file?.split(",")[1];
    const file =
      text === undefined
        ? null
        : new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
    Object.assign(this, { ...found, file });
    return kept("reviewed-at", -1);
  }

  /** Keep the review in place of the one before, if it is no larger than what a browser keeps. */
  #keep() {
    const { data, file, name, played } = this;
    keep("reviewed", null);
    if (!file) return keep("reviewed", { data, name, played, file });
    const reader = new FileReader();
    reader.addEventListener("load", () =>
      keep("reviewed", { data, name, played, file: reader.result }),
    );
    reader.readAsDataURL(file);
  }

  /** Forget the match, and ask for another one. */
  #leave() {
    this.#stop();
    Object.assign(this, { data: null, file: null });
    this.decisions.chosen = null;
    keep("reviewed", null);
    this.desk.blank();
    this.enter();
  }

  /** End the review that goes on. */
  #stop() {
    this.asking.stop();
    this.running = this.deeper = false;
  }

  /**
   * A review did not come to its end: show the one that was there before.
   * @param {string} [message] why
   * @param {number} [at]
   */
  #back(message = "", at = this.#place) {
    this.#stop();
    this.failed = message;
    if (!this.data) this.#chooser();
    else if (this.active) this.show(at);
    if (this.active) this.desk.say(message || "The review has stopped.", message !== "");
  }

  #chooser() {
    const accept = `.mat,.txt,${serves.formats ? ".sgf,.bgf,.xg," : ""}.html,.json`;
    const input = html("input", { type: "file", accept, "aria-label": "Match file" });
    input.addEventListener(
      "change",
      () => input.files?.[0] && this.open(input.files[0], input.files[0].name),
    );
    const slow = serves.formats
      ? "a minute or so; Roller, which plays games where choices are close, some minutes"
      : "some minutes";
    const times =
      serves.depth < 5
        ? "A match takes seconds."
        : `Depth 3 takes seconds for a match, depth 5 ${slow}.`;
    const others = serves.formats ? "" : " Other match files need gammon on your own machine.";
    this.#fill(
      "input",
      card(
        "Open a match",
        html("h2", {}, "Review a match"),
        this.failed && html("p", { class: "wrong" }, this.failed),
        html(
          "div",
          { class: "drop" },
          html(
            "p",
            {},
            `Drop a match file${serves.formats ? "" : " (.mat)"} on this page, or choose one; or a review that was saved as HTML or JSON.${others}`,
          ),
          input,
        ),
        this.#depths(answered(this.level)),
        html("p", { class: "soft small" }, `${times} The file stays on your machine.`),
      ),
    );
  }

  /** @param {string} now */
  #depths(now) {
    const choice = segments(
      "Depth of the review",
      within(LEVELS),
      /** @type {Level} */ (now),
      (value) => {
        this.level = value;
        keep("review", value);
        if (!this.data || !this.file) return;
        if (value !== now || this.reviewed.left) this.open(this.file, this.name, this.played);
        else if (this.deeper) this.#back();
      },
    );
    return html("div", { class: "row" }, html("span", { class: "soft small" }, "Depth"), choice);
  }

  /**
   * Fill the panel. A focus in it stays on what has the same id, or else goes to the first of
   * these.
   * @param {string} first a selector @param {HTMLElement[]} cards
   */
  #fill(first, ...cards) {
    const old = document.activeElement;
    const held = this.host.contains(old);
    this.host.replaceChildren(...cards);
    if (!held || this.host.contains(document.activeElement)) return;
    const same = old?.id ? this.host.querySelector(`#${old.id}`) : null;
    /** @type {HTMLElement | null} */ (same ?? this.host.querySelector(first))?.focus();
  }

  /**
   * Show a review that was saved; where the file has none, what was there stays.
   * @param {Blob} file
   * @param {string} name
   */
  async #openSaved(file, name) {
    const { data, file: match, played, deeper } = this;
    const at = this.#place;
    try {
      Object.assign(this, {
        data: reviewIn(await file.text()),
        file: null,
        played: 0,
        deeper: false,
      });
      this.show();
      this.#stop();
      this.#keep();
    } catch {
      Object.assign(this, { data, file: match, played, deeper });
      if (!this.running) this.#back("", at);
      else if (deeper) this.show(at);
      this.desk.say(
        `${name} has no review: expected what gammon review wrote, as HTML or JSON.`,
        true,
      );
    }
  }

  /**
   * Review a match file, or show a review that was saved.
   * @param {Blob} file @param {string} name
   * @param {number} [played] the depth at which gammon played it here
   */
  async open(file, name, played = 0) {
    if (/\.(html?|json)$/i.test(name)) return this.#openSaved(file, name);
    if (/\.xgp$/i.test(name))
      return this.desk.say(
        `${name} is a position of eXtreme Gammon, not a match: copy its XGID there, and paste it here.`,
        true,
      );
    this.asking.stop();
    if (!this.data) this.#restore();
    this.running = true;
    this.failed = "";
    this.deeper = this.data !== null && file === this.file;
    if (this.deeper) this.show(this.#place);
    else {
      this.desk.clear();
      this.desk.say("Every decision is being analyzed.");
      this.#fill("button", this.#progress(`Reviewing ${name}`));
    }
    // A shallow review comes first, and stays until the deeper one is there.
    const level = /** @type {Level} */ (answered(this.level));
    const levels =
      this.deeper || Number(level) <= FIRST
        ? [level]
        : /** @type {Level[]} */ ([answered(String(FIRST)), level]);
    await this.asking.ask(
      async (signal) => {
        for (const each of levels) {
          const data = await this.#reviewed(each, signal, file);
          if (!this.deeper) this.decisions.chosen = null;
          this.deeper = this.running = each !== level;
          Object.assign(this, { data, file, name, played });
          this.#keep();
          if (this.active) this.show(this.#place);
        }
      },
      ({ message }) => this.#back(message),
    );
  }

  /**
   * Ask for the review of a match.
   * @param {Level} level
   * @param {AbortSignal} signal
   * @param {Blob} file
   * @returns {Promise<Reviewed>}
   */
  async #reviewed(level, signal, file) {
    this.bar.removeAttribute("value");
    /** @type {Reviewed | null} */
    let data = null;
    const handlers = {
      progress: (/** @type {import("../../answers.js").Progress} */ { done, of }) => (
        (this.bar.max = of || 1),
        (this.bar.value = done)
      ),
      review: (/** @type {Reviewed} */ found) => (data = found),
    };
    await stream("review", { level }, handlers, signal, file);
    if (!data) throw new Error("The review ended without an answer.");
    return data;
  }

  /** How far the review is that goes on, and what ends it. @param {string} words */
  #progress(words) {
    return html(
      "section",
      { class: "card progress", "aria-label": "Progress" },
      html("h2", {}, words),
      this.bar,
      button("Stop", () => this.#back()),
    );
  }

  /** Show the review. @param {number} [at] the number of the choice that is shown at first */
  show(at = -1) {
    const { players, games, length, notes, details } = this.reviewed;
    const { list } = this.decisions;
    const { scrollTop } = list;
    const from = scrollY;
    const held = list.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-choice")
      : null;
    const other = !this.alone && button("Another match", () => this.#leave(), { class: "plain" });
    const save =
      this.file &&
      button(
        "Save as HTML",
        () =>
          saveReport(this.reviewed, this.name).catch((error) => this.desk.say(error.message, true)),
        { class: "plain" },
      );
    const where = Object.entries(details)
      .filter(([name]) => name !== "Comment")
      .map(([, value]) => value)
      .join(" · ");
    const { open = false } =
      /** @type {HTMLDetailsElement | null} */ (this.host.querySelector("details.totals")) ?? {};
    const figures = html(
      "details",
      { class: "totals", open },
      html("summary", {}, "Figures"),
      html(
        "div",
        { class: "scroll", role: "region", "aria-label": "Figures", tabindex: 0 },
        this.#totals(),
      ),
    );
    const stored = this.reviewed.stored_by;
    this.#fill(
      "summary",
      ...(this.deeper ? [this.#progress(`Reviewing again, ${wordOf(answered(this.level))}`)] : []),
      card(
        "Summary",
        html(
          "div",
          { class: "head" },
          html(
            "h2",
            {},
            `${players[0].name} and ${players[1].name}, ${length ? `match to ${length}` : "money"}`,
          ),
          html("div", { class: "row" }, save, other),
        ),
        where && html("p", { class: "soft small" }, where),
        html("div", { class: "rates" }, players.map(rateOf)),
        figures,
        [
          ...notes,
          ...(stored ? [`Beside it stands the analysis in the file, by ${stored}.`] : []),
        ].map((note) => html("p", { class: "soft small" }, note)),
        this.reviewed.depth <= this.played &&
          html(
            "p",
            { class: "soft small" },
            `gammon played at depth ${this.played} here, and this review looks no deeper: it agrees with what gammon did.${this.played < 5 && serves.depth >= 5 ? " At depth 5 it judges gammon, too." : ""}`,
          ),
        this.file && this.#depths(this.reviewed.level ?? String(this.reviewed.depth)),
      ),
      this.decisions.detail,
      card("Decisions", this.decisions.filters, this.plot, this.decisions.list),
    );
    const all = decisionsOf(this.reviewed);
    this.decisions.title = players.map(({ name }) => name).join(" against ");
    this.decisions.show(
      all,
      games.map(({ score }, game) => `Game ${game + 1}, ${score[0]} to ${score[1]}`),
      all[at] ?? null,
    );
    list.scrollTop = scrollTop;
    if (held)
      /** @type {HTMLElement | null} */ (list.querySelector(`[data-choice="${held}"]`))?.focus({
        preventScroll: true,
      });
    scrollTo(0, from);
  }

  /** The figures of both players, as the server writes them. */
  #totals() {
    const { players, figures = [], units = "" } = this.reviewed;
    const rows = figures.map(({ name, part, values }) =>
      row(
        [
          html("td", { class: "words" }, name),
          ...values.map((value) => value.replace(" %", "\u00a0%")),
        ],
        { class: part ? "part" : "" },
      ),
    );
    const both = table("Both players", [html("td"), ...players.map(({ name }) => name)], rows, {
      class: "figures short",
    });
    return [
      html(
        "div",
        { class: "row" },
        segments(
          "Figures",
          [
            [true, "Main figures"],
            [false, "All figures"],
          ],
          true,
          (short) => both.classList.toggle("short", short),
        ),
      ),
      both,
      html("p", { class: "soft small" }, units),
    ];
  }

  /** The number of the choice that is shown, or -1. */
  get #place() {
    const { chosen } = this.decisions;
    return chosen && this.data ? placeIn(this.data, chosen) : -1;
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
      return {
        value: length ? worth : worth + own - their,
        error: Math.max(...decisions.map(({ error }) => error)),
        player,
      };
    });
    const here = known.findIndex((decisions) => decisions.some((each) => each === chosen));
    const pick = (/** @type {number} */ at) =>
      this.decisions.look(
        known[at].reduce((most, each) => (each.error > most.error ? each : most)),
      );
    const what = length
      ? `Chance of ${players[0].name} to win the match`
      : `Points of ${players[0].name}`;
    this.plot.replaceChildren(
      html("h3", {}, `${what}. Dots are errors.`),
      graph(what, points, { isMatch: length > 0, here, pick }),
    );
  }
}

/**
 * The level that was chosen last, or the usual one: with a server at the same address there are
 * more levels.
 * @returns {Level}
 */
function levelKept() {
  const name = String(kept("review", serves.formats ? 5 : 3));
  return LEVELS.find(([level]) => level === name)?.[0] ?? "3";
}

/** The review in a file that has one. @param {string} text @returns {Reviewed} */
function reviewIn(text) {
  const data = JSON.parse(/id="given">(.*?)<\/script>/s.exec(text)?.[1] ?? text);
  if (![data.players, data.games, data.choices, data.rolls].every(Array.isArray))
    throw new Error("no review");
  return data;
}

/** What people look for first. @param {Reviewed["players"][number]} player */
function rateOf({ name, pr, pr_class }) {
  return html(
    "p",
    {},
    html("strong", {}, pr === null ? "–" : pr.toFixed(2)),
    ` PR ${name}`,
    pr_class && html("span", { class: "soft" }, `, ${pr_class}`),
  );
}

/** @param {string} level */
const wordOf = (level) => (Number(level) ? `depth ${level}` : level);

/**
 * The number of a decision in another review of its match, or -1.
 * @param {Reviewed} review
 * @param {Decision} decision
 */
function placeIn({ choices }, { game, action, kind }) {
  return choices.findIndex(
    (each) => each.game === game && each.action === action && each.kind === kind,
  );
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
