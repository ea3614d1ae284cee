/** A play in the making: steps of checkers along the server's graph of legal plays. */

import { moved } from "../board/position.js";
import { t } from "./language.js";

/**
 * @typedef {NonNullable<import("../../answers.js").Position["steps"]>[number][number]} Step from,
 *   to, die, node
 */

export class Walk {
  /** @type {Step[]} */
  taken = [];

  /** @param {import("../../answers.js").Position} position with its dice */
  constructor(position) {
    this.position = position;
    const [first, second] = [...(position.dice ?? "")].map(Number);
    this.dice = first === second ? [first, first, first, first] : [first, second];
  }

  /** The node that the steps so far lead to. */
  get node() {
    return this.taken.length ? this.taken[this.taken.length - 1][3] : 0;
  }

  /** The present board, seen from the player on roll. */
  get points() {
    return this.taken.reduce((points, [from, to]) => moved(points, from, to), this.position.points);
  }

  /** For each die, whether it has been played. */
  get used() {
    if (this.dice.length === 4) return this.dice.map((_, number) => number < this.taken.length);
    return this.dice.map((die) => this.taken.some((step) => step[2] === die));
  }

  /**
   * The play in the making for a board. No place is marked before a checker has moved.
   * @param {"x" | "o"} side of the player on roll
   */
  shown(side) {
    const moved = this.taken.length > 0;
    const values = moved ? this.dice : this.dice.slice(0, 2);
    return {
      points: this.points,
      sources: moved ? this.sources : [],
      dice: [{ values, side, used: this.used }],
    };
  }

  /** The complete play, or null while a checker must move. */
  get play() {
    if (this.#steps(this.node).length) return null;
    const index = this.position.ends?.[String(this.node)];
    return index === undefined ? null : (this.position.plays?.[index] ?? null);
  }

  /** The only legal play, or null. */
  get forced() {
    const plays = this.position.plays ?? [];
    return plays.length === 1 ? plays[0] : null;
  }

  /** The places from which a checker can move now. */
  get sources() {
    return new Set(this.#steps(this.node).map(([from]) => from));
  }

  /**
   * The places that a checker can reach.
   * @param {number | "off"} from
   * @returns {(number | "off")[]}
   */
  targets(from) {
    return this.#chains(from).map((chain) => chain[chain.length - 1][1] || "off");
  }

  /** Exchange the dice: the left one is played first. */
  swap() {
    this.dice = [...this.dice].reverse();
  }

  /**
   * Move the checker of a place by the left die, or else by the other one; or move a checker to the
   * place. Return the steps, which are empty without such a move. Both halves of the bar are one.
   * @param {number | "off"} place @returns {Step[]}
   */
  click(place) {
    const source = place || 25;
    const [first] = this.#chains(source);
    if (first) return this.#take(first);
    if (source === 25) return [];
    return this.#take(this.#to(place === "off" ? 0 : place));
  }

  /**
   * Move a checker from a place to another.
   * @param {number | "off"} from
   * @param {number | "off"} place
   * @returns {Step[]}
   */
  drop(from, place) {
    const to = place === "off" ? 0 : place;
    return this.#take(this.#chains(from).find((chain) => chain[chain.length - 1][1] === to) ?? []);
  }

  /** Take the steps of a whole play. @param {number} index the index of the play */
  lead(index) {
    /** @type {(node: number) => Step[] | null} */
    const way = (node) => {
      const steps = this.#steps(node);
      if (!steps.length) return this.position.ends?.[String(node)] === index ? [] : null;
      for (const step of steps) {
        const rest = way(step[3]);
        if (rest) return [step, ...rest];
      }
      return null;
    };
    this.taken = way(0) ?? [];
  }

  /** The reason why no checker moves from or to a place. @param {number | "off"} place */
  refusal(place) {
    if (!this.sources.size) return this.taken.length ? t.making.allPlayed : t.making.stuck;
    if (this.points[25] > 0) return t.making.enterFirst;
    if (place === "off") return t.making.noBearOff;
    if (place === 0 || place === 25) return t.making.noneOnBar;
    return this.points[place] > 0 ? t.making.noMoveFrom(place) : t.making.noMoveTo(place);
  }

  /**
   * The hands on the board that move its checkers.
   * @param {(steps: Step[], place: number | "off", glide: boolean) => void} moved called with
   *   the steps, which are empty without such a move, and whether the moves are to be animated
   */
  hands(moved) {
    return {
      click: (/** @type {number | "off"} */ place) => moved(this.click(place), place, true),
      drop: (/** @type {number | "off"} */ from, /** @type {number | "off"} */ to) =>
        moved(this.drop(from, to), to, false),
      canDrag: (/** @type {number | "off"} */ place) => this.sources.has(Number(place)),
      targets: (/** @type {number | "off"} */ from) => this.targets(from),
    };
  }

  /** Take back the last step. */
  undo() {
    return this.taken.pop();
  }

  /** Take back all steps. */
  restart() {
    this.taken = [];
  }

  /** @param {number} node */
  #steps(node) {
    return this.position.steps?.[node] ?? [];
  }

  /** @param {Step[]} steps */
  #take(steps) {
    this.taken.push(...steps);
    return steps;
  }

  /**
   * All paths of the checker of a place, the shortest first, and the left die first.
   * @param {number | "off"} from
   */
  #chains(from) {
    const next = (/** @type {number | "off"} */ at, /** @type {number} */ node) =>
      this.#steps(node)
        .filter((step) => step[0] === at)
        .sort((one, other) => this.dice.indexOf(one[2]) - this.dice.indexOf(other[2]));
    const chains = next(from, this.node).map((step) => [step]);
    for (const chain of chains) {
      const [, to, , node] = chain[chain.length - 1];
      chains.push(...next(to, node).map((step) => [...chain, step]));
    }
    return chains;
  }

  /**
   * The steps to a place: two checkers that make the point, or else the shortest path of one.
   * @param {number} to
   */
  #to(to) {
    if (to !== 0 && this.points[to] <= 0)
      for (const first of this.#steps(this.node))
        for (const second of first[1] === to ? this.#steps(first[3]) : [])
          if (second[1] === to) return [first, second];
    const chains = [...this.sources]
      .flatMap((from) => this.#chains(from))
      .filter((chain) => chain[chain.length - 1][1] === to);
    return chains.sort((one, other) => one.length - other.length)[0] ?? [];
  }
}

/** Steps as people write them, one after the other. @param {Step[]} steps */
export function stepsWords(steps) {
  return steps.map(([from, to]) => `${from === 25 ? "bar" : from}/${to || "off"}`).join(" ");
}
