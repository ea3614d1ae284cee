/** Your play: checkers are moved by hand or typed, until you confirm it. */

import { findPlay, moved } from "../board/position.js";
import { t } from "./language.js";
import { sound } from "./sound.js";
import { stepsWords } from "./walk.js";

/**
 * @typedef {import("../../answers.js").LegalPlay} Made
 * @typedef {{area: import("./board_area.js").BoardArea, position: import("../../answers.js").Position,
 *   walk: import("./walk.js").Walk, pace: () => number, glide: (now: number[] | null) => boolean,
 *   commit: (made: Made) => void, others: () => import("./board_area.js").Action[]}} Mode
 *   the mode in which a play is made: `glide` draws it with moving checkers, and returns whether the
 *   play is still being made; `commit` is called with the play, and `others` are the other actions
 */

export class YourPlay {
  /** The number of actions so far; a new action stops the animation. */
  #deeds = 0;

  /** @param {Mode} mode */
  constructor(mode) {
    this.mode = mode;
    this.walk = mode.walk;
  }

  /** Offer the actions. */
  offer() {
    const { walk } = this;
    const { area, position, commit, others } = this.mode;
    const made = walk.play;
    const done = () => made && commit(made);
    const taken = walk.taken.length > 0;
    const key = made ? "Enter" : undefined;
    area.offer([
      { name: t.common.done, act: done, key, first: Boolean(made), off: !made },
      { name: t.common.undo, act: () => this.undo(), key: "u", off: !taken },
      { name: t.making.swap, act: () => this.swap(), key: "x", off: taken || walk.dice.length > 2 },
      ...others(),
    ]);
    const dice = [...(position.dice ?? "")];
    area.ask(t.common.typePlay, (text) => this.#typed(text), "8/5 6/5", position.xgid);
    area.board.hands = {
      ...walk.hands((steps, place, glide) => this.#moved(steps, place, glide)),
      ...(made ? { click: done } : {}),
      dice: () => (made ? done() : taken ? undefined : this.swap()),
      diceName: made ? t.making.diceDone : t.making.diceSwap(dice),
    };
  }

  swap() {
    this.#deeds++;
    this.walk.swap();
    this.mode.glide(null);
    this.mode.area.say(t.making.first(this.walk.dice[0]));
  }

  undo() {
    if (!this.walk.undo()) return;
    this.#deeds++;
    this.mode.glide(null);
    this.mode.area.say(this.walk.taken.length ? t.making.undone : t.making.undoneAll);
  }

  /** @param {string} text */
  #typed(text) {
    const { position, area, commit } = this.mode;
    const index = findPlay(text, position);
    if (index < 0) return area.say(t.making.notLegal(text, position.dice ?? ""), true);
    commit(/** @type {Made[]} */ (position.plays)[index]);
  }

  /**
   * @param {import("./walk.js").Step[]} steps that were made
   * @param {number | "off"} place
   * @param {boolean} glides whether the moves are animated
   */
  async #moved(steps, place, glides) {
    const { walk, mode } = this;
    if (!steps.length) return mode.area.say(walk.refusal(place));
    const deed = ++this.#deeds;
    if (glides) {
      const before = walk.taken.slice(0, -steps.length);
      let points = before.reduce((at, [from, to]) => moved(at, from, to), walk.position.points);
      for (const [from, to] of steps) {
        if (!mode.glide(points)) return;
        await mode.area.board.slide(points, from, to, false, mode.pace() / 2);
        // Another action came meanwhile, and its state is shown now.
        if (this.#deeds !== deed) return;
        points = moved(points, from, to);
      }
    }
    sound("checker");
    if (!mode.glide(null)) return;
    const words = stepsWords(steps);
    mode.area.say(walk.play ? t.making.complete(words) : t.making.moved(words));
  }
}
