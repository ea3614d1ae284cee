/** A board: it draws a position, and reports which places are touched. */

import { arrows } from "./arrows.js";
import { SIZE } from "./constants.js";
import { svg } from "./dom.js";
import { BAR, DRAWN, Layout, OFF, THEIR_BAR, VIEW } from "./geometry.js";
import { checker, checkers, cube, dice, ground } from "./pieces.js";
import { cubeName, flipped, legsOf, placeName } from "./position.js";
import { texts } from "./texts.js";

/**
 * @typedef {number | "off"} Place
 * @typedef {{legs: import("./arrows.js").Leg[], points: number[], theirs?: boolean}} Shown
 *   A play that arrows show; its points and places are numbered from the player who makes it.
 * @typedef {{points: number[], own: "x" | "o", turned?: boolean,
 *   dice?: import("./pieces.js").Dice[], cube?: import("./pieces.js").Cube,
 *   play?: Shown | null, sources?: Iterable<number>, landed?: number[]}} View
 *   Points are seen from the side `own`, which is at the bottom unless turned. Checkers on the
 *   places `landed` moved last.
 * @typedef {{click?: (place: Place, row: number) => void, other?: (place: Place, row: number) =>
 *   void,
 *   anywhere?: () => void, drop?: (from: Place, to: Place) => void,
 *   canDrag?: (place: Place) => boolean, targets?: (from: Place) => Iterable<Place>,
 *   key?: (event: KeyboardEvent, place: Place) => boolean, dice?: () => void, cube?: () => void,
 *   diceName?: string, cubeName?: string}} Hands What may be done by hand: `other` is a click with
 *   the right button, `anywhere` a click on any part of the board.
 */

const DRAG = 6;
const SLIDE = 240;

export class Board {
  /** @type {View} */
  view = { points: Array(SIZE).fill(0), own: "x" };
  /** @type {Hands} */
  hands = {};
  /** @type {Place} */
  #focus = 6;
  /** @type {Map<Place, SVGElement>} */
  #areas = new Map();
  /** The view that is drawn, as text. */
  #drawn = "";
  /** The number of views drawn so far. */
  #draws = 0;
  /** Whether checkers are borne off on the left. */
  #mirrored = false;

  /** The touch areas of the dice and of the cube. */
  diceHand = svg("g");
  cubeHand = svg("g");

  /** @param {ParentNode} host gets the drawing */
  constructor(host) {
    this.layout = new Layout(false);
    const { x, y, width, height } = VIEW;
    this.layers = Object.fromEntries(
      ["ground", "checkers", "cube", "dice", "arrows"].map((name) => [
        name,
        svg("g", { class: `layer-${name}`, "aria-hidden": "true" }),
      ]),
    );
    this.layers.cube.setAttribute("role", "img");
    this.touch = svg("g", { class: "layer-hands" });
    this.svg = svg(
      "svg",
      {
        class: "gammon-board",
        viewBox: `${x} ${y} ${width} ${height}`,
        role: "group",
      },
      ...Object.values(this.layers),
      this.touch,
    );
    host.append(this.svg);
    this.#lay(false);
    this.svg.addEventListener("pointerdown", (event) =>
      this.#press(/** @type {PointerEvent} */ (event)),
    );
    this.svg.addEventListener("contextmenu", (event) => this.hands.other && event.preventDefault());
    this.svg.addEventListener("click", (event) => {
      const target = /** @type {Node} */ (event.target);
      if (!this.cubeHand.contains(target) && !this.diceHand.contains(target))
        this.hands.anywhere?.();
    });
    this.svg.addEventListener("keydown", (event) =>
      this.#type(/** @type {KeyboardEvent} */ (event)),
    );
    this.svg.addEventListener("focusin", (event) => {
      const place = this.#placeOf(event.target);
      if (place !== null) this.#rove(place);
    });
  }

  /** Draw a view, unless it is drawn already. @param {View} view */
  show(view) {
    const drawn = JSON.stringify({ ...view, sources: [...(view.sources ?? [])] });
    this.view = view;
    if (drawn !== this.#drawn) this.#draw(view);
    this.#drawn = drawn;
    this.svg.classList.toggle("editing", Boolean(this.hands.other));
    this.svg.classList.toggle("open", Boolean(this.hands.anywhere));
    for (const [place, area] of this.#areas)
      area.classList.toggle("movable", Boolean(this.hands.canDrag?.(place)));
    this.#buttons();
  }

  /** Bear off on the left, or on the right. @param {boolean} mirrored */
  mirror(mirrored) {
    if (mirrored === this.#mirrored) return;
    this.#mirrored = mirrored;
    this.#lay(this.layout.turned);
    this.#draw(this.view);
    this.show(this.view);
  }

  /** @param {View} view */
  #draw({ points, own, play, cube: held, dice: rolled = [], sources = [], landed, ...view }) {
    this.#draws++;
    this.svg.setAttribute("aria-label", texts.board);
    const turned = Boolean(view.turned);
    if (turned !== this.layout.turned) this.#lay(turned);
    this.layers.checkers.replaceChildren(...checkers(points, own, this.layout));
    this.layers.cube.replaceChildren(...(held ? [cube(held, this.layout)] : []));
    this.layers.cube.setAttribute("aria-hidden", String(!held));
    this.layers.cube.setAttribute("aria-label", held ? cubeName(held) : "");
    this.layers.dice.replaceChildren(...rolled.flatMap((pair) => dice(pair, this.layout)));
    this.layers.arrows.replaceChildren(
      ...[...sources].map((place) => {
        const { x, y } = this.layout.checker(place, Math.max(points[place] - 1, 0));
        return svg("circle", { cx: x, cy: y, r: 20.5, class: "source", "data-point": place });
      }),
      ...(play
        ? arrows(
            play.points,
            play.legs,
            new Layout(Boolean(play.theirs) !== turned, this.#mirrored),
          )
        : []),
    );
    for (const place of new Set(landed)) {
      const count = Math.abs(points[place]);
      const { x, y } = this.layout.checker(place, count - 1);
      const dot = svg("circle", { cx: x, cy: y, r: 4.5, class: "landed" });
      if (count > 0 && count <= DRAWN) this.layers.checkers.append(dot);
    }
    for (const [place, area] of this.#areas)
      area.setAttribute("aria-label", placeName(place, points));
  }

  /** Put the focus on the board. */
  focus() {
    this.#areas.get(this.#focus)?.focus({ preventScroll: true });
  }

  /**
   * Show a moving checker.
   * @param {number[]} points seen from the player who moves
   * @param {number} from @param {number} to
   * @param {boolean} theirs whether the board is numbered from the opponent of that player
   * @param {number} pace 1 for the normal speed, 2 for half of it, 0 for no animation
   */
  async slide(points, from, to, theirs, pace) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (calm || pace === 0 || document.hidden) return;
    const layout = new Layout(theirs !== this.layout.turned, this.#mirrored);
    const begin = layout.checker(from, Math.max(points[from] - 1, 0));
    const slab = layout.slab(true, 0);
    const end =
      to === 0
        ? { x: slab.x + slab.width / 2, y: slab.y }
        : layout.checker(to, Math.max(points[to], 0));
    const place = theirs ? 25 - from : from;
    const all = this.layers.checkers.querySelectorAll(`[data-point="${place}"]`);
    const last = all[all.length - 1];
    if (!last) return;
    const side = last.classList.contains("x") ? "x" : "o";
    const ghost = checker(begin, side, "", { class: `checker ${side} ghost` });
    const draws = this.#draws;
    if (Math.abs(points[from]) <= DRAWN) last.remove();
    this.layers.arrows.append(ghost);
    const way = `translate(${end.x - begin.x}px, ${end.y - begin.y}px)`;
    const frames = [{ transform: "translate(0px, 0px)" }, { transform: way }];
    await ghost
      .animate(frames, { duration: SLIDE * pace, easing: "ease-in-out" })
      .finished.catch(() => {});
    ghost.remove();
    if (this.#draws === draws) this.layers.checkers.append(last);
  }

  /** @param {boolean} turned */
  #lay(turned) {
    const held = this.#areas.get(this.#focus)?.matches(":focus");
    this.layout = new Layout(turned, this.#mirrored);
    this.layers.ground.replaceChildren(...ground(this.layout));
    this.#areas.clear();
    const rows = this.#rows().flat();
    const made = rows.map((place) => {
      const area = this.layout.area(place);
      const rest = {
        role: "button",
        tabindex: place === this.#focus ? 0 : -1,
        "data-place": place,
      };
      const hand = svg("g", { class: "hand", ...rest }, svg("rect", { ...area, rx: 4 }));
      this.#areas.set(place, hand);
      return hand;
    });
    const hand = { class: "hand", role: "button", tabindex: 0 };
    this.diceHand = svg("g", { ...hand, click: () => this.hands.dice?.() }, svg("rect", { rx: 8 }));
    this.cubeHand = svg("g", { ...hand, click: () => this.hands.cube?.() }, svg("rect", { rx: 6 }));
    this.touch.replaceChildren(...made, this.diceHand, this.cubeHand);
    if (held) this.focus();
  }

  /** The places of the upper and of the lower row, the trays last. @returns {Place[][]} */
  #rows() {
    const far = [13, 14, 15, 16, 17, 18, BAR, 19, 20, 21, 22, 23, 24];
    const near = [12, 11, 10, 9, 8, 7, THEIR_BAR, 6, 5, 4, 3, 2, 1, OFF];
    return /** @type {Place[][]} */ (this.layout.turned ? [near, far] : [far, near]);
  }

  /** Put the buttons of the dice and of the cube on them, if they do something. */
  #buttons() {
    const own = (this.view.dice ?? []).find((dice) => !dice.left);
    const count = own?.values.length ?? 0;
    const wide = count * 50 + 10;
    const spot = this.layout.right;
    this.#place(
      this.diceHand,
      Boolean(this.hands.dice && own),
      { x: spot.x - wide / 2, y: spot.y - 26, width: wide, height: 52 },
      this.hands.diceName ?? texts.dice([]),
    );
    const held = this.view.cube;
    const at = held?.offered ? this.layout.left : this.layout.cube(held?.owner ?? 0);
    this.#place(
      this.cubeHand,
      Boolean(this.hands.cube && held),
      { x: at.x - 25, y: at.y - 24, width: 50, height: 48 },
      this.hands.cubeName ?? texts.cube,
    );
  }

  /**
   * @param {SVGElement} hand
   * @param {boolean} works
   * @param {import("./geometry.js").Box} box
   * @param {string} name
   */
  #place(hand, works, box, name) {
    hand.classList.toggle("absent", !works);
    hand.setAttribute("aria-label", name);
    for (const [key, value] of Object.entries(box))
      hand.firstElementChild?.setAttribute(key, String(value));
  }

  /** @param {Iterable<Place>} places */
  #light(places) {
    const lit = new Set(places);
    for (const [place, area] of this.#areas) area.classList.toggle("target", lit.has(place));
  }

  /** @param {EventTarget | null} target @returns {Place | null} */
  #placeOf(target) {
    const name = /** @type {Element} */ (target)
      .closest?.("[data-place]")
      ?.getAttribute("data-place");
    if (name === null || name === undefined) return null;
    return name === OFF ? OFF : Number(name);
  }

  /** @param {Place} place */
  #rove(place) {
    this.#areas.get(this.#focus)?.setAttribute("tabindex", "-1");
    this.#focus = place;
    this.#areas.get(place)?.setAttribute("tabindex", "0");
  }

  /** @param {PointerEvent} event */
  #spot(event) {
    const matrix = /** @type {SVGGraphicsElement} */ (this.svg).getScreenCTM();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
  }

  /** @param {PointerEvent} event @returns {Place | null} */
  #placeAt(event) {
    const root = /** @type {Document | ShadowRoot} */ (this.svg.getRootNode());
    const places = root
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => this.#placeOf(element));
    return places.find((place) => place !== null) ?? null;
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const place = this.#placeOf(event.target);
    const other = event.button === 2 && Boolean(this.hands.other);
    if (place === null || (event.button !== 0 && !other)) return;
    const start = this.#spot(event);
    const row = place === OFF ? 0 : this.layout.row(place, start.y);
    const mayDrag = !other && Boolean(this.hands.canDrag?.(place));
    const side =
      place !== OFF && this.view.points[place] > 0 === (this.view.own === "x") ? "x" : "o";
    /** @type {SVGElement | null} */
    let ghost = null;
    const move = (/** @type {PointerEvent} */ now) => {
      const { x, y } = this.#spot(now);
      if (!ghost && mayDrag && Math.hypot(x - start.x, y - start.y) > DRAG) {
        ghost = checker({ x: 0, y: 0 }, side, "", { class: `checker ${side} ghost` });
        this.layers.arrows.append(ghost);
        const all = this.layers.checkers.querySelectorAll(`[data-point="${place}"]`);
        all[all.length - 1]?.classList.add("lifted");
        this.#light(this.hands.targets?.(place) ?? []);
      }
      ghost?.setAttribute("transform", `translate(${x} ${y})`);
    };
    const end = (/** @type {PointerEvent} */ now) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      this.#light([]);
      this.layers.checkers.querySelector(".lifted")?.classList.remove("lifted");
      const dropped = this.#placeAt(now);
      const dragged = ghost !== null;
      ghost?.remove();
      if (now.type === "pointercancel" || dropped === null) return;
      if (dropped !== place) this.hands.drop?.(place, dropped);
      else if (other) this.hands.other?.(place, row);
      else if (!dragged) this.hands.click?.(place, row);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** @param {KeyboardEvent} event */
  #type(event) {
    const enter = event.key === "Enter" || event.key === " ";
    const place = this.#placeOf(event.target);
    if (place === null) {
      if (!enter) return;
      event.preventDefault();
      if (event.target === this.diceHand) this.hands.dice?.();
      if (event.target === this.cubeHand) this.hands.cube?.();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.hands.key?.(event, place)) return event.preventDefault();
    if (enter) {
      event.preventDefault();
      if (this.hands.click) this.hands.click(place, -1);
      else this.hands.anywhere?.();
      return;
    }
    const rows = this.#rows();
    const at = rows[0].includes(place) ? 0 : 1;
    const column = rows[at].indexOf(place);
    const [first, last] = [rows[at][0], rows[at][rows[at].length - 1]];
    const right = this.#mirrored ? -1 : 1;
    /** @type {Record<string, Place | undefined>} */
    const ways = {
      ArrowLeft: rows[at][column - right],
      ArrowRight: rows[at][column + right],
      ArrowUp: rows[0][column],
      ArrowDown: rows[1][column],
      Home: this.#mirrored ? last : first,
      End: this.#mirrored ? first : last,
    };
    if (!(event.key in ways)) return;
    event.preventDefault();
    const next = ways[event.key];
    if (next === undefined) return;
    this.#rove(next);
    this.focus();
  }
}

/**
 * The view of a position.
 * @param {import("./position.js").Fields} fields
 * @param {string | null} [play] a play of the player on roll, to be shown by arrows
 * @param {number} [seat] the player at the bottom, from whom points are numbered: 1 X, -1 O
 * @returns {View}
 */
export function viewOf({ points, turn, dice, cube, owner }, play = null, seat = turn) {
  const theirs = seat !== turn;
  const offered = dice === "D";
  const values = [...dice].map(Number).filter((value) => value);
  const legs = play && legsOf(play);
  return {
    points: theirs ? flipped(points) : points,
    own: seat === 1 ? "x" : "o",
    dice: values.length ? [{ values, side: turn === 1 ? "x" : "o", left: theirs }] : [],
    cube: { value: offered ? 2 * cube : cube, owner: owner * seat, offered },
    play: legs ? { legs, points, theirs } : null,
  };
}
