/** Decisions on paper: what is listed, each with its board, its candidates and why. */

import { saidOf, told } from "./decisions.js";
import { html } from "./elements.js";

/**
 * Have the listed decisions printed in place of the page.
 * @param {() => import("./decisions.js").Decisions | null} shown null where the page itself is printed
 */
export function printed(shown) {
  const sheet = html("section", { class: "sheet" });
  addEventListener("beforeprint", () => {
    const decisions = shown();
    if (!decisions) return;
    const cards = decisions.listed.map((decision) => {
      const { xgid, best, kind } = decision;
      const board = html("gammon-board", { xgid, play: kind === "play" ? best : null });
      return html("article", {}, board, html("div", {}, html("p", {}, html("strong", {}, saidOf(decision))), told(decision, () => {})));
    });
    sheet.replaceChildren(html("h1", {}, document.title), ...cards);
    document.body.append(sheet);
  });
  addEventListener("afterprint", () => sheet.remove());
}
