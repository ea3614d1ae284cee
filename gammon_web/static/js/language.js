/**
 * The language of the page: the one chosen on the page, or else the first of the browser's languages
 * that is here. The first lines of texts/en.js say how to add one.
 */

import { texts } from "../board/texts.js";
import { keep, kept } from "./settings.js";
import { en } from "./texts/en.js";

/** The languages by their codes: their names, and their texts, which are fetched if they are wanted. */
const LANGUAGES = {
  en: { name: "English", texts: () => en },
  de: { name: "Deutsch (Entwurf)", texts: async () => (await import("./texts/de.js")).de },
};
/** @typedef {keyof typeof LANGUAGES} Code */

/** The code of the language. @returns {Code} */
function chosen() {
  // Node has no page, and its tests are in English.
  const wanted = globalThis.document ? [kept("language", ""), ...navigator.languages] : [];
  const codes = wanted.map((name) => String(name).split("-")[0]);
  const known = codes.find((code) => Object.hasOwn(LANGUAGES, code));
  return /** @type {Code | undefined} */ (known) ?? "en";
}

const code = chosen();
/** The texts of the page. */
export const t = await LANGUAGES[code].texts();
Object.assign(texts, t.board);
if (globalThis.document) fill();

/** Fill the texts into the HTML file: `data-text` names a text by its keys, with dots between them. */
function fill() {
  document.documentElement.lang = code;
  const put = (
    /** @type {string} */ name,
    /** @type {(element: Element, text: string) => void} */ act,
  ) => {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const path = element.getAttribute(name)?.split(".") ?? [];
      act(
        element,
        path.reduce((/** @type {any} */ part, key) => part[key], t),
      );
    }
  };
  put("data-text", (element, text) => (element.textContent = text));
  put("data-label", (element, text) => element.setAttribute("aria-label", text));
  put("data-hint", (element, text) => element.setAttribute("placeholder", text));
}

/** Offer the languages in a list. @param {HTMLSelectElement} list */
export function offerLanguages(list) {
  for (const [value, { name }] of Object.entries(LANGUAGES)) {
    const option = new Option(name, value, false, value === code);
    option.lang = value;
    list.append(option);
  }
  list.addEventListener("change", () => {
    keep("language", list.value);
    location.reload();
  });
}

/**
 * Words that the engine or the server sends, such as "Double, take", in the language of the page; words
 * that it does not know stay as they are.
 * @param {string} words
 */
export function said(words) {
  const known = wordFor(words);
  return (
    known ??
    words
      .split(", ")
      .map((part) => wordFor(part) ?? part)
      .join(", ")
  );
}

/** @param {string} word */
function wordFor(word) {
  const [first = "", ...rest] = word;
  const small = t.said[first.toLowerCase() + rest.join("")];
  return t.said[word] ?? (small && small[0].toUpperCase() + small.slice(1));
}
