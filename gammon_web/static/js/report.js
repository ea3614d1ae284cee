/** Starts the page that contains a review or a sheet of errors, and no engine. */

import { Decisions } from "./decisions.js";
import { BoardArea } from "./board_area.js";
import { byId, card, html, refill } from "./elements.js";
import { explain } from "./help.js";
import { t } from "./language.js";
import { printed } from "./print.js";
import { Review } from "./review.js";
import { looks } from "./settings.js";

/**
 * @typedef {{title: string, choices: import("./decisions.js").Decision[]}} Errors of many matches
 */

const given =
  /** @type {import("./review.js").Reviewed & {player?: number | null} | Errors | null} */ (
    JSON.parse(byId("given").textContent ?? "")
  );
const area = new BoardArea();
looks(area);
explain();
area.clear();
document.querySelector(".brand")?.removeAttribute("href"); // a file has no page to link to

if (given === null) area.say(t.page.noReview);
else if ("players" in given) {
  const review = new Review(area, null);
  review.data = given;
  review.alone = true;
  review.decisions.filter.player = given.player ?? -1;
  document.title = t.review.against(given.players.map(({ name }) => name));
  review.show();
  printed(() => review.decisions);
} else {
  const { title, choices } = given;
  /** Draw the chosen decision and the list. */
  const render = () => {
    decisions.draw();
    refill(byId("review"), [
      decisions.detail(),
      card(t.common.decisions, html("h2", {}, title), decisions.filters(), decisions.list()),
    ]);
  };
  const decisions = new Decisions(area, { analyze: null, render });
  document.title = title;
  decisions.show(choices, [], null, choices.length);
  printed(() => decisions);
}
