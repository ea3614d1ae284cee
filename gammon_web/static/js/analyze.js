/** Analyze: a position, its plays or its cube decision, and what one wants to know of it. */

import { viewOf } from "../board/board.js";
import { fieldsOf, findPlay, withDice } from "../board/position.js";
import { AnalyzePanel } from "./analyze_panel.js";
import { get, post, stream } from "./api.js";
import { Asking } from "./asking.js";
import { byId } from "./elements.js";
import { answered } from "./levels.js";
import { OPENING_XGID } from "./match.js";
import { readDice } from "./rolling.js";
import { visit } from "./settings.js";
import { Setup } from "./setup.js";
import { stepsWords, Walk } from "./walk.js";
import { MARKS, doubling, markOf, signed, stakesWords } from "./words.js";

const FIRST = withDice(OPENING_XGID, "31");

/** The points that the sides need at most in the table by score. */
const SCORES = 7;

/** @import {Position, Candidate} from "../../answers.js" */
/** @typedef {"plays" | "rolls" | "scores" | "rollout"} View */

export class Analyze {
  /** @type {Position | null} */
  position = null;
  /** @type {import("../../answers.js").Answer | null} the latest one */
  answer = null;
  /** @type {Walk | null} */
  walk = null;
  /** @type {Setup | null} */
  setup = null;
  /** @type {Candidate | null} the play that arrows show */
  shown = null;
  /** The level that was chosen: a depth, or one that plays games where plays are close. */
  level = "5";
  cubeless = false;
  turned = false;
  all = false;
  /** @type {View} */
  view = "plays";
  mine = "";
  active = false;
  /** The text that was read last. */
  #text = "";

  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.asking = new Asking(desk);
    /** Reads texts: the search goes on until one of them is a position. */
    this.reading = new Asking(desk);
    this.panel = new AnalyzePanel(byId("analyze"), this);
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

  async enter() {
    this.active = true;
    if (this.position && !this.#isElsewhere) {
      this.#name();
      this.desk.say(this.turnWords());
      return this.show();
    }
    this.desk.say("Reading the position.");
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

  /** The position that the address names. */
  #hash() {
    const found = /^#(?:xgid|id|position)(?:=|%3D)(.+)$/i.exec(location.hash);
    return found ? (/^#xgid/i.test(location.hash) ? `XGID=${found[1]}` : found[1]) : "";
  }

  /** Whether the address names another position than the one shown. */
  get #isElsewhere() {
    return this.#hash() !== "" && this.#hash() !== this.position?.xgid;
  }

  /**
   * Read a text, show its position and ask for its analysis.
   * @param {string} text
   * @param {boolean} [quiet] whether an earlier message stays
   */
  async load(text, quiet = false) {
    this.#text = text;
    return this.reading.ask(
      async (signal) => this.use(await post("position", { text }, signal), quiet),
      () => this.#failed(),
    );
  }

  /** Where no position was there before, none is there now. */
  #failed() {
    if (!this.active || this.desk.offered.length) return;
    this.desk.offer([{ name: "Try again", act: () => this.enter(), first: true }]);
  }

  /** @param {Position} position @param {boolean} [quiet] */
  use(position, quiet = false) {
    this.asking.stop();
    const isLinked = this.#isElsewhere;
    this.position = position;
    this.answer = this.shown = this.setup = this.panel.rollout = null;
    this.all = false;
    this.mine = this.held = "";
    this.walk = position.steps ? new Walk(position) : null;
    if (!this.active) return;
    this.desk.tell("");
    this.#name(isLinked);
    if (!quiet) this.desk.say(this.turnWords());
    this.show();
  }

  /**
   * Name the position in the address; the way back leads to the one before.
   * @param {boolean} [isLinked] whether it comes from the address, or takes the place of what that
   *   names
   */
  #name(isLinked = false) {
    visit(`#xgid=${/** @type {Position} */ (this.position).xgid.replace("XGID=", "")}`, isLinked);
  }

  /** Show all, and ask what is not known yet. */
  show() {
    if (this.setup) return this.setup.show();
    if (!this.position) return;
    this.draw();
    this.#offer();
    this.panel.show();
    this.ask();
  }

  /** Whether the view has many answers, which are searched to depth 3 at most. */
  get isWide() {
    return this.view === "rolls" || this.view === "scores";
  }

  /** The level that the view has. */
  get levelNow() {
    return answered(!this.isWide || this.level === "1" ? this.level : "3");
  }

  /** The plays of the answer, as far as it has some. */
  get candidates() {
    return this.answer && "candidates" in this.answer ? this.answer.candidates : [];
  }

  /** Whether the answer is as deep as it shall be. */
  get isDeep() {
    const level = answered(this.level);
    return (
      this.answer !== null && (this.answer.level === level || this.answer.depth >= Number(level))
    );
  }

  get names() {
    return /** @type {["X" | "O", "X" | "O"]} */ (
      this.position?.turn === 1 ? ["X", "O"] : ["O", "X"]
    );
  }

  turnWords() {
    const {
      dice,
      over,
      doubled,
      turn,
      stakes,
      xgid,
      may_double: may,
    } = /** @type {Position} */ (this.position);
    const [own, their] = this.names;
    if (over) return `${over.winner === turn ? own : their} has won.`;
    if (dice) return `${own} to play ${dice[0]} and ${dice[1]}, ${stakesWords(stakes)}.`;
    if (doubled) return `${own} doubles to ${2 * stakes.cube}: ${their} takes or passes?`;
    return may
      ? `${own} on roll: ${doubling("double", xgid)} or not? ${stakesWords(stakes)}.`
      : `${own} on roll, ${stakesWords(stakes)}.`;
  }

  draw() {
    const position = /** @type {Position} */ (this.position);
    const fields = fieldsOf(position.xgid);
    const walk = this.walk;
    this.desk.board.hands = {
      ...walk?.hands((steps, place) => this.#steps(steps, place)),
      dice: () => walk && (walk.swap(), this.draw()),
      diceName: walk ? `Dice ${walk.dice.join(" and ")}: exchange them` : undefined,
    };
    const view = viewOf(fields, walk?.taken.length ? null : this.shown?.play);
    this.desk.show(fields, { ...view, ...walk?.shown(view.own), turned: this.turned }, ["X", "O"], {
      still: Boolean(position.over),
    });
  }

  #offer() {
    const position = /** @type {Position} */ (this.position);
    const moved = Boolean(this.walk?.taken.length);
    const next = this.walk?.play;
    this.desk.offer([
      { name: "Undo", act: () => this.#undo(), key: "u", off: !moved },
      {
        name: "Play it",
        act: () => next && this.load(next.xgid),
        first: Boolean(next),
        off: !next || !moved,
      },
      { name: "Roll", act: () => this.#roll(), key: "r", off: Boolean(position.over) },
      {
        name: "No dice",
        act: () => this.load(withDice(position.xgid, "00")),
        key: "n",
        off: !position.dice,
      },
      { name: "Turn board", act: () => ((this.turned = !this.turned), this.draw()), key: "t" },
      { name: "Set up", act: () => this.edit(), key: "e" },
    ]);
    if (position.over) return this.desk.ask("");
    this.desk.ask(
      position.dice ? "Dice, or a play" : "Dice",
      (text) => this.#typed(text),
      position.dice ? "31 or 8/5 6/5" : "31",
    );
  }

  /** @param {string} text dice, or a play */
  async #typed(text) {
    const position = /** @type {Position} */ (this.position);
    const dice = readDice(text);
    const index = findPlay(text, position);
    if (index >= 0) {
      this.walk?.lead(index);
      return this.#try(
        /** @type {import("../../answers.js").LegalPlay[]} */ (position.plays)[index].notation,
      );
    }
    if (dice) return void this.load(withDice(position.xgid, dice));
    this.desk.say(`“${text}” is not a legal play here, and no roll.`, true);
  }

  #roll() {
    const die = () => 1 + Math.floor(6 * Math.random());
    this.load(withDice(/** @type {Position} */ (this.position).xgid, `${die()}${die()}`));
  }

  /** @param {import("./walk.js").Step[]} steps @param {number | "off"} place */
  #steps(steps, place) {
    if (!this.walk) return;
    if (!steps.length) return this.desk.say(this.walk.refusal(place));
    const play = this.walk.play;
    if (play) this.#try(play.notation);
    else this.desk.say(stepsWords(steps));
    this.draw();
    this.#offer();
  }

  #undo() {
    this.walk?.undo();
    this.mine = "";
    this.draw();
    this.#offer();
    this.panel.show();
    this.desk.say(this.turnWords());
  }

  /** Rank a play that somebody has in mind. @param {string} notation */
  #try(notation) {
    this.mine = notation;
    this.held = "";
    this.view = "plays";
    const found = this.candidates.find((each) => each.play === notation);
    if (found) this.shown = found;
    if (found?.kind === "exact" && this.isDeep) this.#rank();
    else this.ask(true);
    this.panel.show();
    this.draw();
    this.#offer();
  }

  #rank() {
    const all = this.candidates;
    const mine = all.find((each) => each.play === this.mine);
    if (!mine) return;
    const { loss, kind, play } = mine;
    const mark = kind === "shallow" ? "" : MARKS[markOf(loss)].name;
    const rank = `${all.indexOf(mine) + 1}. of ${all.length}`;
    const words =
      loss === 0 ? "the best play" : `${rank}, loses ${loss.toFixed(3)}${mark && ` (${mark})`}`;
    this.desk.say(`${play}: ${words}.`);
  }

  /** What is asked about: the position, with the cube or without. */
  get asked() {
    return { id: /** @type {Position} */ (this.position).xgid, cubeless: this.cubeless || null };
  }

  /** Ask the engine. @param {boolean} [again] even if an answer is there */
  async ask(again = false) {
    const position = /** @type {Position} */ (this.position);
    if (
      position.over ||
      this.view === "rollout" ||
      (this.isDeep && !again && this.view === "plays")
    )
      return this.panel.busy(false);
    const { asked } = this;
    this.panel.busy(true);
    await this.asking.ask(
      async (signal) => {
        if (this.view === "rolls") {
          this.panel.rolls(
            await get(
              "rolls",
              { ...asked, id: withDice(position.xgid, "00"), depth: this.levelNow },
              signal,
            ),
          );
        } else if (this.view === "scores") {
          // Nobody owns a cube in the Crawford game.
          this.panel.scores(
            await get(
              "analyze",
              {
                id: position.xgid,
                depth: this.levelNow,
                scores: SCORES,
                owners: !position.stakes.crawford,
              },
              signal,
            ),
          );
        } else {
          await stream(
            "analyze/stream",
            { ...asked, level: this.levelNow, play: this.mine ? [this.mine] : [] },
            { answer: (data) => this.#heard(data) },
            signal,
          );
        }
        this.panel.done();
      },
      ({ message }) => this.panel.failed(message),
    );
  }

  /** @param {import("../../answers.js").Answer} data */
  #heard(data) {
    this.answer = data;
    this.panel.busy(!this.isDeep);
    if ("candidates" in data) {
      const name = this.held || this.mine;
      this.shown = data.candidates.find((each) => each.play === name) ?? data.candidates[0];
      if (this.mine && !this.held) this.#rank();
    }
    this.panel.results();
    this.draw();
  }

  /** The play of the table that has the focus, or was pressed. */
  held = "";

  /** @param {Candidate} candidate @param {"look" | "stay" | "act"} how */
  pick(candidate, how) {
    const act = how === "act";
    this.shown = candidate;
    if (how !== "look") this.held = candidate.play;
    if (act && this.walk?.taken.length) this.walk.restart();
    if (act) this.#offer();
    this.draw();
    this.panel.bars();
    if (act) this.desk.say(`${candidate.play}, ${signed(candidate.equity)}`);
  }

  /** Set a position up by hand. */
  edit() {
    this.#stop();
    const position = /** @type {Position} */ (this.position);
    const done = (/** @type {string | null} */ xgid) => {
      if (xgid !== null) return this.load(xgid);
      this.setup = null;
      this.desk.say(this.turnWords());
      this.show();
    };
    this.desk.tell("");
    this.setup = new Setup(this.desk, this.panel.host, fieldsOf(position.xgid), done);
    this.setup.show();
  }
}
