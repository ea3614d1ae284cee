/**
 * Rollouts: their settings, progress and tables. They wait in a queue, which goes on while the player
 * looks elsewhere, and their results are kept with the positions.
 */

import { fieldsOf } from "../board/position.js";
import { SCHEMA, stream } from "./api.js";
import { field, named, select } from "./controls.js";
import { button, html, row, scrolling, table } from "./elements.js";
import { head } from "./help.js";
import { t } from "./language.js";
import { within } from "./levels.js";
import { keep, kept, onKept } from "./settings.js";
import { answersTable, beaverOf, difference, equityHead, leftOut, lossCell } from "./tables.js";
import { doubling, percent, signed } from "./words.js";

/** With fewer trials standard errors are rough. */
const ENOUGH = 324;
/** The most rollouts that are kept. */
const KEPT = 50;

/** The rollout of a position. */
export class Rollout {
  trials = "1296";
  depth = "1";
  /** @type {"" | "waiting" | "running"} */
  work = "";
  /** @type {import("../../answers.js").Rollout | null} */
  answer = null;
  /** The progress, from 0 to 1. */
  share = 0;
  status = "";

  /** @param {string} id of the position @param {boolean} cubeless */
  constructor(id, cubeless) {
    this.id = id;
    this.cubeless = cubeless;
  }
}

/** All rollouts: those that are kept, and the queue. */
class Rollouts {
  /** @type {Map<string, Rollout>} the rollouts, the latest last */
  #all = new Map();
  /** @type {{rollout: Rollout, plays: string[]}[]} those that run or wait, in order */
  #queue = [];
  #stop = new AbortController();
  /** @type {Set<() => void>} functions that draw a change */
  heard = new Set();
  /** Has a screen reader read what has happened. */
  tell = (/** @type {string} */ words) => void words; // the page sets it

  constructor() {
    this.#read();
    // Each tab reads the rollouts of the other one, and so keeps them beside its own.
    onKept("rollouts", () => {
      this.#read();
      for (const draw of this.heard) draw();
    });
  }

  /** Read the rollouts that are kept. */
  #read() {
    const stored = kept("rollouts", /** @type {Partial<Rollout>[]} */ ([]));
    for (const { id, cubeless, answer, status, trials, depth } of Array.isArray(stored)
      ? stored
      : []) {
      if (!id || answer?.schema_version !== SCHEMA || !Array.isArray(answer.candidates)) continue;
      const rollout = this.of(id, Boolean(cubeless));
      if (!rollout.work) Object.assign(rollout, { answer, status, trials, depth });
    }
  }

  /** The rollout of a position, maybe without games yet. @param {string} id @param {boolean} [cubeless] */
  of(id, cubeless = false) {
    const key = `${id} ${cubeless}`;
    const rollout = this.#all.get(key) ?? new Rollout(id, cubeless);
    this.#all.set(key, rollout);
    return rollout;
  }

  /** The rollouts that run or wait, in order, and then those with games, the latest first. */
  get list() {
    const working = this.#queue.map(({ rollout }) => rollout);
    const done = [...this.#all.values()].filter(({ answer, work }) => answer && !work);
    return [...working, ...done.reverse()];
  }

  /** @param {Rollout} rollout @param {Partial<Rollout>} change */
  set(rollout, change) {
    Object.assign(rollout, change);
    for (const draw of this.heard) draw();
  }

  /** Roll out to the chosen number of trials, after the rollouts that wait. @param {Rollout} rollout @param {string[]} plays */
  run(rollout, plays) {
    if (rollout.work) return;
    this.#queue.push({ rollout, plays });
    const isFirst = this.#queue.length === 1;
    this.set(rollout, { work: "waiting", share: 0, status: isFirst ? "" : t.rollouts.waits });
    if (isFirst) this.#next();
  }

  /** Stop a rollout, or take it out of the queue. @param {Rollout} rollout */
  stop(rollout) {
    if (rollout.work === "running") return this.#stop.abort();
    this.#queue = this.#queue.filter((item) => item.rollout !== rollout);
    this.set(rollout, { work: "", status: "" });
  }

  /** Forget a rollout that is over. @param {Rollout} rollout */
  forget(rollout) {
    this.#all.delete(`${rollout.id} ${rollout.cubeless}`);
    this.#keep();
    this.set(rollout, { answer: null, status: "" });
  }

  /** Run the first rollout of the queue. */
  async #next() {
    const [first] = this.#queue;
    if (!first) return;
    const { rollout, plays } = first;
    this.#stop = new AbortController();
    this.set(rollout, { work: "running", answer: null, status: t.rollouts.running });
    const failed = await this.#rolled(rollout, plays).catch((error) => error);
    const stopped = failed?.name === "AbortError" ? t.rollouts.stopped : (failed?.message ?? "");
    const status = stopped
      ? `${stopped} ${rollout.answer ? rollout.status : ""}`.trim()
      : rollout.status;
    this.#queue.shift();
    // The latest rollout is kept the longest.
    this.#all.delete(`${rollout.id} ${rollout.cubeless}`);
    this.#all.set(`${rollout.id} ${rollout.cubeless}`, rollout);
    this.set(rollout, { work: "", status });
    this.#keep();
    this.tell(failed ? t.rollouts.toldStopped : t.rollouts.over(rollout.trials));
    this.#next();
  }

  /** @param {Rollout} rollout @param {string[]} plays */
  #rolled(rollout, plays) {
    const { id, cubeless, trials, depth } = rollout;
    const goal = Number(trials);
    const progress = (/** @type {import("../../answers.js").Rollout} */ answer) => {
      const status = t.rollouts.status(answer.trials, goal, answer.games, answer.cubeful);
      this.set(rollout, { answer, share: Math.min(1, answer.trials / goal), status });
    };
    const asked = { id, cubeless: cubeless || null, trials: goal, depth, play: plays };
    return stream("rollout/stream", asked, { progress }, this.#stop.signal, undefined, true);
  }

  #keep() {
    const done = [...this.#all.values()].filter(({ answer, work }) => answer && !work);
    const kept = done.slice(-KEPT);
    keep(
      "rollouts",
      kept.map(({ id, cubeless, answer, status, trials, depth }) => ({
        ...{ id, cubeless, answer, status, trials, depth },
      })),
    );
  }
}

export const rollouts = new Rollouts();

/**
 * A rollout: its settings, its progress and its table.
 * @param {Rollout} rollout
 * @param {() => Promise<string[] | null> | string[]} plays returns the plays, or null if none can be
 *   rolled out
 */
export function rolloutView(rollout, plays) {
  const { work, answer, share, status } = rollout;
  const act = async () => {
    if (rollout.work) return rollouts.stop(rollout);
    const chosen = await plays();
    if (chosen) rollouts.run(rollout, chosen);
  };
  const set = (/** @type {Partial<Rollout>} */ change) => rollouts.set(rollout, change);
  return html(
    "div",
    { class: "row rollout", "data-key": "rollout" },
    field(
      t.rollouts.trials,
      select(named(["144", "1296", "5184"]), rollout.trials, (trials) => set({ trials })),
    ),
    field(
      t.common.depth,
      select(within(named(["1", "3"])), rollout.depth, (depth) => set({ depth })),
    ),
    button(work ? t.common.stop : t.rollouts.rollOut, act, { class: "first" }),
    html("progress", { max: 1, value: share, "aria-label": t.rollouts.name, hidden: !work }),
    scrolling(t.common.candidates, answer ? rolloutTable(answer) : []),
    answer?.cubeful ? leftOut(answer) : [],
    answer && answer.candidates[0].trials < ENOUGH
      ? html("p", { class: "soft small" }, t.rollouts.rough(ENOUGH))
      : [],
    html("p", { class: "soft small" }, status),
  );
}

/** A position and its rollout in a few words. @param {Rollout} rollout */
export function rolloutWords({ id, answer, cubeless }) {
  const { turn, dice } = fieldsOf(id);
  const side = turn === 1 ? "X" : "O";
  const what = /\d/.test(dice) ? t.rollouts.toPlay(side, dice) : t.rollouts.onRoll(side);
  const best = answer ? `: ${doubling(answer.candidates[0].name, id)}` : "";
  return `${what}${best}${cubeless ? t.rollouts.cubeless : ""}`;
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
    t.rollouts.candidate,
    equityHead(inMatch),
    head(t.rollouts.error, "standard-error"),
    head(cube ? t.tables.difference : t.tables.loss, "error"),
    inMatch && head(t.tables.match, "match-equity-table"),
    head(t.rollouts.trials, "rollout"),
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
          `${trials}${dropped ? t.rollouts.out : ""}`,
        ],
        { class: dropped ? "static" : "" },
      ),
  );
  const others = cube ? { "Double, beaver": beaverOf(cube), "Double, pass": cube.double_pass } : {};
  for (const [name, value] of Object.entries(others))
    if (value)
      rows.push(
        row([
          doubling(name, xgid),
          signed(value.equity, 4),
          "",
          behind(value.equity, 0, true),
          inMatch && percent(value.mwc ?? 0, 2),
          "",
        ]),
      );
  const every = table(t.rollouts.name, heads, rows);
  return fieldsOf(xgid).dice === "D" && cube?.double_take && cube.double_pass
    ? html("div", {}, answersTable(cube), every)
    : every;
}
