// @ts-check
/** Setting a position up by hand: checkers, whose turn it is, the cube, and the score. */

import { CHECKERS, OPENING, SIZE } from "./constants.js";
import { button, html } from "./elements.js";
import { flipped, pipsOf, xgidOf } from "./position.js";
import { readDice } from "./rolling.js";
import { check, field, segments, select } from "./tabs.js";
import { counted, placeName } from "./words.js";

/** @typedef {import("./position.js").Fields} Fields */

export class Setup {
  /** Whose checkers a click puts down: 1 of X, -1 of O. */
  tool = 1;

  /**
   * @param {import("./desk.js").Desk} desk
   * @param {HTMLElement} host
   * @param {Fields} fields
   * @param {(xgid: string | null) => unknown} done null: nothing changes
   */
  constructor(desk, host, fields, done) {
    this.desk = desk;
    this.host = host;
    this.done = done;
    /** The checkers as X counts them. */
    this.points = fields.turn === 1 ? fields.points : flipped(fields.points);
    this.fields = { ...fields };
  }

  show() {
    this.draw();
    this.panel();
    this.desk.ask("");
    this.desk.offer([
      { name: "Done", act: () => this.done(this.xgid), first: true },
      { name: "Cancel", act: () => this.done(null), key: "Escape" },
    ]);
    this.desk.say("Click on a point to put checkers there, up to the height of the click; the right button puts those of the other side. Drag a checker to move it. Keys: + and −.");
  }

  get xgid() {
    const { turn, dice } = this.fields;
    const points = turn === 1 ? this.points : flipped(this.points);
    return xgidOf({ ...this.fields, points, dice });
  }

  /** @param {number} side */
  #count(side) {
    return this.points.reduce((sum, count) => sum + Math.max(0, side * count), 0);
  }

  /**
   * The checkers of a side on a place. Each half of the bar has those of one side only.
   * @param {number} place
   * @param {number} tool 1 for X, -1 for O
   */
  #held(place, tool) {
    const side = place === 25 ? 1 : place === 0 ? -1 : tool;
    return { side, count: Math.max(0, side * this.points[place]) };
  }

  /**
   * @param {number} place
   * @param {number} count
   * @param {number} [tool] the side
   */
  #put(place, count, tool = this.tool) {
    const { side, count: old } = this.#held(place, tool);
    const most = old + CHECKERS - this.#count(side);
    if (count > most && most === old) return this.#refuse(`All ${CHECKERS} checkers of ${side === 1 ? "X" : "O"} are on the board: take one away first, or drag one here.`);
    this.points[place] = 0 + side * Math.max(0, Math.min(count, most));
    this.#tell(count > most ? `${counted(most, "checker")} and no more: all ${CHECKERS} are on the board. ` : "", place);
  }

  /**
   * A click on a place: checkers up to its height, or one less where they are there already.
   * @param {import("./board.js").Place} place
   * @param {number} row -1: by a key, which adds one
   * @param {number} tool
   */
  #click(place, row, tool) {
    if (place === "off") return this.#refuse("Drag a checker here to take it off the board.");
    const { count } = this.#held(place, tool);
    const top = row === 4 && count >= 5;
    this.#put(place, row < 0 || top ? count + 1 : count === row + 1 ? row : row + 1, tool);
  }

  /**
   * Move a checker, or take it off the board.
   * @param {import("./board.js").Place} from
   * @param {import("./board.js").Place} to
   */
  #move(from, to) {
    const side = from === "off" ? 1 : Math.sign(this.points[from]);
    if (from !== "off" && side === 0) return this.#refuse("There is no checker to drag.");
    if (from === "off" && this.#count(1) === CHECKERS) return this.#refuse(`All ${CHECKERS} checkers of X are on the board.`);
    if (to !== "off" && (to === 25 || to === 0) && side !== (to === 25 ? 1 : -1)) return this.#refuse("The upper half of the bar is that of X, the lower one that of O.");
    if (to !== "off" && side * this.points[to] < 0) return this.#refuse(`The ${to} point has checkers of the other side.`);
    if (from !== "off") this.points[from] -= side;
    if (to !== "off") this.points[to] += side;
    this.#tell("", to === "off" ? /** @type {number} */ (from) : to);
  }

  /** @param {string} words */
  #refuse(words) {
    this.desk.say(words, true);
  }

  /** @param {string} before @param {number} place */
  #tell(before, place) {
    this.draw();
    const [x, o] = [1, -1].map((side) => CHECKERS - this.#count(side));
    this.desk.say(`${before}${placeName(place, this.points)}. ${x} of X and ${o} of O off.`);
  }

  draw() {
    const board = this.desk.board;
    board.hands = {
      click: (place, row) => this.#click(place, row, this.tool),
      other: (place, row) => this.#click(place, row, -this.tool),
      drop: (from, to) => this.#move(from, to),
      canDrag: (place) => place !== "off" && this.points[place] !== 0,
      key: (event, place) => {
        if (place === "off") return false;
        const by = { "+": 1, "=": 1, "-": -1, Delete: -CHECKERS, Backspace: -1 }[event.key];
        if (by) this.#put(place, this.#held(place, this.tool).count + by);
        return Boolean(by);
      },
    };
    const { cube, owner, dice, turn } = this.fields;
    const values = [...dice].map(Number).filter((each) => each);
    board.show({
      points: this.points,
      own: "x",
      cube: { value: cube, owner },
      dice: values.length ? [{ values, side: turn === 1 ? "x" : "o", left: turn !== 1 }] : [],
    });
    const [x, o] = pipsOf(this.points);
    this.desk.players({ side: "o", name: "O", pips: o, turn: turn === -1 ? "to move" : "" }, { side: "x", name: "X", pips: x, turn: turn === 1 ? "to move" : "" });
  }

  panel() {
    const fields = this.fields;
    const change = (/** @type {Partial<Fields>} */ by) => {
      Object.assign(fields, by);
      this.draw();
    };
    const all = (/** @type {number[]} */ points) => () => {
      this.points = [...points];
      this.draw();
    };
    const number = (/** @type {number} */ value, /** @type {number} */ most, /** @type {(value: number) => void} */ changed) => {
      const input = /** @type {HTMLInputElement} */ (html("input", { type: "number", min: 0, max: most, value, inputmode: "numeric" }));
      input.addEventListener("input", () => {
        const wanted = Math.floor(Number(input.value) || 0);
        changed(Math.max(0, Math.min(most, wanted)));
        if (wanted > most) this.#refuse(`${wanted}: it can be ${most} at most.`);
      });
      return input;
    };
    const dice = /** @type {HTMLInputElement} */ (html("input", { value: fields.dice, maxlength: 2, inputmode: "numeric", placeholder: "none" }));
    dice.addEventListener("input", () => {
      change({ dice: readDice(dice.value) ?? "" });
      if (dice.value.length === 2 && !fields.dice) this.#refuse(`“${dice.value}” is not a roll such as 31.`);
    });
    const cubes = [1, 2, 4, 8, 16, 32, 64].map((each) => /** @type {[number, string]} */ ([each, String(each)]));
    const crawford = html("div", { class: "row" }, check("Crawford game", fields.crawford, (value) => change({ crawford: value })));
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
    this.host.replaceChildren(
      html(
        "section",
        { class: "card", "aria-label": "Set up" },
        html("h2", {}, "Set up a position"),
        html("div", { class: "row" },
          segments("Checkers to put down", [[1, "Put X"], [-1, "Put O"]], this.tool, (value) => (this.tool = value)),
          segments("On roll", [[1, "X on roll"], [-1, "O on roll"]], fields.turn, (value) => change({ turn: value }))),
        html("div", { class: "row" },
          button("Empty board", all(Array(SIZE).fill(0))),
          button("Opening", all(OPENING)),
          button("Exchange sides", () => {
            this.points = flipped(this.points);
            change({ turn: -fields.turn, owner: 0 - fields.owner });
            this.panel();
          })),
        html("div", { class: "fields" },
          field("Dice", dice),
          field("Match to (0: money)", number(fields.length, 64, (value) => (change({ length: value }), rules()))),
          field("Score of X", number(fields.score[0], 63, (value) => change({ score: [value, fields.score[1]] }))),
          field("Score of O", number(fields.score[1], 63, (value) => change({ score: [fields.score[0], value] }))),
          field("Cube", select(cubes, fields.cube, (value) => change({ cube: value }))),
          field("Cube of", select([[0, "nobody"], [1, "X"], [-1, "O"]], fields.owner, (value) => change({ owner: value })))),
        crawford,
        money,
      ),
    );
  }
}
