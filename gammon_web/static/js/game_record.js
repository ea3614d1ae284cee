/**
 * The record of a game in two columns, yours and gammon's; an entry shows the board of that time.
 */

import { viewOf } from "../board/board.js";
import { fieldsOf } from "../board/position.js";
import { button, html, row, table } from "./elements.js";
import { game, NAMES } from "./match.js";
import { marked } from "./tables.js";
import { markOf } from "./words.js";

/** @import {Done} from "./match.js" */

export class GameRecord {
  /** @type {number | null} the entry whose board is shown */
  #shown = null;

  /** @param {import("./play.js").Play} play */
  constructor(play) {
    this.play = play;
    const made = table("Record of the game", [html("td"), ...NAMES], []);
    this.body = made.tBodies[0];
    this.body.addEventListener("keydown", (event) => this.#step(event));
    this.host = html("div", { class: "record" }, made);
  }

  /** What was done in this game. */
  get #actions() {
    const match = this.play.match;
    return (match && game(match)?.actions) ?? [];
  }

  /**
   * Show the record as it is now.
   * @param {number | null} [shown] the entry whose board is shown; null: none is
   */
  show(shown = this.#shown) {
    this.#shown = shown;
    /** @type {(number | null)[][]} */
    const rows = [];
    this.#actions.forEach(({ player }, at) => {
      const last = rows[rows.length - 1];
      if (player === 1 && last && last[1] === null) last[1] = at;
      else rows.push(player === 0 ? [at, null] : [null, at]);
    });
    const held = this.body.contains(document.activeElement);
    this.body.replaceChildren(
      ...rows.map((pair, number) =>
        row([`${number + 1}.`, ...pair.map((at) => (at === null ? "" : this.#entry(at)))]),
      ),
    );
    if (held)
      /** @type {HTMLElement | null} */ (this.body.querySelector('[tabindex="0"]'))?.focus();
    this.play.panel.rate.textContent = this.play.tutor.words;
    if (shown === null) this.host.scrollTop = this.host.scrollHeight;
  }

  /** One entry is reached by Tab, the others from there by the arrow keys. @param {number} at */
  #entry(at) {
    const deed = this.#actions[at];
    const here = this.#shown ?? this.#actions.length - 1;
    const kind = {
      "data-at": at,
      disabled: !deed.xgid,
      tabindex: at === here ? 0 : -1,
      "aria-current": at === this.#shown ? "true" : null,
    };
    const mark = markOf(this.play.tutor.loss(deed) ?? 0);
    return button(
      [wordsOf(deed), mark > 0 && html("span", { class: `mark-${mark}` }, marked(mark))],
      () => this.#look(at),
      kind,
    );
  }

  /** @param {KeyboardEvent} event */
  #step(event) {
    const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = Number(/** @type {HTMLElement} */ (event.target).dataset.at) + by;
    if (this.#actions[at]?.xgid) this.#look(at);
  }

  /** Show the board on which something was done. @param {number} at */
  #look(at) {
    const { play } = this;
    const { desk } = play;
    const deed = this.#actions[at];
    const loss = play.tutor.loss(deed);
    const xgid = /** @type {string} */ (deed.xgid);
    const match = play.going;
    const fields = fieldsOf(xgid);
    const view = viewOf(fields, deed.play, 1);
    this.show(at);
    play.panel.hint(null);
    play.arrows = null;
    play.go(async () => {
      desk.show(fields, { ...view, cube: match.cube ? view.cube : undefined }, NAMES, {
        score: match.score,
        still: true,
      });
      desk.say(
        `${NAMES[deed.player]}: ${wordsOf(deed)}${loss ? `, which loses ${loss.toFixed(3)}` : ""}.`,
      );
      desk.clear([
        {
          name: "Back to the game",
          act: () => play.go(() => play.resume()),
          key: "Escape",
          first: true,
        },
        { name: "Analyze this", act: () => play.to.analyze(xgid), key: "a" },
      ]);
    });
  }
}

/** @param {Done} deed */
function wordsOf({ dice, play, do: deed }) {
  return deed ? deed[0].toUpperCase() + deed.slice(1) : `${dice}: ${play}`;
}
