/** What a decision lost beyond what it is difficult: the rule of gammon_study/reviews/difficulty.py. */

/** @typedef {Pick<import("../../answers.js").Choice, "kind" | "error" | "plays" | "values">} Lost */

/** The equity by which a play must be worse for a player of PR 5 to make it 1/e as often. */
const TEMPERATURE = 0.036;
/** The candidates of a play. */
const CANDIDATES = 5;

/** The loss of a decision minus the mean loss of a player of PR 5. @param {Lost} decision */
export function avoidable({ kind, error, plays, values }) {
  const losses = plays
    .slice(0, CANDIDATES)
    .map(({ equity }) => Math.max(plays[0].equity - equity, 0));
  if (values) {
    const { no_double: stay, double_take: taken, double_pass: passed } = values;
    const isAnswer = kind === "take" || kind === "pass";
    losses.push(0, Math.abs(isAnswer ? taken - passed : Math.min(taken, passed) - stay));
  }
  const weights = losses.map((loss) => Math.exp(-loss / TEMPERATURE));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return losses.reduce((left, loss, at) => left - (loss * weights[at]) / sum, error);
}
