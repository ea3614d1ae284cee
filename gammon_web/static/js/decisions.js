/**
 * Decisions that were made: a list with filters, each on the board, with its candidates and why;
 * and the list on paper.
 */

import { viewOf } from "../board/board.js";
import { fieldsOf, withDice } from "../board/position.js";
import { Asking } from "./asking.js";
import { candidatesTable } from "./candidates.js";
import { ALIKE, BLUNDERS } from "./blunders.js";
import { field, select } from "./controls.js";
import { button, card, html, row, table } from "./elements.js";
import { rolloutPanel } from "./rollout.js";
import { marked } from "./tables.js";
import { counted, does, doubling, MARKS, markOf, minused, signed } from "./words.js";

/**
 * @typedef {import("../../answers.js").StudiedChoice & {worth?: number, luck?: number}} Decision
 *   maybe with the worth of the game after it, and with the luck of the roll before it
 * @typedef {{game: number, player: number, kind: string, theme: string, least: number, worst:
 *   boolean}} Filter
 *   -1 and "" leave nothing out; `worst` puts the largest errors first
 */

const SIZES = /** @type {[number, string][]} */ ([
  [0, "All decisions"],
  [ALIKE, "Errors"],
  ...BLUNDERS.map((least, at) => [least, `${MARKS[at + 1].name}, ${least} or more`]),
]);

const NONE = "No decision is like that.";

export class Decisions {
  /** @type {Decision[]} */
  all = [];
  /** @type {Decision | null} */
  chosen = null;
  /** @type {string[]} names of the games, if one can be chosen */
  games = [];
  /** What they are of, for the list on paper. */
  title = "";
  /**
   * How many there are of which these are the largest errors; 0 where these are all decisions of a
   * match, in order.
   */
  of = 0;
  /** @type {Filter} */
  filter = { game: -1, player: -1, kind: "", theme: "", least: ALIKE, worst: false };
  /** The games and the players that the filter can choose from, as text. */
  #of = "";
  /** The play that arrows show. */
  #arrows = "";
  /** @type {{key: string, panel: Node | string}} the rollout of the decision that is shown */
  #rolled = { key: "", panel: "" };
  /** The table of what is listed, the one chosen, and the controls of the filter. */
  list = html("div", {
    class: "scroll listed",
    role: "region",
    "aria-label": "List of decisions",
    tabindex: 0,
  });
  detail = card("This decision");
  filters = html("div", { class: "fields three" });

  /**
   * @param {import("./desk.js").Desk} desk
   * @param {{analyze: ((xgid: string) => void) | null, looked?: () => void, listed?: () => void,
   *   heard?: () => boolean}} to
   *   `looked` hears that another decision is shown, `listed` that others are listed; `heard` tells
   *   whether errors are to be told
   */
  constructor(desk, to) {
    this.desk = desk;
    this.to = to;
    this.asking = new Asking(desk, to.heard);
    this.list.addEventListener("keydown", (event) => {
      const by = /** @type {1 | -1 | undefined} */ ({ ArrowUp: -1, ArrowDown: 1 }[event.key]);
      if (by) (event.preventDefault(), this.next(by));
    });
  }

  /** What the filter leaves, in its order. */
  get listed() {
    const { game, player, kind, theme, least, worst } = this.filter;
    const left = this.all.filter(
      (each) =>
        (game < 0 || each.game === game) &&
        (player < 0 || each.player === player) &&
        each.error >= least &&
        (!kind || (kind === "play") === (each.kind === "play")) &&
        (!theme || each.themes.includes(theme)),
    );
    return worst ? left.sort((one, other) => other.error - one.error) : left;
  }

  /**
   * Show these decisions, and one of them.
   * @param {Decision[]} all
   * @param {string[]} [games] names of the games, if one can be chosen
   * @param {Decision | null} [chosen]
   * @param {number} [of] see `of`
   */
  show(all, games = [], chosen = null, of = 0) {
    Object.assign(this, { all, games, of });
    const { names } = all[0] ?? { names: ["", ""] };
    const players = all.every((each) => each.names[0] === names[0] && each.names[1] === names[1])
      ? names
      : [];
    const themes = [...new Set(all.flatMap((each) => each.themes))].sort();
    this.#widen(JSON.stringify([games, players]), themes);
    const pick = (
      /** @type {string} */ name,
      /** @type {keyof Filter} */ part,
      /** @type {[any, string][]} */ choices,
    ) =>
      field(
        name,
        select(
          choices,
          this.filter[part],
          (value) => (Object.assign(this.filter, { [part]: value }), this.refresh()),
        ),
      );
    this.filters.replaceChildren(
      ...(games.length > 1
        ? [
            pick("Game", "game", [
              [-1, "All games"],
              ...games.map((game, at) => /** @type {[number, string]} */ ([at, game])),
            ]),
          ]
        : []),
      pick("Size", "least", of ? SIZES.slice(1) : SIZES),
      ...(players.length
        ? [
            pick("Player", "player", [
              [-1, "Both"],
              ...players.map((name, at) => /** @type {[number, string]} */ ([at, name])),
            ]),
          ]
        : []),
      pick("Kind", "kind", [
        ["", "All kinds"],
        ["play", "Plays"],
        ["cube", "Cube"],
      ]),
      ...(themes.length
        ? [
            pick("Theme", "theme", [
              ["", "All themes"],
              ...themes.map((theme) => /** @type {[string, string]} */ ([theme, theme])),
            ]),
          ]
        : []),
      ...(of
        ? []
        : [
            pick("Order", "worst", [
              [false, "In order"],
              [true, "Worst first"],
            ]),
          ]),
    );
    this.chosen = chosen;
    this.refresh();
  }

  /**
   * Nothing is left out by what can no longer be chosen: another match has other games.
   * @param {string} of
   * @param {string[]} themes
   */
  #widen(of, themes) {
    if (this.#of && this.#of !== of) Object.assign(this.filter, { game: -1, player: -1 });
    if (!themes.includes(this.filter.theme)) this.filter.theme = "";
    this.#of = of;
  }

  /** List what the filter leaves; where the one that is shown is not among it, show the worst. */
  refresh() {
    const rows = this.listed;
    this.to.listed?.();
    this.#rows(rows);
    if (this.chosen && rows.includes(this.chosen)) return this.look(this.chosen);
    const worst = rows.reduce((most, each) => (each.error > most.error ? each : most), rows[0]);
    if (worst) return this.look(worst);
    if (!this.chosen) this.detail.replaceChildren();
    this.desk.say(NONE);
  }

  /** @param {Decision[]} rows */
  #rows(rows) {
    if (!rows.length) return this.list.replaceChildren(html("p", { class: "soft" }, NONE));
    const heads = [
      this.games.length ? "Turn" : "Player",
      html("th", { scope: "col", class: "words" }, "Decision"),
      "Error",
    ];
    this.list.replaceChildren(
      table(
        this.#caption(rows.length),
        heads,
        rows.map((each) => this.#row(each)),
        {},
        "soft small",
      ),
    );
  }

  /** What is listed, and in which order. @param {number} count */
  #caption(count) {
    const { all, of, filter } = this;
    const errors = counted(count, filter.least > 0 ? "error" : "decision");
    if (!of) return `${errors}, ${filter.worst ? "the largest first" : "in order"}`;
    if (count < all.length && all.length < of)
      return `${count} of the ${all.length} largest errors`;
    return `${all.length < of ? `${count} of ${counted(of, "error")}` : errors}, the largest first`;
  }

  /** @param {Decision} decision */
  #row(decision) {
    const { player, names, kind, made, best, error, xgid, game, action } = decision;
    const { dice } = fieldsOf(xgid);
    const turn = this.games.length
      ? `${this.filter.game < 0 ? `${game + 1}/` : ""}${action + 1}.`
      : `${this.all.indexOf(decision) + 1}.`;
    const words = [
      html("span", { class: "rank" }, turn),
      `${names[player]} ${/\d/.test(dice) ? dice : ""}`,
    ];
    const look = () => this.chosen !== decision && this.look(decision);
    const pick = button(words, () => this.look(decision), {
      "data-choice": `${game} ${action} ${kind}`,
      focus: look,
    });
    return row([
      pick,
      html(
        "td",
        { class: "words" },
        made,
        best !== made && html("span", { class: "soft" }, ` (best: ${best})`),
      ),
      html(
        "td",
        { class: `mark-${markOf(error)}` },
        error >= 0.0005 ? error.toFixed(3) : "",
        marked(markOf(error)),
      ),
    ]);
  }

  /** Go on to the next decision that is listed. @param {1 | -1} by */
  next(by) {
    const rows = this.listed;
    const next = rows[rows.indexOf(/** @type {Decision} */ (this.chosen)) + by];
    if (!next) return this.desk.say(`This is the ${by > 0 ? "last" : "first"} one of the list.`);
    const inList = this.list.contains(document.activeElement);
    const elsewhere = next.where !== this.chosen?.where;
    this.look(next);
    if (elsewhere) this.desk.say(`${next.where}. ${this.desk.status.textContent}`);
    const line = this.list.querySelector(".chosen");
    line?.scrollIntoView({ block: "nearest" });
    if (inList) line?.querySelector("button")?.focus();
  }

  /** Show a decision on the board. @param {Decision} decision */
  look(decision) {
    this.chosen = decision;
    this.#arrows = decision.best;
    const at = this.listed.indexOf(decision);
    this.list
      .querySelectorAll("tbody tr")
      .forEach((row, number) => row.classList.toggle("chosen", number === at));
    this.detail.replaceChildren(...told(decision, (play) => ((this.#arrows = play), this.#draw())));
    if (this.to.analyze) this.detail.append(this.#rollout(decision));
    this.#draw();
    this.to.looked?.();
  }

  /**
   * What rolls a decision out where it stands: the same again, with its games, while nothing else
   * is looked at.
   * @param {Decision} decision
   */
  #rollout({ xgid, kind, made, best }) {
    const asked =
      kind === "play"
        ? { id: xgid, plays: [...new Set([best, made])] }
        : { id: withDice(xgid, "00"), plays: [] };
    const key = JSON.stringify(asked);
    if (this.#rolled.key !== key)
      this.#rolled = {
        key,
        panel: html(
          "details",
          {},
          html("summary", {}, "Roll it out"),
          rolloutPanel(() => asked, this.asking),
        ),
      };
    return this.#rolled.panel;
  }

  /** Draw the one that is chosen, and offer what can be done. */
  #draw() {
    const decision = /** @type {Decision} */ (this.chosen);
    const { xgid, kind, made, best, names } = decision;
    const fields = fieldsOf(xgid);
    this.desk.show(fields, viewOf(fields, kind === "play" ? this.#arrows : null), names);
    this.desk.say(saidOf(decision));
    const show = (/** @type {string} */ play) => () => ((this.#arrows = play), this.#draw());
    const alike = kind !== "play" || made === best;
    this.desk.offer([
      { name: "Previous", act: () => this.next(-1), key: "k" },
      { name: "Next", act: () => this.next(1), key: "j", first: true },
      { name: "Best", act: show(best), key: "s", off: alike || this.#arrows === best },
      { name: "Played", act: show(made), key: "p", off: alike || this.#arrows === made },
      ...(this.to.analyze
        ? [{ name: "Analyze this", act: () => this.to.analyze?.(xgid), key: "a" }]
        : []),
    ]);
  }
}

/** What was done, and what it lost, in a sentence. @param {Decision} decision */
export function saidOf({ kind, made, best, error, player, names, values, xgid }) {
  const mark = markOf(error);
  const lost =
    error >= 0.0005
      ? `, which loses ${error.toFixed(3)}${mark ? ` (${MARKS[mark].name})` : ""}; best is ${best}`
      : ", which is right";
  const cube = values ? ` ${cubeWords(kind, values, xgid)}` : "";
  const deed =
    kind === "play" ? `${does(names[player], "play")} ${made}` : `${names[player]}: ${made}`;
  return `${deed}${lost}.${cube}`;
}

/**
 * What actions with the cube are worth to the player who decides.
 * @param {string} kind
 * @param {NonNullable<Decision["values"]>} values
 * @param {string} xgid
 */
function cubeWords(kind, { no_double: stay, double_take: taken, double_pass: passed }, xgid) {
  if (kind !== "take" && kind !== "pass")
    return `${doubling("No double", xgid)} ${signed(stay)}, take ${signed(taken)}, pass ${signed(passed)}.`;
  return taken < passed
    ? `Take ${signed(-taken)}, pass ${signed(-passed)}.`
    : `Pass ${signed(-passed)}, take ${signed(-taken)}.`;
}

/**
 * What is known of a decision: where it was made, why it was wrong, its candidates, its themes.
 * @param {Decision} decision
 * @param {(play: string) => void} show shows a candidate on the board
 */
export function told(decision, show) {
  const { where, why, themes, luck, xgid, rollout, made } = decision;
  const rolled =
    rollout?.verdict ||
    (rollout && rollout.candidates[0].name === made ? "The games agree with what was done." : "");
  return [
    where && html("h2", {}, where),
    why && html("p", {}, minused(why)),
    candidatesTable(decision, show),
    rolled && html("p", { class: "small" }, `Rolled out: ${rolled}`),
    luck !== undefined && html("p", { class: "soft small" }, `Luck of the roll ${signed(luck)}`),
    themes.length > 0 && html("p", { class: "soft small" }, `Themes: ${themes.join(", ")}`),
    html("p", { class: "soft small" }, html("code", { class: "id" }, xgid)),
  ].filter((each) => each instanceof HTMLElement);
}

/**
 * Have the listed decisions printed in place of the page.
 * @param {() => Decisions | null} shown null where the page itself is printed
 */
export function printed(shown) {
  const sheet = html("section", { class: "sheet" });
  addEventListener("beforeprint", () => {
    const decisions = shown();
    if (!decisions) return;
    const cards = decisions.listed.map((decision) => {
      const { xgid, best, kind } = decision;
      const board = html("gammon-board", { xgid, play: kind === "play" ? best : null });
      return html(
        "article",
        {},
        board,
        html(
          "div",
          {},
          html("p", {}, html("strong", {}, saidOf(decision))),
          told(decision, () => {}),
        ),
      );
    });
    sheet.replaceChildren(html("h1", {}, decisions.title || document.title), ...cards);
    document.body.append(sheet);
  });
  addEventListener("afterprint", () => sheet.remove());
}
