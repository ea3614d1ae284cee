/** A drill: one card after the other, the loss of an answer, and when the card comes again. */

import { viewOf } from "../board/board.js";
import { fieldsOf } from "../board/position.js";
import { get, post } from "./api.js";
import { Asking } from "./asking.js";
import { segments } from "./controls.js";
import { decisionView } from "./decisions.js";
import { card, html } from "./elements.js";
import { heading } from "./help.js";
import { said, t } from "./language.js";
import { Walk } from "./walk.js";
import { isRedouble } from "./words.js";
import { YourPlay } from "./your_play.js";

/**
 * @typedef {import("../../answers.js").DrillCard} Card
 * @typedef {import("../../answers.js").DrillAnswer & {text: string}} Answered with the text that was sent
 */

/** The answers about the cube: their buttons, and their keys, which are sent. @param {Card} card @returns {[string, string][]} */
function actionsOf({ ask, xgid }) {
  const again = isRedouble(xgid);
  if (ask === "double")
    return [
      [again ? t.drill.noRedouble : t.drill.noDouble, "n"],
      [again ? t.drill.redouble : t.drill.double, "d"],
    ];
  if (ask === "take")
    return [
      [t.drill.take, "t"],
      [t.drill.pass, "p"],
    ];
  return [];
}
/** The answer of a person who does not know. */
const GIVEN_UP = "?";

export class Drill {
  deck = "";
  right = 0;
  answers = 0;
  /** @type {Card | null} */
  card = null;
  /** @type {YourPlay | null} the play in the making, if the card asks for a play */
  play = null;
  /** Whether an answer is on its way; no other one is sent meanwhile. */
  sent = false;
  /** @type {Answered | null} the answer and its judgement */
  answered = null;
  /** @type {string | null} the play that arrows show */
  arrows = null;
  #giveUp = { name: t.drill.showMe, act: () => this.#answer(GIVEN_UP), key: "s" };
  #asking;

  /**
   * @param {import("./board_area.js").BoardArea} area
   * @param {{analyze: (xgid: string) => void, render: () => void, asked: () => object}} to
   *   `render` draws the page with the drill, `asked` returns the selection of errors
   */
  constructor(area, to) {
    this.area = area;
    this.#asking = new Asking(area);
    this.to = to;
  }

  /** @param {Partial<Drill>} change */
  set(change) {
    Object.assign(this, change);
    this.to.render();
  }

  leave() {
    this.#asking.stop();
    this.card = this.play = this.answered = null;
    this.area.clear();
  }

  /** The number of right answers since the page was opened. */
  get #score() {
    return this.answers ? t.drill.score(this.right, this.answers) : "";
  }

  /** Show the next card. Until it comes, the one before it takes no answer. */
  next() {
    this.area.clear();
    return this.#asking.ask(async (signal) => {
      const deck = this.deck ? [this.deck] : [];
      const drawn = await get("study/card", { ...this.to.asked(), deck }, signal);
      const place = drawn && (await get("position", { id: drawn.xgid }, signal));
      const play = drawn?.ask === "play" && place?.steps ? this.#playIn(place) : null;
      this.area.blank();
      this.set({ card: drawn, play, sent: false, answered: null, arrows: null });
      this.area.say(drawn ? drawn.question : t.drill.noCard);
    }, this.to.render);
  }

  /** @param {import("../../answers.js").Position} position */
  #playIn(position) {
    return new YourPlay({
      area: this.area,
      position,
      walk: new Walk(position),
      pace: () => 0,
      glide: () => (this.to.render(), true),
      commit: ({ notation }) => this.#answer(notation),
      others: () => [this.#giveUp],
    });
  }

  /** The card, or the judgement of its answer. */
  view() {
    return card(t.drill.name, this.answered ? this.#judged(this.answered) : this.#question());
  }

  #question() {
    const choose = (/** @type {string} */ deck) => {
      this.set({ deck });
      this.next();
    };
    const words = [this.card && t.drill.today(this.card.today, this.card.due), this.#score]
      .filter(Boolean)
      .join(" ");
    return [
      heading(t.drill.name, "review-and-study"),
      segments(
        t.drill.deck,
        [["", t.drill.all], ...Object.entries(t.drill.decks)],
        this.deck,
        choose,
      ),
      html("p", { class: "soft small" }, words),
    ];
  }

  /** @param {Answered} answered */
  #judged({ text, grade, choice, days }) {
    const note = this.card?.note ?? "";
    const sentence = note && (/[.!?…]$/.test(note) ? `${note} ` : `${note}. `);
    const again = t.drill.again(days < 1 ? 0 : Math.round(days));
    const shown = choice && { ...choice, source: "", made: text === GIVEN_UP ? "" : choice.made };
    return [
      html("h2", {}, text === GIVEN_UP ? t.drill.whatIsRight : t.drill.grades[grade]),
      ...(shown ? decisionView(shown, (arrows) => this.set({ arrows })) : []),
      html("p", { class: "soft small" }, `${sentence}${again} ${this.#score}`),
    ];
  }

  /** Draw the card on the board, and offer the actions. */
  draw() {
    const { card: asked, answered, play } = this;
    if (!asked) return;
    const fields = fieldsOf(asked.xgid);
    const view = viewOf(fields, this.arrows);
    if (answered) this.#offerNext(asked);
    else if (this.sent) this.area.rest();
    else if (play) play.offer();
    else this.#offer(asked);
    if (answered) return this.area.board.show(view);
    this.area.show(fields, { ...view, ...play?.walk.shown(view.own) }, ["X", "O"], {
      pips: asked.ask === "pips" ? [] : undefined,
      still: true,
    });
  }

  /** Offer the possible answers. @param {Card} asked */
  #offer(asked) {
    const actions = actionsOf(asked).map(([name, key]) => ({
      name,
      key,
      act: () => this.#answer(key),
      first: true,
    }));
    this.area.rest();
    this.area.offer([...actions, this.#giveUp]);
    const name = actions.length ? "" : t.drill.typeNumber;
    this.area.ask(name, (text) => this.#answer(text), "100", asked.xgid);
  }

  /** Offer the actions after an answer. @param {Card} asked */
  #offerNext({ xgid }) {
    this.area.clear([
      { name: t.drill.next, act: () => this.next(), key: "Enter", first: true },
      { name: t.common.analyzeThis, act: () => this.to.analyze(xgid), key: "a" },
    ]);
  }

  /** @param {string} text */
  #answer(text) {
    this.set({ sent: true });
    return this.#asking.ask(
      async (signal) => {
        const { ask, xgid, deck, note } = /** @type {Card} */ (this.card);
        const given = { ask, xgid, deck, note, answer: text };
        const answer = await post("study/answer", given, signal);
        this.answers += 1;
        this.right += Number(answer.grade === 3);
        const arrows = answer.choice && ask === "play" ? answer.choice.best : null;
        const inside = document.activeElement?.closest("#study");
        this.set({ answered: { ...answer, text }, arrows });
        // Else the focus would be on a word of the judgement, which ENTER explains.
        if (inside) document.getElementById("do-next")?.focus();
        this.area.say(answerWords(ask, { ...answer, text }));
      },
      () => this.set({ sent: false }),
    );
  }
}

/** The judgement of an answer in a sentence. @param {string} ask @param {Answered} answered */
function answerWords(ask, { text, grade, right, choice }) {
  if (choice === null) {
    const pips = Number(right?.toPrecision(4));
    return t.drill.pips(t.drill.grades[grade], pips, ask !== "pips");
  }
  const { made, best, error } = choice;
  if (text === GIVEN_UP) return t.drill.best(said(best));
  const lost = error ? error.toFixed(3) : "";
  return t.drill.answer(t.drill.grades[grade], said(made), lost, said(best));
}
