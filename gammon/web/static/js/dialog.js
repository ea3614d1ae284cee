/** A question that has to be answered before anything else. */

import { html } from "./elements.js";

/**
 * Ask in a dialog, which holds the focus and gives it back.
 * @template T
 * @param {string} title
 * @param {string} words
 * @param {[string, T][]} choices words and values, the harmless one first: it has the focus
 * @returns {Promise<T>} the value of the first one, too, if it is closed by Escape or by the way back
 */
export function question(title, words, choices) {
  const buttons = choices.map(([name], at) => html("button", { value: at, class: at ? "" : "first", autofocus: !at }, name));
  const made = html(
    "dialog",
    { "aria-labelledby": "question", "aria-describedby": "question-words" },
    html("h2", { id: "question" }, title),
    html("p", { id: "question-words" }, words),
    html("form", { method: "dialog", class: "row" }, buttons),
  );
  document.body.append(made);
  made.showModal();
  addEventListener("hashchange", () => made.close(), { once: true });
  return new Promise((done) => made.addEventListener("close", () => (made.remove(), done(choices[Number(made.returnValue)][1]))));
}
