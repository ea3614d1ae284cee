/**
 * `<gammon-board xgid="XGID=...">`: the board as an element of any page, and `<gammon-checker
 * side="x">`, a checker beside words. They need only this folder; docs/embed.md of gammon
 * lists their attributes, events and colours.
 */

import { Board, viewOf } from "./board.js";
import { SIZE } from "./constants.js";
import { Editor } from "./editor.js";
import { svg } from "./dom.js";
import { OFF } from "./geometry.js";
import { checker } from "./pieces.js";
import { fieldsOf, isXgid, legsOf, xgidOf } from "./position.js";
import { texts } from "./texts.js";

/** The first position of an editable board without an XGID. */
const EMPTY = `XGID=${"-".repeat(SIZE)}:0:0:1:00:0:0:0:0:10`;
const sheet = new CSSStyleSheet();
// One style sheet for all boards, which are hidden until it is loaded.
sheet.replaceSync(":host { visibility: hidden; }");
fetch(new URL("board.css", import.meta.url))
  .then((response) => response.text())
  .then(
    (style) => sheet.replaceSync(style),
    () => sheet.replaceSync(""),
  );

/**
 * A drawing in a shadow root, so that the styles of the page and of the drawing do not interfere.
 */
class Drawn extends HTMLElement {
  constructor() {
    super();
    this.root = this.attachShadow({ mode: "open" });
    this.root.adoptedStyleSheets = [sheet];
  }
}

export class GammonBoard extends Drawn {
  static observedAttributes = ["xgid", "play", "turned", "mirrored", "movable", "editable", "tool"];
  /**
   * The board itself, for pages that handle its places: see `View` and `Hands` of board.js.
   */
  board = new Board(this.root);

  /** @returns {string} */
  get xgid() {
    return this.getAttribute("xgid") ?? "";
  }

  /** @param {string | null} text */
  set xgid(text) {
    if (text === null) this.removeAttribute("xgid");
    else this.setAttribute("xgid", text);
  }

  focus() {
    this.board.focus();
  }

  /** @param {string} name of the attribute */
  attributeChangedCallback(name) {
    this.board.mirror(this.hasAttribute("mirrored"));
    const shown = this.xgid || (this.hasAttribute("editable") ? EMPTY : "");
    const play = this.getAttribute("play");
    const known = isXgid(shown);
    if (name === "xgid" && shown && !known)
      console.warn(`gammon-board: "${shown}" is not an XGID.`);
    if (name === "play" && play && !legsOf(play))
      console.warn(`gammon-board: "${play}" is not a play.`);
    const fields = known ? fieldsOf(shown) : null;
    this.board.hands = fields ? this.#hands(fields) : {};
    const view = fields
      ? viewOf(fields, play)
      : { points: Array(SIZE).fill(0), own: /** @type {"x"} */ ("x") };
    this.board.show({ ...view, turned: this.hasAttribute("turned") });
  }

  /**
   * @param {string} name the name of the event, which bubbles
   * @param {object} [detail]
   */
  #tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  /**
   * The actions that are possible by hand.
   * @param {import("./position.js").Fields} fields
   * @returns {import("./board.js").Hands}
   */
  #hands(fields) {
    if (this.hasAttribute("editable")) return this.#editor(fields).hands;
    const movable = this.hasAttribute("movable");
    const canDrag = (/** @type {import("./board.js").Place} */ place) =>
      movable && place !== OFF && fields.points[place] > 0;
    return {
      click: (place) => this.#tell("point-press", { place }),
      dice: () => this.#tell("dice-press"),
      diceName: texts.dice([...fields.dice].map(Number)),
      cube: () => this.#tell("cube-press"),
      drop: (from, to) => canDrag(from) && this.#tell("checker-drag", { from, to }),
      canDrag,
    };
  }

  /** @param {import("./position.js").Fields} fields */
  #editor(fields) {
    const points = [...fields.points];
    const own = fields.turn === 1 ? "x" : "o";
    const editor = new Editor(points, own === "x" ? ["X", "O"] : ["O", "X"], (words, wrong) => {
      if (wrong) return this.#tell("change-refused", { words });
      this.xgid = xgidOf({ ...fields, points });
      this.#tell("position-change", { xgid: this.xgid, words });
    });
    editor.tool = (this.getAttribute("tool") ?? own) === own ? 1 : -1;
    return editor;
  }
}

class GammonChecker extends Drawn {
  static observedAttributes = ["side"];

  attributeChangedCallback() {
    const side = this.getAttribute("side") === "o" ? "o" : "x";
    const drawn = checker({ x: 0, y: 0 }, side);
    this.root.replaceChildren(
      svg("svg", { viewBox: "-20 -20 40 40", "aria-hidden": "true" }, drawn),
    );
  }
}

customElements.define("gammon-board", GammonBoard);
customElements.define("gammon-checker", GammonChecker);
