/** Study: the library of matches that the server has, what their players get wrong, and drills. */

import { get } from "./api.js";
import { Asking } from "./asking.js";
import { field, segments, select } from "./controls.js";
import { Decisions } from "./decisions.js";
import { Drill } from "./drill.js";
import { button, byId, card, html, refill, row, table } from "./elements.js";
import { visit } from "./settings.js";
import { counted, signed } from "./words.js";

/** @typedef {import("../../answers.js").Gets["study/errors"]["asked"]} Asked */
/** @typedef {import("../../answers.js").Statistics} Stats */

/** What the groups may be of. */
const GROUPS = ["player", "kind", "phase", "theme", "opponent", "month", "year", "length"];
/** Errors that are asked for. */
const MOST = 200;
const READING = "Reading the library.";

export class Study {
  by = "player";
  /** @type {Asked} the errors that are meant */
  asked = {};
  mode = "errors";
  active = false;
  #asking;

  /** @param {import("./desk.js").Desk} desk @param {(xgid: string) => void} analyze */
  constructor(desk, analyze) {
    this.desk = desk;
    const heard = () => this.active;
    this.#asking = new Asking(desk, heard);
    this.decisions = new Decisions(desk, { analyze, heard });
    this.drill = new Drill(desk, analyze, () => this.asked);
    this.host = byId("study");
    this.table = html("div", {
      class: "scroll groups",
      role: "region",
      "aria-label": "Statistics",
      tabindex: 0,
    });
    this.groupedBy = html("label");
    this.said = html("p", { class: "soft small", role: "status" });
    this.body = html("div", { class: "stack" });
  }

  enter() {
    this.active = true;
    visit("#study");
    this.desk.clear();
    this.#asking.ask(
      (signal) => this.#show(signal),
      () => this.desk.offer([{ name: "Try again", act: () => this.enter(), first: true }]),
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
   * @param {string} [by] the errors and the groups that are meant, once there is an answer
   */
  async #show(signal, asked = this.asked, by = this.by) {
    this.desk.say(READING);
    const { kind, phase, theme, ...matches } = asked;
    const stats = await get("study/stats", { ...matches, by }, signal);
    Object.assign(this, { asked, by });
    const players = await get("study/stats", { by: "player" }, signal);
    const player = select(
      [
        ["", "All players"],
        ...players.groups.map(({ name }) => /** @type {[string, string]} */ ([name, name])),
      ],
      asked.player ?? "",
      (name) => this.#narrow(name ? { player: name } : {}),
    );
    const groups = select(
      GROUPS.map((name) => /** @type {[string, string]} */ ([name, name])),
      by,
      (name) => this.#asking.ask((other) => this.#show(other, asked, name)),
    );
    const modes = segments(
      "What is shown",
      [
        ["errors", "Errors"],
        ["drill", "Drill"],
      ],
      this.mode,
      (mode) => (
        (this.mode = mode),
        this.desk.blank(),
        this.desk.say(READING),
        this.#asking.ask((other) => this.#below(other))
      ),
    );
    this.#groups(stats);
    this.groupedBy = field("By", groups);
    refill(this.host, [
      card(
        "Library",
        html("div", { class: "head" }, html("h2", {}, "Your library"), modes),
        html("div", { class: "fields three" }, field("Player", player), this.groupedBy),
        this.table,
        this.said,
      ),
      this.body,
    ]);
    await this.#below(signal);
  }

  /** Ask for other errors. @param {Asked} asked */
  #narrow(asked) {
    const by = asked.player && this.by === "player" ? "kind" : this.by;
    this.#asking.ask((signal) => this.#show(signal, asked, by));
  }

  /** @param {Stats} stats */
  #groups({ by, groups }) {
    const inTime = by === "month" || by === "year";
    const of = (/** @type {string} */ name) =>
      inTime ? { since: name, until: name } : { [by]: name };
    /** Nothing can be asked about the matches without a day. @param {string} name */
    const cell = (name) =>
      inTime && !/^\d{4}/.test(name)
        ? name
        : button(name || "all", () => this.#narrow({ ...this.asked, ...of(name) }));
    const rows = groups.map(({ name, pr, error, wrong, of: all, matches }) =>
      row([
        cell(name),
        pr?.toFixed(2) ?? "–",
        signed(-error, 2),
        all === null ? wrong : `${wrong} of ${all}`,
        matches,
      ]),
    );
    refill(this.table, [
      table(
        "Statistics",
        [by[0].toUpperCase() + by.slice(1), "PR", "Lost", "Errors", "Matches"],
        rows,
      ),
    ]);
  }

  /** Show the errors, or a drill. @param {AbortSignal} signal */
  async #below(signal) {
    this.drill.leave();
    this.groupedBy.hidden = this.table.hidden = this.said.hidden = this.mode === "drill";
    if (this.mode === "drill") {
      return this.drill.enter(this.body);
    }
    const { count, lost, choices } = await get(
      "study/errors",
      { ...this.asked, count: MOST },
      signal,
    );
    const { player, ...rest } = this.asked;
    const all = button("All", () => this.#narrow(player ? { player } : {}), { class: "plain" });
    const of = Object.keys(rest).length ? [Object.values(rest).join(", "), " ", all] : [];
    refill(this.said, [`${counted(count, "error")}, ${signed(-lost, 2)}. `, ...of], this.table);
    this.body.replaceChildren(
      this.decisions.detail,
      card("Decisions", this.decisions.filters, this.decisions.list),
    );
    const { chosen } = this.decisions;
    this.decisions.show(
      choices,
      [],
      choices.find(({ xgid, made }) => xgid === chosen?.xgid && made === chosen.made) ?? null,
      count,
    );
  }
}
