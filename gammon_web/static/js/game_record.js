/**
 * The record of a game in two columns, yours and gammon's; an entry shows the board at that time.
 */

import { viewOf } from "../board/board.js";
import { fieldsOf } from "../board/position.js";
import { button, html, row, table } from "./elements.js";
import { t } from "./language.js";
import { game, namesOf } from "./match.js";
import { marked } from "./tables.js";
import { markOf } from "./words.js";

/** @import {Done} from "./match.js" */

export class GameRecord {
  /** The number of entries when the record was last scrolled to its end. */
  #count = 0;

  /** @param {import("./play.js").Play} play */
  constructor(play) {
    this.play = play;
  }

  /** The actions of this game. */
  get #actions() {
    const { match } = this.play;
    return (match && game(match)?.actions) ?? [];
  }

  /** The present record. */
  view() {
    /** @type {(number | null)[][]} */
    const rows = [];
    this.#actions.forEach(({ player }, at) => {
      const last = rows[rows.length - 1];
      if (player === 1 && last && last[1] === null) last[1] = at;
      else rows.push(player === 0 ? [at, null] : [null, at]);
    });
    const body = rows.map((pair, number) =>
      row([`${number + 1}.`, ...pair.map((at) => (at === null ? "" : this.#entry(at)))]),
    );
    const keydown = (/** @type {Event} */ event) =>
      this.#step(/** @type {KeyboardEvent} */ (event));
    const heads = [html("td"), ...namesOf(this.play.match)];
    return html("div", { class: "record" }, table(t.play.recordOf, heads, body, { keydown }));
  }

  /** Scroll to the newest entry after an entry was added. */
  follow() {
    const host = this.play.host.querySelector(".record");
    const { length } = this.#actions;
    if (!host || this.play.state.entry !== null || length === this.#count) return;
    host.scrollTop = host.scrollHeight;
    this.#count = length;
  }

  /**
   * An entry. Tab reaches one entry, and the arrow keys the others from there.
   * @param {number} at
   */
  #entry(at) {
    const deed = this.#actions[at];
    const { entry } = this.play.state;
    const mark = markOf(this.play.tutor.loss(deed) ?? 0);
    return button(
      [wordsOf(deed), mark > 0 && html("span", { class: `mark-${mark}` }, marked(mark))],
      () => this.#look(at),
      {
        "data-at": at,
        disabled: !deed.xgid,
        tabindex: at === (entry ?? this.#actions.length - 1) ? 0 : -1,
        "aria-current": at === entry ? "true" : null,
      },
    );
  }

  /** @param {KeyboardEvent} event */
  #step(event) {
    const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = Number(/** @type {HTMLElement} */ (event.target).dataset.at) + by;
    if (!this.#actions[at]?.xgid) return;
    this.#look(at);
    /** @type {HTMLElement | null} */ (
      this.play.host.querySelector(`.record [data-at="${at}"]`)
    )?.focus();
  }

  /** Show the board before an action. @param {number} at */
  #look(at) {
    const { play } = this;
    const { area } = play;
    const deed = this.#actions[at];
    const loss = play.tutor.loss(deed);
    const lost = loss ? loss.toFixed(3) : "";
    play.go(async () => {
      const back = () => play.go(() => play.resume());
      const analyze = () => play.to.analyze(/** @type {string} */ (deed.xgid));
      const offer = () =>
        area.clear([
          { name: t.play.backToGame, act: back, key: "Escape", first: true },
          { name: t.common.analyzeThis, act: analyze, key: "a" },
        ]);
      play.set({ entry: at, hint: null, arrows: null, now: null, offer });
      area.say(t.play.entry(namesOf(play.match)[deed.player], wordsOf(deed), lost));
    });
  }
}

/**
 * Show the board of an entry.
 * @param {import("./play.js").Play} play
 * @param {number} at
 */
export function boardOf(play, at) {
  const { area, going } = play;
  const deed = game(going).actions[at];
  const fields = fieldsOf(/** @type {string} */ (deed.xgid));
  const view = viewOf(fields, deed.play, going.byHand ? fields.turn : 1);
  const cube = going.cube ? view.cube : undefined;
  const turned = going.byHand && fields.turn === -1;
  area.show(fields, { ...view, cube, turned }, namesOf(going), { score: going.score, still: true });
}

/** @param {Done} deed */
function wordsOf({ dice, play, do: deed }) {
  return deed ? t.play.deeds[deed] : `${dice}: ${play}`;
}
