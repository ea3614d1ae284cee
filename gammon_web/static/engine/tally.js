/**
 * The tally of a rollout: means of its games, their standard errors, and how far two candidates are
 * apart.
 */

/** Games of a block, in which each first roll of two dice comes once. */
export const BLOCK = 36;
/** Standard errors to either side of a mean that hold the truth with a chance of 95 %. */
export const REACH = 1.96;
/** With fewer games no standard error is believed. */
const LEAST = 324;
/** A candidate is out if the best one beats it by more standard errors of their difference. */
const OUT = 2.33;
/** Equities that differ by less are equal: the values that games end with have 24 bits. */
export const EQUAL = 1e-5;
/** A smaller standard error is none. */
const ROUNDING = 1e-9;

/** @import {Game} from "./gammon.js" */
/** @typedef {{mean: number, error: number}} Estimate a mean of games, and its standard error */

/** @param {number[]} values */
const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param {number[]} values */
function varianceOf(values) {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/**
 * The differences between first rolls add nothing to the error: it follows from the variance within
 * the games
 * that have one first roll. With a single block that of all games takes its place.
 * @param {number[]} values of whole blocks
 * @returns {Estimate}
 */
export function estimate(values) {
  const strata = Array.from({ length: BLOCK }, (_, face) =>
    values.filter((_, at) => at % BLOCK === face),
  );
  const variance = values.length > BLOCK ? meanOf(strata.map(varianceOf)) : varianceOf(values);
  return { mean: meanOf(values), error: Math.sqrt(variance / values.length) };
}

/**
 * How much more the games of one candidate are worth than those of another, as far as both go.
 * @param {number[]} better
 * @param {number[]} worse
 */
export function difference(better, worse) {
  const common = Math.min(better.length, worse.length);
  return estimate(better.slice(0, common).map((value, at) => value - worse[at]));
}

/**
 * The same in standard errors of the difference.
 * @param {number[]} better
 * @param {number[]} worse
 */
export function apartBy(better, worse) {
  const { mean, error } = difference(better, worse);
  if (Math.abs(mean) < EQUAL) return 0;
  return error > ROUNDING ? mean / error : Math.sign(mean) * Infinity;
}

/** The games of some candidates, as the player sees them whose decision it is. */
export class Tally {
  /** Equities, those with the luck, and chances to win the match: of each candidate, by game. */
  equities;
  plain;
  mwcs;
  turns = 0;
  #results;

  /**
   * @param {number} count of candidates
   * @param {boolean} after whether the games start with the opponent on roll
   */
  constructor(count, after) {
    this.after = after;
    this.playing = Array.from({ length: count }, (_, c) => c);
    const empty = () => this.playing.map(() => /** @type {number[]} */ ([]));
    this.equities = empty();
    this.plain = empty();
    this.mwcs = empty();
    this.#results = this.playing.map(() => [0, 0, 0, 0, 0, 0]);
  }

  /** Take up a block of games. @param {number} c the candidate @param {Game[]} games */
  add(c, games) {
    const sign = this.after ? -1 : 1;
    for (const { equity, plain, mwc, results, turns } of games) {
      this.equities[c].push(sign * equity);
      this.plain[c].push(sign * plain);
      this.mwcs[c].push(this.after ? 1 - mwc : mwc);
      results.forEach((chance, result) => (this.#results[c][result] += chance));
      this.turns += turns;
    }
  }

  /** Whether a candidate does not play any more. @param {number} c */
  isOut(c) {
    return !this.playing.includes(c);
  }

  /** Sorts those that are out behind the others. @param {number} a @param {number} b */
  byOut(a, b) {
    return Number(this.isOut(a)) - Number(this.isOut(b));
  }

  /**
   * What the games of an answer about the cube are worth.
   * @param {number} c
   * @param {boolean} inMatch
   */
  value(c, inMatch) {
    const { mean, error } = estimate(this.equities[c]);
    return {
      equity: mean,
      mwc: inMatch ? estimate(this.mwcs[c]).mean : null,
      kind: /** @type {"rollout"} */ ("rollout"),
      error,
    };
  }

  /** The games of the candidates that play. */
  get trials() {
    return this.equities[this.playing[0]].length;
  }

  /** The candidate that plays with the highest mean. */
  get best() {
    const means = this.playing.map((c) => meanOf(this.equities[c]));
    return this.playing[means.indexOf(Math.max(...means))];
  }

  /** To win, with a gammon, with a backgammon, to lose a gammon, a backgammon. @param {number} c */
  chances(c) {
    const means = this.#results[c].map((sum) => sum / this.equities[c].length);
    const [lostBackgammon, lostGammon, , won, wonGammon, wonBackgammon] = this.after
      ? means.reverse()
      : means;
    /** @param {number} chance @param {number} most */
    const within = (chance, most) => Math.min(Math.max(chance, 0), most);
    const win = within(won + wonGammon + wonBackgammon, 1);
    const winGammon = within(wonGammon + wonBackgammon, win);
    const loseGammon = within(lostBackgammon + lostGammon, 1 - win);
    return [
      win,
      winGammon,
      within(wonBackgammon, winGammon),
      loseGammon,
      within(lostBackgammon, loseGammon),
    ];
  }

  /**
   * By how many standard errors of the difference a candidate beats another one; their games have
   * the same dice.
   * @param {number} better
   * @param {number} worse
   */
  jsd(better, worse) {
    return apartBy(this.equities[better], this.equities[worse]);
  }

  /**
   * The worth of a double with the right answer to it, of each game.
   * @param {number} cash the worth of a double that is passed @param {boolean} beavers whether they
   *   are allowed
   */
  doubled(cash, beavers) {
    const [, taken] = this.equities;
    const mean = meanOf(taken);
    if (mean >= cash) return taken.map(() => cash);
    return beavers && mean < 0 ? taken.map((equity) => 2 * equity) : taken;
  }

  /**
   * How clear the decision is, in standard errors of the differences. Of plays, those count that
   * are not out.
   * @param {number | null} cash of a decision about the cube: the worth of a double that is passed
   * @param {boolean} beavers whether they are allowed
   */
  apart(cash, beavers) {
    if (cash === null)
      return Math.min(
        ...this.playing.filter((c) => c !== this.best).map((c) => this.jsd(this.best, c)),
      );
    const [stay, taken] = this.equities;
    // A take is worth less than 0 to the player where a beaver is right.
    const answers = (beavers ? [cash, 0] : [cash]).map((limit) =>
      apartBy(
        taken,
        taken.map(() => limit),
      ),
    );
    return Math.min(...[...answers, apartBy(stay, this.doubled(cash, beavers))].map(Math.abs));
  }

  /** Take out the worse half of the candidates; two stay. */
  halve() {
    const ranked = [...this.playing].sort(
      (a, b) => meanOf(this.equities[b]) - meanOf(this.equities[a]),
    );
    const left = Math.max(2, Math.ceil(ranked.length / 2));
    this.playing = ranked.slice(0, left).sort((a, b) => a - b);
  }

  /** Take out the candidates that are far behind. */
  drop() {
    if (this.trials < LEAST) return;
    const { best } = this;
    this.playing = this.playing.filter((c) => c === best || this.jsd(best, c) <= OUT);
  }
}
