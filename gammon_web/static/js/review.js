/** Review: a match from a file or from play, what each decision cost, and its equity graph. */

import { additions } from "./adding.js";
import { serves, stream } from "./api.js";
import { Asking } from "./asking.js";
import { heardBy, segments } from "./controls.js";
import { Decisions } from "./decisions.js";
import { button, byId, card, html, refill, row, scrolling, table } from "./elements.js";
import { graph } from "./graph.js";
import { heading, term } from "./help.js";
import { said, t } from "./language.js";
import { answered, levelKept, LEVELS, within } from "./levels.js";
import { saveReport } from "./save.js";
import { isMe, keep, kept, visit } from "./settings.js";
import { upgraded } from "./version_1.js";
import { xgidOf } from "./xgp.js";

/**
 * @import {Decision} from "./decisions.js"
 * @import {Level} from "./levels.js"
 * @typedef {import("../../answers.js").Review} Reviewed
 */

/** The depth of the review that comes before a deeper one. */
const FIRST = 3;

export class Review {
  /** @type {Reviewed | null} */
  data = null;
  /** @type {Blob | null} */
  file = null;
  name = "";
  /** The depth at which gammon played this match on the page, or 0. */
  played = 0;
  /** The level of reviews: a depth, or a level whose rollouts settle close choices. */
  level = levelKept();
  active = false;
  /** Whether a match is being reviewed. */
  running = false;
  /** Whether the match on the page is being reviewed again, more deeply. */
  deeper = false;
  /** The reason why the latest review has failed. */
  failed = "";
  /** Whether the page contains this review, and shows no other. */
  alone = false;
  /** Whether only the main figures are shown. */
  short = true;
  /** The finished share of the review, or null at the beginning. */
  share = /** @type {number | null} */ (null);

  /**
   * @param {import("./board_area.js").BoardArea} area
   * @param {((xgid: string) => void) | null} analyze null in a page without an engine
   */
  constructor(area, analyze) {
    this.area = area;
    this.analyze = analyze;
    this.asking = new Asking(area, () => this.active);
    this.decisions = new Decisions(area, {
      analyze,
      render: () => this.render(),
      looked: () => keep("reviewed-at", this.#place),
      heard: () => this.active,
    });
    this.host = byId("review");
    additions.heard.add(() => this.active && this.data && this.render());
  }

  /** Show the review of a match of the library. @param {Reviewed} data */
  showStored(data) {
    this.#stop();
    const { data: other, file, played, name } = this;
    Object.assign(this, { data, file: null, played: 0, name: `${data.players[0].name}.mat` });
    this.decisions.chosen = null;
    try {
      this.show();
    } catch {
      Object.assign(this, { data: other, file, played, name });
      this.render();
      throw new Error(t.review.noReview(name));
    }
    this.#keep();
  }

  /** @param {Partial<Review>} change */
  set(change) {
    Object.assign(this, change);
    this.render();
  }

  /** Draw the review, or the form that opens one; and the chosen decision on the board. */
  render() {
    if (this.running && !this.deeper)
      return refill(this.host, [this.#progress(t.review.running(this.name))]);
    if (!this.data) return refill(this.host, [this.#chooser()]);
    if (this.active || this.alone) this.decisions.draw();
    refill(this.host, this.#cards());
  }

  /** The review; there is one. */
  get reviewed() {
    return /** @type {Reviewed} */ (this.data);
  }

  enter() {
    this.active = true;
    visit("#review");
    if (this.running && !this.deeper) {
      this.area.say(t.review.every);
      return this.render();
    }
    const at = this.data ? this.#place : this.#restore();
    try {
      if (this.data) return this.show(at);
    } catch {
      // What an earlier version or a damaged library has left must not keep this tab closed.
      keep("reviewed", null);
      this.data = null;
    }
    this.area.say(serves.all ? t.review.openMore : t.review.open);
    this.render();
  }

  leave() {
    this.active = false;
  }

  /**
   * Restore the review from before the page was loaded again, and return the number of its choice.
   */
  #restore() {
    const before = kept(
      "reviewed",
      /** @type {{file: string | null, data: Reviewed} | null} */ (null),
    );
    if (!before) return -1;
    const text = before.file?.split(",")[1];
    const bytes = text && Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const file = bytes === undefined ? null : new Blob([bytes]);
    Object.assign(this, { ...before, data: upgraded(before.data), file });
    return kept("reviewed-at", -1);
  }

  /** Store the review in place of the earlier one, unless it is too large for the browser. */
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

  /** Close the match, and ask for another one. */
  #leave() {
    this.#stop();
    Object.assign(this, { data: null, file: null });
    this.decisions.chosen = null;
    keep("reviewed", null);
    this.area.blank();
    this.enter();
  }

  /** Stop the running review. */
  #stop() {
    this.asking.stop();
    this.running = this.deeper = false;
  }

  /**
   * After a review that did not finish, show the earlier one.
   * @param {string} [message] why
   * @param {number} [at]
   */
  #back(message = "", at = this.#place) {
    this.#stop();
    this.failed = message;
    if (!this.data) this.render();
    else if (this.active) this.show(at);
    if (!this.active) return;
    this.area.say(message || t.review.stopped, message !== "");
  }

  #chooser() {
    const accept = `.mat,.txt,.xgp,${serves.all ? ".sgf,.bgf,.xg,.ogxm,.gvab," : ""}.html,.json`;
    const change = (/** @type {Event} */ event) => {
      const [file] = /** @type {HTMLInputElement} */ (heardBy(event)).files ?? [];
      if (file) this.open(file, file.name);
    };
    const deep = serves.all ? t.review.timesHere : t.review.times;
    const times = serves.depth < 5 ? t.review.timesShort : deep;
    return card(
      t.review.openName,
      heading(t.review.heading, "review-and-study"),
      this.failed && html("p", { class: "wrong" }, this.failed),
      html(
        "div",
        { class: "drop" },
        html("p", {}, serves.all ? t.review.drop : t.review.dropMat),
        html("input", { type: "file", accept, "aria-label": t.review.file, change }),
      ),
      this.#depths(answered(this.level)),
      html("p", { class: "soft small" }, `${times} ${t.review.private}`),
    );
  }

  /** @param {string} now */
  #depths(now) {
    const choice = segments(t.review.depth, within(LEVELS), /** @type {Level} */ (now), (value) =>
      this.#choose(value, now),
    );
    return html(
      "div",
      { class: "row" },
      html("span", { class: "soft small" }, t.common.depth),
      choice,
    );
  }

  /**
   * Choose the level of reviews; if the present review has another level, review again.
   * @param {Level} level
   * @param {string} now
   */
  #choose(level, now) {
    keep("review", level);
    this.set({ level });
    if (!this.data || !this.file) return;
    if (level !== now || this.data.unfinished) this.open(this.file, this.name, this.played);
    else if (this.deeper) this.#back();
  }

  /**
   * Show a saved review; if the file has none, the earlier review stays.
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
      this.render();
      this.#keep();
    } catch {
      Object.assign(this, { data, file: match, played, deeper });
      if (!this.running) this.#back("", at);
      else if (deeper) this.show(at);
      this.area.say(t.review.noReview(name), true);
    }
  }

  /** Analyze the position in a file. @param {Blob} file @param {string} name */
  async #openPosition(file, name) {
    const xgid = await xgidOf(file);
    if (xgid) return this.analyze?.(xgid);
    this.area.say(t.review.isDamaged(name), true);
  }

  /**
   * Review a match file, or show a review that was saved.
   * @param {Blob} file @param {string} name
   * @param {number} [played] the depth at which gammon played it here
   */
  async open(file, name, played = 0) {
    if (/\.(html?|json)$/i.test(name)) return this.#openSaved(file, name);
    if (/\.xgp$/i.test(name)) return this.#openPosition(file, name);
    this.asking.stop();
    if (!this.data) this.#restore();
    const deeper = this.data !== null && file === this.file;
    this.set({ running: true, failed: "", share: null, deeper, ...(deeper ? {} : { name }) });
    if (!deeper) {
      this.area.clear();
      this.area.say(t.review.every);
    }
    // A shallow review comes first, and stays until the deeper one is ready.
    const level = /** @type {Level} */ (answered(this.level));
    const levels =
      deeper || Number(level) <= FIRST
        ? [level]
        : /** @type {Level[]} */ ([answered(String(FIRST)), level]);
    await this.asking.ask(
      async (signal) => {
        for (const step of levels) {
          const data = await this.#reviewed(step, signal, file);
          if (!this.deeper) this.decisions.chosen = null;
          this.deeper = this.running = step !== level;
          Object.assign(this, { data, file, name, played });
          this.#keep();
          if (this.active) this.show(this.#place);
        }
      },
      ({ message }) => this.#back(`${name}: ${message}`),
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
    this.set({ share: null });
    /** @type {Reviewed | null} */
    let data = null;
    const handlers = {
      progress: (/** @type {import("../../answers.js").Progress} */ { done, total }) => {
        const share = Math.floor((100 * done) / (total || 1)) / 100;
        if (share !== this.share) this.set({ share });
      },
      review: (/** @type {Reviewed} */ review) => (data = review),
    };
    await stream("review", { level }, handlers, signal, file);
    if (!data) throw new Error(t.review.noAnswer);
    return data;
  }

  /** The progress of the running review, and the button that stops it. @param {string} words */
  #progress(words) {
    return html(
      "section",
      { class: "card progress", "aria-label": t.review.progress, "data-key": "progress" },
      html("h2", {}, words),
      html("progress", { "aria-label": t.review.name, max: 1, value: this.share }),
      button(t.common.stop, () => this.#back()),
    );
  }

  /** Show the review. @param {number} [at] the number of the choice to be shown at first */
  show(at = -1) {
    const { players, games } = this.reviewed;
    const all = decisionsOf(this.reviewed);
    const names = games.map(({ score }, game) => t.review.game(game + 1, score[0], score[1]));
    this.decisions.title = t.review.against(players.map(({ name }) => name));
    this.decisions.totals = () => this.#printedTotals();
    const mine = this.alone ? -1 : players.findIndex(({ name }) => isMe(name));
    this.decisions.show(all, names, all[at] ?? null, 0, mine);
  }

  /** The parts of the review. */
  #cards() {
    const { decisions } = this;
    const again = t.review.again(wordOf(answered(this.level)));
    return [
      this.deeper && this.#progress(again),
      this.#summary(),
      decisions.detail(),
      card(t.common.decisions, decisions.filters(), this.#graph(), decisions.list()),
    ];
  }

  /** The summary: the players, their rates and the notes. */
  #summary() {
    const { players, length, notes, details, stored_by: stored, depth, level } = this.reviewed;
    const { file, played, alone, name } = this;
    const save = () =>
      saveReport(this.reviewed, name).catch((error) => this.area.say(error.message, true));
    const where = whereOf(details);
    const remarks = [];
    if (stored) remarks.push((depth ? t.review.stored : t.review.analyzedBy)(stored));
    if (played && depth <= played) {
      remarks.push(t.review.agrees(played, played < 5 && serves.depth >= 5));
    }
    const what = length ? t.terms.match(length) : t.terms.money;
    return card(
      t.review.summary,
      html(
        "div",
        { class: "head" },
        heading(t.review.players(players[0].name, players[1].name, what), "review-and-study"),
        html(
          "div",
          { class: "row" },
          this.#adder(),
          file && button(t.review.save, save, { class: "plain" }),
          !alone && button(t.review.another, () => this.#leave(), { class: "plain" }),
        ),
      ),
      where && html("p", { class: "soft small" }, where),
      html("div", { class: "rates" }, players.map(rateOf)),
      html(
        "details",
        { class: "totals" },
        html("summary", {}, t.review.figures),
        scrolling(t.review.figures, this.#totals()),
      ),
      notes.map((note) => html("p", { class: "soft small", lang: "en" }, note)),
      remarks.map((note) => html("p", { class: "soft small" }, note)),
      file && this.#depths(level ?? String(depth)),
    );
  }

  /** The button that adds the match to the library, or whether that was done; false without a file. */
  #adder() {
    const { file, name, deeper } = this;
    const review = this.reviewed;
    const { level, depth, unfinished } = review;
    if (!file || !serves.adds || deeper || unfinished) return false;
    const isThis = (/** @type {import("./adding.js").Waiting} */ from) => from.file === file;
    if (additions.done.some(({ from, what }) => isThis(from) && !/removed|left/.test(what)))
      return html("span", { class: "soft small" }, t.review.inLibrary);
    const add = () => additions.add([{ file, name, level: level ?? String(depth), review }]);
    const disabled = additions.waiting.some(isThis);
    return button(t.ending.add, add, { class: "plain", disabled });
  }

  /** The first printed page: the event, the result, and the figures of both players. */
  #printedTotals() {
    const { players, length, games, details, notes, depth, level } = this.reviewed;
    const [own, their] = resultOf(this.reviewed);
    const [one, other] = players;
    const how = level ?? t.common.toDepth(depth);
    const words = t.review.printed(length, games.length, one.name, own, other.name, their, how);
    const where = whereOf(details);
    return [
      where !== "" && html("p", {}, where),
      html("p", {}, words),
      html("div", { class: "rates" }, players.map(rateOf)),
      this.#figures("figures"),
      ...notes.map((note) => html("p", { class: "soft small", lang: "en" }, note)),
    ];
  }

  /** The table of the figures. @param {string} kind its classes */
  #figures(kind) {
    const { players, figures = [] } = this.reviewed;
    const rows = figures.map(({ name, part, values }) =>
      row(
        [
          html("td", { class: "words" }, said(name)),
          ...values.map((value) => said(value).replace(" %", "\u00a0%")),
        ],
        { class: part ? "part" : "" },
      ),
    );
    const heads = [html("td"), ...players.map(({ name }) => name)];
    return table(t.review.both, heads, rows, { class: kind });
  }

  /** The figures of both players. */
  #totals() {
    const choices = /** @type {[boolean, string][]} */ ([
      [true, t.review.main],
      [false, t.review.all],
    ]);
    return [
      html(
        "div",
        { class: "row" },
        segments(t.review.figures, choices, this.short, (short) => this.set({ short })),
      ),
      this.#figures(this.short ? "figures short" : "figures"),
      html("p", { class: "soft small", lang: "en" }, this.reviewed.units ?? ""),
    ];
  }

  /** The number of the chosen choice, or -1. */
  get #place() {
    const { chosen } = this.decisions;
    return chosen && this.data ? placeIn(this.data, chosen) : -1;
  }

  /** The graph of the first player's value after each turn of the game, or of all games. */
  #graph() {
    const { filter, chosen, all } = this.decisions;
    const { games, length, players } = this.reviewed;
    /** @type {Map<string, Decision[]>} the decisions by the action that they led to */
    const byAction = new Map();
    for (const decision of all) {
      if (filter.game >= 0 && decision.game !== filter.game) continue;
      const key = `${decision.game} ${decision.action}`;
      byAction.set(key, [...(byAction.get(key) ?? []), decision]);
    }
    const turns = [...byAction.values()];
    if (turns.length < 2) return html("div", { class: "plot" });
    const points = turns.map((decisions) => {
      const { game_value: value = 0, game, player } = decisions[decisions.length - 1];
      const [own, their] = games[game].score;
      return {
        value: length ? value : value + own - their,
        error: Math.max(...decisions.map(({ error }) => error)),
        player,
      };
    });
    const here = turns.findIndex((decisions) => decisions.some((decision) => decision === chosen));
    const pick = (/** @type {number} */ at) =>
      this.decisions.look(
        turns[at].reduce((most, decision) => (decision.error > most.error ? decision : most)),
      );
    const what = length ? t.review.chance(players[0].name) : t.review.points(players[0].name);
    return html(
      "div",
      { class: "plot" },
      html("h3", {}, t.review.dots(what)),
      graph(what, points, { isMatch: length > 0, here, pick }),
    );
  }
}

/** The review in a saved file. @param {string} text @returns {Reviewed} */
function reviewIn(text) {
  const data = JSON.parse(/id="given">(.*?)<\/script>/s.exec(text)?.[1] ?? text);
  if (![data.players, data.games, data.choices, data.rolls].every(Array.isArray))
    throw new Error("no review");
  return upgraded(data);
}

/** A player's PR. @param {Reviewed["players"][number]} player */
function rateOf({ name, pr, pr_class }) {
  return html(
    "p",
    {},
    html("strong", {}, pr === null ? "–" : pr.toFixed(2)),
    " ",
    term(t.review.pr, "pr"),
    ` ${name}`,
    pr_class && html("span", { class: "soft" }, `, ${said(pr_class)}`),
  );
}

/** @param {string} level */
const wordOf = (level) => (Number(level) ? t.common.toDepth(level) : level);

/**
 * The number of a decision in another review of its match, or -1.
 * @param {Reviewed} review
 * @param {Decision} decision
 */
function placeIn({ choices }, { game, action, kind }) {
  return choices.findIndex(
    (choice) => choice.game === game && choice.action === action && choice.kind === kind,
  );
}

/** The choices of a review as decisions. @param {Reviewed} review @returns {Decision[]} */
function decisionsOf({ choices, players, rolls }) {
  const lucks = new Map(rolls.map(({ game, action, equity }) => [`${game} ${action}`, equity]));
  const names = /** @type {[string, string]} */ (players.map(({ name }) => name));
  return choices.map((choice) => ({
    ...choice,
    names,
    source: t.review.source(choice.game + 1, choice.action + 1),
    luck: choice.kind === "play" ? lucks.get(`${choice.game} ${choice.action}`) : undefined,
  }));
}

/** The facts of a match file that need no name, as files name them. */
const PLACES = /^(Event|Round|Site|EventDate|EventTime)$/;

/** The facts of a match file in a line. @param {Reviewed["details"]} details */
function whereOf(details) {
  return Object.entries(details)
    .filter(([detail]) => PLACES.test(detail))
    .map(([, value]) => value)
    .join(" · ");
}

/** The points of both players after the games. @param {Reviewed} review */
function resultOf({ games, length }) {
  const last = games[games.length - 1];
  if (!last) return [0, 0];
  const most = length || Infinity;
  return last.score.map((won, player) =>
    Math.min(most, won + (last.winner === player ? last.points : 0)),
  );
}
