// @ts-check
/** Dice: seeded ones, which the server tells, so that anybody can tell them again. */

import { get } from "./api.js";

const PAGE = 100;
/** @type {Map<string, string[]>} */
const pages = new Map();

/**
 * The n-th roll of a seed.
 * @param {number} seed
 * @param {number} at
 * @param {AbortSignal} signal
 * @returns {Promise<string>}
 */
export async function rollOf(seed, at, signal) {
  const begin = at - (at % PAGE);
  const name = `${seed}:${begin}`;
  if (!pages.has(name)) pages.set(name, (await get("dice", { seed, begin, count: PAGE }, signal)).dice);
  return /** @type {string[]} */ (pages.get(name))[at - begin];
}

/** A seed by chance. */
export function anySeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
}

/**
 * Two dice that somebody typed, or null.
 * @param {string} text
 */
export function readDice(text) {
  const found = /^\s*([1-6])[\s,/-]*([1-6])\s*$/.exec(text);
  return found ? found[1] + found[2] : null;
}

/** The same dice, the higher one first, which is the left one. @param {string} dice */
export function highFirst(dice) {
  return [...dice].sort().reverse().join("");
}
