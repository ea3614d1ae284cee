/** The engine in the page: a worker that fetches the core, and answers questions one after the other. */

import { Engine } from "./gammon.js";
import { Ready, answerTo } from "./questions.js";
import { Refusal } from "./refusal.js";

/**
 * @typedef {{id: number, path: string, asked: Record<string, any>}} Message a question
 * @typedef {{id: number, event?: string, data?: unknown, error?: {message: string, code: string}, done?: boolean}} Reply
 */

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
  return new Ready(new Engine(code, engine, { tables: false }));
}

const loading = load();
/** Questions that wait, in their order. @type {Message[]} */
const waiting = [];
/** Those under way that were taken back. @type {Set<number>} */
const taken = new Set();
let busy = false;
/** The tables are made after so many milliseconds without a question. */
const REST = 1000;
let idle = 0;

/** @param {Reply} reply */
const say = (reply) => postMessage(reply);
const { port1, port2 } = new MessageChannel();
/** Let messages come in; a timer would wait 4 ms longer. */
const rested = () => new Promise((resume) => {
  port1.onmessage = resume;
  port2.postMessage(null);
});

/** Answer what waits, and look between two questions, and within long ones, whether one was taken back. */
async function work() {
  if (busy) return;
  busy = true;
  clearTimeout(idle);
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { id, path, asked } = next;
    const wanted = async () => (await rested(), !taken.delete(id));
    try {
      const data = await answerTo(await loading, path, asked, (event, told) => say({ id, event, data: told }), wanted);
      say({ id, data, done: true });
    } catch (error) {
      const { message, code } = /** @type {Refusal} */ (error);
      say({ id, error: { message, code: error instanceof Refusal ? code : "internal" }, done: true });
    }
    await rested();
    taken.delete(id);
  }
  busy = false;
  idle = setTimeout(() => loading.then((ready) => ready.fill(), () => {}), REST);
}

addEventListener("message", ({ data }) => {
  const { id, path, asked } = data;
  if (path !== null) {
    waiting.push({ id, path, asked });
    work();
    return;
  }
  const at = waiting.findIndex((each) => each.id === id);
  if (at >= 0) waiting.splice(at, 1);
  if (at >= 0) say({ id, done: true });
  else if (busy) taken.add(id);
});
