// @ts-check
/** A game or a match against the engine: its score, its cube and its record, as plain data. */

import { OPENING } from "./constants.js";
import { xgidOf } from "./position.js";

/**
 * @typedef {import("../../answers.js").Match["games"][number]["actions"][number]} Done
 * @typedef {{score: [number, number], crawford: boolean, actions: Done[], winner: 0 | 1 | null, points: number}} Game
 * @typedef {"begin" | "human" | "rolled" | "offered" | "answering" | "engine" | "engineRolled" | "gameOver" | "matchOver"} Phase
 * @typedef {{length: number, jacoby: boolean, cube: boolean, depth: number, seed: number | null,
 *   name?: string, date?: string, at: number, score: [number, number], crawfordPlayed: boolean, games: Game[], xgid: string,
 *   phase: Phase}} Match  Player 0 is you, at the bottom; `seed` is null where dice are typed in,
 *   and `at` counts the rolls so far. Files have your name and the day when the match began.
 */

export const NAMES = ["You", "gammon"];

/**
 * @param {{length: number, jacoby: boolean, cube: boolean, depth: number, seed: number | null, name: string}} settings
 * @returns {Match}
 */
export function newMatch(settings) {
  const date = new Date().toLocaleDateString("sv").replaceAll("-", ".");
  return { ...settings, date, at: 0, score: [0, 0], crawfordPlayed: false, games: [], xgid: "", phase: "begin" };
}

/** @param {Match} match */
export function game(match) {
  return match.games[match.games.length - 1];
}

/** Begin the next game: add its record. @param {Match} match */
export function addGame(match) {
  const crawford = match.length > 1 && Math.max(...match.score) === match.length - 1 && !match.crawfordPlayed;
  match.crawfordPlayed ||= crawford;
  match.games.push({ score: [...match.score], crawford, actions: [], winner: null, points: 0 });
}

/**
 * The position after the opening roll.
 * @param {Match} match
 * @param {number} turn 1: you begin
 * @param {string} dice
 */
export function opening(match, turn, dice) {
  const { length, jacoby, score, cube } = match;
  const { crawford } = game(match);
  const rules = { crawford, jacoby: jacoby && length === 0, beavers: false, length, dead: !cube };
  return xgidOf({ points: OPENING, cube: 1, owner: 0, turn, dice, score, ...rules });
}

/**
 * End a game. Points beyond the length of the match do not count.
 * @param {Match} match
 * @param {0 | 1} winner
 * @param {number} points with the cube
 */
export function endGame(match, winner, points) {
  Object.assign(game(match), { winner, points });
  match.score[winner] = Math.min(match.score[winner] + points, match.length || Infinity);
  match.phase = match.length && match.score[winner] >= match.length ? "matchOver" : "gameOver";
}

/**
 * What the server makes a file of.
 * @param {Match} match
 */
export function recordOf({ length, games, name, date }) {
  const names = /** @type {[string, string]} */ ([name || NAMES[0], NAMES[1]]);
  return { length, names, date, games };
}
