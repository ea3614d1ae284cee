/**
 * The questions of the page by path, each with the function that answers it. Paths and answers are
 * the server's.
 */

import { Refusal } from "../js/refusal.js";
import { answerOf, checkOffer, inPlay, rollsOf } from "./answers.js";
import { readPlace } from "./ids.js";
import { positionOf } from "./positions.js";
import { diceOf, fileOf, scoreOf } from "./match_file.js";
import { reviewOf } from "./judge.js";
import { rollOut } from "./trials.js";
import { LEVELS, settled } from "./settle.js";
import { withDice } from "./terms.js";
import { BLOCK } from "./rollout_sums.js";
import { resignedOf, turnOf } from "./turn.js";

/**
 * @import {Engine} from "./gammon.js"
 * @import {Place} from "./ids.js"
 * @import {Settings} from "./answers.js"
 * @typedef {Record<string, any>} Asked
 * @typedef {(event: string, data: unknown) => void} Tell
 * @typedef {() => Promise<boolean>} Wanted whether the answer is still wanted
 * @typedef {(ready: Ready, asked: Asked, tell: Tell, wanted: Wanted) => unknown} Question
 */

const DEPTHS = [1, 3, 5];
/** Milliseconds between two events of a rollout. */
const BETWEEN = 250;
/** The farthest that a checker moves in a turn. */
const FARTHEST = 24;

/** An engine whose bearoff tables are computed when a question needs them, or when it is idle. */
export class Ready {
  filled = false;
  /** @type {import("./shelving.js").Shelf | null} where the library is, unless in the browser's storage */
  shelf = null;

  /** @param {Engine} engine without the tables */
  constructor(engine) {
    this.engine = engine;
  }

  fill() {
    if (!this.filled) this.engine.fill();
    this.filled = true;
  }

  /**
   * Compute the tables if a search can reach a position with all checkers of a side at home.
   * @param {Place} place
   * @param {number} depth
   */
  prepare({ points }, depth) {
    const isNear = [1, -1].some((side) => {
      const outside = points.reduce(
        (sum, count, at) =>
          sum + Math.max(0, side * count) * Math.max(0, (side === 1 ? at : 25 - at) - 6),
        0,
      );
      return outside <= (FARTHEST * (depth + side)) / 2;
    });
    if (isNear) this.fill();
  }
}

/**
 * The functions that answer, by path.
 * @type {Record<string, Question>}
 */
const QUESTIONS = {
  health: () => ({ status: "ok", compiled: true, depth: 5, library: "indexedDB" in globalThis }),
  position: ({ engine }, asked) => positionOf(engine, placeOf(asked)),
  analyze: (ready, asked, _, wanted) => analyzed(ready, asked, null, wanted),
  "analyze/stream": (ready, asked, tell, wanted) =>
    analyzed(ready, asked, (answer) => tell("answer", answer), wanted),
  "rollout/stream": rolledOut,
  review: reviewed,
  rolls: (ready, asked) => searched(ready, asked, settingsOf(asked, 3), rollsOf),
  turn: (ready, asked) => {
    const errs = errsOf(asked);
    return searched(
      ready,
      asked,
      settingsOf(errs ? { ...asked, level: 1 } : asked, 3),
      (engine, place, settings) => turnOf(engine, place, settings, errs),
    );
  },
  resign: (ready, asked) =>
    searched(ready, asked, settingsOf(asked, 3), (engine, place, settings) =>
      resignedOf(engine, place, Number(asked.points ?? 1), settings),
    ),
  dice: (_, asked) => diceOf(asked),
  match: ({ engine }, asked) => fileOf(engine, /** @type {any} */ (asked)),
  score: (_, asked) => scoreOf(/** @type {any} */ (asked)),
};

/**
 * Answer a question.
 * @param {Ready} ready @param {string} path
 * @param {Asked} asked the parameters or the body of the question
 * @param {Tell} tell called with the events of a stream
 * @param {Wanted} wanted
 */
export async function answerTo(ready, path, asked, tell, wanted) {
  const question = QUESTIONS[path] ?? (await libraryQuestion(path));
  if (!question)
    throw new Refusal(
      "This needs the server: `gammon serve` on your own machine answers it.",
      "unsupported",
    );
  return question(ready, asked, tell, wanted);
}

/**
 * The function that answers a question about the library, whose modules the first one fetches.
 * @param {string} path
 * @returns {Promise<Question | undefined>}
 */
async function libraryQuestion(path) {
  if (!/^(library|study)\//.test(path)) return undefined;
  const [library, stored] = await Promise.all([import("./library.js"), import("./shelf.js")]);
  const question = library.QUESTIONS[path];
  return (
    question &&
    ((ready, asked, tell, wanted) =>
      question(ready.shelf ?? stored.shelf, asked, ready, tell, wanted))
  );
}

/** @param {Asked} asked */
function placeOf({ id, text, dice }) {
  const place = readPlace(String(text ?? id));
  return dice ? withDice(place, /** @type {[number, number]} */ ([...dice].map(Number))) : place;
}

/**
 * @param {Asked} asked
 * @param {number} usual the default depth
 * @param {number} [top] the default number of plays
 * @returns {Settings}
 */
function settingsOf(asked, usual, top = 10) {
  const depth = Number(asked.level ?? asked.depth ?? usual);
  if (!DEPTHS.includes(depth))
    throw new Refusal(
      `level ${asked.level ?? asked.depth}: without a server there are ${[...DEPTHS, ...Object.keys(LEVELS)].join(", ")}`,
    );
  return {
    depth,
    top: asked.top ?? top,
    plays: asked.play ?? [],
    cubeless: Boolean(asked.cubeless),
  };
}

/** The strength of an opponent that errs, or null. @param {Asked} asked */
function errsOf({ strength, noise_seed: seed = 0 }) {
  if (strength === undefined) return null;
  if (!(strength >= 2 && strength <= 30))
    throw new Refusal(`strength ${strength}: expected a performance rating (PR), 2 to 30`);
  return { strength: Number(strength), seed: Number(seed) };
}

/**
 * @template A
 * @param {Ready} ready @param {Asked} asked @param {Settings} settings @param {(engine: Engine,
 *   place: Place, settings: Settings) => A} answer
 */
function searched(ready, asked, settings, answer) {
  const place = inPlay(ready.engine, placeOf(asked));
  ready.prepare(place, settings.depth);
  return answer(ready.engine, place, settings);
}

/**
 * Answer to each depth; at a level with rollouts, settle close decisions by games.
 * @param {Ready} ready @param {Asked} asked
 * @param {((answer: unknown) => void) | null} tell called with each answer of a stream; null: only
 *   the last answer is needed
 * @param {Wanted} wanted
 */
async function analyzed(ready, asked, tell, wanted) {
  const level = String(asked.level ?? "");
  const isLevel = level in LEVELS;
  const settings = settingsOf(isLevel ? { ...asked, level: LEVELS[level].depth } : asked, 5);
  if (isLevel) settings.top = Math.max(settings.top, LEVELS[level].most);
  let answer;
  for (const depth of DEPTHS.filter((step) =>
    tell ? step <= settings.depth : step === settings.depth,
  )) {
    answer = searched(ready, asked, { ...settings, depth }, (engine, place, deeper) =>
      answerOf(engine, place, deeper, asked),
    );
    tell?.(answer);
  }
  if (!isLevel || !answer) return answer;
  if (!("candidates" in answer || "cube" in answer))
    throw new Refusal(`level ${level} needs a roll, or the cube`);
  ready.fill(); // games end in bearoffs
  const rolled = await settled(ready.engine, placeOf(asked), settings, level, answer, wanted);
  tell?.(rolled);
  return rolled;
}

/**
 * Play games, and report the present result now and then.
 * @param {Ready} ready
 * @param {Asked} asked
 * @param {Tell} tell
 * @param {Wanted} wanted
 */
function rolledOut(ready, asked, tell, wanted) {
  const { trials = 1296, seed = 1, truncate = 0 } = asked;
  if (trials < BLOCK || trials % BLOCK)
    throw new Refusal(`trials ${trials}: expected a multiple of ${BLOCK}`);
  let lastEvent = 0;
  ready.fill(); // games end in bearoffs
  return searched(ready, asked, settingsOf(asked, 1, 5), (engine, place, settings) => {
    if (!settings.cubeless) checkOffer(place);
    return rollOut(engine, place, settings, { trials, seed, truncate }, async (rollout, last) => {
      if (last || performance.now() - lastEvent >= BETWEEN) {
        lastEvent = performance.now();
        tell("progress", rollout());
      }
      return wanted();
    });
  });
}

/**
 * Review a match file, and report the progress.
 * @param {Ready} ready
 * @param {Asked} asked
 * @param {Tell} tell
 * @param {Wanted} wanted
 */
async function reviewed(ready, asked, tell, wanted) {
  const review = await reviewOf(
    ready,
    asked.body,
    settingsOf(asked, 3).depth,
    (progress) => (tell("progress", progress), wanted()),
  );
  if (review) tell("review", review);
}
