/** The sums of a rollout. The core judges the games; gammon/engine/rollout_sums.py is its twin. */

/** The games of a block, in which each of the 36 first rolls occurs once. */
export const BLOCK = 36;
/** The half width of a 95 % interval, in standard errors. */
export const REACH = 1.96;
/** With fewer games standard errors are not reliable. */
const LEAST = 324;
/** A candidate is dropped if it is worse than the best by more standard errors of the difference. */
const OUT = 2.33;

/** @import {Engine, Game, Judged} from "./gammon.js" */

/** The games of some candidates, seen from the player who decides. */
export class RolloutSums {
  /** For each candidate by game: equities, equities with luck, and chances to win the match. */
  equities;
  unadjusted;
  mwcs;
  turns = 0;
  #results;
  /** @type {{clear: number, judged: Judged[]} | null} */
  #judged = null;

  /**
   * @param {Engine} engine
   * @param {number} count the number of candidates
   * @param {boolean} after whether the games start with the opponent on roll
   * @param {number | null} cash for a decision about the cube, the value of double and pass
   * @param {boolean} beavers whether beavers are allowed
   */
  constructor(engine, count, after, cash = null, beavers = false) {
    this.engine = engine;
    this.after = after;
    this.about = { cash, beavers };
    this.playing = Array.from({ length: count }, (_, c) => c);
    const empty = () => this.playing.map(() => /** @type {number[]} */ ([]));
    this.equities = empty();
    this.unadjusted = empty();
    this.mwcs = empty();
    this.#results = this.playing.map(() => [0, 0, 0, 0, 0, 0]);
  }

  /** Add a block of games. @param {number} c the candidate @param {Game[]} games */
  add(c, games) {
    const sign = this.after ? -1 : 1;
    for (const { equity, unadjusted, mwc, results, turns } of games) {
      this.equities[c].push(sign * equity);
      this.unadjusted[c].push(sign * unadjusted);
      this.mwcs[c].push(this.after ? 1 - mwc : mwc);
      results.forEach((chance, result) => (this.#results[c][result] += chance));
      this.turns += turns;
    }
    this.#judged = null;
  }

  /** The judgement of the candidates by the games so far. */
  get judged() {
    this.#judged ??= this.engine.judge(this.equities, { playing: this.playing, ...this.about });
    return this.#judged.judged;
  }

  /** The clearness of the decision, in standard errors of the differences. */
  get clear() {
    return this.judged && /** @type {{clear: number}} */ (this.#judged).clear;
  }

  /** The same judgement from other numbers of the games: equities with luck, or chances. */
  meansOf(/** @type {number[][]} */ numbers) {
    return this.engine.judge(numbers, { playing: this.playing }).judged;
  }

  /** Whether a candidate has been dropped. @param {number} c */
  isOut(c) {
    return !this.playing.includes(c);
  }

  /** Sorts dropped candidates after the others. @param {number} a @param {number} b */
  byOut(a, b) {
    return Number(this.isOut(a)) - Number(this.isOut(b));
  }

  /**
   * The value of a cube action by its games.
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

  /** The number of games of each candidate that is not dropped. */
  get trials() {
    return this.equities[this.playing[0]].length;
  }

  /** The remaining candidate with the highest mean. */
  get best() {
    return this.#ranked()[0];
  }

  #ranked() {
    return [...this.playing].sort((a, b) => this.judged[a].rank - this.judged[b].rank);
  }

  /** The chances to win, to win a gammon, a backgammon, to lose a gammon, a backgammon. @param {number} c */
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

  /** Drop the worse half of the candidates, but keep two. */
  halve() {
    const ranked = this.#ranked();
    this.#keep(ranked.slice(0, Math.max(2, Math.ceil(ranked.length / 2))));
  }

  /** Drop the candidates that are far behind. */
  drop() {
    if (this.trials >= LEAST) this.#keep(this.playing.filter((c) => this.judged[c].jsd <= OUT));
  }
}
