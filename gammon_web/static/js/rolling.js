/**
 * Dice: from a seed by the server, so that anybody can repeat them, or typed in.
 */

import { get } from "./api.js";
import { t } from "./language.js";
import { sound } from "./sound.js";

/** A random seed. */
export function anySeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
}

/** Two dice from a typed text, or null. @param {string} text */
export function readDice(text) {
  const dice = /^\s*([1-6])[\s,/-]*([1-6])\s*$/.exec(text);
  return dice && dice[1] + dice[2];
}

/** The same dice, the higher one first, on the left. @param {string} dice */
export function highFirst(dice) {
  return [...dice].sort().reverse().join("");
}

/** The dice of a match. */
export class Roller {
  /** @param {import("./play.js").Play} play */
  constructor(play) {
    this.play = play;
  }

  /**
   * Offer a field for dice that the player rolled.
   * @param {string} whose the label of the field
   * @param {(dice: string) => void} heard
   */
  ask(whose, heard) {
    const { area, going } = this.play;
    const read = (/** @type {string} */ text) => {
      const dice = readDice(text);
      if (!dice) return area.say(t.common.noRoll(text), true);
      this.play.state.offer = null;
      area.ask("");
      going.at++;
      heard(dice);
    };
    area.ask(whose, read, "31", String(going.at));
  }

  /**
   * The next roll, from the seed or typed in.
   * @param {string} whose the label of the field
   * @param {string} [before] words before the label
   * @returns {Promise<string>}
   */
  async next(whose, before = "") {
    const { play } = this;
    const { signal, area, going } = play;
    const { seed, at } = going;
    if (seed !== null) {
      const { dice } = await get("dice", { seed, begin: at, count: 1 }, signal);
      going.at++;
      sound("dice");
      return dice[0];
    }
    area.say(before + t.play.type(whose));
    return new Promise((done, fail) => {
      const offer = () => (area.offer([play.back]), this.ask(whose, done));
      play.set({ offer });
      area.field.focus();
      signal.addEventListener("abort", () => fail(signal.reason));
    });
  }
}
