/** Study: the server's library of matches, the errors of their players, and drills. */

import { get } from "./api.js";
import { Asking } from "./asking.js";
import { field, named, segments, select } from "./controls.js";
import { Decisions } from "./decisions.js";
import { Drill } from "./drill.js";
import { button, byId, card, html, refill, row, scrolling, table } from "./elements.js";
import { head, heading } from "./help.js";
import { visit } from "./settings.js";
import { counted, signed } from "./words.js";

/** @typedef {import("../../answers.js").Gets["study/errors"]["parameters"]} Asked */
/** @typedef {import("../../answers.js").Statistics} Stats */

/** The kinds of groups. */
const GROUPS = ["player", "kind", "phase", "theme", "opponent", "month", "year", "length"];
/** The most errors to ask for. */
const MOST = 200;
const READING = "Reading the library.";

/** @typedef {import("../../answers.js").LibraryErrors} Errors */

export class Study {
  by = "player";
  /** @type {Asked} the selection of errors */
  asked = {};
  /** Whether a drill is shown in place of the errors. */
  drills = false;
  /** @type {Stats | null} */
  stats = null;
  /** @type {string[]} the players of the library */
  players = [];
  /** @type {Errors | null} the errors, once they are loaded */
  errors = null;
  active = false;
  #asking;

  /** @param {import("./board_area.js").BoardArea} area @param {(xgid: string) => void} analyze */
  constructor(area, analyze) {
    this.area = area;
    const heard = () => this.active;
    const render = () => this.render();
    this.#asking = new Asking(area, heard);
    this.decisions = new Decisions(area, { analyze, heard, render });
    this.drill = new Drill(area, { analyze, render, asked: () => this.asked });
    this.host = byId("study");
  }

  /** @param {Partial<Study>} change */
  set(change) {
    Object.assign(this, change);
    this.render();
  }

  /** Draw the library, the errors or the drill, and their position on the board. */
  render() {
    const { stats, errors, drills, decisions } = this;
    if (!this.active || !stats) return;
    if (drills) this.drill.draw();
    else if (errors) decisions.draw();
    const list = () => [
      decisions.detail(),
      card("Decisions", decisions.filters(), decisions.list()),
    ];
    refill(this.host, [
      this.#library(stats),
      html("div", { class: "stack" }, drills ? this.drill.view() : errors && list()),
    ]);
  }

  enter() {
    this.active = true;
    visit("#study");
    this.area.clear();
    this.#asking.ask(
      (signal) => this.#read(signal),
      () => this.area.offer([{ name: "Try again", act: () => this.enter(), first: true }]),
    );
  }

  leave() {
    this.active = false;
    this.#asking.stop();
    this.drill.leave();
  }

  /**
   * @param {AbortSignal} signal
   * @param {Asked} [asked]
   * @param {string} [by] the new kind of groups; both are set once there is an answer
   */
  async #read(signal, asked = this.asked, by = this.by) {
    this.area.say(READING);
    const { kind, phase, theme, ...matches } = asked;
    const stats = await get("study/stats", { ...matches, by }, signal);
    Object.assign(this, { asked, by });
    const { groups } = await get("study/stats", { by: "player" }, signal);
    this.set({ stats, players: groups.map(({ name }) => name) });
    await this.#below(signal);
  }

  /** Change the selection of errors. @param {Asked} asked */
  #narrow(asked) {
    const by = asked.player && this.by === "player" ? "kind" : this.by;
    this.#asking.ask((signal) => this.#read(signal, asked, by));
  }

  /** Show the errors, or a drill. @param {boolean} drills */
  #turn(drills) {
    this.area.blank();
    this.area.say(READING);
    this.set({ drills, errors: null });
    this.#asking.ask((signal) => this.#below(signal));
  }

  /** The card of the library: the player, and the groups of errors. @param {Stats} stats */
  #library(stats) {
    const { asked, by, drills, errors } = this;
    const modes = /** @type {[boolean, string][]} */ ([
      [false, "Errors"],
      [true, "Drill"],
    ]);
    const players = select(
      [["", "All players"], ...named(this.players)],
      asked.player ?? "",
      (name) => this.#narrow(name ? { player: name } : {}),
    );
    const groups = select(named(GROUPS), by, (name) =>
      this.#asking.ask((signal) => this.#read(signal, asked, name)),
    );
    return card(
      "Library",
      html(
        "div",
        { class: "head" },
        heading("Your library", "review-and-study"),
        segments("What is shown", modes, drills, (chosen) => this.#turn(chosen)),
      ),
      html(
        "div",
        { class: "fields three" },
        field("Player", players),
        !drills && field("By", groups),
      ),
      !drills && scrolling("Statistics", this.#groups(stats), "groups"),
      !drills && html("p", { class: "soft small" }, errors && this.#countOf(errors)),
    );
  }

  /** The number of errors, and the button that removes the selection. @param {Errors} errors */
  #countOf(errors) {
    const { player, ...rest } = this.asked;
    const all = () => this.#narrow(player ? { player } : {});
    return [
      `${errorWords(errors)} `,
      ...(Object.keys(rest).length
        ? [Object.values(rest).join(", "), " ", button("All", all, { class: "plain" })]
        : []),
    ];
  }

  /** @param {Stats} stats */
  #groups({ by, groups }) {
    const inTime = by === "month" || by === "year";
    const of = (/** @type {string} */ name) =>
      inTime ? { since: name, until: name } : { [by]: name };
    /** The cell of a group; matches without a day cannot be selected. @param {string} name */
    const cell = (name) =>
      inTime && !/^\d{4}/.test(name)
        ? name
        : button(name || "all", () => this.#narrow({ ...this.asked, ...of(name) }));
    const rows = groups.map(({ name, pr, error, wrong, decisions: all, matches }) =>
      row(
        [
          cell(name),
          pr?.toFixed(2) ?? "–",
          signed(-error, 2),
          all === null ? wrong : `${wrong} of ${all}`,
          matches,
        ],
        { "data-key": `${by} ${name}` },
      ),
    );
    const heads = [
      by[0].toUpperCase() + by.slice(1),
      head("PR", "pr"),
      head("Lost", "error"),
      "Errors",
      "Matches",
    ];
    return table("Statistics", heads, rows);
  }

  /** Show the errors, or a drill. @param {AbortSignal} signal */
  async #below(signal) {
    this.drill.leave();
    if (this.drills) return this.drill.next();
    const errors = await get("study/errors", { ...this.asked, count: MOST }, signal);
    this.errors = errors;
    const { chosen } = this.decisions;
    const same = errors.choices.find(
      ({ xgid, made }) => xgid === chosen?.xgid && made === chosen.made,
    );
    this.decisions.show(errors.choices, [], same ?? null, errors.count);
    this.area.tell(errorWords(errors));
  }
}

/** @param {Errors} errors */
function errorWords({ count, total_error: lost }) {
  return `${counted(count, "error")}, ${signed(-lost, 2)}.`;
}
