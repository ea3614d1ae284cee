/** Depths and levels of searches, up to the limit of the server. */

import { serves } from "./api.js";

/** The depth of the first search of a level with rollouts. */
const FIRST = 5;

/** @param {number | string} level a depth, or the name of a level with rollouts */
const depthOf = (level) => Number(level) || FIRST;

/** The choices within the limit. @template {number | string} T @param {[T, string][]} choices */
export function within(choices) {
  return choices.filter(([level]) => depthOf(level) <= serves.depth);
}

/** A level, or the deepest search if the level is beyond the limit. @param {string} level */
export function answered(level) {
  return depthOf(level) > serves.depth ? String(serves.depth) : level;
}

/** A depth, or the limit if that is lower. @param {number} depth */
export function lowered(depth) {
  return Math.min(depth, serves.depth);
}
