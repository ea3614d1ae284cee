/** A rollout: its settings, and its table while it goes on. */

import { fieldsOf } from "../board/position.js";
import { stream } from "./api.js";
import { field, select } from "./controls.js";
import { button, html, row, table } from "./elements.js";
import { within } from "./levels.js";
import { answersTable, difference, lossCell } from "./tables.js";
import { counted, doubling, EQUITY, percent, signed } from "./words.js";

/**
 * @typedef {{id: string, plays: string[], cubeless?: true | null}} Asked a position, and the plays
 *   that are rolled out
 */

/**
 * @param {(signal: AbortSignal) => Asked | Promise<Asked>} asked
 * @param {import("./asking.js").Asking} asking by which it is asked, in place of the one before
 */
export function rolloutPanel(asked, asking) {
  asking.stop();
  const trials = select(
    [
      ["144", "144"],
      ["1296", "1296"],
      ["5184", "5184"],
    ],
    "1296",
  );
  const depth = select(
    within([
      ["1", "1"],
      ["3", "3"],
    ]),
    "1",
  );
  const choice = (/** @type {HTMLSelectElement} */ from) => from.selectedOptions[0].textContent;
  const found = html("div", {
    class: "scroll",
    role: "region",
    "aria-label": "Candidates",
    tabindex: 0,
  });
  const note = html("p", { class: "soft small", role: "status" });
  const bar = html("progress", { max: 1, value: 0, "aria-label": "Rollout", hidden: true });
  let running = false;
  const start = button("Roll out", () => (running ? asking.stop() : run()), { class: "first" });
  const run = async () => {
    const goal = Number(choice(trials));
    running = true;
    start.textContent = "Stop";
    bar.hidden = false;
    note.textContent = "Rolling out.";
    const progress = (/** @type {import("../../answers.js").Rollout} */ data) => {
      found.replaceChildren(rolloutTable(data));
      bar.value = Math.min(1, data.trials / goal);
      note.textContent = `${counted(data.trials, "trial")} of ${goal}, ${data.games} games${data.cubeful ? "" : ", without the cube"}`;
    };
    const whole = await asking.ask(async (signal) => {
      const { plays, ...place } = await asked(signal);
      await stream(
        "rollout/stream",
        { ...place, trials: goal, depth: choice(depth), play: plays },
        { progress },
        signal,
      );
    });
    if (!whole) note.textContent = `Stopped. ${note.textContent}`;
    running = false;
    bar.hidden = true;
    start.textContent = "Roll out";
  };
  return html(
    "div",
    { class: "row rollout" },
    field("Trials", trials),
    field("Depth", depth),
    start,
    bar,
    found,
    note,
  );
}

/** @param {import("../../answers.js").Rollout} data */
function rolloutTable(data) {
  const { cube, xgid } = data;
  const inMatch = data.candidates.some(({ mwc }) => mwc !== null);
  const behind = (
    /** @type {number} */ equity,
    /** @type {number} */ loss,
    /** @type {boolean} */ sure,
  ) => (cube ? difference(equity - data.equity, sure) : lossCell(loss, "", sure));
  const heads = [
    "Candidate",
    EQUITY(inMatch),
    "± error",
    cube ? "Difference" : "Loss",
    inMatch && "Match %",
    "Trials",
  ];
  const rows = data.candidates.map(({ name, equity, error, loss, may_be_best, mwc, out, trials }) =>
    row(
      [
        doubling(name, xgid),
        signed(equity, 4),
        (error ?? 0).toFixed(4),
        behind(equity, loss ?? 0, !may_be_best),
        inMatch && percent(mwc ?? 0, 2),
        `${trials}${out ? ", out" : ""}`,
      ],
      { class: out ? "static" : "" },
    ),
  );
  const pass = cube?.double_pass;
  if (pass)
    rows.push(
      row([
        doubling("Double, pass", xgid),
        signed(pass.equity, 4),
        "",
        behind(pass.equity, 0, true),
        inMatch && percent(pass.mwc ?? 0, 2),
        "",
      ]),
    );
  const every = table("Rollout", heads, rows);
  return fieldsOf(xgid).dice === "D" && cube?.double_take && cube.double_pass
    ? html("div", {}, answersTable(cube), every)
    : every;
}
