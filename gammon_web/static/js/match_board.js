/** The board of a match: you are at the bottom, and points are numbered from you. */

import { viewOf } from "../board/board.js";
import { fieldsOf, flipped } from "../board/position.js";
import { NAMES } from "./match.js";

/**
 * @param {import("./board_area.js").BoardArea} area
 * @param {{position: import("../../answers.js").Position, match: import("./match.js").Match,
 *   walk: import("./walk.js").Walk | null, now?: number[] | null,
 *   last: import("./play.js").Last | null, arrows: string | null}} state
 *   `now` is the board while the engine's checkers move, `last` is its last play, `arrows` a play of
 *   the player on roll to be shown
 */
export function showMatch(area, { position, match, walk, now, last, arrows }) {
  const yours = position.turn === 1;
  const moving = now ?? (yours && walk ? walk.points : position.points);
  const fields = fieldsOf(position.xgid);
  const choosing = match.phase === "rolled" && walk && !walk.forced;
  const view = viewOf(fields, walk?.taken.length ? null : arrows, 1);
  const shown = {
    ...view,
    points: yours ? moving : flipped(moving),
    dice: diceOf(position, walk, last),
    cube: match.cube ? view.cube : undefined,
    sources: choosing ? walk.sources : [],
    landed: yours && last && !walk?.taken.length ? last.landed : [],
  };
  area.show(fields, shown, NAMES, {
    score: match.score,
    still: position.over !== null || match.phase.endsWith("Over"),
  });
}

/**
 * The dice of the player on roll, and beside your dice the engine's last roll.
 * @param {import("../../answers.js").Position} position @param {import("./walk.js").Walk | null}
 *   walk
 * @param {{dice: string} | null} last the engine's last play
 * @returns {import("../board/pieces.js").Dice[]}
 */
function diceOf(position, walk, last) {
  const yours = position.turn === 1;
  const made = [];
  if (walk) {
    const values = yours ? walk.dice : walk.dice.slice(0, 2);
    made.push({
      values,
      side: yours ? "x" : "o",
      left: !yours,
      used: yours ? walk.used : undefined,
    });
  }
  if (yours && last && !position.doubled && !position.over)
    made.push({ values: [...last.dice].map(Number), side: "o", left: true, used: [true, true] });
  return made;
}
