/**
 * A game or a match, against the engine or with both sides by hand: its score, its cube and its
 * record, as plain data.
 */

import { fieldsOf, xgidOf } from "../board/position.js";
import { t } from "./language.js";
import { me } from "./settings.js";

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
 *   score: [number, number], games: Game[], xgid: string, phase: Phase, byHand?: boolean,
 *   opponent?: string, from?: string | null, early?: boolean,
 *   clock?: import("./clock.js").Banks | null}} Match  Player 0 is you, at the bottom. `errors` is the
 *   seed of the opponent's noise, `seed` the seed of the dice, or null if dice are typed in. `at`
 *   counts the rolls so far, and `tutor` is the least loss that the tutor marks; `early`: before gammon
 *   answers. Files have your name and the day when the match began. `byHand`: both sides are moved by hand, and the player at the
 *   top is called `opponent`. `from` is the position from which a single game was played on.
 */

/** The phases before the roll of a player, after it, and while the player's double is on offer. */
export const PHASES = {
  before: /** @type {const} */ (["human", "engine"]),
  rolled: /** @type {const} */ (["rolled", "engineRolled"]),
  doubled: /** @type {const} */ (["answering", "offered"]),
};

/** The player on roll, or who has doubled. @param {string} xgid @returns {0 | 1} */
export const playerOf = (xgid) => (fieldsOf(xgid).turn === 1 ? 0 : 1);

/** @type {[string, string]} */
export const NAMES = [t.you, "gammon"];
/** The position before the first roll, for money. */
export const OPENING_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";

/** The names of both players. @param {Match | null} match @returns {[string, string]} */
export function namesOf(match) {
  return match?.byHand ? [match.name || "X", match.opponent || "O"] : NAMES;
}

/**
 * The same position with another player on roll, and all else exchanged, too.
 * @param {string} xgid @param {number} turn 1: the player at the bottom, or -1
 */
export function seated(xgid, turn) {
  const fields = fieldsOf(xgid);
  if (fields.turn === turn) return xgid;
  const [own, their] = fields.score;
  return xgidOf({ ...fields, turn, owner: 0 - fields.owner, score: [their, own] });
}

/** The phase of a position. @param {string} xgid @returns {Phase} */
function phaseOf(xgid) {
  const { dice } = fieldsOf(xgid);
  return PHASES[dice === "D" ? "doubled" : dice ? "rolled" : "before"][playerOf(xgid)];
}

/**
 * Whether a game can go on from a position: where a beaver is on offer, nobody answers it here.
 * @param {string} xgid
 */
export const goesOn = (xgid) => !/[BR]/.test(fieldsOf(xgid).dice);

/** A single game from a position, without beavers. @param {Match} match @param {string} position @returns {Match} */
export function playedFrom(match, position) {
  const fields = fieldsOf(position);
  const { length, score, jacoby, crawford, beavers } = fields;
  const from = beavers ? xgidOf({ ...fields, beavers: false }) : position;
  const games = [{ score, crawford, actions: [], winner: null, points: 0 }];
  const phase = phaseOf(from);
  return { ...match, from, length, score, jacoby, cube: true, games, xgid: from, phase };
}

/**
 * @param {Pick<Match, "length" | "jacoby" | "cube" | "depth" | "strength" | "errors" | "seed" |
 *   "byHand" | "opponent" | "tutor" | "early" | "clock" | "name" | "losses">} settings
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
 * A match as it is now: a copy that stays while the match goes on. Both share the games before this
 * one, which change no more.
 * @param {Match} match @returns {Match}
 */
export function copyOf(match) {
  const now = game(match);
  const games = [...match.games.slice(0, -1), { ...now, actions: [...now.actions] }];
  return { ...match, games };
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
export function recordOf(match) {
  const { length, jacoby, cube, games, name, date, byHand } = match;
  const [own, their] = namesOf(match);
  const names = /** @type {[string, string]} */ ([name || (!byHand && me()) || own, their]);
  const played = games.map((game) => ({
    ...game,
    jacoby,
    cube,
    actions: game.actions.map(({ xgid, ...deed }) => deed),
  }));
  return { length, names, date, games: played };
}
