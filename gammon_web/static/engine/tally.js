/** The tally of a rollout. The core judges the games; gammon/engine/tally.py is its twin. */

/** Games of a block, in which each first roll of two dice comes once. */
export const BLOCK = 36;
/** Standard errors to either side of a mean that hold the truth with a chance of 95 %. */
export const REACH = 1.96;
/** With fewer games no standard error is believed. */
const LEAST = 324;
/** A candidate is out if the best one beats it by more standard errors of their difference. */
const OUT = 2.33;

/** @import {Engine, Game, Judged} from "./gammon.js" */

/** The games of some candidates, as the player sees them whose decision it is. */
export class Tally {
  /** Equities, those with the luck, and chances to win the match: of each candidate, by game. */
  equities;
  plain;
  mwcs;
  turns = 0;
  #results;
  /** @type {{clear: number, judged: Judged[]} | null} */
  #judged = null;

  /**
   * @param {Engine} engine
   * @param {number} count of candidates
   * @param {boolean} after whether the games start with the opponent on roll
   * @param {number | null} cash of a decision about the cube: the worth of a double that is passed
   * @param {boolean} beavers whether they are allowed
   */
  constructor(engine, count, after, cash = null, beavers = false) {
    this.engine = engine;
    this.after = after;
    this.about = { cash, beavers };
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
    this.#judged = null;
  }

  /** What the games say so far. */
  get judged() {
    this.#judged ??= this.engine.judge(this.equities, { playing: this.playing, ...this.about });
    return this.#judged.judged;
  }

  /** How clear the decision is, in standard errors of the differences. */
  get clear() {
    return this.judged && /** @type {{clear: number}} */ (this.#judged).clear;
  }

  /** The same of other numbers of the games: those with the luck, or the chances. */
  meansOf(/** @type {number[][]} */ numbers) {
    return this.engine.judge(numbers, { playing: this.playing }).judged;
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
    const { mean, error } = this.judged[c];
    return {
      equity: mean,
      mwc: inMatch ? this.meansOf(this.mwcs)[c].mean : null,
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
    return this.#ranked()[0];
  }

  #ranked() {
    return [...this.playing].sort((a, b) => this.judged[a].rank - this.judged[b].rank);
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

  /** @param {number[]} playing */
  #keep(playing) {
    this.playing = playing.sort((a, b) => a - b);
    this.#judged = null;
  }

  /** Take out the worse half of the candidates; two stay. */
  halve() {
    const ranked = this.#ranked();
    this.#keep(ranked.slice(0, Math.max(2, Math.ceil(ranked.length / 2))));
  }

  /** Take out the candidates that are far behind. */
  drop() {
    if (this.trials >= LEAST) this.#keep(this.playing.filter((c) => this.judged[c].jsd <= OUT));
  }
}
