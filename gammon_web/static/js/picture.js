/** The board as a picture in the file format PNG, with the lines of both players. */

import { t } from "./language.js";

/** The width of a picture in dots. */
const WIDE = 1200;
/** The height of a player's line. */
const LINE = 64;
/** The properties of shapes that the style sheet of the board sets. */
const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-linejoin",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-weight",
  "font-size",
];

/** The drawing of a board as a text of SVG that needs no style sheet. @param {SVGElement} drawing */
function alone(drawing) {
  const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
  const shapes = copy.querySelectorAll("*");
  drawing.querySelectorAll("*").forEach((shape, at) => {
    const look = getComputedStyle(shape);
    for (const name of LOOKS) shapes[at].setAttribute(name, look.getPropertyValue(name));
  });
  copy.querySelector(".layer-hands")?.remove();
  const [, , wide, high] = (copy.getAttribute("viewBox") ?? "").split(" ").map(Number);
  copy.setAttribute("width", String(WIDE));
  copy.setAttribute("height", String((WIDE * high) / wide));
  return new XMLSerializer().serializeToString(copy);
}

/**
 * A picture of a board.
 * @param {SVGElement} drawing
 * @param {[string, string]} lines of the player at the top, and at the bottom
 * @returns {Promise<Blob>}
 */
export async function pictureOf(drawing, [above, below]) {
  const source = URL.createObjectURL(new Blob([alone(drawing)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = WIDE;
    canvas.height = image.height + 2 * LINE;
    const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
    brush.fillStyle = backgroundColor;
    brush.fillRect(0, 0, WIDE, canvas.height);
    brush.drawImage(image, 0, LINE);
    brush.fillStyle = color;
    brush.font = `600 ${LINE / 2}px ${fontFamily}`;
    brush.textBaseline = "middle";
    brush.fillText(above, LINE / 2, LINE / 2, WIDE - LINE);
    brush.fillText(below, LINE / 2, canvas.height - LINE / 2, WIDE - LINE);
    const made = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (!made) throw new Error(t.errors.noPicture);
    return /** @type {Blob} */ (made);
  } finally {
    URL.revokeObjectURL(source);
  }
}
