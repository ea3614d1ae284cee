/** Depths and levels of searches, as far as whoever answers goes. */

import { serves } from "./api.js";

/** The depth of the search with which a level begins that plays games. */
const FIRST = 5;

/** @param {number | string} level a depth, or the name of a level that plays games */
const depthOf = (level) => Number(level) || FIRST;

/** The choices that are answered. @template {number | string} T @param {[T, string][]} choices */
export function within(choices) {
  return choices.filter(([level]) => depthOf(level) <= serves.depth);
}

/** A level, or the deepest search where that one is not answered. @param {string} level */
export function answered(level) {
  return depthOf(level) > serves.depth ? String(serves.depth) : level;
}

/** A depth, or the deepest one that is answered. @param {number} depth */
export function lowered(depth) {
  return Math.min(depth, serves.depth);
}
