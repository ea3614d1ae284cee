/**
 * The controls of a panel, each with its name: switches of a few choices, lists, and boxes to tick.
 */

import { button, html } from "./elements.js";

/**
 * An id that a control keeps when its panel is made again, so that the focus can come back.
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
 */
export function segments(name, choices, value, changed) {
  const made = html("div", {
    class: choices.length > 4 ? "segments many" : "segments",
    role: "group",
    "aria-label": name,
  });
  for (const [each, words] of choices) {
    const press = () => {
      for (const other of made.children) other.setAttribute("aria-pressed", String(other === one));
      changed(each);
    };
    const one = button(words, press, {
      "aria-pressed": String(each === value),
      id: idOf(name, words),
    });
    made.append(one);
  }
  return made;
}

/** A field with its name. @param {string} name @param {HTMLElement} input */
export function field(name, input) {
  return html("label", { class: "field-of" }, html("span", {}, name), input);
}

/**
 * A list to choose from.
 * @template T
 * @param {[T, string][]} choices @param {T} value @param {(value: T) => void} [changed]
 */
export function select(choices, value, changed = () => {}) {
  const options = choices.map(([each, words], at) =>
    html("option", { value: at, selected: each === value }, words),
  );
  const made = html(
    "select",
    { change: () => changed(choices[Number(made.value)][0]) },
    ...options,
  );
  return made;
}

/**
 * A box to tick, with its words.
 * @param {string} words
 * @param {boolean} value
 * @param {(value: boolean) => void} changed
 */
export function check(words, value, changed) {
  const box = html("input", {
    type: "checkbox",
    checked: value,
    id: idOf(words),
    change: () => changed(box.checked),
  });
  return html("label", { class: "check" }, box, words);
}
