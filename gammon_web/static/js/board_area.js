/** The board area: the board with the lines of both players, the status message and the actions. */

import "../board/gammon-board.js";
import { OPENING } from "../board/constants.js";
import { pipsOf } from "../board/position.js";
import { button, byId, html, isTyped, refill, row, table } from "./elements.js";
import { t } from "./language.js";
import { pictureOf } from "./picture.js";

/**
 * @typedef {{name: string, act: () => void, key?: string, first?: boolean, off?: boolean}} Action
 *   An action: its button, and its key.
 */

/** Milliseconds between two messages to a screen reader. */
const APART = 250;

/** Keys that work everywhere, with what they do. */
const KEYS = [
  [t.keys.arrows, t.keys.toArrows],
  [t.keys.ends, t.keys.toEnds],
  [t.keys.press, t.keys.toPress],
];

export class BoardArea {
  /** @type {string[]} messages that wait for the screen reader */
  #untold = [];
  /** The timer until the next message, or 0. */
  #waiting = 0;

  constructor() {
    this.board = /** @type {import("../board/gammon-board.js").GammonBoard} */ (
      byId("board")
    ).board;
    this.status = byId("status");
    this.actions = byId("actions");
    this.typed = /** @type {HTMLFormElement} */ (byId("typed"));
    this.field = /** @type {HTMLInputElement} */ (byId("typed-text"));
    /** @type {(text: string) => void} */
    this.onTyped = () => {};
    /** @type {Action[]} */
    this.offered = [];
    /** Whether letters are shortcuts, which dictated text may trigger by mistake. */
    this.letters = true;
    /** The question that the typed text answers. */
    this.about = "";
    this.typed.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text) this.onTyped(text);
    });
    byId("show-keys").addEventListener("click", () => this.#showKeys());
    addEventListener("keydown", (event) => this.#press(event));
  }

  /**
   * Show a position, and its players beside it.
   * @param {import("../board/position.js").Fields} fields @param {import("../board/board.js").View}
   *   view
   * @param {[string, string]} names of X, and of O
   * @param {{pips?: number[], score?: number[] | null, still?: boolean, clock?: string[] | null}}
   *   [more] the pips and the score, if they differ from the position's; `still`: nobody is to act;
   *   `clock`: what the clocks show
   */
  show(
    { length, score: at, turn, dice },
    view,
    names,
    { pips = pipsOf(view.points), score = length ? at : null, still = false, clock = null } = {},
  ) {
    this.board.show(view);
    const own = Number(view.own === "o");
    const below = own ^ Number(view.turned ?? false);
    const active = Number(turn === -1) ^ Number(dice === "D");
    const words = dice === "D" ? t.sides.toAnswer : t.sides.toMove;
    for (const [id, who] of /** @type {[string, number][]} */ ([
      ["side-top", 1 - below],
      ["side-bottom", below],
    ])) {
      const count = pips[who ^ own];
      refill(byId(id), [
        html("gammon-checker", { side: who === 0 ? "x" : "o" }),
        html("span", { class: "who" }, names[who]),
        html("span", { class: "pips" }, count === undefined ? "" : t.sides.pips(count)),
        html("span", { class: "turn" }, who === active && !still ? words : ""),
        clock && html("span", { class: "clock", "data-who": who, role: "timer" }, clock[who]),
        html(
          "span",
          { class: "score" },
          score ? (length ? t.sides.score(score[who], length) : t.sides.points(score[who])) : "",
        ),
      ]);
    }
  }

  /** The board as a picture, with the words of the players' lines. */
  picture() {
    const words = (/** @type {string} */ id) =>
      [...byId(id).querySelectorAll(".who, .pips, .score")]
        .map((each) => each.textContent)
        .filter(Boolean)
        .join(", ");
    return pictureOf(this.board.svg, [words("side-top"), words("side-bottom")]);
  }

  /** Let the clocks show other times. @param {[string, string]} shown of X, and of O */
  time(shown) {
    shown.forEach((words, who) => {
      const clock = document.querySelector(`.clock[data-who="${who}"]`);
      if (clock) clock.textContent = words;
    });
  }

  /**
   * Show a message, which a screen reader reads, too.
   * @param {string} words
   * @param {boolean} [wrong]
   */
  say(words, wrong = false) {
    this.status.classList.toggle("wrong", wrong);
    // A refusal is shown again each time.
    if (!wrong && this.status.textContent === words) return;
    this.status.textContent = words;
    this.#wait();
  }

  /** Have a screen reader read what the page shows elsewhere. @param {string} words */
  tell(words) {
    this.#untold.push(words);
    if (this.#waiting === 0) this.#tellNext();
  }

  #tellNext() {
    const words = this.#untold.shift();
    this.#waiting = 0;
    if (words === undefined) return;
    byId("told").textContent = words;
    this.#wait();
  }

  /** Wait before the next message, so that a screen reader notices each. */
  #wait() {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => this.#tellNext(), APART);
  }

  /** Drop the waiting messages. */
  hush() {
    this.#untold = [];
    byId("told").textContent = "";
  }

  /** Disable all actions, by button, key or hand, until new ones are offered. */
  rest() {
    this.offered = [];
    this.onTyped = () => {};
    this.board.hands = {};
  }

  /** Offer these actions only. @param {Action[]} actions */
  offer(actions) {
    this.offered = actions;
    const buttons = actions.map((action) => {
      const { name, act, key, first, off } = action;
      return button(
        [name, key && html("kbd", { "aria-hidden": "true" }, ` ${key.toUpperCase()}`)],
        () => this.offered.includes(action) && act(),
        {
          class: first ? "first" : "",
          disabled: off,
          id: `do-${name.toLowerCase().replace(/\W+/g, "-")}`,
          "aria-keyshortcuts": key ?? null,
        },
      );
    });
    refill(this.actions, buttons, this.board);
  }

  /**
   * Replace what was offered and asked by these actions.
   * @param {Action[]} [actions]
   */
  clear(actions = []) {
    this.rest();
    this.ask("");
    this.offer(actions);
  }

  /** Clear the board, the lines, the messages and the actions of another mode. */
  blank() {
    this.clear();
    this.say("");
    this.hush();
    this.board.show({ points: OPENING, own: "x" });
    for (const id of ["side-top", "side-bottom"]) byId(id).replaceChildren();
  }

  /**
   * Ask for a typed text. Typed text stays while the question is the same.
   * @param {string} name the label of the field; "" hides it
   * @param {(text: string) => void} [answer] @param {string} [example]
   * @param {string} [about] distinguishes questions with the same label
   */
  ask(name, answer = () => {}, example = "", about = "") {
    if (name === "" && this.typed.contains(document.activeElement)) this.board.focus();
    this.typed.hidden = name === "";
    byId("typed-name").textContent = name;
    this.field.placeholder = example;
    if (name === "" || this.about !== `${name} ${about}`) this.field.value = "";
    this.about = `${name} ${about}`;
    this.onTyped = answer;
  }

  /** Show the keys and what they do now. */
  #showKeys() {
    const keys = [];
    for (const { name, key } of this.offered)
      if (key && (this.letters || key.length > 1))
        keys.push([key === "u" ? t.keys.undo : key.toUpperCase(), name]);
    keys.push(...KEYS, ...(this.letters ? [["?", t.keys.toList]] : []));
    refill(byId("keys-table"), [
      table(
        t.keys.name,
        [t.keys.key, html("th", { scope: "col", class: "words" }, t.keys.deed)],
        keys.map(([key, words]) =>
          row([html("kbd", {}, key), html("td", { class: "words" }, words)]),
        ),
      ),
    ]);
    /** @type {HTMLDialogElement} */ (byId("keys")).showModal();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyped(target) || target.closest("select, dialog")) return;
    if (event.key === "Enter" && target.closest("button, a")) return;
    if (!this.letters && event.key.length === 1) return;
    if (event.key === "?") return this.#showKeys();
    const pressed = event.key === "Backspace" ? "u" : event.key.toLowerCase();
    const action = this.offered.find(({ key, off }) => !off && key?.toLowerCase() === pressed);
    if (!action) return;
    event.preventDefault();
    action.act();
  }
}
