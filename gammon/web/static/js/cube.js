// @ts-check
/** The decision about the cube. */

import { html } from "./elements.js";
import { kindMark, lossCell } from "./plays.js";
import { EQUITY, percent, signed } from "./words.js";

/**
 * @typedef {{equity: number, mwc: number | null, kind: string}} Value
 * @typedef {{no_double: Value | null, double_take: Value | null, double_pass: Value | null,
 *   verdict: string, action: string, answer: string | null, gain: number | null, close: boolean, answer_close: boolean}} Decision
 */

/** @param {Decision} decision */
export function cubeTable(decision) {
  const rows = /** @type {[string, Value | null][]} */ ([
    ["No double", decision.no_double],
    ["Double, take", decision.double_take],
    ["Double, pass", decision.double_pass],
  ]).filter(([, value]) => value !== null);
  const inMatch = rows.some(([, value]) => value?.mwc !== null);
  const best = bestOf(decision);
  const heads = ["Action", EQUITY(inMatch), "Difference", ...(inMatch ? ["Match %"] : []), "Value"];
  const body = rows.map(([name, value]) => {
    const { equity, mwc, kind } = /** @type {Value} */ (value);
    return html(
      "tr",
      {},
      html("td", {}, name),
      html("td", {}, signed(equity)),
      difference(equity - best),
      inMatch && html("td", {}, mwc === null ? "" : percent(mwc)),
      html("td", {}, kindMark(kind)),
    );
  });
  const table = html("table", {}, html("caption", { class: "unseen" }, "The decision about the cube"), html("thead", {}, html("tr", {}, heads.map((each) => html("th", { scope: "col" }, each)))), html("tbody", {}, body));
  const close = [decision.close && "the double", decision.answer_close && "the answer"].filter(Boolean).join(" and ");
  return html("div", {}, html("p", { class: "verdict" }, decision.verdict, close && html("span", { class: "soft small" }, `, ${close} close`)), table);
}

/** The equity of the right decisions. @param {Decision} decision */
function bestOf({ no_double, double_take, double_pass, action }) {
  const doubled = Math.min(double_take?.equity ?? Infinity, double_pass?.equity ?? Infinity);
  if (!no_double) return doubled;
  return action.startsWith("no") || !Number.isFinite(doubled) ? no_double.equity : Math.max(no_double.equity, doubled);
}

/** What an action differs from the best ones. @param {number} by */
function difference(by) {
  if (Math.abs(by) < 5e-7) return lossCell(0);
  if (by < 0) return lossCell(-by, "−");
  return html("td", { class: "soft" }, signed(by), html("span", { class: "sign" }));
}
