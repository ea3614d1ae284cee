/** Decisions that were made: a list with filters, and the details of the one on the board. */

import { viewOf } from "../board/board.js";
import { fieldsOf, withDice } from "../board/position.js";
import { avoidable } from "./avoidable.js";
import { candidatesTable, isUnread } from "./candidates.js";
import { ALIKE, BLUNDERS } from "./blunders.js";
import { field, named, numbered, select } from "./controls.js";
import { button, card, html, row, scrolling, table } from "./elements.js";
import { head, term } from "./help.js";
import { said, t } from "./language.js";
import { lazy } from "./morph.js";
import { rollouts, rolloutView } from "./rollout.js";
import { marked } from "./tables.js";
import { doubling, MARKS, markOf, minused, signed } from "./words.js";

/**
 * @typedef {import("../../answers.js").StudiedChoice & {game_value?: number, luck?: number}} Decision
 *   maybe with the value of the game after it, and with the luck of the roll before it
 * @typedef {{game: number, player: number, kind: string, theme: string, least: number, worst:
 *   boolean | "avoidable"}} Filter
 *   -1 and "" leave nothing out; `worst` puts the largest errors first, or what was most avoidable
 */

const SIZES = /** @type {[number, string][]} */ ([
  [0, t.decisions.all],
  [ALIKE, t.decisions.errors],
  ...BLUNDERS.map((least, at) => [least, t.decisions.least(MARKS[at + 1].name, least)]),
]);

export class Decisions {
  /** @type {Decision[]} */
  all = [];
  /** @type {Decision | null} */
  chosen = null;
  /** @type {string[]} names of the games, if one can be chosen */
  games = [];
  /** The title of the printed list. */
  title = "";
  /** The parts of the first printed page. @type {() => (HTMLElement | false)[]} */
  totals = () => [];
  /**
   * The number of errors in the library, of which these decisions are the largest; 0 if these are
   * all decisions of a match, in order.
   */
  of = 0;
  /** @type {Filter} */
  filter = { game: -1, player: -1, kind: "", theme: "", least: ALIKE, worst: false };
  /** The play that arrows show. */
  arrows = "";
  /** @type {Decision | null} the decision whose review is being read */
  #reading = null;
  /** The games and the players that the filter can choose from, as text. */
  #of = "";

  /**
   * @param {import("./board_area.js").BoardArea} area
   * @param {{analyze: ((xgid: string) => void) | null, render: () => void, looked?: () => void,
   *   heard?: () => boolean, read?: (decision: Decision) => Promise<void>}} to
   *   `render` draws the page with these decisions, `looked` is called when another decision is
   *   shown, `heard` returns whether the mode is shown, `read` adds its review to a decision
   */
  constructor(area, to) {
    this.area = area;
    this.to = to;
    rollouts.heard.add(() => this.chosen && to.heard?.() !== false && to.render());
  }

  /** @param {Partial<Decisions>} change */
  set(change) {
    Object.assign(this, change);
    this.to.render();
  }

  /** The decisions that pass the filter, in its order. */
  get listed() {
    const { game, player, kind, theme, least, worst } = this.filter;
    const left = this.all.filter(
      (decision) =>
        (game < 0 || decision.game === game) &&
        (player < 0 || decision.player === player) &&
        decision.error >= least &&
        (!kind || (kind === "play") === (decision.kind === "play")) &&
        (!theme || decision.themes.includes(theme)),
    );
    const size = worst === "avoidable" ? avoidable : (/** @type {Decision} */ { error }) => error;
    return worst ? left.sort((one, other) => size(other) - size(one)) : left;
  }

  /** The players, if they are the same in all decisions. */
  get players() {
    const { names } = this.all[0] ?? { names: ["", ""] };
    const isOne = this.all.every(({ names: [x, o] }) => x === names[0] && o === names[1]);
    return isOne ? names : [];
  }

  get themes() {
    return [...new Set(this.all.flatMap(({ themes }) => themes))].sort();
  }

  /**
   * Show these decisions, and one of them.
   * @param {Decision[]} all
   * @param {string[]} [games] names of the games, if one can be chosen
   * @param {Decision | null} [chosen]
   * @param {number} [of] see `of`
   * @param {number} [mine] the player whose errors of another match are listed, if there are any; or -1
   */
  show(all, games = [], chosen = null, of = 0, mine = -1) {
    Object.assign(this, { all, games, of, chosen });
    const whose = JSON.stringify([games, this.players]);
    // A filter by game or player is reset, as another match has other games.
    if (this.#of && this.#of !== whose) Object.assign(this.filter, { game: -1, player: -1 });
    if (this.#of !== whose && this.filter.player < 0) {
      this.filter.player = mine;
      if (!this.listed.length) this.filter.player = -1;
    }
    if (!this.themes.includes(this.filter.theme)) this.filter.theme = "";
    this.#of = whose;
    this.#settle();
  }

  /** If the decision on the board does not pass the filter, show the worst one that does. */
  #settle() {
    const listed = this.listed;
    const worst = listed.reduce(
      (most, decision) => (decision.error > most.error ? decision : most),
      listed[0],
    );
    const next = this.chosen && listed.includes(this.chosen) ? this.chosen : worst;
    if (next) return this.look(next);
    this.set({});
    this.area.say(t.decisions.none);
  }

  /** The controls of the filter. */
  filters() {
    const { games, players, themes, of } = this;
    const pick = (
      /** @type {string} */ name,
      /** @type {keyof Filter} */ part,
      /** @type {[any, string][]} */ choices,
    ) => {
      const changed = (/** @type {unknown} */ value) => {
        Object.assign(this.filter, { [part]: value });
        this.#settle();
      };
      return field(name, select(choices, this.filter[part], changed));
    };
    const kinds = [
      ["", t.decisions.allKinds],
      ["play", t.decisions.plays],
      ["cube", t.decisions.cube],
    ];
    const orders = [
      [false, t.decisions.inOrder],
      [true, t.decisions.worstFirst],
      ["avoidable", t.decisions.avoidableFirst],
    ];
    return html(
      "div",
      { class: "fields three" },
      games.length > 1 &&
        pick(t.decisions.game, "game", [[-1, t.decisions.allGames], ...numbered(games)]),
      pick(t.decisions.size, "least", of ? SIZES.slice(1) : SIZES),
      players.length > 0 &&
        pick(t.common.player, "player", [[-1, t.decisions.both], ...numbered(players)]),
      pick(t.decisions.kind, "kind", /** @type {[string, string][]} */ (kinds)),
      themes.length > 0 &&
        pick(t.decisions.theme, "theme", [
          ["", t.decisions.allThemes],
          ...themes.map((theme) => /** @type {[string, string]} */ ([theme, said(theme)])),
        ]),
      !of && pick(t.decisions.order, "worst", /** @type {[any, string][]} */ (orders)),
    );
  }

  /** The table of the listed decisions. */
  list() {
    const { listed } = this;
    const heads = [
      this.games.length ? t.decisions.turn : t.common.player,
      html("th", { scope: "col", class: "words" }, t.decisions.decision),
      head(t.decisions.error, "error"),
    ];
    const keydown = (/** @type {Event} */ event) => {
      const { key } = /** @type {KeyboardEvent} */ (event);
      const by = /** @type {1 | -1 | undefined} */ ({ ArrowUp: -1, ArrowDown: 1 }[key]);
      if (by) (event.preventDefault(), this.next(by));
    };
    const rows = listed.map((decision) => {
      const { game, action, kind, xgid, made } = decision;
      const key = this.games.length ? `${game} ${action} ${kind}` : `${xgid} ${made}`;
      const of = [decision, this.#turnOf(decision), decision === this.chosen];
      return lazy("tr", key, of, () => this.#row(decision, key));
    });
    const caption = this.#caption(rows.length);
    return scrolling(
      t.decisions.list,
      rows.length
        ? table(caption, heads, rows, { keydown }, "soft small")
        : html("p", { class: "soft" }, t.decisions.none),
      "listed",
    );
  }

  /** The caption: what is listed, and in which order. @param {number} count */
  #caption(count) {
    const { all, of, filter } = this;
    const errors = filter.least > 0 ? t.common.errorCount(count) : t.common.decisionCount(count);
    const { inOrder, worst, avoidable } = t.decisions.sorted;
    const order = filter.worst === "avoidable" ? avoidable : worst;
    if (!of) return `${errors}, ${filter.worst ? order : inOrder}`;
    if (count < all.length && all.length < of) return t.decisions.ofLargest(count, all.length);
    return `${all.length < of ? t.decisions.ofErrors(count, of) : errors}, ${worst}`;
  }

  /** The number of a decision. @param {Decision} decision */
  #turnOf(decision) {
    const { game, action } = decision;
    if (!this.games.length) return `${this.all.indexOf(decision) + 1}.`;
    return `${this.filter.game < 0 ? `${game + 1}/` : ""}${action + 1}.`;
  }

  /** @param {Decision} decision @param {string} key */
  #row(decision, key) {
    const { player, names, kind, made, best, error, xgid, game, action } = decision;
    const { dice } = fieldsOf(xgid);
    const words = [
      html("span", { class: "rank" }, this.#turnOf(decision)),
      `${names[player]} ${/\d/.test(dice) ? dice : ""}`,
    ];
    const mark = markOf(error);
    return row(
      [
        button(words, () => this.look(decision), {
          "data-choice": `${game} ${action} ${kind}`,
          focus: () => this.chosen !== decision && this.look(decision),
        }),
        html(
          "td",
          { class: "words" },
          said(made),
          best !== made && html("span", { class: "soft" }, t.decisions.best(said(best))),
        ),
        html(
          "td",
          { class: `mark-${mark}` },
          error >= 0.0005 ? error.toFixed(3) : "",
          marked(mark),
        ),
      ],
      { class: decision === this.chosen ? "chosen" : null, "data-key": key },
    );
  }

  /** Show the next decision of the list. @param {1 | -1} by */
  next(by) {
    const { listed } = this;
    const next = listed[listed.indexOf(/** @type {Decision} */ (this.chosen)) + by];
    if (!next) return this.area.say(by > 0 ? t.decisions.isLast : t.decisions.isFirst);
    const inList = document.activeElement?.closest(".listed");
    const elsewhere = next.source !== this.chosen?.source;
    this.look(next, elsewhere ? `${next.source}. ` : "");
    // The list scrolls inside itself: the board and the button that was pressed stay in sight.
    const line = document.querySelector(".listed .chosen");
    const list = line?.closest(".listed");
    if (!line || !list) return;
    const [seen, at] = [list.getBoundingClientRect(), line.getBoundingClientRect()];
    if (at.top < seen.top || at.bottom > seen.bottom)
      list.scrollTop += at.top - seen.top - seen.height / 2;
    if (inList) line.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Show a decision. @param {Decision} decision @param {string} [before] words before the message */
  look(decision, before = "") {
    this.set({ chosen: decision, arrows: decision.best });
    this.area.say(before + decisionWords(decision));
    this.to.looked?.();
    if (isUnread(decision)) this.#read(decision);
  }

  /** Read the review of a decision, and show it if the decision is still shown. @param {Decision} decision */
  async #read(decision) {
    if (this.#reading === decision) return;
    this.#reading = decision;
    await this.to.read?.(decision);
    if (this.#reading === decision) this.#reading = null;
    if (decision === this.chosen && !isUnread(decision)) this.#show(this.arrows);
  }

  /** Show a play of the decision by arrows. @param {string} play */
  #show(play) {
    this.set({ arrows: play });
    if (this.to.heard?.() !== false)
      this.area.say(decisionWords(/** @type {Decision} */ (this.chosen)));
  }

  /** The details of the decision on the board, and its rollout. */
  detail() {
    const { chosen } = this;
    return card(
      t.decisions.this,
      chosen && decisionView(chosen, (play) => this.#show(play)),
      chosen && this.to.analyze && this.#rollout(chosen),
    );
  }

  /** The rollout of a decision. @param {Decision} decision */
  #rollout({ xgid, kind, made, best }) {
    const isPlay = kind === "play";
    const id = isPlay ? xgid : withDice(xgid, "00");
    const plays = isPlay ? [...new Set([best, made])] : [];
    const summary = html("summary", {}, t.decisions.rollOut);
    const view = rolloutView(rollouts.of(id), () => plays);
    return html("details", { "data-key": `${id} ${plays}` }, summary, view);
  }

  /** Draw the chosen decision on the board, and offer the actions. */
  draw() {
    const { chosen, arrows, to } = this;
    if (!chosen) return;
    const { xgid, kind, made, best, names } = chosen;
    const fields = fieldsOf(xgid);
    this.area.show(fields, viewOf(fields, kind === "play" ? arrows : null), names);
    const alike = kind !== "play" || made === best;
    /** @type {import("./board_area.js").Action[]} */
    const actions = [
      { name: t.decisions.previous, act: () => this.next(-1), key: "k" },
      { name: t.decisions.next, act: () => this.next(1), key: "j", first: true },
      {
        name: t.decisions.showBest,
        act: () => this.#show(best),
        key: "s",
        off: alike || arrows === best,
      },
      {
        name: t.decisions.showMade,
        act: () => this.#show(made),
        key: "p",
        off: alike || arrows === made,
      },
    ];
    if (to.analyze)
      actions.push({ name: t.common.analyzeThis, act: () => to.analyze?.(xgid), key: "a" });
    this.area.offer(actions);
  }
}

/** The choice and its loss in a sentence. @param {Decision} decision */
export function decisionWords({ kind, made, best, error, player, names, values, xgid }) {
  const name = names[player];
  const deed = kind === "play" ? t.decisions.played(name, made) : `${name}: ${said(made)}`;
  const words =
    error >= 0.0005
      ? t.decisions.lost(deed, error.toFixed(3), MARKS[markOf(error)].name, said(best))
      : t.decisions.right(deed);
  return values ? `${words} ${cubeWords(kind, values, xgid)}` : words;
}

/**
 * The equities of the cube actions to the player who decides.
 * @param {string} kind
 * @param {NonNullable<Decision["values"]>} values
 * @param {string} xgid
 */
function cubeWords(kind, { no_double: stay, double_take: taken, double_pass: passed }, xgid) {
  if (kind !== "take" && kind !== "pass")
    return `${doubling("No double", xgid)} ${signed(stay)}, ${said("take")} ${signed(taken)}, ${said("pass")} ${signed(passed)}.`;
  return taken < passed
    ? `${said("Take")} ${signed(-taken)}, ${said("pass")} ${signed(-passed)}.`
    : `${said("Pass")} ${signed(-passed)}, ${said("take")} ${signed(-taken)}.`;
}

/**
 * The details of a decision: its place, why it was wrong, its candidates and its themes.
 * @param {Decision} decision
 * @param {(play: string) => void} show shows a candidate on the board
 */
export function decisionView(decision, show) {
  const { source, explanation, themes, luck, xgid, rollout, made, remark } = decision;
  const rolled =
    rollout?.verdict || (rollout && rollout.candidates[0].name === made ? t.decisions.agree : "");
  return [
    source && html("h2", {}, source),
    explanation && html("p", { lang: "en" }, minused(explanation)),
    remark && html("p", {}, t.decisions.fileSays(remark)),
    candidatesTable(decision, show),
    rolled && html("p", { class: "small" }, t.decisions.rolledOut(rolled)),
    luck !== undefined &&
      html(
        "p",
        { class: "soft small" },
        term(t.decisions.luck, "luck"),
        t.decisions.ofRoll(signed(luck)),
      ),
    themes.length > 0 &&
      html("p", { class: "soft small" }, t.decisions.themes(themes.map(said).join(", "))),
    html("p", { class: "soft small" }, html("code", { class: "id" }, xgid)),
  ].filter((part) => part instanceof HTMLElement);
}
