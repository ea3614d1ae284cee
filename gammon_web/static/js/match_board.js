/**
 * The board of a match: you are at the bottom, and points are numbered from you; where both sides are
 * moved by hand, from the player on roll.
 */

import { viewOf } from "../board/board.js";
import { fieldsOf, flipped } from "../board/position.js";
import { namesOf } from "./match.js";

/**
 * @param {import("./board_area.js").BoardArea} area
 * @param {{position: import("../../answers.js").Position, match: import("./match.js").Match,
 *   walk: import("./walk.js").Walk | null, now?: number[] | null,
 *   last: import("./play.js").Last | null, arrows: string | null,
 *   clock: [string, string] | null}} state
 *   `now` is the board while the engine's checkers move, `last` is its last play, `arrows` a play of
 *   the player on roll to be shown, `clock` what the clocks of both players show
 */
export function showMatch(area, { position, match, walk, now, last, arrows, clock }) {
  const { byHand } = match;
  const yours = byHand || position.turn === 1;
  const moving = now ?? (yours && walk ? walk.points : position.points);
  const fields = fieldsOf(position.xgid);
  const choosing = yours && match.phase.toLowerCase().endsWith("rolled") && walk && !walk.forced;
  const view = viewOf(fields, walk?.taken.length ? null : arrows, byHand ? position.turn : 1);
  const shown = {
    ...view,
    turned: byHand && position.turn === -1,
    points: yours ? moving : flipped(moving),
    dice: diceOf(position, walk, last, Boolean(byHand)),
    cube: match.cube ? view.cube : undefined,
    sources: choosing ? walk.sources : [],
    landed: yours && last && !walk?.taken.length ? last.landed : [],
  };
  area.show(fields, shown, namesOf(match), {
    score: match.score,
    clock,
    still: position.over !== null || match.phase.endsWith("Over"),
  });
}

/**
 * The dice of the player on roll, and beside your dice the engine's last roll.
 * @param {import("../../answers.js").Position} position @param {import("./walk.js").Walk | null}
 *   walk
 * @param {{dice: string} | null} last the engine's last play
 * @param {boolean} byHand whether both sides are moved by hand
 * @returns {import("../board/pieces.js").Dice[]}
 */
function diceOf(position, walk, last, byHand) {
  const yours = byHand || position.turn === 1;
  const made = [];
  if (walk) {
    const values = yours ? walk.dice : walk.dice.slice(0, 2);
    made.push({
      values,
      side: position.turn === 1 ? "x" : "o",
      left: !yours,
      used: yours ? walk.used : undefined,
    });
  }
  if (yours && last && !position.doubled && !position.over)
    made.push({ values: [...last.dice].map(Number), side: "o", left: true, used: [true, true] });
  return made;
}
