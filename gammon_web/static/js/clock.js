/** The clock of a match: seconds of each turn that cost nothing, and then a bank of each player. */

import { t } from "./language.js";
import { keep } from "./settings.js";

/** Milliseconds of each turn that cost nothing. */
const DELAY = 12_000;
/** The bank in milliseconds, for each point of a match, and for money. */
const A_POINT = 120_000;
const FOR_MONEY = 600_000;
/** Milliseconds between two looks at the clock. */
const TICK = 250;

/** @typedef {{left: [number, number]}} Banks the milliseconds left to both players */

/** The banks before a match. @param {number} length @returns {Banks} */
export function newBanks(length) {
  const bank = length ? length * A_POINT : FOR_MONEY;
  return { left: [bank, bank] };
}

/** A time as on a clock. @param {number} time in milliseconds */
function words(time) {
  const seconds = Math.ceil(Math.abs(time) / 1000);
  const sign = time < 0 && seconds > 0 ? "−" : "";
  return `${sign}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Clock {
  /** @type {{match: import("./match.js").Match, player: 0 | 1, since: number} | null} the turn that is timed */
  #turn = null;
  /** The timer, or 0. */
  #timer = 0;

  /** @param {import("./play.js").Play} play */
  constructor(play) {
    this.play = play;
  }

  /** The player whose time runs: one who is moved by hand, and has the turn. @returns {0 | 1 | null} */
  get #player() {
    const { match, active } = this.play;
    if (!active || !match?.clock) return null;
    const { phase, byHand } = match;
    if (phase === "human" || phase === "rolled" || phase === "offered") return 0;
    const isOther = phase === "engine" || phase === "engineRolled" || phase === "answering";
    return isOther && byHand ? 1 : null;
  }

  /** Follow the state of the match: whose time runs. */
  follow() {
    const { match } = this.play;
    const player = this.#player;
    if (this.#turn?.player === player && this.#turn?.match === match) return;
    this.#settle();
    this.#turn = match && player !== null ? { match, player, since: Date.now() } : null;
    clearInterval(this.#timer);
    this.#timer = this.#turn ? setInterval(() => this.#tick(), TICK) : 0;
  }

  /** The milliseconds of the bank that the present turn has used. */
  get #used() {
    return this.#turn ? Math.max(0, Date.now() - this.#turn.since - DELAY) : 0;
  }

  /** Take the time of the turn that is over from the bank. */
  #settle() {
    const turn = this.#turn;
    if (!turn?.match.clock) return;
    turn.match.clock.left[turn.player] -= this.#used;
    if (turn.match === this.play.match) keep("match", turn.match);
  }

  /** The milliseconds left to a player now. @param {0 | 1} player */
  #left(player) {
    const left = this.play.match?.clock?.left[player] ?? 0;
    return this.#turn?.player === player ? left - this.#used : left;
  }

  /** What both clocks show, or null without a clock. @returns {[string, string] | null} */
  get shown() {
    if (!this.play.match?.clock) return null;
    return [this.#shownOf(0), this.#shownOf(1)];
  }

  /** @param {0 | 1} player */
  #shownOf(player) {
    if (player === 1 && !this.play.match?.byHand) return "";
    const bank = words(this.#left(player));
    if (this.#turn?.player !== player) return bank;
    const free = DELAY - (Date.now() - this.#turn.since);
    return free > 0 ? `${bank} +${Math.ceil(free / 1000)}` : bank;
  }

  #tick() {
    const turn = this.#turn;
    const { area, match } = this.play;
    if (!turn || !match?.clock) return;
    const [own, their] = /** @type {[string, string]} */ (this.shown);
    area.time([own, their]);
    // The first look after the end of the bank says so.
    const left = this.#left(turn.player);
    if (left < 0 && left >= -2 * TICK) area.tell(t.play.timeOver);
  }
}
