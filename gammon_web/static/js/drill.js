/** A drill: positions one after the other, what an answer loses, and when it comes again. */

import { viewOf } from "../board/board.js";
import { fieldsOf } from "../board/position.js";
import { get, post } from "./api.js";
import { Asking } from "./asking.js";
import { segments } from "./controls.js";
import { told } from "./decisions.js";
import { html, refill } from "./elements.js";
import { Walk } from "./walk.js";
import { counted, doubling } from "./words.js";
import { YourPlay } from "./your_play.js";

/** @typedef {import("../../answers.js").DrillCard} Card */

const DECKS = ["errors", "openings", "replies", "cubes", "races"];
const GRADES = ["", "Wrong", "Nearly right", "Right"];
/** The answers about the cube: what the button says, what is sent, and its key. */
const ACTIONS = /** @type {Record<string, [string, string][]>} */ ({
  double: [
    ["No double", "n"],
    ["Double", "d"],
  ],
  take: [
    ["Take", "t"],
    ["Pass", "p"],
  ],
});
/** Who does not know sends this. */
const GIVEN_UP = "?";

/**
 * How many cards were answered today, of those that come today, and what comes next.
 * @param {Card} card
 */
function doneWords({ due, today }) {
  if (!due)
    return `${today ? `${today} answered today, none` : "None"} to be repeated now: new cards.`;
  return `${today} of ${today + due} today.`;
}

export class Drill {
  deck = "";
  right = 0;
  answers = 0;
  /** @type {Card | null} */
  card = null;
  /** @type {YourPlay | null} */
  #play = null;
  #giveUp = { name: "Show me", act: () => this.#answer(GIVEN_UP), key: "s" };
  #asking;

  /**
   * @param {import("./desk.js").Desk} desk
   * @param {(xgid: string) => void} analyze
   * @param {() => object} asked which errors
   */
  constructor(desk, analyze, asked) {
    this.desk = desk;
    this.#asking = new Asking(desk);
    this.analyze = analyze;
    this.asked = asked;
    this.host = html("section", { class: "card", "aria-label": "Drill" });
  }

  /** Begin in a place of the page. @param {HTMLElement} place */
  async enter(place) {
    place.replaceChildren(this.host);
    await this.#next();
  }

  leave() {
    this.#asking.stop();
    this.desk.clear();
  }

  /** How many answers were right since the page was opened. */
  get #score() {
    return this.answers ? `${this.right} of ${this.answers} right.` : "";
  }

  /** Show the next card. */
  #next() {
    return this.#asking.ask(async (signal) => {
      const card = (this.card = await get(
        "study/card",
        { ...this.asked(), deck: this.deck ? [this.deck] : [] },
        signal,
      ));
      const decks = segments(
        "Deck",
        [["", "All"], ...DECKS.map((name) => /** @type {[string, string]} */ ([name, name]))],
        this.deck,
        (name) => ((this.deck = name), this.#next()),
      );
      refill(this.host, [
        html("h2", {}, "Drill"),
        decks,
        html(
          "p",
          { class: "soft small" },
          [card && doneWords(card), this.#score].filter(Boolean).join(" "),
        ),
      ]);
      if (!card) {
        this.desk.blank();
        return this.desk.say("No card is left that is new or due.");
      }
      const position = await get("position", { id: card.xgid }, signal);
      const walk = card.ask === "play" && position.steps ? new Walk(position) : null;
      const mode = {
        desk: this.desk,
        position,
        walk,
        pace: 0,
        arrows: null,
        draw: () => this.#draw(),
      };
      this.#play =
        walk &&
        new YourPlay(
          mode,
          ({ notation }) => this.#answer(notation),
          () => [this.#giveUp],
        );
      this.desk.say(card.question);
      this.#offer();
      this.#draw();
    });
  }

  #draw() {
    const { xgid, ask } = /** @type {Card} */ (this.card);
    const fields = fieldsOf(xgid);
    const view = viewOf(fields);
    this.desk.show(fields, { ...view, ...this.#play?.walk.shown(view.own) }, ["X", "O"], {
      pips: ask === "pips" ? [] : undefined,
      still: true,
    });
  }

  /** Offer the ways to answer. @param {boolean} [again] whether what is typed already stays */
  #offer(again = false) {
    if (this.#play) return this.#play.offer();
    const { ask, xgid } = /** @type {Card} */ (this.card);
    const actions = ACTIONS[ask] ?? [];
    this.desk.rest();
    this.desk.offer([
      ...actions.map(([name, key]) => ({
        name: doubling(name, xgid),
        key,
        act: () => this.#answer(key),
        first: true,
      })),
      this.#giveUp,
    ]);
    this.desk.ask(
      actions.length ? "" : "Type the number",
      (text) => this.#answer(text),
      "100",
      again,
    );
  }

  /** @param {string} text */
  #answer(text) {
    this.desk.rest(); // one answer counts once
    return this.#asking.ask(
      async (signal) => {
        const { ask, xgid, deck, note } = /** @type {Card} */ (this.card);
        const { grade, right, choice, days } = await post(
          "study/answer",
          { ask, xgid, deck, note, answer: text },
          signal,
        );
        this.answers += 1;
        this.right += Number(grade === 3);
        const again = days < 1 ? "soon" : `in ${counted(Math.round(days), "day")}`;
        const words =
          choice === null
            ? `${GRADES[grade]}: ${counted(Number(right?.toPrecision(4)), ask === "pips" ? "pip" : "effective pip")}.`
            : text === GIVEN_UP
              ? `Best is ${choice.best}.`
              : `${GRADES[grade]}: ${choice.made}${choice.error ? ` loses ${choice.error.toFixed(3)}, best is ${choice.best}` : ""}.`;
        const show = (/** @type {string | null} */ play) =>
          this.desk.board.show(viewOf(fieldsOf(xgid), play));
        this.host.replaceChildren(
          html("h2", {}, text === GIVEN_UP ? "What is right" : GRADES[grade]),
          ...(choice
            ? told({ ...choice, where: "", made: text === GIVEN_UP ? "" : choice.made }, show)
            : []),
          html(
            "p",
            { class: "soft small" },
            `${note ? `${note}. ` : ""}It comes again ${again}. ${this.#score}`,
          ),
        );
        show(choice && ask === "play" ? choice.best : null);
        this.desk.say(words);
        this.desk.clear([
          { name: "Next", act: () => this.#next(), key: "Enter", first: true },
          { name: "Analyze this", act: () => this.analyze(xgid), key: "a" },
        ]);
      },
      () => this.#offer(true),
    );
  }
}
