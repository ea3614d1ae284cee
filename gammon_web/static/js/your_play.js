/** Your play: checkers moved by hand or typed, until you say that it is done. */

import { findPlay, moved } from "../board/position.js";
import { stepsWords } from "./walk.js";

/**
 * @typedef {import("../../answers.js").LegalPlay} Made
 * @typedef {{desk: import("./desk.js").Desk, position: import("../../answers.js").Position | null,
 *   walk: import("./walk.js").Walk | null,
 *   pace: number, arrows: string | null, draw: (now?: number[]) => void}} Mode in which a play is
 *   made
 */

export class YourPlay {
  /**
   * @param {Mode} mode @param {(made: Made) => void} commit
   * @param {() => import("./desk.js").Action[]} others what can be done beside it
   */
  constructor(mode, commit, others) {
    this.mode = mode;
    this.commit = commit;
    this.others = others;
    this.desk = mode.desk;
    this.position = /** @type {import("../../answers.js").Position} */ (mode.position);
    this.walk = /** @type {import("./walk.js").Walk} */ (mode.walk);
  }

  /** Offer what can be done now. */
  offer() {
    const { desk, walk, position } = this;
    const made = walk.play;
    const done = () => made && this.commit(made);
    desk.offer([
      {
        name: "Done",
        act: done,
        key: made ? "Enter" : undefined,
        first: Boolean(made),
        off: !made,
      },
      { name: "Undo", act: () => this.undo(), key: "u", off: !walk.taken.length },
      {
        name: "Swap dice",
        act: () => this.swap(),
        key: "x",
        off: walk.taken.length > 0 || walk.dice.length > 2,
      },
      ...this.others(),
    ]);
    const dice = [...(position.dice ?? "")].join(" and ");
    desk.ask("Type a play", (text) => this.#typed(text), "8/5 6/5", !desk.typed.hidden);
    desk.board.hands = {
      ...walk.hands((steps, place, glide) => this.#moved(steps, place, glide)),
      ...(made ? { click: done } : {}),
      dice: () => (made ? done() : walk.taken.length ? undefined : this.swap()),
      diceName: made ? "Dice: the play is done" : `Dice ${dice}: swap them`,
    };
  }

  swap() {
    this.walk.swap();
    this.mode.draw();
    this.desk.say(`The ${this.walk.dice[0]} is played first.`);
  }

  undo() {
    if (!this.walk.undo()) return;
    this.offer();
    this.mode.draw();
    this.desk.say(
      this.walk.taken.length ? "Taken back." : "Taken back. All checkers are where they were.",
    );
  }

  /** @param {string} text */
  #typed(text) {
    const index = findPlay(text, this.position);
    if (index < 0)
      return this.desk.say(`“${text}” is not a legal play of ${this.position.dice}.`, true);
    this.commit(/** @type {Made[]} */ (this.position.plays)[index]);
  }

  /**
   * @param {import("./walk.js").Step[]} steps that were made
   * @param {number | "off"} place
   * @param {boolean} glide whether checkers are seen on their way
   */
  async #moved(steps, place, glide) {
    const { walk, desk, mode } = this;
    if (!steps.length) return desk.say(walk.refusal(place));
    mode.arrows = null;
    this.offer();
    const { offered } = desk;
    if (glide) {
      const before = walk.taken.slice(0, -steps.length);
      let points = before.reduce((at, [from, to]) => moved(at, from, to), walk.position.points);
      for (const [from, to] of steps) {
        mode.draw(points);
        await desk.board.slide(points, from, to, false, mode.pace / 2);
        // Something else was done meanwhile, which is what is shown and said now.
        if (desk.offered !== offered) return;
        points = moved(points, from, to);
      }
    }
    mode.draw();
    const words = stepsWords(steps);
    desk.say(walk.play ? `${words}. Done? Enter, or a click on the dice.` : `${words}.`);
  }
}
