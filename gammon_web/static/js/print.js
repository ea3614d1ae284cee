/** What is printed in place of the page: the totals first, then the listed decisions, six a page. */

import { legsOf } from "../board/position.js";
import { candidatesTable } from "./candidates.js";
import { decisionWords } from "./decisions.js";
import { html } from "./elements.js";
import { kept } from "./settings.js";
import { minused } from "./words.js";

/** The decisions of a page. */
const A_PAGE = 6;
/** The candidates of a decision. */
const CANDIDATES = 4;

/** A decision with its board. @param {import("./decisions.js").Decision} decision */
function article(decision) {
  const { xgid, best, kind, source, explanation } = decision;
  const mirrored = kept("mirrored", false);
  const board = html("gammon-board", {
    xgid,
    mirrored,
    play: kind === "play" && legsOf(best) ? best : null,
  });
  const candidates = candidatesTable(decision, () => {});
  const rows = [...candidates.querySelectorAll("tbody tr")];
  const shown = rows.filter((row, at) => at < CANDIDATES || row.matches(".mine"));
  for (const row of rows) if (!shown.includes(row)) row.remove();
  return html(
    "article",
    {},
    board,
    html(
      "div",
      {},
      html("p", {}, source && `${source}. `, html("strong", {}, decisionWords(decision))),
      explanation && html("p", { lang: "en" }, minused(explanation)),
    ),
    candidates,
    html("p", { class: "soft" }, xgid),
  );
}

/**
 * Print the listed decisions in place of the page.
 * @param {() => import("./decisions.js").Decisions | null} shown returns null if the page itself is
 *   to be printed
 */
export function printed(shown) {
  const sheet = html("section", { class: "sheet" });
  addEventListener("beforeprint", () => {
    const decisions = shown();
    if (!decisions) return;
    const { listed, title } = decisions;
    const pages = [];
    for (let at = 0; at < listed.length; at += A_PAGE)
      pages.push(html("div", { class: "leaf" }, listed.slice(at, at + A_PAGE).map(article)));
    const first = [html("h1", {}, title || document.title), ...decisions.totals()];
    sheet.replaceChildren(html("header", {}, first), ...pages);
    document.body.append(sheet);
  });
  addEventListener("afterprint", () => sheet.remove());
}
