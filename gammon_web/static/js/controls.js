/**
 * The controls of a panel, each with its name: switches of a few choices, lists, and check boxes.
 * They show a state; the listener of a change changes the state, and draws them again.
 */

import { button, html } from "./elements.js";
import { explained } from "./help.js";

/** The element whose listener runs. @template {HTMLElement} T @param {Event} event @returns {T} */
export function heardBy(event) {
  return /** @type {T} */ (event.currentTarget);
}

/**
 * An id that keeps a control the same element when its panel is drawn again.
 * @param {...string} words
 */
function idOf(...words) {
  return words
    .join(" ")
    .toLowerCase()
    .replace(/[^a-z0-9+]+/g, "-");
}

/**
 * A switch of a few choices.
 * @template T
 * @param {string} name for a screen reader
 * @param {[T, string][]} choices values and words
 * @param {T} value @param {(value: T) => void} changed
 * @param {Record<string, string>} [tips] explanations by the values
 */
export function segments(name, choices, value, changed, tips = {}) {
  const buttons = choices.map(([choice, words]) =>
    button(words, () => changed(choice), {
      "aria-pressed": String(choice === value),
      id: idOf(name, words),
      ...(tips[String(choice)] ? explained(tips[String(choice)]) : {}),
    }),
  );
  const kind = choices.length > 4 ? "segments many" : "segments";
  return html("div", { class: kind, role: "group", "aria-label": name, "data-key": name }, buttons);
}

/** A field with its name, and maybe an explanation. @param {string} name @param {HTMLElement} input @param {string} [tip] */
export function field(name, input, tip = "") {
  if (tip)
    for (const [attribute, words] of Object.entries(explained(tip)))
      input.setAttribute(attribute, words);
  return html("label", { class: "field-of", "data-key": name }, html("span", {}, name), input);
}

/** Choices whose values are their names. @param {string[]} names */
export function named(names) {
  return names.map((name) => /** @type {[string, string]} */ ([name, name]));
}

/** Choices whose values are their numbers, from 0. @param {string[]} names */
export function numbered(names) {
  return names.map((name, at) => /** @type {[number, string]} */ ([at, name]));
}

/**
 * A list to choose from.
 * @template T
 * @param {[T, string][]} choices @param {T} value @param {(value: T) => void} changed
 */
export function select(choices, value, changed) {
  const options = choices.map(([choice, words], at) =>
    html("option", { value: at, selected: choice === value }, words),
  );
  const change = (/** @type {Event} */ event) =>
    changed(choices[/** @type {HTMLSelectElement} */ (heardBy(event)).selectedIndex][0]);
  return html("select", { change }, options);
}

/**
 * A check box with its label.
 * @param {string} words
 * @param {boolean} value
 * @param {(value: boolean) => void} changed
 * @param {string} [tip] an explanation
 */
export function check(words, value, changed, tip = "") {
  const change = (/** @type {Event} */ event) =>
    changed(/** @type {HTMLInputElement} */ (heardBy(event)).checked);
  const box = html("input", {
    type: "checkbox",
    checked: value,
    id: idOf(words),
    change,
    ...(tip ? explained(tip) : {}),
  });
  return html("label", { class: "check", "data-key": words, "data-tip": tip || null }, box, words);
}
