/** The end of a game: won, passed or resigned; and the match after it. */

import { fieldsOf, mostOf, withDice } from "../board/position.js";
import { get, post } from "./api.js";
import { byId } from "./elements.js";
import { game, NAMES, recordOf, wonOf } from "./match.js";
import { save } from "./save.js";
import { keep, kept } from "./settings.js";
import { counted, does, RESULTS } from "./words.js";

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

  /** Leave the match, after a question if it is not over. The player can come back to it. */
  async leave() {
    const match = this.play.going;
    /**
     * Whether another tab has continued or ended the match during the question or the download.
     */
    const isAway = () => this.play.match !== match;
    if (match.phase !== "matchOver") {
      const [mine, its] = match.score;
      const what = match.length ? "match" : "session";
      byId("end-name").textContent = `End the ${what}?`;
      byId("end-words").textContent =
        `It stands ${mine} to ${its}${match.length ? ", and is not over" : match.phase === "gameOver" ? "" : ", and this game is not over"}. Until you start another one you can come back to it.`;
      byId("end-now").textContent = `End the ${what}`;
      const deed = await this.#asked();
      if (deed === "" || isAway()) return;
      if (deed === "keep" && (!(await this.download()) || isAway())) return;
    }
    keep("left", (this.#left = match));
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
    const names = ["", "Single game", "Gammon", "Backgammon"];
    const ways = [1, 2, 3].slice(0, mostOf(fields)).map((points) => ({
      name: `${names[points]}: ${counted(points * fields.cube, "point")}`,
      act: () => this.play.go(() => this.#offer(points)),
    }));
    const cancel = { name: "Cancel", act: back, key: "Escape" };
    this.play.area.say("Resign what?");
    // A moving checker goes back.
    this.play.set({
      now: null,
      making: null,
      offer: () => this.play.area.clear([...ways, cancel]),
    });
  }

  /** @param {number} points @returns {Promise<void>} */
  async #offer(points) {
    const { accept, won } = await get(
      "resign",
      { id: withDice(this.play.going.xgid, "00"), points },
      this.play.signal,
    );
    if (accept)
      return this.finish(won, `You resign ${RESULTS[points]}.`, {
        player: 0,
        do: "resign",
        points,
      });
    await this.play.resume();
    this.play.area.say(`${NAMES[1]} does not take that, and plays on.`);
  }

  /** The game is over on the board. @param {GameEnd} over */
  won(over) {
    return this.finish(
      over,
      `${does(NAMES[over.winner === 1 ? 0 : 1], "win")} ${RESULTS[over.points]}.`,
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
    const { score, opening } = await post("score", wonOf({ ...match, games }), this.play.signal);
    Object.assign(match, { games, score, phase: opening ? "gameOver" : "matchOver" });
    keep("match", match);
    this.over(
      opening ? `${words} ${does(NAMES[winner], "score")} ${counted(scored, "point")}.` : words,
    );
  }

  over(words = "") {
    const match = this.play.going;
    const [mine, its] = match.score;
    const whole = match.phase === "matchOver";
    const end = whole
      ? ` The match is over: ${does(NAMES[mine > its ? 0 : 1], "win").replace("You", "you")} ${Math.max(mine, its)} to ${Math.min(mine, its)}.`
      : ` ${mine} to ${its}.`;
    this.play.area.say(`${words}${end}`.trim());
    const next = () => this.play.go(() => this.play.begin());
    const offer = () =>
      this.play.area.clear([
        whole
          ? { name: "New match", act: () => this.leave(), first: true }
          : { name: "Next game", act: next, key: "n", first: true },
        { name: "Review", act: () => this.review() },
        { name: "Keep as .mat", act: () => this.download() },
        this.play.back,
      ]);
    this.play.set({ walk: null, now: null, arrows: null, making: null, hint: null, offer });
  }

  /** The match as a .mat file. @param {AbortSignal} [signal] */
  async text(signal = undefined) {
    return post("match", recordOf(this.play.going), signal);
  }

  /** Review the match, unless the player does something else before its file is ready. */
  review() {
    const { depth, strength } = this.play.going;
    return this.play.asking.aside(async () =>
      this.play.to.review(await this.text(this.play.signal), strength ? 0 : depth),
    );
  }

  download() {
    return this.play.asking.aside(async () => {
      const { names, date } = recordOf(this.play.going);
      const name = [...names, ...(date?.split(".") ?? [])]
        .join("-")
        .replace(/[^\p{L}\p{N}-]+/gu, "_");
      save(await this.text(), `${name}.mat`, "text/plain");
    });
  }
}
