/**
 * The words of the board, for a screen reader and for messages. A page in another language puts its
 * own words in their place, before the first board: `Object.assign(texts, { ... })`.
 */

export const texts = {
  board: "Board. Arrow keys move from point to point.",
  /** @param {number[]} values of the dice; none where they are only named */
  dice: (values) => (values.length ? `Dice ${values.join(" and ")}` : "Dice"),
  cube: "Cube",
  /** @param {number} value @param {number} owner 1: the player at the bottom, -1, or 0 @param {boolean} offered */
  cubeAt: (value, owner, offered) =>
    `Cube at ${value}, ${offered ? "on offer" : owner > 0 ? "yours" : owner < 0 ? "the opponent's" : "in the middle"}`,
  /** @param {number} own @param {number} their the checkers that are borne off */
  off: (own, their) => `Off, ${own} of yours, ${their} of the opponent's`,
  /** @param {number} count */
  yourBar: (count) => `Your bar, ${count || "empty"}`,
  /** @param {number} count */
  theirBar: (count) => `Opponent's bar, ${count || "empty"}`,
  /** @param {number} place @param {number} count negative: the checkers are the opponent's */
  point: (place, count) =>
    `${place} point, ${count > 0 ? `${count} of yours` : count < 0 ? `${-count} of the opponent's` : "empty"}`,
  /** @param {number} all @param {string} name */
  full: (all, name) => `All ${all} checkers of ${name} are on the board.`,
  /** @param {number} all @param {string} name */
  fullHere: (all, name) =>
    `All ${all} checkers of ${name} are on the board: take one away first, or drag one here.`,
  /** @param {number} most @param {number} all */
  noMore: (most, all) => `${most} and no more: all ${all} are on the board.`,
  toTakeOff: "Drag a checker here to take it off the board.",
  noChecker: "There is no checker to drag.",
  /** @param {string} name */
  halfOfBar: (name) => `That half of the bar belongs to ${name}.`,
  /** @param {number} place */
  otherSide: (place) => `The ${place} point has checkers of the other side.`,
  /** @param {number} own @param {string} name @param {number} their @param {string} other */
  bothOff: (own, name, their, other) => `${own} of ${name} and ${their} of ${other} off.`,
};
