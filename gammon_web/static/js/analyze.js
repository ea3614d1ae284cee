/** Analyze: a position, its plays or its cube decision, its rolls, its scores and its rollout. */

import { viewOf } from "../board/board.js";
import { fieldsOf, findPlay, withDice } from "../board/position.js";
import { analysisCards, answerWords } from "./analyze_panel.js";
import { get, post, stream } from "./api.js";
import { Asking } from "./asking.js";
import { byId, refill } from "./elements.js";
import { t } from "./language.js";
import { answered, lowered } from "./levels.js";
import { OPENING_XGID } from "./match.js";
import { readDice } from "./rolling.js";
import { rollouts } from "./rollout.js";
import { saveBlob } from "./save.js";
import { visit } from "./settings.js";
import { Setup } from "./setup.js";
import { stepsWords, Walk } from "./walk.js";
import { isRedouble, MARKS, markOf, signed, termsWords } from "./words.js";

const FIRST = withDice(OPENING_XGID, "31");

/** The most points that the sides need in the table by score. */
const SCORES = 7;

/** The most plays that can be chosen for a rollout. */
const TICKS = 10;

/** @import {Answer, Candidate, LegalPlay, Position, Roll, Rolls} from "../../answers.js" */
/** @typedef {"plays" | "rolls" | "scores" | "rollout"} View */

/**
 * The state of the tab. `shown` is the play that arrows show, `mine` the play that was tried on the
 * board, and `held` the play of the table that has the focus or was pressed. `many` is the answer of
 * the view of all rolls or scores, `ticked` the plays that were chosen for a rollout, and `roll` the roll that the mouse points at. `level` is the chosen
 * depth, or a level whose rollouts settle close plays. `failed` is the reason why there is no answer,
 * and `copied` the name of what was copied a moment ago.
 * @typedef {{position: Position | null, walk: Walk | null, setup: Setup | null,
 *   answer: Answer | null, many: Answer | Rolls | null, ticked: string[] | null,
 *   shown: Candidate | Roll | null, mine: string, held: string, roll: Roll | null, level: string,
 *   cubeless: boolean, turned: boolean, all: boolean, view: View, busy: boolean, failed: string,
 *   copied: string}} State
 */

export class Analyze {
  /** @type {State} */
  state = {
    position: null,
    walk: null,
    setup: null,
    answer: null,
    many: null,
    ticked: null,
    shown: null,
    mine: "",
    held: "",
    roll: null,
    level: "5",
    cubeless: false,
    turned: false,
    all: false,
    view: "plays",
    busy: false,
    failed: "",
    copied: "",
  };
  active = false;
  /** The latest text that was read. */
  #text = "";

  /**
   * @param {import("./board_area.js").BoardArea} area
   * @param {(xgid: string) => void} play plays on from a position
   * @param {(xgid: string) => void} note shows a position to write a note on it
   */
  constructor(area, play, note) {
    this.area = area;
    this.play = play;
    this.note = note;
    this.asking = new Asking(area);
    /** Reads texts; a search goes on until a text turns out to be a position. */
    this.reading = new Asking(area);
    this.host = byId("analyze");
    rollouts.heard.add(() => this.state.view === "rollout" && this.render());
    const field = /** @type {HTMLInputElement} */ (byId("paste-text"));
    byId("paste").addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim()) this.load(field.value).then((done) => done && (field.value = ""));
    });
    addEventListener(
      "hashchange",
      () => this.active && this.#isElsewhere && this.load(this.#hash()),
    );
  }

  /** @param {Partial<State>} [change] */
  set(change = {}) {
    Object.assign(this.state, change);
    this.render();
  }

  /** Draw the state: the board, the actions and the panel. */
  render() {
    const { position, setup } = this.state;
    if (!this.active || !position) return;
    if (setup) return setup.render();
    this.#draw();
    this.#offer();
    refill(this.host, analysisCards(this), this.area.board);
    this.host.setAttribute("aria-busy", String(this.state.busy));
  }

  async enter() {
    this.active = true;
    const { position, setup } = this.state;
    if (position && !this.#isElsewhere) {
      this.#name();
      if (setup) return setup.begin();
      this.area.say(this.turnWords());
      this.render();
      return this.ask();
    }
    this.area.say(t.analyze.reading);
    const read = this.load(this.#hash() || this.#text || FIRST);
    const { signal } = this.reading;
    if (!(await read) && !signal.aborted) await this.load(FIRST, true);
  }

  leave() {
    this.active = false;
    this.#stop();
  }

  #stop() {
    this.reading.stop();
    this.asking.stop();
  }

  /** The position in the address. */
  #hash() {
    const [, text] = /^#(?:xgid|id|position)(?:=|%3D)(.+)$/i.exec(location.hash) ?? [];
    return text && /^#xgid/i.test(location.hash) ? `XGID=${text}` : (text ?? "");
  }

  /** Whether the address has another position than the one shown. */
  get #isElsewhere() {
    return this.#hash() !== "" && this.#hash() !== this.state.position?.xgid;
  }

  /**
   * Read a text, show its position and ask for its analysis.
   * @param {string} text
   * @param {boolean} [quiet] whether an earlier message stays
   */
  async load(text, quiet = false) {
    this.#text = text;
    const address = location.hash;
    return this.reading.ask(
      async (signal) => {
        const position = await post("position", { text }, signal);
        // If a link was followed meanwhile, its event comes and reads that link.
        if (location.hash === address) this.use(position, quiet);
      },
      () => this.#failed(),
    );
  }

  /** Without an earlier position, offer to try again. */
  #failed() {
    if (!this.active || this.area.offered.length) return;
    this.area.offer([{ name: t.common.tryAgain, act: () => this.enter(), first: true }]);
  }

  /** @param {Position} position @param {boolean} [quiet] */
  use(position, quiet = false) {
    this.asking.stop();
    const isLinked = this.#isElsewhere;
    const none = { answer: null, many: null, ticked: null, shown: null, setup: null, roll: null };
    const walk = position.steps ? new Walk(position) : null;
    Object.assign(this.state, none, { position, walk, all: false, mine: "", held: "" });
    if (!this.active) return;
    this.area.hush();
    this.#name(isLinked);
    if (!quiet) this.area.say(this.turnWords());
    this.render();
    this.ask();
  }

  /** The position; there is one. */
  get position() {
    return /** @type {Position} */ (this.state.position);
  }

  /**
   * Put the position into the address; the browser's Back leads to the one before.
   * @param {boolean} [isLinked] whether it comes from the address, or replaces what the address has
   */
  #name(isLinked = false) {
    visit(`#xgid=${this.position.xgid.replace("XGID=", "")}`, isLinked);
  }

  /** Whether the view has all rolls or scores, which are searched to depth 3 at most. */
  get isWide() {
    return this.state.view === "rolls" || this.state.view === "scores";
  }

  /** The level of the view. */
  get levelNow() {
    const { level } = this.state;
    return answered(!this.isWide || level === "1" ? level : "3");
  }

  /** The plays of the answer, if it has some. */
  get candidates() {
    const { answer } = this.state;
    return answer && "candidates" in answer ? answer.candidates : [];
  }

  /** Whether the answer has the wanted level. */
  get isDeep() {
    const { answer } = this.state;
    const level = answered(this.state.level);
    return answer !== null && (answer.level === level || answer.depth >= Number(level));
  }

  get names() {
    return /** @type {["X" | "O", "X" | "O"]} */ (
      this.state.position?.turn === 1 ? ["X", "O"] : ["O", "X"]
    );
  }

  turnWords() {
    const { dice, over, doubled, turn, terms, xgid, may_double: may } = this.position;
    const [own, their] = this.names;
    if (over) return t.analyze.won(over.winner === turn ? own : their);
    if (dice) return t.analyze.toPlay(own, dice, termsWords(terms));
    if (doubled) return t.analyze.doubles(own, 2 * terms.cube, their);
    return may
      ? t.analyze.mayDouble(own, termsWords(terms), isRedouble(xgid))
      : t.analyze.onRoll(own, termsWords(terms));
  }

  #draw() {
    const { walk, shown, turned } = this.state;
    const fields = fieldsOf(this.position.xgid);
    this.area.board.hands = {
      ...walk?.hands((steps, place) => this.#steps(steps, place)),
      dice: () => walk && (walk.swap(), this.render()),
      diceName: walk ? t.analyze.diceSwap(walk.dice) : undefined,
    };
    const view = viewOf(fields, walk?.taken.length ? null : shown?.play);
    this.area.show(fields, { ...view, ...walk?.shown(view.own), turned }, ["X", "O"], {
      still: Boolean(this.position.over),
    });
  }

  #offer() {
    const { walk, turned, mine } = this.state;
    const { over, xgid, dice } = this.position;
    const moved = Boolean(walk?.taken.length);
    const next = walk?.play;
    const play = () => next && this.load(next.xgid);
    const pickUp = () => this.load(withDice(xgid, "00"));
    this.area.offer([
      { name: t.common.undo, act: () => this.#undo(), key: "u", off: !moved },
      { name: t.analyze.playIt, act: play, first: Boolean(next), off: !next || !moved },
      { name: t.common.roll, act: () => this.#roll(), key: "r", off: Boolean(over) },
      { name: t.analyze.noDice, act: pickUp, key: "n", off: !dice },
      { name: t.analyze.turnBoard, act: () => this.set({ turned: !turned }), key: "t" },
      { name: t.analyze.setUp, act: () => this.edit(), key: "e" },
    ]);
    const [name, example] = dice
      ? [t.analyze.diceOrPlay, t.analyze.diceOrPlayExample]
      : [t.analyze.dice, "31"];
    this.area.ask(over ? "" : name, (text) => this.#typed(text), example, xgid + mine);
  }

  /** @param {string} text dice, or a play */
  async #typed(text) {
    const dice = readDice(text);
    const index = findPlay(text, this.position);
    if (index >= 0) {
      this.state.walk?.lead(index);
      return this.#try(/** @type {LegalPlay[]} */ (this.position.plays)[index].notation);
    }
    if (!dice) return this.area.say(t.analyze.notLegal(text), true);
    this.area.field.value = "";
    this.load(withDice(this.position.xgid, dice));
  }

  #roll() {
    const die = () => 1 + Math.floor(6 * Math.random());
    this.load(withDice(this.position.xgid, `${die()}${die()}`));
  }

  /** @param {import("./walk.js").Step[]} steps @param {number | "off"} place */
  #steps(steps, place) {
    const { walk } = this.state;
    if (!walk) return;
    if (!steps.length) return this.area.say(walk.refusal(place));
    if (walk.play) return this.#try(walk.play.notation);
    this.area.say(stepsWords(steps));
    this.render();
  }

  #undo() {
    this.state.walk?.undo();
    this.set({ mine: "" });
    this.area.say(this.turnWords());
  }

  /** Show the rank of a play that was tried on the board. @param {string} notation */
  #try(notation) {
    const known = this.candidates.find(({ play }) => play === notation);
    this.set({
      mine: notation,
      held: "",
      view: "plays",
      shown: known ?? this.state.shown,
    });
    if (["exact", "bounded"].includes(known?.kind ?? "") && this.isDeep) this.#rank();
    else this.ask(true);
  }

  #rank() {
    const all = this.candidates;
    const at = all.findIndex(({ play }) => play === this.state.mine);
    if (at < 0) return;
    const { loss, kind, play } = all[at];
    const mark = kind === "shallow" ? "" : MARKS[markOf(loss)].name;
    this.area.say(
      loss === 0
        ? t.analyze.best(play)
        : t.analyze.rank(play, at + 1, all.length, loss.toFixed(3), mark),
    );
  }

  /** Change the view; the question of the earlier view is stopped. @param {View} view */
  turn(view) {
    if (view !== this.state.view) this.asking.stop();
    this.set({ view, shown: null, roll: null });
    this.ask(true);
  }

  /** Change the question; the earlier answer is dropped. @param {Partial<State>} change */
  askAgain(change) {
    this.set({ ...change, answer: null });
    this.ask(true);
  }

  /** The parameters of questions: the position, with the cube or without. */
  get asked() {
    return { id: this.position.xgid, cubeless: this.state.cubeless || null };
  }

  /** Ask the engine. @param {boolean} [again] even if an answer is there */
  async ask(again = false) {
    const { view } = this.state;
    const isKnown = this.isDeep && !again && view === "plays";
    const isRolled = view === "rollout" && (this.state.answer !== null || !this.position.dice);
    if (this.position.over || isRolled || isKnown) return this.set({ busy: false });
    this.set({ busy: true, failed: "", many: null });
    await this.asking.ask(
      async (signal) => {
        if (view === "rollout") this.set({ answer: await this.#candidatesOf(signal) });
        else if (this.isWide) this.set({ many: await this.#many(signal) });
        else await this.#streamed(signal);
        this.set({ busy: false });
        if (!this.state.mine && view !== "rollout") this.area.tell(answerWords(this));
      },
      ({ message }) => this.set({ busy: false, failed: message }),
    );
  }

  /** All rolls, or all scores. @param {AbortSignal} signal */
  #many(signal) {
    const { xgid: id, terms } = this.position;
    const depth = this.levelNow;
    if (this.state.view === "rolls")
      return get("rolls", { ...this.asked, id: withDice(id, "00"), depth }, signal);
    // In the Crawford game nobody owns the cube.
    return get("analyze", { id, depth, scores: SCORES, owners: !terms.crawford }, signal);
  }

  /** Answers to increasing depths. @param {AbortSignal} signal */
  #streamed(signal) {
    const { mine } = this.state;
    return stream(
      "analyze/stream",
      { ...this.asked, level: this.levelNow, play: mine ? [mine] : [] },
      { answer: (data) => this.#heard(data) },
      signal,
    );
  }

  /** @param {Answer} answer */
  #heard(answer) {
    this.state.answer = answer;
    this.set({ busy: !this.isDeep, shown: this.#resting ?? this.state.shown });
    if (this.state.mine && !this.state.held) this.#rank();
  }

  /** The play that arrows show while the mouse points at no play. */
  get #resting() {
    const name = this.state.held || this.state.mine;
    return this.candidates.find(({ play }) => play === name) ?? this.candidates[0] ?? null;
  }

  /** @param {Candidate} candidate @param {"look" | "stay" | "act"} how */
  pick(candidate, how) {
    if (how === "act") this.state.walk?.restart();
    this.set({ shown: candidate, ...(how === "look" ? {} : { held: candidate.play }) });
    if (how === "act") this.area.say(`${candidate.play}, ${signed(candidate.equity)}`);
  }

  /** Called when the mouse leaves the plays. */
  rest() {
    this.set({ shown: this.#resting });
  }

  /** A quick answer, whose plays can be chosen for a rollout. @param {AbortSignal} signal */
  #candidatesOf(signal) {
    const play = this.state.mine ? [this.state.mine] : [];
    return get("analyze", { ...this.asked, depth: lowered(3), top: TICKS, play }, signal);
  }

  /** The plays that can be chosen for a rollout: the best ones, and the play that was tried. */
  get tickable() {
    const { mine } = this.state;
    return this.candidates
      .map(({ play }) => play)
      .filter((play, at) => at < TICKS || play === mine);
  }

  /** The plays that are chosen for a rollout; at first the three best ones and the play that was tried. */
  get ticked() {
    const { ticked, mine } = this.state;
    return ticked ?? this.tickable.filter((play, at) => at < 3 || play === mine);
  }

  /** Choose a play for a rollout, or leave it out. @param {string} play @param {boolean} on */
  tick(play, on) {
    const ticked = this.tickable.filter((each) =>
      each === play ? on : this.ticked.includes(each),
    );
    this.set({ ticked });
  }

  /** The rollout of this position. */
  get rollout() {
    return rollouts.of(this.position.xgid, this.state.cubeless);
  }

  /** The plays of the rollout, or null if there are none to roll out. */
  async toRoll() {
    const { position } = this;
    if (!position.dice) return [];
    if (
      !this.state.answer &&
      !(await this.asking.ask(async (signal) => {
        this.set({ answer: await this.#candidatesOf(signal) });
      }))
    )
      return null;
    if (this.position !== position) return null;
    if (!this.ticked.length) this.area.say(t.analyze.tick, true);
    return this.ticked.length ? this.ticked : null;
  }

  /** Show the position of a rollout. @param {import("./rollout.js").Rollout} rollout */
  async showRollout({ id, cubeless }) {
    Object.assign(this.state, { view: "rollout", cubeless });
    if (id === this.state.position?.xgid) return this.set();
    await this.load(id);
  }

  /** Show for a moment that something was copied. @param {string} name */
  copied(name) {
    this.set({ copied: name });
    this.area.tell(t.analyze.copied);
    setTimeout(() => this.state.copied === name && this.set({ copied: "" }), 1500);
  }

  /** Copy the picture of the board, or save it where the browser copies no pictures. @param {boolean} asFile */
  picture(asFile) {
    return this.reading.aside(async () => {
      const picture = this.area.picture();
      if (asFile || !navigator.clipboard?.write || !globalThis.ClipboardItem)
        return saveBlob(await picture, "board.png");
      // A browser may want the copy to begin at the press, before the picture is there.
      const copying = navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
      await copying.then(
        () => this.copied("picture"),
        async () => saveBlob(await picture, "board.png"),
      );
    });
  }

  /** Set a position up by hand. */
  edit() {
    this.#stop();
    const done = (/** @type {string | null} */ xgid) => {
      if (xgid !== null) return this.load(xgid);
      this.area.say(this.turnWords());
      this.set({ setup: null });
      this.ask();
    };
    this.area.hush();
    this.state.setup = new Setup(this.area, this.host, fieldsOf(this.position.xgid), done);
    this.state.setup.begin();
  }
}
