/** The plan: what a player could win back in each theme, and biases, with 95 % intervals. */

import { button, card, html, row, scrolling, table } from "./elements.js";
import { counted, signed } from "./words.js";

/** @typedef {import("../../answers.js").Plan} Plan */

const CHOOSE = "Choose a player.";
/** What a plan ranks beside themes; no filter of errors has these names. */
const PARTS = ["doubles", "takes"];

/**
 * The cells of a figure and of its interval.
 * @param {Plan["biases"][0]["lean"]} interval @param {number} digits @param {number} scale
 * @param {string} otherwise in place of the interval, if there is none
 */
function ranged(interval, digits, scale, otherwise) {
  if (!interval) return ["–", otherwise];
  const { value, low, high } = interval;
  const [middle, from, to] = [value, low, high].map((number) => signed(scale * number, digits));
  return [middle, `${from} to ${to}`];
}

/** What a plan comes to: at most three themes. @param {Plan | null} plan null: no player is chosen */
export function planWords(plan) {
  if (!plan) return CHOOSE;
  const clear = plan.themes.filter(({ recoverable }) => recoverable && recoverable.low > 0);
  const names = clear.slice(0, 3).map(({ name }) => name);
  return names.length ? `Work on ${names.join(", ")}.` : "No theme stands out yet.";
}

/**
 * The card of a plan.
 * @param {Plan | null} plan null: no player is chosen
 * @param {(theme: string) => void} show shows the errors of a theme
 */
export function planCard(plan, show) {
  const title = "What to work on";
  if (!plan) return card(title, html("h2", {}, title), html("p", {}, CHOOSE));
  const money = plan.unit === "money";
  const [digits, scale, unit] = money ? [3, 1, "points"] : [2, 100, "%"];
  const themes = plan.themes.map(({ name, recoverable, errors, decisions }) =>
    row(
      [
        PARTS.includes(name) ? name : button(name, () => show(name)),
        ...ranged(recoverable, digits, scale, "not enough yet"),
        `${errors} of ${decisions}`,
      ],
      { "data-key": name },
    ),
  );
  const biases = plan.biases.map(({ name, verdict, lean, decisions }) =>
    row([
      html(
        "td",
        { class: "words" },
        `${name}: ${verdict}`,
        html("br"),
        html("span", { class: "soft small" }, counted(decisions, "decision")),
      ),
      ...ranged(lean, 4, 1, "–"),
    ]),
  );
  return card(
    title,
    html("h2", {}, title),
    html(
      "p",
      {},
      `${plan.player}, ${money ? counted(plan.matches, "session") : counted(plan.matches, "match", "es")}.`,
    ),
    scrolling(
      "Themes",
      table("Themes", ["Theme", `To win back, ${unit}`, "95 % interval", "Errors"], themes),
      "plan",
    ),
    html(
      "p",
      { class: "soft small" },
      `To win back: ${money ? "points that a session" : "chances that a match"} would bring more if ${plan.player} played as a player of PR 5 does in these decisions. Themes overlap; first come those whose interval is above 0. A theme needs 5 errors in 3 matches.`,
    ),
    scrolling("Biases", table("Biases", ["Bias", "Lean", "95 % interval"], biases), "plan"),
    html(
      "p",
      { class: "soft small" },
      "Lean: equity per decision, beside a player without a habit; + is to take too much, to double too early, to be too bold. A bias is clear if its interval is on one side of 0; it needs 20 decisions in 3 matches.",
    ),
  );
}
