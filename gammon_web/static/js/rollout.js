/** A rollout: its settings, its progress and its table. */

import { fieldsOf } from "../board/position.js";
import { stream } from "./api.js";
import { field, named, select } from "./controls.js";
import { button, html, row, scrolling, table } from "./elements.js";
import { head } from "./help.js";
import { within } from "./levels.js";
import { answersTable, difference, equityHead, lossCell } from "./tables.js";
import { counted, doubling, percent, signed } from "./words.js";

/**
 * @typedef {{id: string, plays: string[], cubeless?: true | null}} Asked
 *   a position, and the plays to roll out
 */

export class Rollout {
  trials = "1296";
  depth = "1";
  running = false;
  /** @type {import("../../answers.js").Rollout | null} */
  answer = null;
  /** The progress, from 0 to 1. */
  share = 0;
  status = "";

  /**
   * @param {(signal: AbortSignal) => Asked | Promise<Asked>} asked
   * @param {import("./asking.js").Asking} asking runs the rollout, and stops earlier work
   * @param {() => void} render draws the change
   */
  constructor(asked, asking, render) {
    this.asked = asked;
    this.asking = asking;
    this.render = render;
    asking.stop();
  }

  /** @param {Partial<Rollout>} change */
  set(change) {
    Object.assign(this, change);
    this.render();
  }

  /** Roll out to the chosen number of trials. */
  async #run() {
    const { trials, depth, asking } = this;
    const goal = Number(trials);
    this.set({ running: true, share: 0, status: "Rolling out." });
    const progress = (/** @type {import("../../answers.js").Rollout} */ answer) => {
      const cube = answer.cubeful ? "" : ", without the cube";
      const status = `${counted(answer.trials, "trial")} of ${goal}, ${answer.games} games${cube}`;
      this.set({ answer, share: Math.min(1, answer.trials / goal), status });
    };
    const whole = await asking.ask(async (signal) => {
      const { plays, ...place } = await this.asked(signal);
      const settings = { trials: goal, depth, play: plays };
      await stream("rollout/stream", { ...place, ...settings }, { progress }, signal);
    });
    this.set({ running: false, status: whole ? this.status : `Stopped. ${this.status}` });
    asking.area.tell(whole ? `The rollout is over: ${goal} trials.` : "The rollout has stopped.");
  }

  /** The present state of the rollout. */
  view() {
    const { running, answer } = this;
    const act = () => (this.running ? this.asking.stop() : this.#run());
    return html(
      "div",
      { class: "row rollout", "data-key": "rollout" },
      field(
        "Trials",
        select(named(["144", "1296", "5184"]), this.trials, (trials) => this.set({ trials })),
      ),
      field(
        "Depth",
        select(within(named(["1", "3"])), this.depth, (depth) => this.set({ depth })),
      ),
      button(running ? "Stop" : "Roll out", act, { class: "first" }),
      html("progress", { max: 1, value: this.share, "aria-label": "Rollout", hidden: !running }),
      scrolling("Candidates", answer ? rolloutTable(answer) : []),
      html("p", { class: "soft small" }, this.status),
    );
  }
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
    equityHead(inMatch),
    head("± error", "standard-error"),
    head(cube ? "Difference" : "Loss", "error"),
    inMatch && head("Match %", "match-equity-table"),
    head("Trials", "rollout"),
  ];
  const rows = data.candidates.map(
    ({ name, equity, error, loss, may_be_best, mwc, dropped, trials }) =>
      row(
        [
          doubling(name, xgid),
          signed(equity, 4),
          (error ?? 0).toFixed(4),
          behind(equity, loss ?? 0, !may_be_best),
          inMatch && percent(mwc ?? 0, 2),
          `${trials}${dropped ? ", out" : ""}`,
        ],
        { class: dropped ? "static" : "" },
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
