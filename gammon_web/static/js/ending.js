/** The end of a game: won, passed or resigned; and the match after it. */

import { fieldsOf, mostOf, withDice } from "../board/position.js";
import { additions } from "./adding.js";
import { get, post, serves } from "./api.js";
import { newBanks } from "./clock.js";
import { byId } from "./elements.js";
import { t } from "./language.js";
import { game, NAMES, namesOf, playerOf, recordOf, wonOf } from "./match.js";
import { anySeed } from "./rolling.js";
import { save } from "./save.js";
import { keep, kept } from "./settings.js";

/** @import {Match} from "./match.js" */
/** @import {GameEnd} from "../../answers.js" */

export class Ending {
  #dialog = /** @type {HTMLDialogElement} */ (byId("end"));
  /** @type {Match | null} the match that was left last, for a browser without storage */
  #left = null;

  /** @param {import("./play.js").Play} play */
  constructor(play) {
    this.play = play;
    addEventListener("hashchange", () => this.stay());
  }

  /** The match that was left last, in any tab. */
  get left() {
    return kept("left", this.#left);
  }

  /**
   * Put a match aside, to which the player can come back. A game from a position does not take the
   * place of a match under way.
   * @param {Match} match
   */
  put(match) {
    if (match.from && this.#waits) return;
    keep("left", (this.#left = match));
  }

  /** Whether the match that was left last is a match under way. */
  get #waits() {
    const { left } = this;
    return Boolean(left && !left.from && left.phase !== "matchOver");
  }

  /** Leave the match, after a question if it is not over. The player can come back to it. */
  async leave() {
    const match = this.play.going;
    /**
     * Whether another tab has continued or ended the match during the question or the download.
     */
    const isAway = () => this.play.match !== match;
    if (match.phase !== "matchOver") {
      const [mine, its] = match.score;
      const what = wholeOf(match);
      byId("end-keep").hidden = Boolean(match.from);
      const open = match.length ? "match" : match.phase === "gameOver" ? "" : "game";
      byId("end-name").textContent = t.ending.ask[what];
      byId("end-words").textContent = match.from
        ? t.ending.notOver(this.#waits)
        : t.ending.stands(mine, its, open);
      byId("end-now").textContent = t.ending.end[what];
      const deed = await this.#asked();
      if (deed === "" || isAway()) return;
      if (deed === "keep" && (!(await this.download()) || isAway())) return;
    }
    this.put(match);
    this.play.use(null);
  }

  /** Close the open question, as another tab continues the match. */
  stay() {
    this.#dialog.close("");
  }

  /**
   * The value of the button that is pressed in the dialog; "" if the match goes on, or Escape or the
   * browser's Back closes the dialog.
   */
  #asked() {
    this.#dialog.returnValue = "";
    this.#dialog.showModal();
    return new Promise((done) =>
      this.#dialog.addEventListener("close", () => done(this.#dialog.returnValue), { once: true }),
    );
  }

  /** Ask for the points of a resignation, then offer it. */
  resign() {
    const fields = fieldsOf(this.play.going.xgid);
    const back = () => this.play.go(() => this.play.resume());
    this.play.asking.stop(); // a hint would come in between
    const ways = [1, 2, 3].slice(0, mostOf(fields)).map((points) => ({
      name: t.ending.resign(t.ending.results[points], points * fields.cube),
      act: () => this.play.go(() => this.#offer(points)),
    }));
    const cancel = { name: t.common.cancel, act: back, key: "Escape" };
    this.play.area.say(t.ending.resignWhat);
    // A moving checker goes back.
    this.play.set({
      now: null,
      making: null,
      offer: () => this.play.area.clear([...ways, cancel]),
    });
  }

  /** @param {number} points @returns {Promise<void>} */
  async #offer(points) {
    const { byHand, xgid } = this.play.going;
    if (byHand) {
      const player = playerOf(xgid);
      const won = { winner: player === 0 ? -1 : 1, points, scored: points * fieldsOf(xgid).cube };
      const words = t.ending.resigns(namesOf(this.play.going)[player], points);
      return this.finish(/** @type {GameEnd} */ (won), words, { player, do: "resign", points });
    }
    const { accept, won } = await get(
      "resign",
      { id: withDice(this.play.going.xgid, "00"), points },
      this.play.signal,
    );
    if (accept)
      return this.finish(won, t.ending.resigns(NAMES[0], points), {
        player: 0,
        do: "resign",
        points,
      });
    await this.play.resume();
    this.play.area.say(t.ending.refuses(NAMES[1]));
  }

  /** The game is over on the board. @param {GameEnd} over */
  won(over) {
    return this.finish(
      over,
      t.ending.wins(namesOf(this.play.going)[over.winner === 1 ? 0 : 1], over.points),
    );
  }

  /**
   * @param {GameEnd | null} won the end of the game, not null
   * @param {string} words
   * @param {import("./match.js").Deed} [deed] the action that ends the game
   */
  async finish(won, words, deed = undefined) {
    const match = this.play.going;
    const { winner: seat, scored } = /** @type {GameEnd} */ (won);
    const winner = seat === 1 ? 0 : 1;
    const { actions, ...before } = game(match);
    const ended = {
      ...before,
      winner,
      points: scored,
      actions: deed ? [...actions, { ...deed, xgid: match.xgid }] : actions,
    };
    const games = [...match.games.slice(0, -1), /** @type {import("./match.js").Game} */ (ended)];
    if (deed?.do === "pass" && deed.player === 0)
      this.play.tutor.judge({ ...deed, xgid: match.xgid }, this.play.past.length - 1);
    // Nothing changes before the answer arrives, so that this can be tried again after an error.
    const { score, opening } = match.from
      ? { score: added(match, winner, scored), opening: null }
      : await post("score", wonOf({ ...match, games }), this.play.signal);
    Object.assign(match, { games, score, phase: opening ? "gameOver" : "matchOver" });
    keep("match", match);
    this.over(
      opening || match.from ? `${words} ${t.ending.scores(namesOf(match)[winner], scored)}` : words,
    );
  }

  over(words = "") {
    const match = this.play.going;
    const [mine, its] = match.score;
    const whole = match.phase === "matchOver";
    const end = match.from
      ? ""
      : whole
        ? t.ending.matchOver(
            namesOf(match)[mine > its ? 0 : 1],
            Math.max(mine, its),
            Math.min(mine, its),
          )
        : t.ending.score(mine, its);
    this.play.area.say(`${words} ${end}`.trim());
    const next = () => this.play.go(() => this.play.begin());
    const saved = [
      { name: t.ending.review, act: () => this.review() },
      { name: t.ending.save, act: () => this.download() },
      ...(serves.adds ? [{ name: t.ending.add, act: () => this.add() }] : []),
    ];
    const again = { name: t.ending.again, act: () => this.again(), key: "n" };
    const offer = () =>
      this.play.area.clear([
        whole
          ? {
              name: match.from ? t.ending.newGame : t.ending.newMatch,
              act: () => this.leave(),
              first: true,
            }
          : { name: t.ending.nextGame, act: next, key: "n", first: true },
        ...(match.from ? [again] : saved),
        this.play.back,
      ]);
    this.play.set({ walk: null, now: null, arrows: null, making: null, hint: null, offer });
  }

  /** Play on from the same position once more. */
  again() {
    const { going } = this.play;
    const from = /** @type {string} */ (going.from);
    this.play.playOn(from);
    this.play.state.from = from; // you keep your side
    const seed = going.seed === null ? null : anySeed();
    const clock = going.clock ? newBanks(going.length) : null;
    this.play.start({ ...going, errors: anySeed(), seed, clock, losses: undefined });
  }

  /** The match as a .mat file. @param {AbortSignal} [signal] */
  async text(signal = undefined) {
    return post("match", recordOf(this.play.going), signal);
  }

  /** Review the match, unless the player does something else before its file is ready. */
  review() {
    const { depth, strength, byHand } = this.play.going;
    return this.play.asking.aside(async () =>
      this.play.to.review(await this.text(this.play.signal), strength || byHand ? 0 : depth),
    );
  }

  /** Review the match, and add it to the library. */
  add() {
    const { going, area } = this.play;
    return this.play.asking.aside(async () => {
      const file = new Blob([await this.text()]);
      additions.add([{ file, name: fileNameOf(going) }]);
      area.say(t.ending.adding);
    });
  }

  download() {
    return this.play.asking.aside(async () =>
      save(await this.text(), fileNameOf(this.play.going), "text/plain"),
    );
  }
}

/** The name of the match's file. @param {Match} match */
function fileNameOf(match) {
  const { names, date } = recordOf(match);
  const name = [...names, ...(date?.split(".") ?? [])].join("-");
  return `${name.replace(/[^\p{L}\p{N}-]+/gu, "_")}.mat`;
}

/** What is played. @param {Match} match @returns {"game" | "match" | "session"} */
export function wholeOf({ from, length }) {
  return from ? "game" : length ? "match" : "session";
}

/**
 * The score after a game that was played on from a position.
 * @param {Match} match @param {0 | 1} winner @param {number} points @returns {[number, number]}
 */
function added({ score, length }, winner, points) {
  const [own, their] = score.map((won, player) => won + (player === winner ? points : 0));
  const most = length || Infinity;
  return [Math.min(own, most), Math.min(their, most)];
}
