/** The score, the dice and the match file of a match that is played on the page. */

import { OPENING } from "../board/constants.js";
import { flipped } from "../board/position.js";
import { Refusal } from "../js/refusal.js";
import { FRESH, xgidOf } from "./ids.js";
import { legalOf, movesOf, numberOf } from "./positions.js";
import { MONEY, withTerms } from "./terms.js";

/** The columns of a match file. */
const WIDTH = 34;
/** The most characters of a name. */
const LONGEST = 60;
const ALL = 0xffff_ffff_ffff_ffffn;

/**
 * A hash of 64 bits (splitmix64: Steele, Lea and Flood 2014), the same as in
 * gammon/compiled/hashing.py.
 * @param {bigint} from
 */
export function mixed(from) {
  let x = (from + 0x9e37_79b9_7f4a_7c15n) & ALL;
  x = ((x ^ (x >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & ALL;
  x = ((x ^ (x >> 27n)) * 0x94d0_49bb_1331_11ebn) & ALL;
  return x ^ (x >> 31n);
}

/**
 * @param {{seed?: number, begin?: number, count?: number}} asked
 * @returns {import("../../answers.js").Dice}
 */
export function diceOf({ seed = 1, begin = 0, count = 100 }) {
  const roll = (/** @type {number} */ number) => {
    const face = Number(mixed(mixed(BigInt(seed)) ^ BigInt(number)) % 36n);
    return `${Math.floor(face / 6) + 1}${(face % 6) + 1}`;
  };
  return { seed, begin, dice: Array.from({ length: count }, (_, at) => roll(begin + at)) };
}

/**
 * The score after a game. The Crawford game is the first one that begins with a side 1 away.
 * @template {{length: number, points: [number, number], crawford: boolean}} S
 * @param {S} score the score before the game
 * @param {number} won the points of the first player; negative if the other player won
 * @returns {S}
 */
export function scored(score, won) {
  const {
    length,
    points: [one, other],
  } = score;
  const points = /** @type {[number, number]} */ ([
    one + Math.max(won, 0),
    other + Math.max(-won, 0),
  ]);
  return {
    ...score,
    points,
    crawford: Math.max(one, other) < length - 1 && Math.max(...points) === length - 1,
  };
}

/**
 * The score after some games, and the beginning of the next game.
 * @param {import("../../answers.js").Posts["score"]["body"]} asked
 * @returns {import("../../answers.js").MatchScore}
 */
export function scoreOf({ length = 0, jacoby = false, cube = true, won }) {
  const { points, crawford } = won.reduce(
    (score, gained, number) => {
      if (length && Math.max(...score.points) >= length)
        throw new Refusal(`won[${number}]: the match is over before this game`);
      return scored(score, gained);
    },
    { length, points: /** @type {[number, number]} */ ([0, 0]), crawford: false },
  );
  const [bottom, top] = length ? points.map((count) => Math.min(count, length)) : points;
  const terms = length
    ? {
        ...MONEY,
        length,
        away: /** @type {[number, number]} */ ([length - bottom, length - top]),
        crawford,
        live: cube,
      }
    : { ...MONEY, jacoby, live: cube };
  const opening =
    length > 0 && Math.max(bottom, top) >= length
      ? null
      : xgidOf(withTerms({ points: OPENING, dice: null, context: FRESH }, terms));
  return { score: [bottom, top], crawford, opening };
}

/**
 * A text without invisible characters; gammon/formats/characters.py lists them.
 * @param {string} text
 */
export function visible(text) {
  return text
    .replace(/[\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, "");
}

/**
 * The name of a player for a match file, where nothing makes it a comment or ends it.
 * @param {string} name
 * @param {number} player 0 or 1
 */
function nameOf(name, player) {
  const line = visible(name).trim().replace(/\s+/g, " ");
  const short = [...line].slice(0, LONGEST).join("").trimEnd() || `player ${player + 1}`;
  return short.replace(/^[;#]|:(?= ?\d)/g, "-");
}

/**
 * The match as the text of a .mat file.
 * @param {import("./gammon.js").Engine} engine finds the moves of each play
 * @param {import("../../answers.js").Match} match
 */
export function fileOf(engine, { length = 0, names = ["You", "gammon"], date = "", games }) {
  const comments = [...(date ? [["EventDate", date]] : []), ...rulesOf(length, games)].map(
    ([name, value]) => `; [${name} "${value}"]`,
  );
  const lines = [...comments, ...(comments.length ? [""] : []), ` ${length} point match`, ""];
  const [a, b] = names.map(nameOf);
  games.forEach((game, number) => {
    const [left, right] = game.score ?? [0, 0];
    lines.push(
      ` Game ${number + 1}`,
      `${` ${a} : ${left}`.padEnd(WIDTH)} ${b} : ${right}`,
      ...rowsOf(engine, game),
      "",
    );
  });
  return lines.join("\n");
}

/**
 * The rules of a match that differ from a reader's defaults, as comments name them.
 * @param {number} length
 * @param {import("../../answers.js").Match["games"]} games
 */
function rulesOf(length, games) {
  const oneAway = games.some(
    ({ score: [own, their] = [0, 0] }) =>
      Math.max(own, their) === length - 1 && Math.min(own, their) < length - 1,
  );
  return [
    ...(!length && games.some(({ jacoby }) => jacoby) ? [["Jacoby", "On"]] : []),
    ...(games.some(({ cube }) => cube === false) ? [["CubeLimit", "1"]] : []),
    ...(oneAway && !games.some(({ crawford }) => crawford) ? [["Crawford", "Off"]] : []),
  ];
}

/**
 * The rows of a game, and the line with its winner.
 * @param {import("./gammon.js").Engine} engine @param
 *   {import("../../answers.js").Match["games"][number]} game
 */
function rowsOf(engine, { actions, winner = null, points: won = 0 }) {
  /** @type {string[]} */
  const cells = actions[0]?.player === 1 ? [""] : [];
  let cube = 1;
  let points = OPENING; // seen from the player who moves next
  for (const action of actions) {
    if (action.do === "double") cells.push(` Doubles => ${(cube *= 2)}`);
    else if (action.do === "take") cells.push(" Takes");
    else if (action.do === "pass") cells.push(" Drops");
    else if (!action.do) {
      const dice = /** @type {[number, number]} */ ([...(action.dice ?? "")].map(Number));
      const plays = legalOf(engine, points, MONEY, dice);
      const play = plays[numberOf(action.play ?? "", points, plays, dice)];
      const moves = movesOf(play.moves).map(
        ([source, target, hit]) => `${source}/${target}${"*".repeat(hit)}`,
      );
      cells.push(`${action.dice}: ${moves.join(" ")}`.trimEnd());
      points = flipped(play.points);
    }
  }
  const wins = ` Wins ${won} point${won > 1 ? "s" : ""}`;
  const beside = winner === 1 && cells.length % 2 === 1 && cells[cells.length - 1] === " Drops"; // GNU Backgammon looks for it in this cell
  if (beside) cells.push(wins);
  const rows = Array.from({ length: Math.ceil(cells.length / 2) }, (_, row) =>
    `${String(row + 1).padStart(3)}) ${cells[2 * row].padEnd(WIDTH - 5)} ${cells[2 * row + 1] ?? ""}`.trimEnd(),
  );
  return winner === null || beside
    ? rows
    : [...rows, `${" ".repeat(winner ? WIDTH + 1 : 5)}${wins}`];
}
