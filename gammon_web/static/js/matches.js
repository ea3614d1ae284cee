/** The matches of the library: a list, from which matches are opened and removed. */

import { addingView, additions } from "./adding.js";
import { get, mergeLibrary, post, savedLibrary, SCHEMA, serves } from "./api.js";
import { Asking } from "./asking.js";
import { confirmed } from "./confirm.js";
import { heardBy } from "./controls.js";
import { button, card, html, row, scrolling, table } from "./elements.js";
import { head } from "./help.js";
import { t } from "./language.js";
import { lazy } from "./morph.js";
import { saveBlob } from "./save.js";

/** @typedef {import("../../answers.js").ListedMatch} Match */

/** The matches that are listed before one asks for all. */
const FIRST = 200;
/** The file of a library that is saved. */
const FILE = "gammon-library.json.gz";

/**
 * Return a handler of errors: a library without a file, to which matches can be added, has none of them.
 * @template T @param {T} none @returns {(error: Error & {code?: string}) => T}
 */
export function ifMissing(none) {
  return (error) => {
    if (error.code !== "not_found" || !serves.adds) throw error;
    return none;
  };
}

export class Matches {
  /** Whether all matches are listed. */
  #whole = false;
  /** @type {Match[] | null} the matches, the latest first, once they are loaded */
  list = null;
  #asking;

  /**
   * @param {import("./board_area.js").BoardArea} area
   * @param {{render: () => void, changed: () => void, heard: () => boolean, open: (review:
   *   import("./review.js").Reviewed) => void}} to
   *   `render` draws the page with the matches, `changed` is called after a match was removed, `open`
   *   shows a review
   */
  constructor(area, to) {
    this.area = area;
    this.to = to;
    this.#asking = new Asking(area, to.heard);
  }

  /** @param {import("../../answers.js").Gets["library/matches"]["parameters"]} asked @param {AbortSignal} signal */
  async read(asked, signal) {
    const none = /** @type {import("../../answers.js").MatchList} */ ({
      schema_version: SCHEMA,
      number: 0,
      matches: [],
    });
    const { matches } = await get("library/matches", asked, signal).catch(ifMissing(none));
    this.list = matches.reverse();
    this.to.render();
    this.area.say(`${t.common.matchCount(matches.length)}.`);
  }

  leave() {
    this.#asking.stop();
    this.#whole = false;
    this.list = null;
  }

  /** @param {Match} match */
  #open({ digest }) {
    this.#asking.ask(async (signal) =>
      this.to.open(await get("library/match", { digest }, signal)),
    );
  }

  /** @param {Match} match */
  async #remove(match) {
    const words = t.library.removeTip(wordsOf(match));
    if (!(await confirmed(t.library.removeAsk, words, t.library.remove))) return;
    this.#asking.aside(async () => {
      await post("library/remove", { digest: match.digest });
      this.to.changed();
    });
  }

  /** The cards: the files on their way, the form for more files, and the list. */
  view() {
    const { list } = this;
    const all = () => {
      this.#whole = true;
      this.to.render();
    };
    const listed = (/** @type {Match[]} */ matches) => {
      const shown = this.#whole ? matches : matches.slice(0, FIRST);
      return card(
        t.common.matches,
        scrolling(t.library.list, this.#table(shown), "listed"),
        shown.length < matches.length && button(t.library.all(matches.length), all),
      );
    };
    const cards = [
      addingView(),
      list && list.length > 0 && listed(list),
      serves.adds && adder(),
      !serves.all && this.#asFile(),
    ];
    return cards.filter((part) => part instanceof HTMLElement);
  }

  /** The card of a library in the browser alone, which can be saved, and merged into another. */
  #asFile() {
    const { list } = this;
    const asFile = () => this.#asking.aside(async () => saveBlob(await savedLibrary(), FILE));
    const change = (/** @type {Event} */ event) => {
      const input = /** @type {HTMLInputElement} */ (heardBy(event));
      const [file] = input.files ?? [];
      if (file) this.#asking.aside(() => this.#merge(file));
      input.value = "";
    };
    return card(
      t.library.fileName,
      html("p", {}, t.library.fileTip),
      list && list.length > 0 && button(t.library.save, asFile),
      html(
        "label",
        { class: "field-of" },
        html("span", {}, t.library.merge),
        html("input", { type: "file", accept: ".gz", change }),
      ),
    );
  }

  /** Add the matches of a saved library. @param {File} file */
  async #merge(file) {
    const say = (/** @type {{done: number, total: number}} */ { done, total }) => {
      if (this.to.heard()) this.area.say(t.library.merging(done + 1, total));
    };
    try {
      const { matches, left } = await mergeLibrary(file, say);
      this.area.tell(t.library.merged(matches, left));
    } finally {
      if (this.to.heard()) this.to.changed();
    }
  }

  /** @param {Match[]} list */
  #table(list) {
    const rows = list.map((match) => lazy("tr", match.digest, [match], () => this.#row(match)));
    const heads = [
      html("th", { scope: "col", class: "words" }, t.library.match),
      head(t.review.pr, "pr"),
      t.library.won,
      ...(serves.adds ? [html("td")] : []),
    ];
    return table(t.common.matches, heads, rows);
  }

  /** @param {Match} match */
  #row(match) {
    const { played, event, length, prs, won, analysis, players } = match;
    const facts = [played, event, length ? t.library.to(length) : t.library.money, analysis];
    const name = t.library.removeNamed(wordsOf(match));
    const remove = button(t.library.remove, () => this.#remove(match), { "aria-label": name });
    return row(
      [
        html(
          "td",
          { class: "words" },
          button(players.join(" – "), () => this.#open(match)),
          html("span", { class: "soft small" }, facts.filter(Boolean).join(" · ")),
        ),
        prs.map((pr) => pr?.toFixed(1) ?? "–").join(" / "),
        won === null ? "–" : won ? t.library.yes : t.library.no,
        serves.adds && html("td", { class: "end" }, remove),
      ],
      { "data-key": match.digest },
    );
  }
}

/** The match in words. @param {Match} match */
function wordsOf({ played, players, length }) {
  return t.library.matchOf(t.review.against(players), length, played ?? "");
}

/** The form that adds files. */
function adder() {
  const change = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (heardBy(event));
    additions.addFiles([...(input.files ?? [])]);
    input.value = "";
  };
  const input = (/** @type {string} */ name, /** @type {object} */ more) =>
    html(
      "label",
      { class: "field-of" },
      html("span", {}, name),
      html("input", { type: "file", multiple: true, change, ...more }),
    );
  return card(
    t.library.addName,
    html(
      "div",
      { class: "drop" },
      html("p", {}, serves.all ? t.library.drop : t.library.dropMat),
      input(t.library.files, {
        accept: `.mat,.txt${serves.all ? ",.sgf,.bgf,.xg,.ogxm,.gvab" : ""}`,
      }),
      input(t.library.folder, { webkitdirectory: true }),
    ),
  );
}
