/** Questions to the engine in the page: a worker answers them one after the other. */

import { t } from "./language.js";
import { Refusal } from "./refusal.js";

/**
 * @import {Reply} from "../engine/worker.js"
 * @typedef {Record<string, ((data: any) => void) | undefined>} Heard
 * @typedef {{message: object, done: (data: any) => void, fail: (error: unknown) => void, heard:
 *   Heard}} Asker
 */

const ABLE = [globalThis.Worker, globalThis.WebAssembly, globalThis.DecompressionStream].every(
  Boolean,
);

/** Milliseconds that a cancelled answer may still take. */
const LATE = 500;

export class Local {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Asker | undefined} the asker of the present question */
  #running;
  /** @type {Asker[]} the waiting askers, in order */
  #waiting = [];

  /** @param {string} source of the worker */
  constructor(source) {
    this.source = source;
    if (ABLE) this.#start();
  }

  #start() {
    const worker = new Worker(new URL(this.source, document.baseURI), { type: "module" });
    worker.addEventListener("message", ({ data }) => worker === this.#worker && this.#hear(data));
    worker.addEventListener("error", () => this.#lose());
    this.#worker = worker;
    return worker;
  }

  /** End the worker and the present question. */
  end() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#running = undefined;
  }

  /** Report to all askers that the worker has failed; the next question starts another worker. */
  #lose() {
    const askers = [...(this.#running ? [this.#running] : []), ...this.#waiting];
    this.end();
    this.#waiting = [];
    for (const { fail } of askers) fail(new Refusal(t.errors.engineAway, "away"));
  }

  /** @param {Reply} reply */
  #hear({ event, data, error, done }) {
    const asker = /** @type {Asker} */ (this.#running);
    if (error) asker.fail(new Refusal(error.message, error.code));
    else if (event) asker.heard[event]?.(data);
    else asker.done(data);
    if (!done) return;
    this.#running = undefined;
    this.#next();
  }

  /**
   * @param {string} path
   * @param {object} asked
   * @param {AbortSignal} [signal]
   * @param {Heard} [heard] functions by the name of the event
   * @returns {Promise<any>}
   */
  ask(path, asked, signal = undefined, heard = {}) {
    signal?.throwIfAborted();
    if (!ABLE) return Promise.reject(new Refusal(t.errors.tooOld, "unsupported"));
    return new Promise((done, fail) => {
      const asker = { message: { path, asked }, done, fail, heard };
      this.#waiting.push(asker);
      this.#next();
      signal?.addEventListener("abort", () => this.#leave(asker, signal.reason));
    });
  }

  /** Ask the next waiting question, if none is under way. */
  #next() {
    if (this.#running) return;
    this.#running = this.#waiting.shift();
    if (this.#running) (this.#worker ?? this.#start()).postMessage(this.#running.message);
  }

  /**
   * Cancel a question. A search may not stop at once: if it takes long, another worker answers the
   * other questions.
   * @param {Asker} asker
   * @param {unknown} reason
   */
  #leave(asker, reason) {
    asker.fail(reason);
    asker.heard = {};
    this.#waiting = this.#waiting.filter((waiting) => waiting !== asker);
    if (asker !== this.#running) return;
    this.#worker?.postMessage(null);
    setTimeout(() => {
      if (asker !== this.#running) return;
      this.end();
      this.#start();
      this.#next();
    }, LATE);
  }
}
