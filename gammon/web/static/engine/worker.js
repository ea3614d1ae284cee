// @ts-check
/** The engine in the page: a worker that answers what the page asks, with the core as WebAssembly. */

import { answerOf, inPlay, rollsOf } from "./answers.js";
import { Engine } from "./gammon.js";
import { readPlace } from "./ids.js";
import { positionOf } from "./positions.js";
import { diceOf, fileOf, scoreOf } from "./record.js";
import { Refusal } from "./refusal.js";
import { rollOut } from "./rollout.js";
import { LEVELS, settled } from "./settle.js";
import { withDice } from "./stakes.js";
import { BLOCK } from "./tally.js";
import { resignedOf, turnOf } from "./turn.js";

/**
 * @typedef {Record<string, any>} Asked
 * @typedef {(name: string, data: unknown) => void} Tell of an event
 * @typedef {{id: number, path: string, asked: Asked}} Message a question
 * @typedef {{id: number, event?: string, data?: unknown, error?: {message: string, code: string}, done?: boolean}} Reply
 */

const DEPTHS = [1, 3, 5];
/** Milliseconds between two results of a rollout. */
const BETWEEN = 250;
/** A checker moves this far in a turn, at most. */
const FARTHEST = 24;

/** Fetch a file beside this module, which is packed so that any server sends it small. @param {string} name */
async function fetched(name) {
  const response = await fetch(new URL(`${name}.gz`, import.meta.url)).catch(() => null);
  if (!response?.ok || !response.body) throw new Error(`The engine's ${name} cannot be fetched${response ? `: the server says ${response.status}` : ""}.`);
  return new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** The core with vectors, or without them where the browser has none. */
async function core() {
  const compile = async (/** @type {string} */ name) => WebAssembly.compile(await fetched(name));
  return compile("gammon.wasm").catch((error) => {
    if (error instanceof WebAssembly.CompileError) return compile("gammon-plain.wasm");
    throw error;
  });
}

async function load() {
  const [code, engine] = await Promise.all([core(), fetched("gammon.engine")]);
  return new Engine(code, new Uint8Array(engine), { tables: false });
}

const loading = load();
/** Answers begin at once: the tables of bearoffs are made when nobody waits, or when a question needs them. */
let filled = false;
/** @param {Engine} engine */
function fill(engine) {
  if (!filled) engine.fill();
  filled = true;
}

/** Whether a search can come to where a side has all its checkers at home. @param {import("./ids.js").Place} place @param {number} depth */
function needsTables({ points }, depth) {
  return [1, -1].some((side) => {
    const outside = points.reduce((sum, count, at) => sum + Math.max(0, side * count) * Math.max(0, (side === 1 ? at : 25 - at) - 6), 0);
    return outside <= (FARTHEST * (depth + side)) / 2;
  });
}

/** @param {Asked} asked */
function placeOf({ id, text, dice }) {
  const place = readPlace(String(text ?? id));
  return dice ? withDice(place, /** @type {[number, number]} */ ([...dice].map(Number))) : place;
}

/** @param {Asked} asked @param {number} usual */
function settingsOf(asked, usual) {
  const depth = Number(asked.level ?? asked.depth ?? usual);
  if (!DEPTHS.includes(depth)) throw new Refusal(`level ${asked.level ?? asked.depth}: without a server there are ${[...DEPTHS, ...Object.keys(LEVELS)].join(", ")}`);
  return { depth, top: asked.top ?? 5, plays: asked.play ?? [], cubeless: Boolean(asked.cubeless) };
}

/** How an opponent errs; null: it does not. @param {Asked} asked */
function errsOf({ strength, noise_seed: seed = 0 }) {
  if (strength === undefined) return null;
  if (!(strength >= 2 && strength <= 30)) throw new Refusal(`strength ${strength}: expected a performance rating (PR), 2 to 30`);
  return { strength: Number(strength), seed: Number(seed) };
}

/** By path, how a question is answered; `wanted` tells whether somebody still waits. @type {Record<string, (engine: Engine, asked: Asked, tell: Tell, wanted: () => Promise<boolean>) => unknown>} */
const QUESTIONS = {
  health: () => ({ status: "ok", compiled: true, depth: 5 }),
  position: (engine, asked) => positionOf(engine, placeOf(asked)),
  analyze: (engine, asked, _, wanted) => deepest(engine, asked, null, wanted),
  "analyze/stream": (engine, asked, tell, wanted) => deepest(engine, asked, (answer) => tell("answer", answer), wanted),
  "rollout/stream": (engine, asked, tell, wanted) => {
    const { trials = 1296, seed = 1, truncate = 0 } = asked;
    if (trials < BLOCK || trials % BLOCK) throw new Refusal(`trials ${trials}: expected a multiple of ${BLOCK}`);
    let told = 0;
    return searched(engine, asked, settingsOf(asked, 1), (_, place, settings) => {
      fill(engine); // as games end in bearoffs
      return rollOut(engine, place, settings, { trials, seed, truncate }, async (rollout, last) => {
        if (last || performance.now() - told >= BETWEEN) {
          told = performance.now();
          tell("progress", rollout());
        }
        return wanted();
      });
    });
  },
  rolls: (engine, asked) => searched(engine, asked, settingsOf(asked, 3), rollsOf),
  turn: (engine, asked) => {
    const errs = errsOf(asked);
    return searched(engine, asked, settingsOf(errs ? { ...asked, level: 1 } : asked, 3), (_, place, settings) => turnOf(engine, place, settings, errs));
  },
  resign: (engine, asked) => searched(engine, asked, settingsOf(asked, 3), (_, place, settings) => resignedOf(engine, place, Number(asked.points ?? 1), settings)),
  dice: (_, asked) => diceOf(asked),
  match: (engine, asked) => fileOf(engine, /** @type {any} */ (asked)),
  score: (_, asked) => scoreOf(/** @type {any} */ (asked)),
};

/**
 * @template A
 * @param {Engine} engine
 * @param {Asked} asked
 * @param {import("./answers.js").Settings} settings
 * @param {(engine: Engine, place: import("./ids.js").Place, settings: import("./answers.js").Settings) => A} answer
 */
function searched(engine, asked, settings, answer) {
  const place = inPlay(engine, placeOf(asked));
  if (needsTables(place, settings.depth)) fill(engine);
  return answer(engine, place, settings);
}

/** @param {Engine} engine @param {Asked} asked @param {import("./answers.js").Settings} settings */
function answered(engine, asked, settings) {
  return searched(engine, asked, settings, (_, place) => answerOf(engine, place, settings, asked.scores));
}

/**
 * Answer to each depth, and at a level that rolls settle what is close.
 * @param {Engine} engine
 * @param {Asked} asked
 * @param {((answer: unknown) => void) | null} tell is told each answer of a stream; null: the last one counts alone
 * @param {() => Promise<boolean>} wanted
 */
async function deepest(engine, asked, tell, wanted) {
  const level = String(asked.level ?? "");
  const isLevel = level in LEVELS;
  const settings = settingsOf(isLevel ? { ...asked, level: LEVELS[level].depth } : asked, 5);
  if (isLevel) settings.top = Math.max(settings.top, LEVELS[level].most);
  let answer;
  for (const depth of DEPTHS.filter((each) => (tell ? each <= settings.depth : each === settings.depth))) {
    answer = answered(engine, asked, { ...settings, depth });
    tell?.(answer);
  }
  if (!isLevel || !answer) return answer;
  if (!("candidates" in answer || "cube" in answer)) throw new Refusal(`level ${level} needs a roll, or the cube`);
  const place = placeOf(asked);
  fill(engine); // as games end in bearoffs
  const found = await settled(engine, place, settings, level, answer, wanted);
  tell?.(found);
  return found;
}

/** Questions that wait, in their order. @type {Message[]} */
const waiting = [];
let busy = false;
/** The tables are made after so many milliseconds without a question. */
const REST = 1000;
let idle = 0;

/** Those under way that were taken back. @type {Set<number>} */
const taken = new Set();
/** Let messages come in. */
const rested = () => new Promise((resume) => setTimeout(resume));

/** @param {Reply} reply */
const say = (reply) => postMessage(reply);

/** Answer what waits, one question at a time, and look between two whether one was taken back. */
async function work() {
  if (busy) return;
  busy = true;
  clearTimeout(idle);
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { id, path, asked } = next;
    try {
      const engine = await loading;
      const question = QUESTIONS[path];
      if (!question) throw new Refusal("This needs the server: `gammon serve` on your own machine answers it.", "unsupported");
      const wanted = async () => (await rested(), !taken.delete(id));
      say({ id, data: await question(engine, asked, (event, data) => say({ id, event, data }), wanted), done: true });
    } catch (error) {
      const { message, code } = /** @type {Refusal} */ (error);
      say({ id, error: { message, code: error instanceof Refusal ? code : "internal" }, done: true });
    }
    await rested();
    taken.delete(id);
  }
  busy = false;
  if (!filled) idle = setTimeout(() => loading.then(fill, () => {}), REST);
}

addEventListener("message", ({ data }) => {
  const { id, path, asked } = data;
  if (path === null) {
    const at = waiting.findIndex((each) => each.id === id);
    if (at >= 0) waiting.splice(at, 1);
    if (at >= 0) say({ id, done: true });
    else if (busy) taken.add(id);
    return;
  }
  waiting.push({ id, path, asked });
  work();
});
