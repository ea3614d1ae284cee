/** Notes and tags on positions, and remarks in match files: a list to search, and a form. */

import { viewOf } from "../board/board.js";
import { fieldsOf } from "../board/position.js";
import { get, post, serves } from "./api.js";
import { Asking } from "./asking.js";
import { field, heardBy } from "./controls.js";
import { button, card, html, row, scrolling, table } from "./elements.js";
import { heading } from "./help.js";
import { said, t } from "./language.js";

/** @typedef {import("../../answers.js").Note} Note */

/** The notes that are listed; of more one searches for some. */
const FIRST = 200;

export class Notes {
  /** @type {Note[] | null} the notes that have the words, once they are loaded */
  list = null;
  /** @type {Note | null} the note on the board */
  chosen = null;
  /** The words that are searched for. */
  #words = "";
  /** What was typed and not saved, by position. */
  #drafts = /** @type {Map<string, string[]>} */ (new Map());
  #asking;

  /**
   * @param {import("./board_area.js").BoardArea} area
   * @param {{render: () => void, heard: () => boolean, analyze: (xgid: string) => void}} to
   */
  constructor(area, to) {
    this.area = area;
    this.to = to;
    this.#asking = new Asking(area, to.heard);
  }

  leave() {
    this.#asking.stop();
    this.list = this.chosen = null;
  }

  /** Read the notes that have the words, and show one. @param {AbortSignal} signal @param {string} [xgid] a position to show first, with or without a note */
  async read(signal, xgid = this.chosen?.xgid) {
    const { notes } = await get("study/notes", { words: this.#words }, signal);
    this.list = notes;
    const known = notes.find((note) => note.xgid === xgid && note.match === null);
    const asked = xgid === undefined || this.#words ? null : emptyNote(xgid);
    this.#look(known ?? asked ?? notes[0] ?? null);
  }

  /** Show a position to write a note on it. @param {string} xgid */
  begin(xgid) {
    this.#words = "";
    this.chosen = emptyNote(xgid);
  }

  /** @param {Note | null} note */
  #look(note) {
    this.chosen = note;
    this.area.blank();
    this.to.render();
    this.area.say(note?.text || t.notes.count(this.list?.length ?? 0));
  }

  /** Draw the position of the note on the board, and offer to analyze it. */
  draw() {
    const { chosen } = this;
    if (!chosen) return;
    const fields = fieldsOf(chosen.xgid);
    this.area.show(fields, viewOf(fields, null), ["X", "O"]);
    this.area.clear([
      {
        name: t.common.analyzeThis,
        act: () => this.to.analyze(chosen.xgid),
        key: "a",
        first: true,
      },
    ]);
  }

  /** The cards: the note on the board, and the list. */
  view() {
    const { chosen, list } = this;
    return [chosen && this.#form(chosen), list && this.#listed(list)].filter(
      (part) => part instanceof HTMLElement,
    );
  }

  /** @param {Note} note */
  #form(note) {
    const { xgid, text, tags, themes, match } = note;
    const title = match === null ? t.notes.note : t.notes.remark;
    const of = [
      themes.length > 0 &&
        html("p", { class: "soft small" }, t.decisions.themes(themes.map(said).join(", "))),
      html("p", { class: "soft small" }, html("code", { class: "id" }, xgid)),
    ];
    if (match !== null || !serves.adds)
      return card(title, html("h2", {}, title), html("p", {}, text), ...of);
    const typed = (/** @type {Event} */ event) => {
      const form = new FormData(/** @type {HTMLFormElement} */ (heardBy(event)));
      return ["text", "tags"].map((name) => String(form.get(name)));
    };
    const input = (/** @type {Event} */ event) => this.#drafts.set(xgid, typed(event));
    const [draft, labels] = this.#drafts.get(xgid) ?? [text, tags.join(", ")];
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const [words, list] = typed(event).map((entry) => entry.trim());
      this.#write(note, words, list.split(",").map((tag) => tag.trim()).filter(Boolean)); // prettier-ignore
    };
    const label = {
      class: "stack",
      submit,
      input,
      autocomplete: "off",
      "data-key": `note ${xgid}`,
    };
    return card(
      title,
      html("h2", {}, title),
      html(
        "form",
        label,
        field(t.notes.words, html("textarea", { name: "text", rows: 3, maxlength: 10000 }, draft)),
        field(t.notes.tags, html("input", { name: "tags", value: labels })),
        html("p", { class: "soft small" }, t.notes.tagsTip),
        html("div", { class: "row" }, html("button", { type: "submit" }, t.notes.save)),
      ),
      ...of,
    );
  }

  /** @param {Note} note @param {string} text @param {string[]} tags */
  #write({ xgid }, text, tags) {
    this.#asking.ask(async (signal) => {
      this.chosen = await post("study/note", { xgid, text, tags });
      this.#drafts.delete(xgid);
      await this.read(signal);
      this.area.say(text || tags.length ? t.notes.saved : t.notes.removed);
    });
  }

  /** @param {Note[]} list */
  #listed(list) {
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const form = new FormData(/** @type {HTMLFormElement} */ (heardBy(event)));
      this.#words = String(form.get("words")).trim();
      this.#asking.ask((signal) => this.read(signal));
    };
    const { chosen } = this;
    const rows = list.slice(0, FIRST).map((note) => {
      const { xgid, text, tags, match, changed } = note;
      const show = button(text || tags.join(", "), () => this.#look(note));
      const facts = match === null ? tags.join(", ") : t.notes.ofMatch;
      const isChosen = chosen?.xgid === xgid && chosen.match === match;
      return row(
        [
          html("td", { class: "words" }, show, html("span", { class: "soft small" }, facts)),
          changed?.slice(0, 10) ?? "",
        ],
        { "data-key": `${match} ${xgid}`, class: isChosen ? "chosen" : null },
      );
    });
    const heads = [html("th", { scope: "col", class: "words" }, t.notes.note), t.notes.changed];
    return card(
      t.notes.name,
      heading(t.notes.name, "review-and-study"),
      html(
        "form",
        { class: "row", submit, role: "search", "data-key": "search" },
        html("input", {
          name: "words",
          value: this.#words,
          type: "search",
          "aria-label": t.notes.search,
          placeholder: t.notes.search,
        }),
        html("button", { type: "submit" }, t.notes.find),
      ),
      rows.length
        ? scrolling(t.notes.list, table(t.notes.count(list.length), heads, rows, {}, "soft small"), "listed") // prettier-ignore
        : html("p", { class: "soft" }, this.#words ? t.notes.none : t.notes.howTo),
    );
  }
}

/** A position without a note. @param {string} xgid @returns {Note} */
function emptyNote(xgid) {
  return { xgid, text: "", tags: [], themes: [], changed: null, match: null, game: null };
}
