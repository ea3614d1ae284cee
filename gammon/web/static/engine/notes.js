/** Notes: what an answer without the cube leaves out. gammon/shown/heading.py has them in Python. */

/** @import {Context} from "./ids.js" */

const TELLER = "`gammon analyze` with the cube";
/** @type {Record<string, string>} */
const OFFERS = { D: "double", B: "beaver", R: "raccoon" };

/** @param {import("./ids.js").Place} place @param {string} [words] for what is shown before a roll @returns {string[]} */
export function notesOf({ context, dice }, words = "") {
  const player = seat(context.turn);
  const found = [];
  if (!dice) {
    const shown = words || `shown is ${player}'s best play of each roll`;
    const offer = OFFERS[context.offer];
    if (offer) found.push(`${context.offer === "D" ? TELLER : "Nothing"} tells whether to take the ${offer}; ${shown}.`);
    else if (mayDouble(context, context.turn)) found.push(`${TELLER} tells whether to double; ${shown}.`);
  }
  const left = leftOut(context);
  const names = left.map(([name]) => name).join(" and ");
  const details = left.flatMap(([, words]) => words || []).join("; ");
  if (left.length) found.push(`${names[0].toUpperCase()}${names.slice(1)} not taken into account${details && `: ${details}`}.`);
  return found;
}

/** @param {number} side */
const seat = (side) => (side === 1 ? "X" : "O");

/** @param {Context} context @param {number} side who would double */
function mayDouble({ cube, owner, most, length, crawford, scores }, side) {
  if (crawford || owner === -side || cube >= most) return false;
  return !length || length - scores[side === 1 ? 0 : 1] > 2 ** cube;
}

/** What does not count, with its state in words. @param {Context} context @returns {[string, string][]} */
function leftOut(context) {
  const { length, scores, crawford, cube, owner, turn, jacoby } = context;
  const value = 2 ** cube;
  /** @type {[string, string][]} */
  const found = [];
  if (length) {
    const fits = fitting(context);
    const late = scores[0] !== scores[1] && Math.max(...scores) === length - 1;
    const words = `X ${scores[0]}, O ${scores[1]} in a match to ${length}${crawford ? ", Crawford game" : late ? ", post-Crawford" : ""}`;
    found.push(["score", words + (fits && ` (stakes ${fits} would fit)`)]);
  }
  if (owner || cube || (length && (mayDouble(context, turn) || mayDouble(context, -turn)))) {
    found.push(["cube", owner ? `${seat(owner)}'s cube at ${value}` : cube ? `centred cube at ${value}` : "centred cube"]);
  }
  if (jacoby && !length && !owner) found.push(["Jacoby rule", ""]);
  return found;
}

/** The stakes that a score stands for, by their name, or nothing. @param {Context} context */
function fitting({ length, scores, turn, cube, crawford }) {
  const [bottom, top] = scores.map((score) => length - score);
  const [own, their] = turn === 1 ? [bottom, top] : [top, bottom];
  if (Math.max(own, their) <= 2 ** cube) return "dmp";
  if (!crawford || cube || own + their !== 3) return "";
  return own === 2 ? "gammon-go" : "gammon-save";
}
