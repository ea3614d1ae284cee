/**
 * Help: words that explain themselves when the mouse points at them or they have the focus, and the
 * dialog with the page of help.
 */

import { html } from "./elements.js";
import { t } from "./language.js";

/** @typedef {keyof typeof t.help.words} Word a word that is explained, by its entry in the page of help */

/** The address of the page of help. @param {Word} [word] */
const addressOf = (word) => `static/glossary.html${word ? `#${word}` : ""}`;
const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("help"));

/**
 * The attributes of an element that explains itself.
 * @param {string} words
 */
export function explained(words) {
  return { "data-tip": words, "aria-description": words };
}

/**
 * A word that explains itself, and leads to its entry in the page of help.
 * @param {string} shown @param {Word} word @param {string} [words] the explanation
 */
export function term(shown, word, words = t.help.words[word]) {
  const attributes = { class: "term", ...explained(words) };
  // A review that was saved as a file has no page of help beside it.
  return dialog
    ? html("a", { ...attributes, href: addressOf(word), "data-help": word }, shown)
    : html("span", { ...attributes, tabindex: 0 }, shown);
}

/** The head of a column, which explains itself. @param {string} shown @param {Word} word @param {string} [kind] */
export function head(shown, word, kind = "") {
  return html("th", { scope: "col", class: kind || null }, term(shown, word));
}

/** A link to the page of help. @param {string} about what it helps with @param {Word} word */
export function helpLink(about, word) {
  return (
    dialog &&
    html(
      "a",
      {
        class: "ask",
        href: addressOf(word),
        "data-help": word,
        "data-tip": t.help.words[word],
        "aria-label": t.help.about(about),
      },
      "?",
    )
  );
}

/** The heading of a card, with a link to the page of help. @param {string} words @param {Word} word */
export function heading(words, word) {
  return html("div", { class: "headed" }, html("h2", {}, words), helpLink(words, word));
}

/** Open the page of help at an entry. @param {string} word */
async function open(word) {
  if (!dialog) return;
  const inside = /** @type {HTMLElement} */ (dialog.querySelector(".inside"));
  if (!inside.querySelector("h1")) {
    const response = await fetch(new URL(addressOf(), document.baseURI)).catch(() => null);
    const read = new DOMParser().parseFromString((await response?.text()) ?? "", "text/html");
    const page = response?.ok ? read.querySelector("main") : null;
    if (page) inside.replaceChildren(...page.childNodes);
    else inside.textContent = t.help.unread;
    for (const each of inside.querySelectorAll("[id]")) each.id = `help-${each.id}`;
  }
  if (!dialog.open) dialog.showModal();
  const entry = document.getElementById(`help-${word}`);
  for (const each of inside.querySelectorAll(".sought")) each.classList.remove("sought");
  entry?.classList.add("sought");
  if (entry) entry.scrollIntoView({ block: "start" });
  else inside.scrollTop = 0;
}

/** Explain what the mouse points at, or what has the focus; a press opens the page of help. */
export function explain() {
  const tip = html("div", { id: "tip", role: "tooltip", hidden: true });
  const main = /** @type {Element} */ (document.querySelector("main"));
  main.append(tip);
  /** @type {Element | null} the element that is explained */
  let about = null;
  const hide = () => {
    about = null;
    tip.hidden = true;
  };
  /** Put the explanation below its element, or above it where there is no room. */
  const place = () => {
    if (!about?.isConnected) return hide();
    const { left, top, bottom } = about.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = tip;
    const low = bottom + 6 + high < innerHeight ? bottom + 6 : Math.max(4, top - high - 6);
    const right = document.documentElement.clientWidth - wide - 4;
    tip.style.left = `${Math.max(4, Math.min(left, right))}px`;
    tip.style.top = `${low}px`;
  };
  const show = (/** @type {EventTarget | null} */ target) => {
    const element = target instanceof Element ? target.closest("[data-tip]") : null;
    if (element === about) return;
    if (!element) return hide();
    about = element;
    tip.textContent = element.getAttribute("data-tip");
    // Above a dialog only what is in it can be seen.
    (element.closest("dialog") ?? main).append(tip);
    tip.hidden = false;
    place();
  };
  addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch" || tip.contains(/** @type {Node} */ (event.target))) return;
    show(event.target);
  });
  addEventListener("focusin", ({ target }) =>
    show(target instanceof Element && target.matches(":focus-visible") ? target : null),
  );
  addEventListener("focusout", hide);
  addEventListener("scroll", place, true);
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || tip.hidden) return;
      hide();
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("[data-help]") : null;
    hide();
    if (!link || !dialog || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link.getAttribute("data-help") ?? "");
  });
}
