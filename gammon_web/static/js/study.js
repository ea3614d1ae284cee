/** Study: the server's library of matches, the errors of their players, drills, and notes. */

import { additions } from "./adding.js";
import { get, post, SCHEMA, serves } from "./api.js";
import { Asking } from "./asking.js";
import { confirmed } from "./confirm.js";
import { check, field, heardBy, named, segments, select } from "./controls.js";
import { Decisions } from "./decisions.js";
import { Drill } from "./drill.js";
import { button, byId, card, html, refill, row, scrolling, table } from "./elements.js";
import { head, heading } from "./help.js";
import { said, t } from "./language.js";
import { ifMissing, Matches } from "./matches.js";
import { Notes } from "./notes.js";
import { planCard, planWords } from "./plan.js";
import { Progress } from "./progress.js";
import { isMe, keep, kept, visit } from "./settings.js";
import { trendGraph } from "./trend.js";
import { signed } from "./words.js";

/** @typedef {import("../../answers.js").Gets["study/errors"]["parameters"]} Asked */
/** @typedef {import("../../answers.js").Statistics} Stats */

/** @typedef {"errors" | "plan" | "matches" | "drill" | "notes"} Part */

/** What needs a server: parts, groups and filters. */
const OF_SERVER = ["plan", "drill", "notes", "phase", "board"];
const offered = (/** @type {string} */ name) => serves.all || !OF_SERVER.includes(name);
const PARTS = /** @type {[Part, string][]} */ ([
  ["errors", t.study.errors],
  ["plan", t.study.plan],
  ["matches", t.common.matches],
  ["drill", t.study.drill],
  ["notes", t.notes.name],
]).filter(([part]) => offered(part));
/** The parts of a library without matches. */
const EMPTY = ["matches", "drill", "notes"];
/** The kinds of groups, and their names. */
const GROUPS = Object.entries(t.study.groups).filter(([name]) => offered(name));
/** The heads of the groups. */
const GROUP_HEADS = /** @type {Record<string, string>} */ (t.study.groupHeads);
/** The filters that are typed: their names, and examples. */
const TYPED = /** @type {[keyof Asked, string, string][]} */ ([
  ["since", t.study.since, "2026-01"],
  ["until", t.study.until, "2026-12-31"],
  ["length", t.study.length, "7"],
  ["least", t.study.least, "0.05"],
  ["most", t.study.most, "0.2"],
  ["score", t.study.score, "3-5"],
  ["board", t.study.board, "6=2+ o5=2+"],
]);
/** The most errors to ask for. */
const MOST = 200;
/** Of more matches than these only one review comes with the errors, and others when they are looked at. */
const FEW = 5;

/** @typedef {import("../../answers.js").LibraryErrors} Errors */

export class Study {
  by = "player";
  /** @type {Asked} the selection of errors */
  asked = {};
  /** @type {Part} */
  shows = PARTS.find(([part]) => part === String(kept("study", "errors")))?.[0] ?? "errors";
  /** Whether the statistics have all figures. */
  whole = false;
  /** @type {Stats | null} */
  stats = null;
  /** @type {string[]} the players of the library */
  players = [];
  /** @type {import("../../answers.js").Trend[]} */
  trend = [];
  /** @type {Errors | null} the errors, once they are loaded */
  errors = null;
  /** @type {import("../../answers.js").Plan | null} the plan of the player, once it is loaded */
  plan = null;
  active = false;
  /** Whether the person's own errors have been chosen. */
  #met = false;
  /** How many files were added when the library was last read. */
  #added = 0;
  #asking;

  /**
   * @param {import("./board_area.js").BoardArea} area @param {(xgid: string) => void} analyze
   * @param {(review: import("./review.js").Reviewed) => void} open shows the review of a match
   */
  constructor(area, analyze, open) {
    this.area = area;
    const heard = () => this.active;
    const render = () => this.render();
    const changed = () => this.#again();
    this.#asking = new Asking(area, heard);
    const read = (/** @type {import("./decisions.js").Decision} */ decision) =>
      this.#review(decision);
    this.decisions = new Decisions(area, { analyze, heard, render, read });
    this.matches = new Matches(area, { render, heard, changed, open });
    additions.heard.add(() => this.#hear());
    this.drill = new Drill(area, { analyze, render, asked: () => this.asked });
    this.progress = new Progress(area, { render, asked: () => ofMatches(this.asked) });
    this.notes = new Notes(area, { analyze, render, heard });
    this.host = byId("study");
  }

  /** @param {Partial<Study>} change */
  set(change) {
    Object.assign(this, change);
    this.render();
  }

  /** Draw the library with its errors, a plan, its matches, a drill or notes, and their position on the board. */
  render() {
    const { stats, errors, plan, shows, decisions } = this;
    if (!this.active || !stats) return;
    if (shows === "drill") this.drill.draw();
    else if (shows === "notes") this.notes.draw();
    else if (shows === "errors" && errors) decisions.draw();
    const list = () => [
      decisions.detail(),
      card(t.common.decisions, decisions.filters(), decisions.list()),
    ];
    const views = {
      errors: () => errors && list(),
      plan: () => [
        (plan || !this.asked.player) && planCard(plan, (theme) => this.#showErrors(theme)),
        plan && this.progress.view(plan.themes.map(({ name }) => name)),
      ],
      matches: () => this.matches.view(),
      drill: () => this.drill.view(),
      notes: () => this.notes.view(),
    };
    refill(this.host, [
      (this.players.length > 0 || serves.all) && this.#library(stats),
      html("div", { class: "stack" }, views[shows]()),
    ]);
  }

  /** Read the library again if another file was added. */
  #hear() {
    const { length } = additions.done;
    this.render();
    if (length > 0 && length !== this.#added && this.active) this.#again();
    this.#added = length;
  }

  /** Read the library again after a change. @param {Asked} [asked] */
  #again(asked = this.asked) {
    this.#asking.ask((signal) => this.#read(signal, asked));
  }

  enter() {
    this.active = true;
    visit("#study");
    this.area.clear();
    this.#asking.ask(
      (signal) => this.#read(signal),
      () => this.area.offer([{ name: t.common.tryAgain, act: () => this.enter(), first: true }]),
    );
  }

  /** Show the matches, now or when this mode is entered. */
  showMatches() {
    this.shows = "matches";
    if (this.active) this.#turn("matches");
  }

  /** Show a position to write a note on it, now or when this mode is entered. @param {string} xgid */
  note(xgid) {
    this.shows = "notes";
    this.notes.begin(xgid);
    if (this.active) this.#turn("notes");
  }

  leave() {
    this.active = false;
    this.#asking.stop();
    this.drill.leave();
    this.matches.leave();
    this.notes.leave();
    this.progress.leave();
  }

  /**
   * @param {AbortSignal} signal
   * @param {Asked} [asked]
   * @param {string} [by] the new kind of groups; both are set once there is an answer
   */
  async #read(signal, asked = this.asked, by = this.by) {
    this.area.say(t.study.reading);
    const none = /** @type {Stats} */ ({
      schema_version: SCHEMA,
      by: "player",
      groups: [],
      analyses: [],
    });
    const all = await get("study/stats", { by: "player" }, signal).catch(ifMissing(none));
    const players = all.groups.map(({ name }) => name);
    const own = players.find(isMe);
    // A player may be gone, or be spelled in another way, after a change.
    if (asked.player) asked = { ...asked, player: players.find(alike(asked.player)) };
    // One's own errors come first, until one chooses others.
    if (!this.#met && own && !asked.player) [asked, by] = [{ player: own }, "kind"];
    this.#met ||= own !== undefined;
    const of = ofMatches(asked);
    const stats = players.length ? await get("study/stats", { ...of, by }, signal) : all;
    const trend = of.player ? await get("study/trend", of, signal) : [];
    if (!players.length && !EMPTY.includes(this.shows)) this.shows = "matches";
    this.set({ asked, by, players, stats, trend });
    await this.#below(signal);
  }

  /** Change the selection of errors. @param {Asked} asked */
  #narrow(asked) {
    const by = asked.player && this.by === "player" ? "kind" : this.by;
    this.#asking.ask((signal) => this.#read(signal, asked, by));
  }

  /** @param {Part} shows */
  #turn(shows) {
    keep("study", shows);
    this.area.blank();
    this.area.say(t.study.reading);
    this.set({ shows, errors: null });
    this.#asking.ask((signal) => this.#below(signal));
  }

  /** Show the errors of a theme. @param {string} theme */
  #showErrors(theme) {
    this.area.blank();
    this.set({ shows: "errors", errors: null });
    this.#narrow(/** @type {Asked} */ ({ ...this.asked, theme }));
  }

  /** The card of the library: the player, the filters, and the groups of errors. @param {Stats} stats */
  #library(stats) {
    const { asked, by, shows, errors } = this;
    const isErrors = shows === "errors";
    const some = this.players.length > 0;
    const hasMatches = some && shows !== "notes";
    const players = select(
      [["", t.study.allPlayers], ...named(this.players)],
      asked.player ?? "",
      (name) => this.#narrow(name ? { player: name } : {}),
    );
    const groups = select(GROUPS, by, (name) =>
      this.#asking.ask((signal) => this.#read(signal, asked, name)),
    );
    return card(
      t.study.library,
      html(
        "div",
        { class: "head" },
        heading(t.study.yours, "review-and-study"),
        segments(
          t.study.shown,
          PARTS.filter(([part]) => some || EMPTY.includes(part)),
          shows,
          (chosen) => this.#turn(chosen),
        ),
      ),
      hasMatches &&
        html(
          "div",
          { class: "fields three" },
          field(t.common.player, players),
          isErrors && field(t.study.by, groups),
        ),
      hasMatches && asked.player && this.#person(asked.player),
      hasMatches && this.#filters(),
      isErrors && [
        scrolling(t.common.statistics, this.#groups(stats), "groups"),
        check(t.study.allFigures, this.whole, (whole) => this.set({ whole })),
        this.trend.length > 1 && this.#trend(),
        html("p", { class: "soft small" }, errors && this.#countOf(errors)),
      ],
    );
  }

  /** Whether the chosen player is the person, and another name. @param {string} player */
  #person(player) {
    const mine = (/** @type {boolean} */ on) => {
      keep("me", on ? player : "");
      this.render();
    };
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const form = /** @type {HTMLFormElement} */ (heardBy(event));
      this.#rename(player, String(new FormData(form).get("name")).trim());
    };
    const names = this.players.filter((name) => name !== player);
    return [
      check(t.study.thisIsMe, isMe(player), mine, t.study.thisIsMeTip),
      serves.adds &&
        html(
          "details",
          { "data-key": `rename ${player}` },
          html("summary", {}, t.study.anotherName),
          html(
            "form",
            { class: "row", submit, autocomplete: "off" },
            html("input", {
              name: "name",
              value: player,
              maxlength: 100,
              list: "other-players",
              "aria-label": t.study.anotherNameOf(player),
            }),
            html("button", { type: "submit" }, t.study.rename),
            html(
              "datalist",
              { id: "other-players" },
              names.map((value) => html("option", { value })),
            ),
          ),
          html("p", { class: "soft small" }, t.study.renameTip),
        ),
    ];
  }

  /** Rename a player, or make two players one, after a question. @param {string} player @param {string} name */
  async #rename(player, name) {
    const other = this.players.filter((known) => known !== player).find(alike(name));
    if (!name || name === player) return;
    if (
      other &&
      !(await confirmed(
        t.study.onePlayer(player, other),
        t.study.becomes(player, other),
        t.study.makeOne,
      ))
    )
      return;
    this.#asking.ask(async (signal) => {
      await post("library/rename", { player, name });
      if (isMe(player)) keep("me", name);
      await this.#read(signal, { ...this.asked, player: name });
    });
  }

  /** The filters beside the player: the opponent, and those that are typed. */
  #filters() {
    const { asked, players, shows } = this;
    const narrow = (/** @type {keyof Asked} */ name, /** @type {string} */ value) =>
      this.#narrow({ ...asked, [name]: value || undefined });
    const opponents = select(
      [["", t.study.allOpponents], ...named(players.filter((name) => name !== asked.player))],
      asked.opponent ?? "",
      (name) => narrow("opponent", name),
    );
    const ofErrors = shows === "errors" || shows === "drill";
    const typed = TYPED.filter(
      ([name]) => offered(name) && (ofErrors || name in ofMatches({ [name]: 1 })),
    );
    const inputs = typed.map(([name, words, example]) => {
      const change = (/** @type {Event} */ event) =>
        narrow(name, /** @type {HTMLInputElement} */ (heardBy(event)).value.trim());
      const value = String(asked[name] ?? "");
      return field(
        words,
        html("input", { value, change, placeholder: example, spellcheck: "false" }),
      );
    });
    return html(
      "details",
      { "data-key": "filters" },
      html("summary", {}, t.study.filters),
      html("div", { class: "fields three" }, field(t.study.opponent, opponents), inputs),
    );
  }

  #trend() {
    return html(
      "details",
      { "data-key": "trend" },
      html("summary", {}, t.study.trend),
      html("p", { class: "soft small" }, t.study.trendTip),
      trendGraph(this.trend),
    );
  }

  /** The number of errors, and the button that removes the selection. @param {Errors} errors */
  #countOf(errors) {
    const { player, ...rest } = this.asked;
    const all = () => this.#narrow(player ? { player } : {});
    const given = Object.values(rest).filter((value) => value !== undefined);
    return [
      `${errorWords(errors)} `,
      ...(given.length
        ? [given.join(", "), " ", button(t.study.all, all, { class: "plain" })]
        : []),
    ];
  }

  /** @param {Stats} stats */
  #groups({ by, groups }) {
    const inTime = by === "day" || by === "month" || by === "year";
    const of = (/** @type {string} */ name) =>
      inTime ? { since: name, until: name } : { [by]: name };
    // Names of players are their own.
    const isWord = by === "kind" || by === "phase" || by === "theme";
    const shown = (/** @type {string} */ name) => (isWord ? said(name) : name);
    /** The cell of a group; nothing selects matches without a day, or by their analysis. @param {string} name */
    const cell = (name) =>
      by === "analysis" || (inTime && !/^\d{4}/.test(name))
        ? name
        : button(shown(name) || t.study.allGroup, () =>
            this.#narrow({ ...this.asked, ...of(name) }),
          );
    const rate = (/** @type {number | null | undefined} */ pr) => pr?.toFixed(2) ?? "–";
    const rows = groups.map((group) => {
      const { name, pr, error, wrong, decisions: all, matches, luck } = group;
      const main = [
        cell(name),
        rate(pr),
        signed(-error, 2),
        all === null ? wrong : t.study.of(wrong, all),
        matches,
      ];
      const more = [
        said(group.pr_class ?? "–"),
        group.counted,
        group.bad,
        group.won ?? "–",
        luck === null ? "–" : signed(luck, 2),
        ...[group.plays, group.doubles, group.takes].map((part) => rate(part?.pr)),
      ];
      return row([...main, ...(this.whole ? more : [])], { "data-key": `${by} ${name}` });
    });
    const heads = [
      GROUP_HEADS[by],
      head(t.study.pr, "pr"),
      head(t.study.lost, "error"),
      t.study.errors,
      t.common.matches,
    ];
    const more = [
      t.study.class,
      t.common.decisions,
      t.study.bad,
      t.study.won,
      head(t.decisions.luck, "luck"),
    ];
    const parts = [t.study.prPlays, t.study.prDoubles, t.study.prTakes];
    if (!this.whole) return table(t.common.statistics, heads, rows);
    return table(t.common.statistics, [...heads, ...more, ...parts], rows, { class: "whole" });
  }

  /** Add its review to an error. @param {import("./decisions.js").Decision} decision */
  async #review(decision) {
    const begin = this.decisions.all.indexOf(decision);
    await this.#asking.aside(async () => {
      const asked = { ...this.asked, begin, count: 1, reviews: 1 };
      const [whole] = (await get("study/errors", asked, this.#asking.signal)).choices;
      // Meanwhile the library may have got another error there.
      if (whole?.xgid === decision.xgid && whole.made === decision.made)
        Object.assign(decision, whole);
    });
  }

  /** Read the plan of the player, if one is chosen. @param {AbortSignal} signal */
  async #readPlan(signal) {
    const asked = ofMatches(this.asked);
    this.progress.leave();
    this.set({ plan: null });
    if (asked.player) this.set({ plan: await get("study/plan", asked, signal) });
    this.area.say(planWords(this.plan));
  }

  /** Show the errors, the plan, the matches, a drill or the notes. @param {AbortSignal} signal */
  async #below(signal) {
    this.drill.leave();
    if (this.shows === "drill") return this.drill.next();
    if (this.shows === "plan") return this.#readPlan(signal);
    if (this.shows === "notes") return this.notes.read(signal);
    if (this.shows === "matches") return this.matches.read(ofMatches(this.asked), signal);
    const matches = this.stats?.analyses.reduce((sum, group) => sum + group.matches, 0) ?? 0;
    const asked = { ...this.asked, count: MOST, reviews: matches > FEW ? 1 : FEW };
    const errors = await get("study/errors", asked, signal);
    this.errors = errors;
    const { chosen } = this.decisions;
    const same = errors.choices.find(
      ({ xgid, made }) => xgid === chosen?.xgid && made === chosen.made,
    );
    this.decisions.show(errors.choices, [], same ?? null, errors.count);
    this.area.tell(errorWords(errors));
  }
}

/** Whether a name is another one in any case. @param {string} name @returns {(other: string) => boolean} */
function alike(name) {
  return (other) => other.toLowerCase() === name.toLowerCase();
}

/** The part of a selection that selects matches. @param {Asked} asked */
function ofMatches({ player, opponent, since, until, length }) {
  return { player, opponent, since, until, length };
}

/** @param {Errors} errors */
function errorWords({ count, total_error: lost }) {
  return `${t.common.errorCount(count)}, ${signed(-lost, 2)}.`;
}
