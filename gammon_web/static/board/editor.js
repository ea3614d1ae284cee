/**
 * A position that is set up by hand: checkers are put down, taken away and moved without the rules
 * of play.
 */

import { CHECKERS } from "./constants.js";
import { OFF } from "./geometry.js";
import { offOf, placeName } from "./position.js";
import { texts } from "./texts.js";

/** @import {Place} from "./board.js" */

export class Editor {
  /** The side whose checkers a click puts down: 1 for the side that counts positive, or -1. */
  tool = 1;

  /**
   * @param {number[]} points 26 counts, which change
   * @param {[string, string]} names of the side that counts positive, and of the other side
   * @param {(words: string, wrong: boolean) => void} heard called with what was done, or why nothing
   *   was done
   */
  constructor(points, names, heard) {
    this.points = points;
    this.names = names;
    this.heard = heard;
  }

  /** The hands of a board that shows the points. @returns {import("./board.js").Hands} */
  get hands() {
    return {
      click: (place, row) => this.#click(place, row, this.tool),
      other: (place, row) => this.#click(place, row, -this.tool),
      drop: (from, to) => this.#move(from, to),
      canDrag: (place) => place !== OFF && this.points[place] !== 0,
      key: (event, place) => {
        if (place === OFF) return false;
        const by = { "+": 1, "=": 1, "-": -1, Delete: -CHECKERS, Backspace: -1 }[event.key];
        // A checker that is taken away may be of either side.
        const tool = Number(by) < 0 ? Math.sign(this.points[place]) || this.tool : this.tool;
        if (by) this.#put(place, this.#held(place, tool).count + by, tool);
        return Boolean(by);
      },
    };
  }

  /**
   * The checkers of a side on a place. Each half of the bar has checkers of one side only.
   * @param {number} place
   * @param {number} tool the side
   */
  #held(place, tool) {
    const side = place === 25 ? 1 : place === 0 ? -1 : tool;
    return { side, count: Math.max(0, side * this.points[place]) };
  }

  /** @param {number} place @param {number} count @param {number} tool the side */
  #put(place, count, tool) {
    const { side, count: old } = this.#held(place, tool);
    const most = old + offOf(this.points)[side === 1 ? 0 : 1];
    if (count > most && most === old)
      return this.heard(texts.fullHere(CHECKERS, this.names[side === 1 ? 0 : 1]), true);
    this.points[place] = 0 + side * Math.max(0, Math.min(count, most));
    this.#tell(count > most ? `${texts.noMore(most, CHECKERS)} ` : "", place);
  }

  /**
   * A click on a place: checkers up to its height, or one fewer if there are so many already.
   * @param {Place} place
   * @param {number} row -1 for a key, which adds a checker
   * @param {number} tool
   */
  #click(place, row, tool) {
    if (place === OFF) return this.heard(texts.toTakeOff, true);
    const { count } = this.#held(place, tool);
    const top = row === 4 && count >= 5;
    this.#put(place, row < 0 || top ? count + 1 : count === row + 1 ? row : row + 1, tool);
  }

  /** Move a checker, or take it off the board. @param {Place} from @param {Place} to */
  #move(from, to) {
    const side = from === OFF ? 1 : Math.sign(this.points[from]);
    const no = (/** @type {string} */ words) => this.heard(words, true);
    const [own, their] = this.names;
    if (from !== OFF && side === 0) return no(texts.noChecker);
    if (from === OFF && offOf(this.points)[0] === 0) return no(texts.full(CHECKERS, own));
    if (to !== OFF && (to === 25 || to === 0) && side !== (to === 25 ? 1 : -1))
      return no(texts.halfOfBar(to === 25 ? own : their));
    if (to !== OFF && side * this.points[to] < 0) return no(texts.otherSide(to));
    if (from !== OFF) this.points[from] -= side;
    if (to !== OFF) this.points[to] += side;
    this.#tell("", to === OFF ? /** @type {number} */ (from) : to);
  }

  /** @param {string} before @param {number} place */
  #tell(before, place) {
    const [own, their] = offOf(this.points);
    const [name, other] = this.names;
    this.heard(
      `${before}${placeName(place, this.points)}. ${texts.bothOff(own, name, their, other)}`,
      false,
    );
  }
}
