/** Setting a position up by hand: checkers, whose turn it is, the cube, and the score. */

import { viewOf } from "../board/board.js";
import { OPENING, SIZE } from "../board/constants.js";
import { Editor } from "../board/editor.js";
import { fieldsOf, flipped, offOf, xgidOf } from "../board/position.js";
import { check, field, heardBy, segments, select } from "./controls.js";
import { button, card, html, refill } from "./elements.js";
import { heading } from "./help.js";
import { t } from "./language.js";
import { readDice } from "./rolling.js";

/** @import {Fields} from "../board/position.js" */

/** @typedef {"length" | "own" | "their"} Named a number field: the length of the match, or a score */

export class Setup {
  /** Whether the page asks if the missing checkers are borne off. */
  asks = false;

  /**
   * @param {import("./board_area.js").BoardArea} area @param {HTMLElement} host @param {Fields} fields
   * @param {(xgid: string | null) => unknown} done null: nothing changes
   */
  constructor(area, host, fields, done) {
    this.area = area;
    this.host = host;
    this.done = done;
    /** The checkers, seen from X. */
    const points = fields.turn === 1 ? fields.points : flipped(fields.points);
    this.editor = new Editor(
      [...points],
      ["X", "O"],
      (words, wrong) => (this.render(), area.say(words, wrong)),
    );
    this.fields = { ...fields };
    /** The contents of the text fields, valid or not. */
    this.typed = {
      dice: readDice(fields.dice) ?? "",
      length: String(fields.length),
      own: String(fields.score[0]),
      their: String(fields.score[1]),
    };
    /** The borne-off checkers of X and of O at the beginning. */
    this.off = offOf(points);
  }

  /** Begin or continue. */
  begin() {
    this.asks = false;
    this.render();
    this.area.say(t.setup.help);
  }

  /** @param {Partial<Fields>} change */
  set(change) {
    Object.assign(this.fields, change);
    this.render();
  }

  /** Draw the board, the actions and the panel. */
  render() {
    const { area, asks } = this;
    area.clear(
      asks
        ? [
            { name: t.setup.goOn, act: () => this.begin(), key: "Escape", first: true },
            { name: t.setup.borneOff, act: () => ((this.asks = false), this.done(this.xgid)) },
          ]
        : [
            { name: t.common.done, act: () => this.#end(), first: true },
            { name: t.common.cancel, act: () => this.done(null), key: "Escape" },
          ],
    );
    area.board.hands = asks ? {} : this.editor.hands;
    const fields = fieldsOf(this.xgid);
    area.show(fields, viewOf(fields, null, 1), ["X", "O"], { score: null });
    refill(this.host, [this.#card()]);
  }

  /**
   * Use the position, if all fields are valid, and missing checkers are confirmed as borne off.
   */
  #end() {
    const wrong = /** @type {HTMLInputElement | null} */ (this.host.querySelector("input:invalid"));
    if (wrong) {
      wrong.focus();
      return this.area.say(wrong.validationMessage, true);
    }
    const off = offOf(this.editor.points);
    const [own, their] = off.map((count, side) => (count === this.off[side] ? 0 : count));
    if (!own && !their) return this.done(this.xgid);
    this.asks = true;
    this.render();
    this.area.say(t.setup.missing(own, their));
  }

  /**
   * Show the error of a field, or remove it.
   * @param {HTMLInputElement} input
   * @param {string} wrong
   * @param {boolean} [soon] whether more may be typed
   */
  #check(input, wrong, soon = false) {
    input.setCustomValidity(wrong);
    if (wrong && !soon) this.area.say(wrong, true);
    else if (this.area.status.classList.contains("wrong")) this.area.say(t.setup.help);
  }

  get xgid() {
    const { turn, length, score } = this.fields;
    const points = turn === 1 ? this.editor.points : flipped(this.editor.points);
    return xgidOf({ ...this.fields, points, score: length ? score : [0, 0] });
  }

  /**
   * A field for a whole number; without one, 0 counts.
   * @param {Named} name @param {number} most @param {(value: number) => Partial<Fields>} changed
   */
  #number(name, most, changed) {
    const input = (/** @type {Event} */ event) => {
      const field = /** @type {HTMLInputElement} */ (heardBy(event));
      field.setCustomValidity("");
      const right = field.checkValidity();
      this.typed[name] = field.value;
      this.set(changed(right ? Number(field.value) : 0));
      this.#check(field, right ? "" : t.setup.whole(most));
    };
    const value = this.typed[name];
    return html("input", { type: "number", min: 0, max: most, value, inputmode: "numeric", input });
  }

  #dice() {
    const { typed, fields } = this;
    const input = (/** @type {Event} */ event) => {
      const field = /** @type {HTMLInputElement} */ (heardBy(event));
      typed.dice = field.value;
      this.set({ dice: readDice(field.value) ?? "" });
      const wrong = field.value && !fields.dice;
      const words = wrong ? t.common.noRoll(field.value) : "";
      this.#check(field, words, field.value.length < 2);
    };
    return html("input", {
      value: typed.dice,
      maxlength: 2,
      inputmode: "numeric",
      placeholder: fields.dice === "D" ? t.setup.aDouble : t.setup.none,
      input,
    });
  }

  /** @param {number[]} points @param {string} words */
  #put(points, words) {
    this.editor.points = [...points];
    this.render();
    this.area.say(words);
  }

  #exchange() {
    const { fields, typed, editor } = this;
    const { turn, owner, score } = fields;
    editor.points = flipped(editor.points);
    this.off.reverse();
    [typed.own, typed.their] = [typed.their, typed.own];
    this.set({ turn: -turn, owner: 0 - owner, score: [score[1], score[0]] });
    this.area.say(t.setup.exchanged);
  }

  #card() {
    const { fields, editor } = this;
    const { score, turn, cube, owner } = fields;
    const cubes = [1, 2, 4, 8, 16, 32, 64].map(
      (value) => /** @type {[number, string]} */ ([value, String(value)]),
    );
    const tools = /** @type {[number, string][]} */ ([
      [1, t.setup.putX],
      [-1, t.setup.putO],
    ]);
    const turns = /** @type {[number, string][]} */ ([
      [1, t.setup.xOnRoll],
      [-1, t.setup.oOnRoll],
    ]);
    const owners = /** @type {[number, string][]} */ ([
      [0, t.setup.nobody],
      [1, "X"],
      [-1, "O"],
    ]);
    const isMatch = fields.length > 0;
    const row = (/** @type {boolean} */ hidden, /** @type {HTMLElement[]} */ ...inside) =>
      html("div", { class: "row", hidden }, inside);
    return card(
      t.analyze.setUp,
      heading(t.setup.name, "analyze"),
      row(
        false,
        segments(t.setup.checkers, tools, editor.tool, (tool) => {
          editor.tool = tool;
          this.render();
        }),
        segments(t.setup.onRoll, turns, turn, (value) => this.set({ turn: value })),
      ),
      row(
        false,
        button(t.setup.empty, () => this.#put(Array(SIZE).fill(0), t.setup.isEmpty)),
        button(t.setup.opening, () => this.#put(OPENING, t.setup.isOpening)),
        button(t.setup.exchange, () => this.#exchange()),
      ),
      html(
        "div",
        { class: "fields" },
        field(t.analyze.dice, this.#dice()),
        field(
          t.setup.length,
          this.#number("length", 64, (length) => ({ length })),
        ),
        field(
          t.setup.scoreOf("X"),
          this.#number("own", 63, (own) => ({ score: [own, score[1]] })),
        ),
        field(
          t.setup.scoreOf("O"),
          this.#number("their", 63, (their) => ({ score: [score[0], their] })),
        ),
        field(
          t.setup.cube,
          select(cubes, cube, (value) => this.set({ cube: value, owner: value > 1 ? owner : 0 })),
        ),
        field(
          t.setup.cubeOf,
          // Nobody owns a cube at 1.
          select(owners.slice(0, cube > 1 ? 3 : 1), owner, (value) => this.set({ owner: value })),
        ),
      ),
      row(
        !isMatch,
        check(
          t.setup.crawford,
          fields.crawford,
          (crawford) => this.set({ crawford }),
          t.help.words["crawford-game"],
        ),
      ),
      row(
        isMatch,
        check(
          t.setup.jacoby,
          fields.jacoby,
          (jacoby) => this.set({ jacoby }),
          t.help.words["jacoby-rule"],
        ),
        check(t.setup.beavers, fields.beavers, (beavers) => this.set({ beavers })),
      ),
    );
  }
}
