/** The engine in the page: a worker that fetches the core, and answers one question at a time. */

import { Refusal } from "../js/refusal.js";
import { Engine } from "./gammon.js";
import { Ready, answerTo } from "./questions.js";

/**
 * @typedef {{path: string, asked: Record<string, any>}} Question null cancels the present question
 * @typedef {{event?: string, data?: unknown, error?: {message: string, code: string}, done?:
 *   boolean}} Reply
 */

/**
 * Fetch a file beside this module, which is compressed so that it is small with any server.
 * @param {string} name
 */
async function fetched(name) {
  const response = await fetch(new URL(`${name}.gz`, import.meta.url)).catch(() => null);
  if (!response?.ok || !response.body)
    throw new Error(
      `The engine's ${name} cannot be fetched${response ? `: the server says ${response.status}` : ""}.`,
    );
  return new Response(response.body.pipeThrough(new DecompressionStream("gzip")))
    .arrayBuffer()
    .catch(() => {
      throw new Error(
        `The engine's ${name}.gz is not packed, or damaged: the server must send it as it is.`,
      );
    });
}

/** The core. A browser refuses all of it if it lacks SIMD. */
async function core() {
  const bytes = await fetched("gammon.wasm");
  return WebAssembly.compile(bytes).catch((error) => {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw new Error(
      "This browser is too old for the engine: Chrome 91, Firefox 113, Safari 16.4 and later ones have all that it needs.",
    );
  });
}

async function load() {
  const [code, engine] = await Promise.all([core(), fetched("gammon.engine")]);
  return new Ready(new Engine(code, engine, { tables: false }));
}

/** @type {Promise<Ready> | null} */
let loading = null;

/** The engine; if fetching it failed before, it is fetched again. */
function ready() {
  loading ??= load().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

ready().catch(() => {}); // the next question reports the error
/** Whether the present answer is still wanted. */
let wanted = true;
/** Milliseconds without a question after which the tables are computed. */
const REST = 1000;
let idle = 0;

/** @param {Reply} reply */
const say = (reply) => postMessage(reply);
const { port1, port2 } = new MessageChannel();
/** Let messages arrive; a timer would wait 4 ms longer. */
const rested = () =>
  new Promise((resume) => {
    port1.onmessage = resume;
    port2.postMessage(null);
  });

/** Answer a question; the next one comes after its end. @param {Question} question */
async function answer({ path, asked }) {
  clearTimeout(idle);
  wanted = true;
  try {
    const data = await answerTo(
      await ready(),
      path,
      asked,
      (event, value) => say({ event, data: value }),
      async () => (await rested(), wanted),
    );
    say({ data, done: true });
  } catch (error) {
    const { message, code } = /** @type {Refusal} */ (error);
    say({ error: { message, code: error instanceof Refusal ? code : "internal" }, done: true });
  }
  idle = setTimeout(
    () =>
      loading?.then(
        (engine) => engine.fill(),
        () => {},
      ),
    REST,
  );
}

addEventListener("message", ({ data }) => {
  if (data) answer(data);
  else wanted = false;
});
