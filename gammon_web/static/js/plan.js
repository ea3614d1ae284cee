/** The plan: what a player could win back in each theme, and biases, with 95 % intervals. */

import { button, card, html, row, scrolling, table } from "./elements.js";
import { said, t } from "./language.js";
import { signed } from "./words.js";

/** @typedef {import("../../answers.js").Plan} Plan */

/** What a plan ranks beside themes; no filter has these names. */
export const PARTS = ["doubles", "takes"];

/**
 * The cells of a figure and of its interval.
 * @param {Plan["biases"][0]["lean"]} interval @param {number} digits @param {number} scale
 * @param {string} otherwise in place of the interval, if there is none
 * @param {boolean} [hasSign] whether positive numbers have a plus
 */
export function ranged(interval, digits, scale, otherwise, hasSign = true) {
  if (!interval) return ["–", otherwise];
  const { value, low, high } = interval;
  const [middle, from, to] = [value, low, high].map((number) =>
    hasSign ? signed(scale * number, digits) : (scale * number).toFixed(digits),
  );
  return [middle, t.plan.range(from, to)];
}

/** What a plan comes to: at most three themes. @param {Plan | null} plan null: no player is chosen */
export function planWords(plan) {
  if (!plan) return t.plan.choose;
  const clear = plan.themes.filter(({ recoverable }) => recoverable && recoverable.low > 0);
  const names = clear.slice(0, 3).map(({ name }) => said(name));
  return names.length ? t.plan.workOn(names) : t.plan.nothing;
}

/**
 * The card of a plan.
 * @param {Plan | null} plan null: no player is chosen
 * @param {(theme: string) => void} show shows the errors of a theme
 */
export function planCard(plan, show) {
  const title = t.plan.name;
  if (!plan) return card(title, html("h2", {}, title), html("p", {}, t.plan.choose));
  const money = plan.unit === "money";
  const [digits, scale, toWin] = /** @type {[number, number, string]} */ (
    money ? [3, 1, t.plan.toWinPoints] : [2, 100, t.plan.toWinShare]
  );
  const themes = plan.themes.map(({ name, recoverable, errors, decisions }) =>
    row(
      [
        PARTS.includes(name) ? said(name) : button(said(name), () => show(name)),
        ...ranged(recoverable, digits, scale, t.plan.notEnough),
        t.study.of(errors, decisions),
      ],
      { "data-key": name },
    ),
  );
  const biases = plan.biases.map(({ name, verdict, lean, decisions }) =>
    row([
      html(
        "td",
        { class: "words" },
        `${said(name)}: ${said(verdict)}`,
        html("br"),
        html("span", { class: "soft small" }, t.common.decisionCount(decisions)),
      ),
      ...ranged(lean, 4, 1, "–"),
    ]),
  );
  return card(
    title,
    html("h2", {}, title),
    html("p", {}, t.plan.of(plan.player, money, plan.matches)),
    scrolling(
      t.plan.themes,
      table(t.plan.themes, [t.plan.theme, toWin, t.plan.interval, t.study.errors], themes),
      "plan",
    ),
    html("p", { class: "soft small" }, t.plan.toWinTip(money, plan.player)),
    scrolling(
      t.plan.biases,
      table(t.plan.biases, [t.plan.bias, t.plan.lean, t.plan.interval], biases),
      "plan",
    ),
    html("p", { class: "soft small" }, t.plan.leanTip),
  );
}
