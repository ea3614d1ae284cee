/**
 * Values in the eyes of an opponent of a strength. gammon/engine/misjudge.py is its twin in Python,
 * and explains it.
 */

/** @import {Play} from "./gammon.js" */
/** @typedef {{strength: number, seed: number}} Errs */

/** The size of the errors by the performance rating that they lead to. */
const SIGMAS = [
  [2, 0.0365],
  [3, 0.0532],
  [5, 0.0787],
  [7, 0.1013],
  [10, 0.128],
  [15, 0.166],
  [20, 0.206],
  [30, 0.28],
];
const ALL = 0xffff_ffff_ffff_ffffn;
/** So 26 uniform numbers have variance 1, and so does the difference of two sums. */
const SCALE = Math.sqrt(12 / 26);
const BOTH = Math.sqrt(0.5);

/**
 * A hash of 64 bits (splitmix64: Steele, Lea and Flood 2014), as gammon/compiled/hashing.py has it.
 * @param {bigint} from
 */
export function mixed(from) {
  let x = (from + 0x9e37_79b9_7f4a_7c15n) & ALL;
  x = ((x ^ (x >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & ALL;
  x = ((x ^ (x >> 27n)) * 0x94d0_49bb_1331_11ebn) & ALL;
  return x ^ (x >> 31n);
}

/** @param {number} strength */
export function sigmaOf(strength) {
  const at = Math.max(
    1,
    SIGMAS.findIndex(([most]) => strength <= most),
  );
  const [[low, small], [high, large]] = SIGMAS.slice(at - 1, at + 1);
  return small + ((large - small) * (strength - low)) / (high - low);
}

/**
 * The errors of positions, by a seed.
 * @param {number} seed
 * @returns {(points: number[]) => number}
 */
export function errorsOf(seed) {
  const kept = mixed(BigInt(seed));
  /** @type {Map<number, number>} by the place and the count there, which few are */
  const known = new Map();
  const cell = (/** @type {number} */ count, /** @type {number} */ place) => {
    const name = (place << 8) | (count & 255);
    const found =
      known.get(name) ??
      Number(mixed((mixed(kept ^ BigInt(name)) + BigInt(place)) & ALL) >> 11n) * 2 ** -53;
    known.set(name, found);
    return found;
  };
  const side = (/** @type {number[]} */ points) =>
    points.reduce((total, count, place) => total + (cell(count, place) - 0.5), 0) * SCALE;
  return (points) => (side(points) - side(points.map((_, at) => 0 - points[25 - at]))) * BOTH;
}

/** The standard deviation of a result in points. @param {number[]} chances */
function spreadOf([win, winGammon, winBackgammon, loseGammon, loseBackgammon]) {
  const mean = 2 * win - 1 + winGammon + winBackgammon - loseGammon - loseBackgammon;
  const squares = 1 + 3 * (winGammon + loseGammon) + 5 * (winBackgammon + loseBackgammon);
  return Math.sqrt(Math.max(squares - mean * mean, 0));
}

/** Plays with wrong equities, best first. @param {Play[]} plays best first @param {Errs} errs */
export function misjudgedPlays(plays, { strength, seed }) {
  const size = sigmaOf(strength) * spreadOf(plays[0].chances);
  const errorOf = errorsOf(seed);
  const found = plays.map((play) => ({
    ...play,
    equity: play.equity + size * errorOf(play.points),
  }));
  return found.sort((a, b) => b.equity - a.equity);
}

/**
 * How much better a position seems than it is.
 * @param {number[]} points
 * @param {number[]} chances
 * @param {Errs} errs
 */
export function misjudgedBy(points, chances, { strength, seed }) {
  return errorsOf(seed)(points) * (sigmaOf(strength) * spreadOf(chances));
}
