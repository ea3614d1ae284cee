/** Progress: a player's decisions of a theme before and after the theme was drilled. */

import { get } from "./api.js";
import { Asking } from "./asking.js";
import { field, heardBy, select } from "./controls.js";
import { card, html, row, scrolling, table } from "./elements.js";
import { said, t } from "./language.js";
import { PARTS, ranged } from "./plan.js";

/** @typedef {import("../../answers.js").Gets["study/plan"]["parameters"]} Asked */

export class Progress {
  /** @type {string} the theme, or "" */
  #theme = "";
  /** The first day that counts as after, or "" for the day of the first drill. */
  #day = "";
  /** @type {import("../../answers.js").DrillProgress | null} */
  #progress = null;
  #asking;

  /**
   * @param {import("./board_area.js").BoardArea} area
   * @param {{render: () => void, asked: () => Asked}} to `asked`: the selection of matches
   */
  constructor(area, to) {
    this.to = to;
    this.#asking = new Asking(area);
  }

  leave() {
    this.#asking.stop();
    this.#progress = null;
  }

  /** Compare for a theme and a day. @param {string} theme @param {string} day */
  #read(theme, day) {
    this.leave();
    [this.#theme, this.#day] = [theme, day];
    this.to.render();
    if (!theme) return;
    this.#asking.ask(async (signal) => {
      this.#progress = await get("study/progress", { ...this.to.asked(), theme, day }, signal);
      this.to.render();
    });
  }

  /** The card. @param {string[]} names what the plan ranks */
  view(names) {
    const themes = names.filter((name) => !PARTS.includes(name));
    const day = (/** @type {Event} */ event) =>
      this.#read(this.#theme, /** @type {HTMLInputElement} */ (heardBy(event)).value.trim());
    return card(
      t.progress.name,
      html("h2", {}, t.progress.name),
      html(
        "div",
        { class: "fields" },
        field(
          t.plan.theme,
          select(
            [
              ["", "–"],
              ...themes.map((name) => /** @type {[string, string]} */ ([name, said(name)])),
            ],
            this.#theme,
            (theme) => this.#read(theme, this.#day),
          ),
        ),
        field(
          t.progress.since,
          html("input", { value: this.#day, change: day, placeholder: t.progress.firstDrill }),
        ),
      ),
      this.#progress && this.#table(this.#progress),
    );
  }

  /** @param {import("../../answers.js").DrillProgress} progress */
  #table({ name, day, before, after, change, elsewhere }) {
    const few = t.plan.notEnough;
    const period = (/** @type {string} */ words, /** @type {typeof before} */ part) =>
      row([words, ...ranged(part.pr, 2, 1, few, false), part.decisions, part.matches]);
    const rows = [
      period(t.progress.before(day), before),
      period(t.progress.after, after),
      row([t.progress.change(said(name)), ...ranged(change, 2, 1, few), "", ""]),
      row([t.progress.elsewhere, ...ranged(elsewhere, 2, 1, few), "", ""]),
    ];
    const heads = [
      t.progress.period,
      t.study.pr,
      t.plan.interval,
      t.common.decisions,
      t.common.matches,
    ];
    return [
      scrolling(t.progress.period, table(t.progress.period, heads, rows), "plan"),
      html("p", { class: "soft small" }, t.progress.tip),
    ];
  }
}
