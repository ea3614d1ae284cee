/** Depths and levels of searches, up to the limit of the server. */

import { serves } from "./api.js";
import { kept } from "./settings.js";

/** @typedef {"1" | "3" | "5" | "roller"} Level a depth of a review, or a level */

/** The levels of reviews, and their words. */
export const LEVELS = /** @type {[Level, string][]} */ ([
  ["1", "1"],
  ["3", "3"],
  ["5", "5"],
  ...(serves.all ? [["roller", "Roller"]] : []),
]);

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

/**
 * The level of reviews that was chosen last, or the default if the stored level is not available here.
 * @returns {Level}
 */
export function levelKept() {
  const name = String(kept("review", serves.all ? 5 : 3));
  return LEVELS.find(([level]) => level === name)?.[0] ?? "3";
}
