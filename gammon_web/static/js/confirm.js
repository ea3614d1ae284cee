/** A question before something that cannot be undone. */

import { byId } from "./elements.js";

/**
 * Ask whether to do something; Escape means no.
 * @param {string} question @param {string} words what it means @param {string} deed the button
 * @returns {Promise<boolean>}
 */
export function confirmed(question, words, deed) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("confirm"));
  byId("confirm-name").textContent = question;
  byId("confirm-words").textContent = words;
  byId("confirm-yes").textContent = deed;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) =>
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true }),
  );
}
