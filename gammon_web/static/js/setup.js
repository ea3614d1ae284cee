/** Setting a position up by hand: checkers, whose turn it is, the cube, and the score. */

import { viewOf } from "../board/board.js";
import { OPENING, SIZE } from "../board/constants.js";
import { Editor } from "../board/editor.js";
import { fieldsOf, flipped, offOf, xgidOf } from "../board/position.js";
import { check, field, segments, select } from "./controls.js";
import { button, card, html, refill } from "./elements.js";
import { readDice } from "./rolling.js";
import { counted } from "./words.js";

/** @import {Fields} from "../board/position.js" */

const HELP =
  "Click on a point to put checkers there, up to the height of the click; the right button puts those of the other side. Drag a checker to move it. Keys: + and −.";

export class Setup {
  /**
   * @param {import("./desk.js").Desk} desk @param {HTMLElement} host @param {Fields} fields
   * @param {(xgid: string | null) => unknown} done null: nothing changes
   */
  constructor(desk, host, fields, done) {
    this.desk = desk;
    this.host = host;
    this.done = done;
    /** The checkers as X counts them. */
    const points = fields.turn === 1 ? fields.points : flipped(fields.points);
    this.editor = new Editor(
      [...points],
      ["X", "O"],
      (words, wrong) => (this.draw(), desk.say(words, wrong)),
    );
    this.fields = { ...fields };
    /** The checkers of X and of O that were borne off before. */
    this.off = offOf(points);
  }

  show() {
    this.#offer();
    this.draw();
    this.panel();
    this.desk.say(HELP);
  }

  #offer() {
    this.desk.clear([
      { name: "Done", act: () => this.#end(), first: true },
      { name: "Cancel", act: () => this.done(null), key: "Escape" },
    ]);
  }

  /**
   * Use the position, if all fields have what they take, and each checker that is not on the board
   * is meant to be off.
   */
  #end() {
    const wrong = /** @type {HTMLInputElement | null} */ (this.host.querySelector("input:invalid"));
    if (wrong) {
      wrong.focus();
      return this.desk.say(wrong.validationMessage, true);
    }
    const off = offOf(this.editor.points);
    const missing = ["X", "O"]
      .map((name, side) =>
        off[side] === 0 || off[side] === this.off[side]
          ? ""
          : `${counted(off[side], "checker")} of ${name}`,
      )
      .filter(Boolean);
    if (!missing.length) return this.done(this.xgid);
    const [first] = missing;
    this.desk.say(
      `${missing.join(" and ")} ${missing.length === 1 && first.startsWith("1 ") ? "is" : "are"} not on the board. Borne off?`,
    );
    this.desk.clear([
      { name: "Go on setting up", act: () => this.show(), key: "Escape", first: true },
      { name: "Borne off", act: () => (this.#offer(), this.done(this.xgid)) },
    ]);
  }

  /**
   * Say what a field does not take, or that it is right again.
   * @param {HTMLInputElement} input
   * @param {string} wrong
   * @param {boolean} [soon] whether more may be typed
   */
  #check(input, wrong, soon = false) {
    input.setCustomValidity(wrong);
    if (wrong && !soon) this.desk.say(wrong, true);
    else if (this.desk.status.classList.contains("wrong")) this.desk.say(HELP);
  }

  get xgid() {
    const { turn, length, score } = this.fields;
    const points = turn === 1 ? this.editor.points : flipped(this.editor.points);
    return xgidOf({ ...this.fields, points, score: length ? score : [0, 0] });
  }

  draw() {
    this.desk.board.hands = this.editor.hands;
    const fields = fieldsOf(this.xgid);
    this.desk.show(fields, viewOf(fields, null, 1), ["X", "O"], { score: null });
  }

  panel() {
    const fields = this.fields;
    const change = (/** @type {Partial<Fields>} */ by) => {
      Object.assign(fields, by);
      this.draw();
    };
    const all = (/** @type {number[]} */ points, /** @type {string} */ words) => () => {
      this.editor.points = [...points];
      this.draw();
      this.desk.say(words);
    };
    const number = (
      /** @type {number} */ value,
      /** @type {number} */ most,
      /** @type {(value: number) => void} */ changed,
    ) => {
      const input = html("input", {
        type: "number",
        min: 0,
        max: most,
        value,
        inputmode: "numeric",
      });
      input.addEventListener("input", () => {
        input.setCustomValidity("");
        const right = input.checkValidity();
        changed(right ? Number(input.value) : 0);
        this.#check(input, right ? "" : `Expected a whole number from 0 to ${most}.`);
      });
      return input;
    };
    const dice = html("input", {
      value: readDice(fields.dice) ?? "",
      maxlength: 2,
      inputmode: "numeric",
      placeholder: fields.dice === "D" ? "a double" : "none",
    });
    dice.addEventListener("input", () => {
      dice.placeholder = "none";
      change({ dice: readDice(dice.value) ?? "" });
      this.#check(
        dice,
        dice.value && !fields.dice ? `“${dice.value}” is not a roll such as 31.` : "",
        dice.value.length < 2,
      );
    });
    const cubes = [1, 2, 4, 8, 16, 32, 64].map(
      (each) => /** @type {[number, string]} */ ([each, String(each)]),
    );
    const crawford = html(
      "div",
      { class: "row" },
      check("Crawford game", fields.crawford, (value) => change({ crawford: value })),
    );
    const money = html(
      "div",
      { class: "row" },
      check("Jacoby", fields.jacoby, (value) => change({ jacoby: value })),
      check("Beavers", fields.beavers, (value) => change({ beavers: value })),
    );
    const rules = () => {
      crawford.hidden = fields.length === 0;
      money.hidden = fields.length > 0;
    };
    rules();
    refill(this.host, [
      card(
        "Set up",
        html("h2", {}, "Set up a position"),
        html(
          "div",
          { class: "row" },
          segments(
            "Checkers to put down",
            [
              [1, "Put X"],
              [-1, "Put O"],
            ],
            this.editor.tool,
            (value) => (this.editor.tool = value),
          ),
          segments(
            "On roll",
            [
              [1, "X on roll"],
              [-1, "O on roll"],
            ],
            fields.turn,
            (value) => change({ turn: value }),
          ),
        ),
        html(
          "div",
          { class: "row" },
          button("Empty board", all(Array(SIZE).fill(0), "The board is empty.")),
          button("Opening", all(OPENING, "The checkers stand as in the opening.")),
          button("Exchange sides", () => {
            this.editor.points = flipped(this.editor.points);
            this.off.reverse();
            change({
              turn: -fields.turn,
              owner: 0 - fields.owner,
              score: [fields.score[1], fields.score[0]],
            });
            this.panel();
            this.desk.say("The sides are exchanged.");
          }),
        ),
        html(
          "div",
          { class: "fields" },
          field("Dice", dice),
          field(
            "Match to (0: money)",
            number(fields.length, 64, (value) => (change({ length: value }), rules())),
          ),
          field(
            "Score of X",
            number(fields.score[0], 63, (value) => change({ score: [value, fields.score[1]] })),
          ),
          field(
            "Score of O",
            number(fields.score[1], 63, (value) => change({ score: [fields.score[0], value] })),
          ),
          field(
            "Cube",
            select(cubes, fields.cube, (value) => change({ cube: value })),
          ),
          field(
            "Cube of",
            select(
              [
                [0, "nobody"],
                [1, "X"],
                [-1, "O"],
              ],
              fields.owner,
              (value) => change({ owner: value }),
            ),
          ),
        ),
        crawford,
        money,
      ),
    ]);
  }
}
