/**
 * The tutor: it marks your decisions that lose at least a chosen equity, before gammon answers or
 * afterwards, and shows your PR so far.
 */

import { withDice } from "../board/position.js";
import { getAside } from "./api.js";
import { ALIKE, BLUNDERS, countsWithoutDouble, PLAYS_ALIKE, ratingOf } from "./blunders.js";
import { button, html } from "./elements.js";
import { t } from "./language.js";
import { lowered } from "./levels.js";
import { keep } from "./settings.js";
import { isRedouble, MARKS, markOf } from "./words.js";

/**
 * @import {Done, Match} from "./match.js"
 * @typedef {{xgid?: string, play?: string, do?: Done["do"] | "roll"}} Decision a deed, or a roll
 *   without a double
 * @typedef {{words: string, mark: number, at: number, early?: boolean}} Warning
 *   the loss of a decision in words, its mark, the number of the decision, and whether gammon has not
 *   answered it yet
 */

/** The least losses that the tutor marks; 0: the tutor is off. */
export const TUTORS = /** @type {[number, string][]} */ ([
  [0, t.tutor.off],
  ...BLUNDERS.map((least) => [least, t.tutor.marks(least)]),
]);

/** The least number of decisions for a PR. */
const LEAST = 10;

/** The depth by which decisions are judged. @param {Match} match */
const depthOf = ({ depth }) => lowered(Math.max(3, depth));

export class Tutor {
  /** @param {import("./play.js").Play} play */
  constructor(play) {
    this.play = play;
  }

  /** The present warning, and the button that takes the decision back. */
  view() {
    const { warning } = this.play.state;
    if (!warning || warning.early) return []; // an early warning is the message of the board
    const { words, mark, at } = warning;
    return [
      html("span", { class: `mark-${mark}` }, words),
      button(t.common.takeItBack, () => this.play.takeBack(at), { class: "plain" }),
    ];
  }

  /** The loss of a deed, or null if it is not known. @param {Decision} deed */
  loss(deed) {
    return this.play.match?.losses?.[nameOf(deed)] ?? null;
  }

  /**
   * Judge your decision while the match goes on. Without an answer, nothing is shown.
   * @param {Decision} deed with its position
   * @param {number} at the number of the decision among those that can be taken back
   */
  async judge(deed, at) {
    const { match, area } = this.play;
    if (this.play.state.warning) this.play.set({ warning: null });
    if (!match?.tutor || (match.early && this.loss(deed) !== null)) return;
    const loss = await this.#judged(deed, match);
    if (loss === null || this.play.match !== match) return;
    if (loss < match.tutor || !this.play.active) return;
    const warning = warningOf(deed, loss, at);
    this.play.set({ warning });
    area.tell(warning.words);
  }

  /**
   * Judge your decision before gammon answers, if the player wants that.
   * @param {Decision} deed with its position
   * @returns {Promise<Warning | null>} null: the decision may stand
   */
  async foresee(deed) {
    const { match } = this.play;
    if (!match?.tutor || !match.early) return null;
    const loss = await this.#judged(deed, match);
    if (loss === null || loss < match.tutor) return null;
    return { ...warningOf(deed, loss, -1), early: true };
  }

  /** The loss of a decision, which is stored; null if it does not count. @param {Decision} deed @param {Match} match */
  async #judged(deed, match) {
    const losses = (match.losses ??= {});
    const asked = { id: deed.xgid ?? "", top: 1, play: deed.play ? [deed.play] : [] };
    const ask = (/** @type {number} */ depth) =>
      getAside("analyze", { ...asked, depth }).catch(() => null);
    const [answer, first] = [await ask(depthOf(match)), deed.play ? await ask(1) : null];
    const loss = answer && lossIn(answer, first, deed);
    if (loss === null) return null;
    losses[nameOf(deed)] = loss;
    if (this.play.match === match) {
      keep("match", match);
      this.play.render();
    }
    return loss;
  }

  /** Your PR so far in words, from the decisions that count in a review. */
  get words() {
    const games = this.play.match?.games ?? [];
    const losses = games
      .flatMap(({ actions }) => actions.filter(({ player }) => player === 0))
      .flatMap((deed) => {
        const before = {
          xgid: deed.dice && deed.xgid && withDice(deed.xgid, "00"),
          do: /** @type {const} */ ("roll"),
        };
        return [this.loss(deed), this.loss(before)].filter((loss) => loss !== null);
      });
    if (!losses.length) return "";
    if (losses.length < LEAST) return t.tutor.soon(LEAST, losses.length);
    const error = losses.reduce((sum, loss) => sum + loss, 0);
    const depth = depthOf(/** @type {Match} */ (this.play.match));
    return t.tutor.pr(Number(ratingOf(error, losses.length)).toFixed(2), losses.length, depth);
  }
}

/** @param {Decision} deed @param {number} loss @param {number} at the number of the decision @returns {Warning} */
function warningOf(deed, loss, at) {
  const [first, again] = t.tutor.deeds[deed.do ?? "roll"];
  const what = deed.play ?? (isRedouble(deed.xgid ?? "") ? again : first);
  const mark = markOf(loss);
  return { words: t.tutor.loses(what, loss.toFixed(3), MARKS[mark].name), mark, at };
}

/** @param {Decision} deed */
function nameOf({ xgid, play, do: deed }) {
  return `${xgid} ${play ?? deed}`;
}

/**
 * The loss of a deed, or null if it does not count as a decision in a review. Plays that are alike
 * at depth 1 count only if they lose.
 * @param {import("../../answers.js").Answer} answer @param {import("../../answers.js").Answer |
 *   null} first of depth 1, for a play
 * @param {Decision} deed @returns {number | null}
 */
function lossIn(answer, first, { play, do: deed = "roll" }) {
  if ("candidates" in answer) {
    const loss = answer.candidates.find((candidate) => candidate.play === play)?.loss ?? null;
    const all = first && "candidates" in first ? first.candidates : [];
    return loss !== null && Math.max(loss, ...all.map((item) => item.loss)) >= PLAYS_ALIKE
      ? loss
      : null;
  }
  if (!("cube" in answer)) return null;
  const {
    gain,
    answer: right,
    answer_gain: saved,
    no_double: stay,
    double_take: taken,
  } = answer.cube;
  if (gain === null || saved === null || deed === "resign") return null;
  if (saved < ALIKE && (deed === "take" || deed === "pass")) return null;
  if (deed === "roll" && !countsWithoutDouble(gain, stay.equity, taken?.equity ?? 0)) return null;
  const [take, pass] = right === "pass" ? [saved, 0] : [0, saved];
  return { roll: Math.max(0, gain), double: Math.max(0, -gain), take, pass }[deed];
}
