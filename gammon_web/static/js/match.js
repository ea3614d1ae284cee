/** A game or a match against the engine: its score, its cube and its record, as plain data. */

/**
 * @typedef {import("../../answers.js").Match["games"][number]["actions"][number]} Deed
 * @typedef {Deed & {xgid?: string}} Done with the position before it
 * @typedef {{score: [number, number], crawford: boolean, actions: Done[], winner: 0 | 1 | null,
 *   points: number}} Game
 * @typedef {"begin" | "human" | "rolled" | "offered" | "answering" | "engine" | "engineRolled" |
 *   "gameOver" | "matchOver"} Phase
 * @typedef {{length: number, jacoby: boolean, cube: boolean, depth: number, strength?: number |
 *   null, errors?: number, seed: number | null,
 *   tutor?: number, losses?: Record<string, number>, name?: string, date?: string, at: number,
 *   score: [number, number], games: Game[], xgid: string,
 *   phase: Phase}} Match  Player 0 is you, at the bottom. `errors` is the seed of the
 *   opponent's noise, `seed` the seed of the dice, or null if dice are typed in. `at` counts the
 *   rolls so far, and `tutor` is the least loss that the tutor marks. Files have your name and the
 *   day when the match began.
 */

/** @type {[string, string]} */
export const NAMES = ["You", "gammon"];
/** The position before the first roll, for money. */
export const OPENING_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";

/**
 * @param {Pick<Match, "length" | "jacoby" | "cube" | "depth" | "strength" | "errors" | "seed"> &
 *   {tutor: number, name: string}} settings
 * @returns {Match}
 */
export function newMatch(settings) {
  const date = new Date().toLocaleDateString("sv").replaceAll("-", ".");
  return { ...settings, date, at: 0, score: [0, 0], games: [], xgid: "", phase: "begin" };
}

/** @param {Match} match */
export function game(match) {
  return match.games[match.games.length - 1];
}

/**
 * The question to the engine as a player, whose noise differs in each game.
 * @param {Match} match
 * @param {string} xgid
 */
export function askedOf({ depth, strength, errors = 0, games }, xgid) {
  return strength ? { id: xgid, strength, noise_seed: errors + games.length } : { id: xgid, depth };
}

/** The question for the score: the points of all finished games. @param {Match} match */
export function wonOf({ length, jacoby, cube, games }) {
  const over = games.filter(({ winner }) => winner !== null);
  return {
    length,
    jacoby,
    cube,
    won: over.map(({ winner, points }) => (winner === 0 ? points : -points)),
  };
}

/** The question for the match file. @param {Match} match */
export function recordOf({ length, jacoby, cube, games, name, date }) {
  const names = /** @type {[string, string]} */ ([name || NAMES[0], NAMES[1]]);
  const played = games.map((game) => ({
    ...game,
    jacoby,
    cube,
    actions: game.actions.map(({ xgid, ...deed }) => deed),
  }));
  return { length, names, date, games: played };
}
