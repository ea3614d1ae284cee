/**
 * The places on a drawn board, in units: y grows downwards, a point is 40 wide.
 *
 * The twin of gammon/view/svg/layout.py; tests/web/test_page_board.py compares both.
 */

/** @typedef {{x: number, y: number}} Spot A place on the drawing. */
/** @typedef {{x: number, y: number, width: number, height: number}} Box A rectangle. */

/** The radius of a checker. Neighbouring checkers on a point touch each other. */
export const RADIUS = 18.5;
/** The most checkers of a point that are drawn beside each other; more are drawn on top of them. */
const ROWS = 5;
/** The most checkers of a point that are drawn; a number shows the count if there are more. */
export const DRAWN = 7;
/** The bar of the player from whom points are numbered, and the opponent's bar. */
export const BAR = 25;
export const THEIR_BAR = 0;
/** The tray of the player from whom points are numbered. */
export const OFF = "off";

const POINT = 40;
const LENGTH = 184;
const STEP = 2 * RADIUS + 1;
const BAR_WIDTH = 44;
const TRAY = 50;
const MARGIN = 10;
const TOP = 52;
const DEPTH = 440;
const BOTTOM = TOP + DEPTH;
const MIDDLE = TOP + DEPTH / 2;
const BAND = DEPTH / 2 - ROWS * STEP;
const HALF = 6 * POINT;
const FIELD = 2 * HALF + BAR_WIDTH;
const TRAY_LEFT = MARGIN + FIELD + 6;
const TRAY_HEIGHT = 148;
const SLAB = 8;

/** The part of the drawing that the page shows, including the frame with the numbers. */
export const VIEW = { x: 0, y: TOP - 25, width: TRAY_LEFT + TRAY + MARGIN, height: DEPTH + 50 };

/** The places of a board. Points and bars are numbered as in a `gammon.Position`. */
export class Layout {
  /**
   * @param {boolean} turned whether the player from whom points are numbered is at the top
   * @param {boolean} [mirrored] whether checkers are borne off on the left
   */
  constructor(turned, mirrored = false) {
    this.turned = turned;
    this.mirrored = mirrored;
    this.field = { x: this.#across(MARGIN, FIELD), y: TOP, width: FIELD, height: DEPTH };
    this.bar = {
      x: this.#across(MARGIN + HALF, BAR_WIDTH),
      y: TOP,
      width: BAR_WIDTH,
      height: DEPTH,
    };
    // The middles of the free band: a player's dice lie on the right, on a mirrored board, too.
    const half = this.field.x + HALF / 2;
    this.left = { x: half, y: MIDDLE };
    this.right = { x: half + HALF + BAR_WIDTH, y: MIDDLE };
  }

  /** The left edge of a part. @param {number} x of a board that is not mirrored @param {number} [width] */
  #across(x, width = 0) {
    return this.mirrored ? VIEW.width - x - width : x;
  }

  /** @param {number} place */
  #below(place) {
    return place <= 12 !== this.turned;
  }

  /** @param {number} place */
  #column(place) {
    if (place === THEIR_BAR || place === BAR) return this.bar.x + BAR_WIDTH / 2;
    const number = place <= 12 ? 12 - place : place - 13;
    return this.#across(MARGIN + (number + 0.5) * POINT + (number >= 6 ? BAR_WIDTH : 0));
  }

  /**
   * The middle of a checker.
   * @param {number} place
   * @param {number} row 0 is at the edge, or on the bar in the middle; rows from 5 on lie on top
   * @returns {Spot}
   */
  checker(place, row) {
    const along = (row < ROWS ? row + 0.5 : Math.min(row, DRAWN - 1) - ROWS + 1) * STEP;
    const side = this.#below(place) ? 1 : -1;
    const far = place === THEIR_BAR || place === BAR ? BAND + along : DEPTH / 2 - along;
    return { x: this.#column(place), y: MIDDLE + side * far };
  }

  /** The row that a height is in, from 0 to 4. @param {number} place @param {number} y */
  row(place, y) {
    const far = Math.abs(y - MIDDLE);
    const along = place === THEIR_BAR || place === BAR ? far - BAND : DEPTH / 2 - far;
    return Math.max(0, Math.min(ROWS - 1, Math.floor(along / STEP)));
  }

  /** The corners of a point, the tip last. @param {number} place @returns {Spot[]} */
  triangle(place) {
    const x = this.#column(place);
    const [base, tip] = this.#below(place) ? [BOTTOM, BOTTOM - LENGTH] : [TOP, TOP + LENGTH];
    return [
      { x: x - POINT / 2, y: base },
      { x: x + POINT / 2, y: base },
      { x, y: tip },
    ];
  }

  /** The middle of a point's number. @param {number} place @returns {Spot} */
  number(place) {
    return { x: this.#column(place), y: this.#below(place) ? BOTTOM + 12 : TOP - 12 };
  }

  /**
   * The tray for the checkers that a player has borne off.
   * @param {boolean} own whether the player is the one from whom points are numbered
   * @returns {Box}
   */
  tray(own) {
    const y = own !== this.turned ? BOTTOM - TRAY_HEIGHT : TOP;
    return { x: this.#across(TRAY_LEFT, TRAY), y, width: TRAY, height: TRAY_HEIGHT };
  }

  /**
   * The place of a borne-off checker; row 0 is at the edge of the board.
   * @param {boolean} own
   * @param {number} row
   * @returns {Box}
   */
  slab(own, row) {
    const tray = this.tray(own);
    const fromEdge = 4 + row * SLAB;
    const below = own !== this.turned;
    const y = below ? tray.y + tray.height - fromEdge - SLAB + 2 : tray.y + fromEdge;
    return { x: tray.x + 4, y, width: tray.width - 8, height: SLAB - 2 };
  }

  /**
   * The middle of the number of borne-off checkers, inside the tray.
   * @param {boolean} own
   * @returns {Spot}
   */
  offNumber(own) {
    const tray = this.tray(own);
    const y = own !== this.turned ? tray.y + 10 : tray.y + tray.height - 10;
    return { x: tray.x + tray.width / 2, y };
  }

  /** The middle of the cube. @param {number} owner 1, -1 or 0 @returns {Spot} */
  cube(owner) {
    const side = this.turned ? -owner : owner;
    return { x: this.#across(TRAY_LEFT + TRAY / 2), y: MIDDLE + side * 48 };
  }

  /** The touch area of a place. @param {number | string} place @returns {Box} */
  area(place) {
    if (place === OFF) return this.tray(true);
    const at = Number(place);
    const wide = at === BAR || at === THEIR_BAR ? BAR_WIDTH : POINT;
    const y = this.#below(at) ? MIDDLE : TOP;
    return { x: this.#column(at) - wide / 2, y, width: wide, height: DEPTH / 2 };
  }
}
