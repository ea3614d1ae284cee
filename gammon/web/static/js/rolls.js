/** All 21 rolls as a grid of 6 x 6, each with the equity of its best play. */

import { button, html, row, table } from "./elements.js";
import { signed } from "./words.js";

/** @import {Roll} from "../../answers.js" */

/**
 * @param {Roll[]} rolls
 * @param {number} mean of all rolls
 * @param {(roll: Roll, act: boolean) => void} show
 * @param {() => void} hide the mouse has left, and no roll has the focus
 */
export function rollsGrid(rolls, mean, show, hide) {
  const byDice = new Map(rolls.map((roll) => [roll.dice, roll]));
  const spread = Math.sqrt(rolls.reduce((sum, { probability, equity }) => sum + probability * (equity - mean) ** 2, 0));
  const numbers = [1, 2, 3, 4, 5, 6];
  const rows = numbers.map((one) => {
    const cells = numbers.map((other) => {
      const roll = /** @type {Roll} */ (byDice.get(`${Math.max(one, other)}${Math.min(one, other)}`));
      const far = (roll.equity - mean) / (spread || 1);
      const level = Math.max(-2, Math.min(2, Math.sign(far) * Math.floor(Math.abs(far) + 0.5)));
      const equity = signed(roll.equity, 2);
      const name = `${equity} for ${one} and ${other}: ${roll.play}`;
      const look = () => show(roll, false);
      return button(html("span", {}, equity), () => show(roll, true), { class: `level-${level}`, "aria-label": name, title: name, focus: look, pointerenter: look });
    });
    return row([html("th", { scope: "row" }, one), ...cells]);
  });
  const made = table("The equity of each roll", [html("td"), ...numbers.map(String)], rows, { class: "rolls" });
  made.addEventListener("pointerleave", () => made.contains(document.activeElement) || hide());
  return made;
}
