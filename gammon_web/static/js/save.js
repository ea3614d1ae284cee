/** Saves files: a text, a picture, and a review as one page that opens anywhere. */

import { html } from "./elements.js";
import { t } from "./language.js";

/** The place in the page for the review. */
const PLACE = 'id="given">null<';

/**
 * Save a review. The page without one comes from the server.
 * @param {object} given
 * @param {string} name of the match file
 */
export async function saveReport(given, name) {
  const response = await fetch(new URL("report.html", document.baseURI));
  const page = await response.text();
  if (!response.ok || !page.includes(PLACE)) throw new Error(t.errors.noReport);
  // A text of the match must not end the script element that contains it.
  const data = JSON.stringify(given).replaceAll("<", "\\u003c");
  save(
    page.replace(PLACE, () => PLACE.replace("null", () => data)),
    `${name.replace(/\.\w+$/, "")}.html`,
    "text/html",
  );
}

/** Save a text as a file. @param {string} text @param {string} name @param {string} type */
export function save(text, name, type) {
  saveBlob(new Blob([text], { type }), name);
}

/** Save a file. @param {Blob} file @param {string} name */
export function saveBlob(file, name) {
  const link = html("a", { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
