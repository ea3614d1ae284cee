/** Play: a game or a match against the engine. */

import { viewOf } from "../board/board.js";
import { fieldsOf, moved, withDice, xgidOf } from "../board/position.js";
import { get, post } from "./api.js";
import { Asking } from "./asking.js";
import { byId } from "./elements.js";
import { Ending } from "./ending.js";
import { lowered } from "./levels.js";
import { askedOf, game, NAMES, newMatch, OPENING_XGID, wonOf } from "./match.js";
import { showMatch } from "./match_board.js";
import { PlayPanel } from "./play_panel.js";
import { highFirst, Roller } from "./rolling.js";
import { keep, kept, onKept, visit } from "./settings.js";
import { Tutor } from "./tutor.js";
import { Walk } from "./walk.js";
import { YourPlay } from "./your_play.js";

/** @import {Match} from "./match.js" */
/** @import {Position} from "../../answers.js" */
/**
 * @typedef {{dice: string, notation: string, landed: number[]}} Last the places where checkers
 *   landed, as you count them
 */

/** A match as whoever answers can go on with it. @param {Match | null} match */
const playable = (match) => match && { ...match, depth: lowered(match.depth) };
const wait = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

export class Play {
  /** @type {Match | null} */
  match = kept("match", null);
  /** @type {Position | null} the position on the board, with the dice of its player */
  position = null;
  /** @type {Walk | null} */
  walk = null;
  /** Whether you were asked before your roll if you double. */
  asked = false;
  /** @type {string[]} the match before each of your decisions */
  past = [];
  /** How slowly checkers move: 0 at once, 1 as usual, 2 slow. */
  pace = kept("pace", 1);
  /** @type {Last | null} the engine's last play */
  last = null;
  /** @type {string | null} the play of a hint, which arrows show */
  arrows = null;
  active = false;

  /**
   * @param {import("./desk.js").Desk} desk
   * @param {{analyze: (xgid: string) => void, review: (text: string, depth: number) => void}} to
   *   other modes
   */
  constructor(desk, to) {
    this.desk = desk;
    this.asking = new Asking(desk, () => this.active);
    this.to = to;
    this.panel = new PlayPanel(byId("play"), this);
    this.ending = new Ending(this);
    this.roller = new Roller(this);
    this.tutor = new Tutor(this);
    onKept("match", () => this.#give());
  }

  enter() {
    this.active = true;
    this.match = playable(this.match);
    visit("#play");
    this.panel.show();
    if (this.match) return this.go(() => this.resume());
    this.idle();
  }

  leave() {
    this.active = false;
    this.tutor.hide();
    this.asking.stop();
  }

  /**
   * Another tab has gone on, ended the match or begun one: neither writes over what the other
   * keeps.
   */
  #give() {
    this.past = [];
    this.match = kept("match", null);
    this.ending.stay();
    if (!this.active) return;
    if (!this.match) return this.use(null);
    this.tutor.hide();
    this.asking.stop();
    this.panel.show();
    this.desk.say("Another tab goes on with a match.");
    this.desk.clear([
      { name: "Go on here", act: () => this.use(kept("match", null)), first: true },
    ]);
  }

  /** The match, which is under way. */
  get going() {
    return /** @type {Match} */ (this.match);
  }

  /** Ends what is under way. */
  get signal() {
    return this.asking.signal;
  }

  /** Show the opening position, until somebody starts. */
  idle() {
    this.position = this.walk = null;
    this.desk.clear(
      this.ending.left
        ? [{ name: "Back to the last match", act: () => this.use(this.ending.left) }]
        : [],
    );
    const fields = fieldsOf(OPENING_XGID);
    this.desk.show(fields, viewOf(fields), NAMES, { pips: [], still: true });
    this.desk.say("Choose what to play, then start.");
  }

  /** @param {Parameters<typeof newMatch>[0]} settings */
  start(settings) {
    this.past = [];
    this.use(newMatch(settings));
    scrollTo(0, 0);
    this.desk.board.focus();
  }

  /** Go on with a match; without one, ask what to play. @param {Match | null} match */
  use(match) {
    this.asking.stop();
    this.match = playable(match);
    this.last = null;
    keep("match", this.match);
    this.tutor.hide();
    this.panel.show();
    if (match) this.go(() => this.resume());
    else this.idle();
    if (document.activeElement !== document.body) return;
    if (match) this.desk.board.focus();
    else this.panel.host.querySelector("select")?.focus();
  }

  /** Go on where the match is. @returns {Promise<void>} */
  async resume() {
    const { phase, xgid } = this.going;
    this.panel.record.show(null);
    if (phase === "begin") return this.begin();
    if (phase === "human") return this.#human(xgid, false);
    if (phase === "rolled") return this.#rolled(xgid, false);
    if (phase === "offered") return this.#offered(xgid);
    if (phase === "answering") return this.#answer(xgid);
    if (phase === "engine") return this.#engine(xgid);
    if (phase === "engineRolled") return this.#engineRolled(xgid);
    await this.#load(xgid);
    this.ending.over();
  }

  /**
   * Do something that takes its time; what was under way before is stopped, and nothing else
   * can be done until the work offers it.
   * @param {() => Promise<unknown>} work
   */
  async go(work) {
    this.desk.rest();
    await this.asking.ask(work, () =>
      this.desk.offer([
        { name: "Try again", act: () => this.go(() => this.resume()), first: true },
      ]),
    );
  }

  /** Rest a while, so that one sees what happened. @param {number} time */
  async #rest(time) {
    const { signal } = this;
    if (this.pace) await wait(time * this.pace);
    signal.throwIfAborted();
  }

  /**
   * Go on to a phase, and show its position.
   * @param {import("./match.js").Phase} phase @param {string} xgid @param {Position} [known] the
   *   position, if an answer brought it
   */
  #enter(phase, xgid, known = undefined) {
    Object.assign(this.going, { phase, xgid });
    keep("match", this.match);
    return this.#load(xgid, known);
  }

  /**
   * Write down what was done in the position that there is.
   * @param {import("./match.js").Deed} deed
   * @param {boolean} [judged] whether the tutor looks at it
   */
  #did(deed, judged = deed.player === 0) {
    const done = { ...deed, xgid: this.going.xgid };
    game(this.going).actions.push(done);
    this.panel.record.show();
    if (judged) this.tutor.judge(done, this.past.length - 1);
  }

  /** @param {string} xgid @param {Position} [known] */
  async #load(xgid, known = undefined) {
    this.position = known ?? (await get("position", { id: xgid }, this.signal));
    this.walk = this.position.steps ? new Walk(this.position) : null;
    this.arrows = null;
    this.panel.hint(null);
    this.draw();
    return this.position;
  }

  /** Remember this decision, to which one may come back. */
  #remember() {
    const now = JSON.stringify({ ...this.match, losses: undefined }); // which come later
    if (this.past[this.past.length - 1] !== now) this.past.push(now);
  }

  /** How many decisions were made: the newest one that is remembered may still be open. */
  get #made() {
    const { phase, xgid } = this.past.length
      ? JSON.parse(this.past[this.past.length - 1])
      : { phase: "", xgid: "" };
    return this.past.length - Number(phase === this.match?.phase && xgid === this.match?.xgid);
  }

  /** To take back, as an action. */
  get back() {
    return { name: "Take back", act: () => this.takeBack(), key: "b", off: this.#made <= 0 };
  }

  /** What can be done beside a decision. @returns {import("./desk.js").Action[]} */
  get #others() {
    return [
      { name: "Hint", act: () => this.hint(), key: "h" },
      this.back,
      { name: "Resign", act: () => this.ending.resign() },
    ];
  }

  /**
   * Take back: to the decision that was made last, or to the one of a number.
   * @param {number} [at]
   */
  takeBack(at = this.#made - 1) {
    if (!this.past[at]) return;
    this.past.length = at + 1;
    this.use({ ...JSON.parse(this.past[at]), losses: this.going.losses });
  }

  /** @returns {Promise<void>} */
  async begin() {
    const match = this.going;
    const { score, crawford, opening } = await post("score", wonOf(match), this.signal);
    if (game(match)?.winner !== null)
      match.games.push({ score, crawford, actions: [], winner: null, points: 0 });
    Object.assign(match, { phase: "begin", xgid: opening });
    this.last = null;
    this.panel.show();
    const whose = "the opening roll, your die first";
    let dice = await this.roller.next(whose);
    while (dice[0] === dice[1])
      dice = await this.roller.next(whose, `Both rolled ${dice[0]}: roll again. `);
    const yours = dice[0] > dice[1];
    // The board is the same from both sides.
    const xgid = xgidOf({
      ...fieldsOf(/** @type {string} */ (opening)),
      turn: yours ? 1 : -1,
      dice: highFirst(dice),
    });
    const words = `You roll ${dice[0]}, ${NAMES[1]} rolls ${dice[1]}: ${yours ? "you begin" : `${NAMES[1]} begins`}.`;
    this.desk.say(words);
    if (yours) return this.#rolled(xgid, true, words);
    const position = await this.#enter("engineRolled", xgid);
    await this.#rest(700);
    return this.#engineRolled(xgid, position);
  }

  /**
   * Your turn, before the roll.
   * @param {string} xgid @param {boolean} fresh @param {Position} [known] @param {string} [before]
   *   was said
   * @returns {Promise<void>}
   */
  async #human(xgid, fresh, known = undefined, before = "") {
    const position = await this.#enter("human", xgid, known);
    if (position.over) return this.ending.won(position.over);
    this.asked = position.may_double;
    if (!this.asked) return this.#throw(before);
    this.#remember();
    this.desk.say(
      `${fresh ? this.#told : ""} Your turn: roll, or double to ${2 * position.stakes.cube}?`.trim(),
    );
    this.desk.ask("");
    this.#offerTurn();
  }

  /** What the engine played last, in words. */
  get #told() {
    return this.last ? `${NAMES[1]} rolled ${this.last.dice}: ${this.last.notation}.` : "";
  }

  #offerTurn() {
    const match = this.going;
    const act = (/** @type {() => Promise<unknown>} */ work) => () => this.go(work);
    const typed = match.seed === null;
    const roll = typed ? () => this.desk.field.focus() : act(() => this.#throw());
    if (typed) this.roller.ask("your roll", (dice) => this.go(() => this.#thrown(dice)));
    this.desk.offer([
      { name: "Roll", act: roll, key: "r", first: true },
      { name: "Double", act: act(() => this.#double()), key: "d" },
      ...this.#others,
    ]);
    const board = this.desk.board;
    board.hands = {
      anywhere: roll,
      cube: act(() => this.#double()),
      cubeName: `Cube: double to ${2 * fieldsOf(match.xgid).cube}`,
    };
    this.draw();
  }

  /** @param {string} [before] was said @returns {Promise<void>} */
  async #throw(before = "") {
    return this.#thrown(await this.roller.next("your roll", before && `${before} `), before);
  }

  /** @param {string} dice @param {string} [before] was said */
  async #thrown(dice, before = "") {
    const { xgid } = this.going;
    if (this.asked) this.tutor.judge({ do: "roll", xgid }, this.past.length - 1);
    return this.#rolled(withDice(xgid, highFirst(dice)), true, before);
  }

  /**
   * Your roll is there.
   * @param {string} xgid
   * @param {boolean} fresh whether the dice were just rolled
   * @param {string} [before] was said
   * @returns {Promise<void>}
   */
  async #rolled(xgid, fresh, before = "") {
    const position = await this.#enter("rolled", xgid);
    const walk = /** @type {Walk} */ (this.walk);
    const dice = `${position.dice?.[0]} and ${position.dice?.[1]}`;
    const told = before || (fresh && !this.asked ? this.#told : "");
    if (walk.forced) {
      const stuck = !position.steps?.[0]?.length;
      this.desk.clear();
      this.desk.say(
        `${told} ${stuck ? `You rolled ${dice} and cannot move.` : `You rolled ${dice}, and ${walk.forced.notation} is forced.`}`.trim(),
      );
      await this.#rest(stuck ? 1100 : 500);
      for (let step = position.steps?.[0]?.[0]; step; step = position.steps?.[step[3]]?.[0]) {
        await this.desk.board.slide(walk.points, step[0], step[1], false, this.pace);
        this.signal.throwIfAborted();
        walk.taken.push(step);
        this.draw();
      }
      return this.#commit(walk.forced);
    }
    this.#remember();
    new YourPlay(
      this,
      (play) => this.go(() => this.#commit(play)),
      () => this.#others,
    ).offer();
    this.desk.say(`${told} You rolled ${dice}.`.trim());
    this.draw();
  }

  /** Make your play. @param {import("../../answers.js").LegalPlay} play @returns {Promise<void>} */
  async #commit(play) {
    const { dice, plays } = /** @type {Position} */ (this.position);
    this.#did(
      { player: 0, dice: dice ?? "", play: play.notation },
      plays !== null && plays.length > 1,
    );
    return this.#engine(play.xgid);
  }

  /** The engine's turn, before its roll. @param {string} xgid @returns {Promise<void>} */
  async #engine(xgid) {
    this.desk.clear();
    this.last = null;
    const position = await this.#enter("engine", xgid);
    if (position.over) return this.ending.won(position.over);
    if (position.may_double) {
      const turn = await get("turn", askedOf(this.going, xgid), this.signal);
      if (turn.action === "double") {
        this.#did({ player: 1, do: "double" });
        return this.#offered(turn.position.xgid, turn.position);
      }
    }
    const dice = await this.roller.next(`the roll of ${NAMES[1]}`);
    return this.#engineRolled(withDice(xgid, highFirst(dice)));
  }

  /** @param {string} xgid @param {Position} [known] @returns {Promise<void>} */
  async #engineRolled(xgid, known = undefined) {
    this.desk.clear();
    const position = await this.#enter("engineRolled", xgid, known);
    const dice = /** @type {string} */ (position.dice);
    const [turn] = await Promise.all([
      get("turn", askedOf(this.going, xgid), this.signal),
      this.#rest(450),
    ]);
    const {
      steps,
      notation,
      xgid: next,
      position: after,
    } = /** @type {import("../../answers.js").RollPlayed} */ (turn);
    const cannot = !steps.length;
    this.desk.say(`${NAMES[1]} rolled ${dice}${cannot ? " and cannot move" : `: ${notation}`}.`);
    let points = position.points;
    for (const [from, to] of steps) {
      await this.desk.board.slide(points, from, to, true, this.pace);
      this.signal.throwIfAborted();
      points = moved(points, from, to);
      this.draw(points);
    }
    if (cannot) await this.#rest(900);
    this.#did({ player: 1, dice, play: notation });
    const landed = steps.map(([, to]) => to).filter((to) => to > 0 && points[to] > 0);
    this.last = {
      dice,
      notation: cannot ? "cannot move" : notation,
      landed: landed.map((to) => 25 - to),
    };
    return this.#human(next, true, after);
  }

  /** You double. @returns {Promise<void>} */
  async #double() {
    this.#did({ player: 0, do: "double" });
    return this.#answer(/** @type {string} */ (this.position?.after_double));
  }

  /** The engine answers your double. @param {string} xgid @returns {Promise<void>} */
  async #answer(xgid) {
    const position = await this.#enter("answering", xgid);
    this.desk.clear();
    this.desk.say(`You double to ${2 * position.stakes.cube}.`);
    const [turn] = await Promise.all([
      get("turn", askedOf(this.going, xgid), this.signal),
      this.#rest(600),
    ]);
    if (!("position" in turn)) {
      return this.ending.finish(position.after_pass, `${NAMES[1]} passes.`, {
        player: 1,
        do: "pass",
      });
    }
    const words = `${NAMES[1]} takes. The cube is at ${2 * position.stakes.cube}.`;
    this.desk.say(words);
    await this.#rest(700);
    // Written down last: who leaves before that, and comes back, hears the answer again.
    this.#did({ player: 1, do: "take" });
    return this.#human(turn.position.xgid, true, turn.position, words);
  }

  /** The engine doubles. @param {string} xgid @param {Position} [known] @returns {Promise<void>} */
  async #offered(xgid, known = undefined) {
    const position = await this.#enter("offered", xgid, known);
    const value = position.stakes.cube;
    this.#remember();
    this.desk.say(`${NAMES[1]} doubles to ${2 * value}. Do you take?`);
    const take = async () => {
      this.#did({ player: 0, do: "take" });
      return this.#engine(/** @type {string} */ (position.after_take));
    };
    const pass = () =>
      this.ending.finish(position.after_pass, "You pass.", { player: 0, do: "pass" });
    const [hint, back] = this.#others;
    this.desk.clear([
      { name: "Take", act: () => this.go(take), key: "t" },
      { name: "Pass", act: () => this.go(pass), key: "p" },
      hint,
      back,
    ]);
    if (document.activeElement === document.body)
      this.desk.actions.querySelector("button")?.focus();
  }

  /** The best plays, or the decision about the cube. */
  async hint() {
    const { xgid: id, depth } = this.going;
    const asked = { id, depth: lowered(Math.max(3, depth)), top: 3 };
    await this.asking.aside(async () => this.panel.hint(await get("analyze", asked, this.signal)));
  }

  /** @param {number[]} [now] the engine's checkers on their way, as it counts them */
  draw(now = undefined) {
    const { position, walk, match } = this;
    if (position && match)
      showMatch(this.desk, { position, walk, match, now, last: this.last, arrows: this.arrows });
  }
}
