/** The decision about the cube. */

import { fieldsOf } from "../board/position.js";
import { html, row, table } from "./elements.js";
import { kindMark, lossCell } from "./plays.js";
import { EQUITY, percent, signed } from "./words.js";

/**
 * The verdict, on the answer where a double is on offer.
 * @param {import("../../answers.js").Decision} answer
 * @param {string} opponent who answers a double
 */
export function verdictOf({ cube: { answer, verdict }, xgid }, opponent) {
  return fieldsOf(xgid).dice === "D" && answer ? `${answer} by ${opponent} (${verdict})` : verdict;
}

/** @param {import("../../answers.js").Decision} answer @param {string} opponent who answers a double */
export function cubeTable(answer, opponent) {
  const { cube: decision, equity: best, stakes } = answer;
  const [stay, turn] = stakes.owner > 0 ? ["No redouble", "Redouble"] : ["No double", "Double"];
  const rows = /** @type {[string, import("../../answers.js").CubeValue][]} */ ([
    [stay, decision.no_double],
    [`${turn}, take`, decision.double_take],
    [`${turn}, pass`, decision.double_pass],
  ].filter(([, value]) => value !== null));
  const inMatch = rows.some(([, { mwc }]) => mwc !== null);
  const heads = ["Action", EQUITY(inMatch), "Difference", inMatch && "Match %", "Value"];
  const body = rows.map(([name, { equity, mwc, kind, error }]) =>
    row([name, signed(equity), difference(equity - best), inMatch && (mwc === null ? "" : percent(mwc, 2)), kindMark(kind, error)]));
  const close = [decision.close && "the double", decision.answer_close && "the answer"].filter(Boolean).join(" and ");
  return html("div", {}, html("p", { class: "verdict" }, verdictOf(answer, opponent), close && html("span", { class: "soft small" }, `, ${close} close`)), table("The decision about the cube", heads, body));
}

/** What an action differs from the best ones. @param {number} by */
function difference(by) {
  if (Math.abs(by) < 5e-7) return lossCell(0);
  if (by < 0) return lossCell(-by, "−");
  return html("td", { class: "soft" }, signed(by), html("span", { class: "sign" }));
}
