/** Play: a game or a match, against the engine or with both sides by hand. */

import { viewOf } from "../board/board.js";
import { fieldsOf, moved, withDice, xgidOf } from "../board/position.js";
import { get, post } from "./api.js";
import { Asking } from "./asking.js";
import { byId, refill } from "./elements.js";
import { Clock } from "./clock.js";
import { Ending } from "./ending.js";
import { t } from "./language.js";
import { lowered } from "./levels.js";
import {
  askedOf,
  copyOf,
  game,
  NAMES,
  namesOf,
  newMatch,
  OPENING_XGID,
  PHASES,
  playedFrom,
  playerOf,
  seated,
  wonOf,
} from "./match.js";
import { showMatch } from "./match_board.js";
import { hintWords, matchCards, SETTINGS, settingsCard } from "./play_panel.js";
import { boardOf, GameRecord } from "./game_record.js";
import { anySeed, highFirst, Roller } from "./rolling.js";
import { keep, kept, onKept, visit } from "./settings.js";
import { sound } from "./sound.js";
import { Tutor } from "./tutor.js";
import { Walk } from "./walk.js";
import { YourPlay } from "./your_play.js";

/** @import {Match} from "./match.js" */
/** @import {Answer, LegalPlay, Position, RollPlayed} from "../../answers.js" */
/**
 * @typedef {{dice: string, notation: string, landed: number[]}} Last
 *   a play of the engine, with the places where checkers landed, numbered from you
 */

/**
 * The state of the tab. `position` is the position on the board, with the dice of its player, and
 * `now` the board while checkers move. `last` is the engine's last play, `arrows` the play of a hint
 * that arrows show, and `held` the play of the hint that has the focus or was pressed. `entry` is the
 * entry of the record whose board is shown. `offer` offers the actions; null: there are none for now.
 * `settings` and `seed` are for the next match; `from` is the position from which it goes on, with
 * you at the bottom. `pace` is how slowly checkers move: 0 at once, 1 normal, 2 slow.
 * @typedef {{position: Position | null, walk: Walk | null, now: number[] | null,
 *   making: YourPlay | null, last: Last | null, hint: Answer | null, arrows: string | null,
 *   held: string | null, entry: number | null, warning: import("./tutor.js").Warning | null,
 *   offer: (() => void) | null, settings: import("./play_panel.js").Settings, seed: string,
 *   from: string | null,
 *   pace: number}} State
 */

/** The parts of the state that are empty before there is a position. */
const NOTHING = {
  position: null,
  walk: null,
  now: null,
  making: null,
  hint: null,
  arrows: null,
  held: null,
  entry: null,
  offer: null,
};

/** A match, with its depth within the server's limit. @param {Match | null} match */
const playable = (match) => match && { ...match, depth: lowered(match.depth) };
const wait = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

export class Play {
  /** @type {Match | null} */
  match = kept("match", null);
  /** @type {State} */
  state = {
    ...NOTHING,
    last: null,
    warning: null,
    settings: { ...SETTINGS, ...kept("play", {}) },
    seed: String(anySeed()),
    from: null,
    pace: kept("pace", 1),
  };
  /** Whether you had the choice to double before your roll. */
  asked = false;
  /** @type {Match[]} the match before each of your decisions */
  past = [];
  active = false;

  /**
   * @param {import("./board_area.js").BoardArea} area
   * @param {{analyze: (xgid: string) => void, review: (text: string, depth: number) => void}} to
   *   other modes
   */
  constructor(area, to) {
    this.area = area;
    this.asking = new Asking(area, () => this.active);
    this.to = to;
    this.host = byId("play");
    this.clock = new Clock(this);
    this.ending = new Ending(this);
    this.roller = new Roller(this);
    this.tutor = new Tutor(this);
    this.record = new GameRecord(this);
    onKept("match", () => this.#give());
  }

  /** @param {Partial<State>} change */
  set(change) {
    Object.assign(this.state, change);
    this.render();
  }

  /** Draw the state: the actions, the board, the panel and the tutor's words. */
  render() {
    refill(this.host, this.match ? matchCards(this) : [settingsCard(this)], this.area.board);
    this.record.follow();
    this.clock.follow();
    if (!this.active) return;
    this.state.offer?.();
    this.#draw();
    refill(byId("tutor"), this.tutor.view(), this.area.board);
  }

  #draw() {
    const { match, state } = this;
    const { position, entry } = state;
    if (!match) {
      const fields = fieldsOf(state.from ?? OPENING_XGID);
      const pips = state.from ? {} : { pips: [] };
      const view = viewOf(fields, null, 1);
      return this.area.show(fields, view, NAMES, { ...pips, still: true });
    }
    if (entry !== null) return boardOf(this, entry);
    if (position) showMatch(this.area, { ...state, position, match, clock: this.clock.shown });
  }

  enter() {
    this.active = true;
    this.match = playable(this.match);
    visit("#play");
    this.#begin();
  }

  /** Resume the match, or ask what to play. */
  #begin() {
    this.set(NOTHING);
    if (this.match) this.go(() => this.resume());
    else this.#idle();
  }

  leave() {
    this.asking.stop();
    this.set({ warning: null, making: null, now: null });
    this.active = false;
    this.clock.follow();
  }

  /**
   * Another tab has continued, ended or begun a match: this tab gives way, so that neither tab
   * overwrites the other's match.
   */
  #give() {
    this.past = [];
    this.match = kept("match", null);
    this.ending.stay();
    if (!this.active) return;
    if (!this.match) return this.use(null);
    this.asking.stop();
    const act = () => this.use(kept("match", null));
    const offer = () => this.area.clear([{ name: t.play.goOnHere, act, first: true }]);
    this.set({ ...NOTHING, warning: null, offer });
    this.area.say(t.play.otherTab);
  }

  /** The match, which is under way. */
  get going() {
    return /** @type {Match} */ (this.match);
  }

  /** The signal that stops the present work. */
  get signal() {
    return this.asking.signal;
  }

  /** Wait until the player starts a match. */
  #idle() {
    const { left } = this.ending;
    const back = { name: t.play.backToLast, act: () => this.use(left) };
    this.set({ offer: () => this.area.clear(left ? [back] : []) });
    const { from } = this.state;
    this.area.say(from ? t.play.chooseFrom : t.play.choose);
  }

  /**
   * Offer to play on from a position; the match under way can be continued later.
   * @param {string} xgid
   */
  playOn(xgid) {
    this.past = [];
    if (this.match) this.ending.put(this.match);
    this.match = null;
    keep("match", null);
    this.state.from = seated(xgid, 1);
  }

  /** @param {Parameters<typeof newMatch>[0]} settings */
  start(settings) {
    const { from } = this.state;
    const match = newMatch(settings);
    this.past = [];
    this.state.from = null;
    this.use(from ? playedFrom(match, from) : match);
    scrollTo(0, 0);
    this.area.board.focus();
  }

  /** Continue a match; without one, ask what to play. @param {Match | null} match */
  use(match) {
    this.asking.stop();
    this.match = playable(match);
    keep("match", this.match);
    Object.assign(this.state, { last: null, warning: null });
    this.#begin();
    const held = document.activeElement;
    if (held !== document.body && !this.host.contains(held)) return;
    if (match) this.area.board.focus();
    else this.host.querySelector("select")?.focus();
  }

  /** Resume the match at its phase. @returns {Promise<void>} */
  async resume() {
    const { phase, xgid } = this.going;
    this.set({ entry: null });
    if (phase === "begin") return this.begin();
    if (phase.endsWith("Over")) {
      await this.#load(xgid);
      return this.ending.over();
    }
    const mine = this.#isByHand(playerOf(xgid));
    if (phase === "human" || phase === "engine")
      return mine ? this.#human(xgid, false) : this.#engine(xgid);
    if (phase === "rolled" || phase === "engineRolled")
      return mine ? this.#rolled(xgid, false) : this.#engineRolled(xgid);
    return this.#doubled(xgid);
  }

  /** Whether a player is moved by hand. @param {number} player */
  #isByHand(player) {
    return player === 0 || Boolean(this.going.byHand);
  }

  /** The turn of the next player. @param {string} xgid @param {Position} [known] @param {string} [before] */
  #turn(xgid, known = undefined, before = "") {
    return this.#isByHand(playerOf(xgid))
      ? this.#human(xgid, true, known, before)
      : this.#engine(xgid, known);
  }

  /**
   * Do work that takes time. It stops earlier work, and no action is possible until it offers some.
   * @param {() => Promise<unknown>} work
   */
  async go(work) {
    this.#rest();
    await this.asking.ask(work, () => {
      const act = () => this.go(() => this.resume());
      this.set({ offer: () => this.area.offer([{ name: t.common.tryAgain, act, first: true }]) });
    });
  }

  /** Disable the actions, but keep them visible. */
  #rest() {
    Object.assign(this.state, { offer: null, making: null });
    this.area.rest();
  }

  /** Wait a while, so that the player sees what happened. @param {number} time */
  async #wait(time) {
    const { signal } = this;
    if (this.state.pace) await wait(time * this.state.pace);
    signal.throwIfAborted();
  }

  /**
   * Enter a phase, and show its position.
   * @param {import("./match.js").Phase} phase
   * @param {string} xgid
   * @param {Position} [known] the position, if an answer brought it
   * @param {Partial<State>} [change] what else changes
   */
  #enter(phase, xgid, known = undefined, change = {}) {
    Object.assign(this.going, { phase, xgid });
    keep("match", this.match);
    return this.#load(xgid, known, change);
  }

  /**
   * Record an action in the present position.
   * @param {import("./match.js").Deed} deed
   * @param {boolean} [judged] whether the tutor looks at it
   */
  #did(deed, judged = this.#isByHand(deed.player)) {
    const done = { ...deed, xgid: this.going.xgid };
    game(this.going).actions.push(done);
    this.render();
    if (judged) this.tutor.judge(done, this.past.length - 1);
  }

  /** @param {string} xgid @param {Position} [known] @param {Partial<State>} [change] */
  async #load(xgid, known = undefined, change = {}) {
    const position = known ?? (await get("position", { id: xgid }, this.signal));
    const walk = position.steps ? new Walk(position) : null;
    this.set({ ...NOTHING, offer: this.state.offer, position, walk, ...change });
    return position;
  }

  /** Whether the newest remembered decision is still open. */
  get #isOpen() {
    const last = this.past[this.past.length - 1];
    const { phase, xgid, at } = this.match ?? {};
    return last?.phase === phase && last?.xgid === xgid && last?.at === at;
  }

  /** Remember this decision, so that it can be taken back. */
  #remember() {
    if (!this.#isOpen) this.past.push(copyOf(this.going));
  }

  /** The number of decisions that were made. */
  get #made() {
    return this.past.length - Number(this.#isOpen);
  }

  /** The action of taking back. */
  get back() {
    return { name: t.common.takeBack, act: () => this.takeBack(), key: "b", off: this.#made <= 0 };
  }

  /** The other actions at a decision. @returns {import("./board_area.js").Action[]} */
  get #others() {
    return [
      { name: t.play.hint, act: () => this.hint(), key: "h" },
      this.back,
      { name: t.play.resign, act: () => this.ending.resign() },
    ];
  }

  /**
   * Take back the last decision, or all decisions from a number on.
   * @param {number} [at]
   */
  takeBack(at = this.#made - 1) {
    if (!this.past[at]) return;
    this.past.length = at + 1;
    const { losses, clock } = this.going;
    // Losses came later, and time is not given back.
    this.use({ ...copyOf(this.past[at]), losses, clock });
  }

  /** @returns {Promise<void>} */
  async begin() {
    const match = this.going;
    const { score, crawford, opening } = await post("score", wonOf(match), this.signal);
    if (game(match)?.winner !== null)
      match.games.push({ score, crawford, actions: [], winner: null, points: 0 });
    Object.assign(match, { phase: "begin", xgid: opening });
    this.set({ last: null });
    const [own, their] = namesOf(match);
    const whose = t.play.openingRoll(match.byHand ? own : "");
    let dice = await this.roller.next(whose);
    while (dice[0] === dice[1]) dice = await this.roller.next(whose, `${t.play.again(dice[0])} `);
    const yours = dice[0] > dice[1];
    // The board is the same from both sides.
    const xgid = xgidOf({
      ...fieldsOf(/** @type {string} */ (opening)),
      turn: yours ? 1 : -1,
      dice: highFirst(dice),
    });
    const words = t.play.begins(own, dice[0], their, dice[1], yours ? own : their);
    this.area.say(words);
    if (this.#isByHand(playerOf(xgid))) return this.#rolled(xgid, true, words);
    const position = await this.#enter("engineRolled", xgid);
    await this.#wait(700);
    return this.#engineRolled(xgid, position);
  }

  /**
   * The turn of a player who is moved by hand, before the roll.
   * @param {string} xgid
   * @param {boolean} fresh
   * @param {Position} [known]
   * @param {string} [before] words before the message
   * @returns {Promise<void>}
   */
  async #human(xgid, fresh, known = undefined, before = "") {
    const player = playerOf(xgid);
    const position = await this.#enter(PHASES.before[player], xgid, known);
    if (position.over) return this.ending.won(position.over);
    this.asked = position.may_double;
    if (!this.asked) return this.#throw(before);
    this.#remember();
    const engineWords = fresh ? before || this.#lastWords : "";
    const whose = this.going.byHand ? namesOf(this.going)[player] : "";
    const words = t.play.rollOrDouble(whose, 2 * position.terms.cube);
    this.area.say(`${engineWords} ${words}`.trim());
    this.set({ offer: () => this.#offerTurn() });
  }

  /** The name of the present player's roll. */
  get #rollName() {
    const { byHand, xgid } = this.going;
    return t.play.rollOf(byHand ? namesOf(this.going)[playerOf(xgid)] : "");
  }

  /** The engine's last play in words. */
  get #lastWords() {
    const { last } = this.state;
    return last ? t.play.rolledPlay(NAMES[1], last.dice, last.notation) : "";
  }

  #offerTurn() {
    const match = this.going;
    const act = (/** @type {() => Promise<unknown>} */ work) => () => this.go(work);
    const typed = match.seed === null;
    const roll = typed
      ? () => this.area.field.focus()
      : act(() => this.#tutored({ do: "roll" }, () => this.#throw()));
    const double = act(() => this.#tutored({ do: "double" }, () => this.#double()));
    if (typed) this.roller.ask(this.#rollName, (dice) => this.go(() => this.#thrown(dice)));
    else this.area.ask("");
    this.area.offer([
      { name: t.common.roll, act: roll, key: "r", first: true },
      { name: t.play.double, act: double, key: "d" },
      ...this.#others,
    ]);
    const cubeName = t.play.cubeTo(2 * fieldsOf(match.xgid).cube);
    this.area.board.hands = { anywhere: roll, cube: double, cubeName };
  }

  /** @param {string} [before] words before the message @returns {Promise<void>} */
  async #throw(before = "") {
    return this.#thrown(await this.roller.next(this.#rollName, before && `${before} `), before);
  }

  /** @param {string} dice @param {string} [before] words before the message */
  async #thrown(dice, before = "") {
    const { xgid } = this.going;
    if (this.asked && !this.going.byHand)
      this.tutor.judge({ do: "roll", xgid }, this.past.length - 1);
    return this.#rolled(withDice(xgid, highFirst(dice)), true, before);
  }

  /**
   * A player who is moved by hand has rolled.
   * @param {string} xgid
   * @param {boolean} fresh whether the dice were just rolled
   * @param {string} [before] words before the message
   * @returns {Promise<void>}
   */
  async #rolled(xgid, fresh, before = "") {
    const player = playerOf(xgid);
    const position = await this.#enter(PHASES.rolled[player], xgid);
    const walk = /** @type {Walk} */ (this.state.walk);
    const start = before || (fresh && !this.asked ? this.#lastWords : "");
    const name = namesOf(this.going)[player];
    const say = (stuck = false, forced = "") => {
      const words = t.play.youRolled(name, position.dice ?? "", stuck, forced);
      this.area.say(`${start} ${words}`.trim());
    };
    if (walk.forced) return this.#force(walk, walk.forced, say);
    this.#remember();
    const making = new YourPlay({
      area: this.area,
      position,
      walk,
      pace: () => this.state.pace,
      glide: (now) => {
        if (this.state.making !== making) return false;
        this.set({ now, arrows: walk.taken.length ? null : this.state.arrows });
        return true;
      },
      commit: (play) => this.go(() => this.#commit(play)),
      others: () => this.#others,
    });
    this.set({ making, offer: () => making.offer() });
    say();
  }

  /**
   * Make the only legal play.
   * @param {Walk} walk
   * @param {LegalPlay} play
   * @param {(stuck: boolean, forced: string) => void} say
   */
  async #force(walk, play, say) {
    const { steps } = walk.position;
    const stuck = !steps?.[0]?.length;
    this.set({ offer: this.#nothing });
    say(stuck, play.notation);
    await this.#wait(stuck ? 1100 : 500);
    for (let step = steps?.[0]?.[0]; step; step = steps?.[step[3]]?.[0]) {
      await this.area.board.slide(walk.points, step[0], step[1], false, this.state.pace);
      this.signal.throwIfAborted();
      walk.taken.push(step);
      sound("checker");
      this.render();
    }
    return this.#commit(play);
  }

  /** Offer no action. */
  #nothing = () => this.area.clear();

  /** Make your play. @param {LegalPlay} play @returns {Promise<void>} */
  async #commit(play) {
    const { dice, plays } = /** @type {Position} */ (this.state.position);
    const isChoice = plays !== null && plays.length > 1;
    const player = playerOf(this.going.xgid);
    const deed = { player, dice: dice ?? "", play: play.notation };
    const make = () => {
      this.#did(deed, isChoice);
      return this.#turn(play.xgid);
    };
    return isChoice ? this.#tutored(deed, make) : make();
  }

  /**
   * Have the tutor look at a decision before it counts. If it warns, the player has the choice.
   * @param {import("./tutor.js").Decision} deed
   * @param {() => Promise<void>} make
   * @returns {Promise<void>}
   */
  async #tutored(deed, make) {
    const { signal } = this;
    const warning = await this.tutor.foresee({ ...deed, xgid: this.going.xgid });
    signal.throwIfAborted();
    if (!warning) return make();
    const chosen = (/** @type {() => Promise<void>} */ next) => () => {
      this.state.warning = null;
      return this.go(next);
    };
    const offer = () =>
      this.area.clear([
        { name: t.common.takeItBack, act: chosen(() => this.resume()), key: "b", first: true },
        { name: t.play.goOn, act: chosen(make), key: "g" },
      ]);
    this.set({ warning, offer });
    this.area.say(t.play.early(warning.words));
  }

  /** The engine's turn, before its roll. @param {string} xgid @param {Position} [known] @returns {Promise<void>} */
  async #engine(xgid, known = undefined) {
    this.set({ offer: this.#nothing, last: null });
    const position = await this.#enter("engine", xgid, known);
    if (position.over) return this.ending.won(position.over);
    if (position.may_double) {
      const turn = await get("turn", askedOf(this.going, xgid), this.signal);
      if (turn.action === "double") {
        this.#did({ player: 1, do: "double" });
        return this.#offered(turn.position.xgid, turn.position);
      }
    }
    const dice = await this.roller.next(t.play.rollOf(NAMES[1]));
    return this.#engineRolled(withDice(xgid, highFirst(dice)));
  }

  /** @param {string} xgid @param {Position} [known] @returns {Promise<void>} */
  async #engineRolled(xgid, known = undefined) {
    const offer = this.#nothing;
    offer();
    const position = await this.#enter("engineRolled", xgid, known, { offer });
    const dice = /** @type {string} */ (position.dice);
    const [turn] = await Promise.all([
      get("turn", askedOf(this.going, xgid), this.signal),
      this.#wait(450),
    ]);
    const { steps, notation, xgid: next, position: after } = /** @type {RollPlayed} */ (turn);
    const cannot = !steps.length;
    this.area.say(
      cannot ? t.play.rolledStuck(NAMES[1], dice) : t.play.rolledPlay(NAMES[1], dice, notation),
    );
    let points = position.points;
    for (const [from, to] of steps) {
      await this.area.board.slide(points, from, to, true, this.state.pace);
      this.signal.throwIfAborted();
      points = moved(points, from, to);
      sound("checker");
      this.set({ now: points });
    }
    if (cannot) await this.#wait(900);
    this.#did({ player: 1, dice, play: notation });
    const landed = steps.map(([, to]) => to).filter((to) => to > 0 && points[to] > 0);
    this.state.last = {
      dice,
      notation: cannot ? t.play.cannotMove : notation,
      landed: landed.map((to) => 25 - to),
    };
    return this.#human(next, true, after);
  }

  /** A player who is moved by hand doubles. @returns {Promise<void>} */
  async #double() {
    const { after_double: doubled } = /** @type {Position} */ (this.state.position);
    this.#did({ player: playerOf(this.going.xgid), do: "double" });
    return this.#doubled(/** @type {string} */ (doubled));
  }

  /** A double is on offer. @param {string} xgid */
  #doubled(xgid) {
    return this.#isByHand(1 - playerOf(xgid)) ? this.#offered(xgid) : this.#answer(xgid);
  }

  /** The engine answers your double. @param {string} xgid @returns {Promise<void>} */
  async #answer(xgid) {
    const { terms, after_pass: passed } = await this.#enter("answering", xgid, undefined, {
      offer: this.#nothing,
    });
    const value = 2 * terms.cube;
    this.area.say(t.play.youDouble(value));
    const [turn] = await Promise.all([
      get("turn", askedOf(this.going, xgid), this.signal),
      this.#wait(600),
    ]);
    if (!("position" in turn))
      return this.ending.finish(passed, t.play.passes(NAMES[1]), { player: 1, do: "pass" });
    const words = t.play.takesAt(NAMES[1], value);
    this.area.say(words);
    await this.#wait(700);
    // Recorded last: a player who leaves before that and comes back sees the answer again.
    this.#did({ player: 1, do: "take" });
    return this.#human(turn.position.xgid, true, turn.position, words);
  }

  /**
   * A player who is moved by hand answers a double.
   * @param {string} xgid @param {Position} [known] @returns {Promise<void>}
   */
  async #offered(xgid, known = undefined) {
    const doubler = playerOf(xgid);
    const player = doubler === 0 ? 1 : 0;
    const names = namesOf(this.going);
    const {
      terms,
      after_take: taken,
      after_pass: passed,
    } = await this.#enter(PHASES.doubled[doubler], xgid, known);
    this.#remember();
    const isYou = !this.going.byHand;
    this.area.say(t.play.offers(names[doubler], 2 * terms.cube, names[player], isYou));
    const take = async () => {
      this.#did({ player, do: "take" });
      return this.#turn(/** @type {string} */ (taken));
    };
    const words = t.play.passes(names[player]);
    const pass = () => this.ending.finish(passed, words, { player, do: "pass" });
    this.set({
      offer: () => {
        const [hint, back] = this.#others;
        this.area.clear([
          {
            name: t.play.take,
            act: () => this.go(() => this.#tutored({ do: "take" }, take)),
            key: "t",
          },
          {
            name: t.play.pass,
            act: () => this.go(() => this.#tutored({ do: "pass" }, pass)),
            key: "p",
          },
          hint,
          back,
        ]);
      },
    });
    if (document.activeElement === document.body)
      this.area.actions.querySelector("button")?.focus();
  }

  /** The best plays, or the decision about the cube. */
  async hint() {
    const { xgid: id, depth } = this.going;
    const asked = { id, depth: lowered(Math.max(3, depth)), top: 3 };
    await this.asking.aside(async () => {
      const hint = await get("analyze", asked, this.signal);
      const best = "candidates" in hint ? hint.candidates[0].play : null;
      this.set({ hint, arrows: best, held: best });
      this.area.say(hintWords(this, hint));
    });
  }
}
