/** Questions to the engine in the page, which a worker answers. */

/**
 * @import {Reply} from "../engine/worker.js"
 * @typedef {Record<string, ((data: any) => void) | undefined>} Heard
 * @typedef {{message: object, done: (data: any) => void, fail: (error: unknown) => void, heard: Heard}} Asker
 */

const AWAY = "The engine in this page has stopped. Ask again, or load the page anew.";
const OLD = "This browser cannot run the engine: one with WebAssembly and workers of modules can.";

/** Milliseconds that an answer which nobody wants any more may still take. */
const LATE = 500;

export class Local {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, Asker>} those who wait, in their order */
  #askers = new Map();
  #asked = 0;
  /** The question under way that nobody waits for, or 0. */
  #left = 0;

  /** @param {string} source of the worker @param {(message: string, code?: string) => Error} refused makes an error */
  constructor(source, refused) {
    this.source = source;
    this.refused = refused;
    if (this.#isAble) this.#start();
    // It keeps the page; without one, where an address is not safe, the page works, but not offline.
    navigator.serviceWorker?.register("sw.js").catch(() => {});
  }

  get #isAble() {
    return [globalThis.Worker, globalThis.WebAssembly, globalThis.DecompressionStream].every(Boolean);
  }

  #start() {
    const worker = new Worker(new URL(this.source, document.baseURI), { type: "module" });
    worker.addEventListener("message", ({ data }) => this.#hear(data));
    worker.addEventListener("error", () => this.#lose());
    this.#worker = worker;
    return worker;
  }

  /** Nothing is asked any more. */
  end() {
    this.#left = 0;
    this.#worker?.terminate();
  }

  /** Tell all who wait that the worker is gone; the next question starts another one. */
  #lose() {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { fail } of this.#askers.values()) fail(this.refused(AWAY, "away"));
    this.#askers.clear();
  }

  /** @param {Reply} reply */
  #hear({ id, event, data, error, done }) {
    const asker = this.#askers.get(id);
    if (done) this.#askers.delete(id);
    if (done && id === this.#left) this.#left = 0;
    if (error) asker?.fail(this.refused(error.message, error.code));
    else if (event) asker?.heard[event]?.(data);
    else asker?.done(data);
  }

  /**
   * @param {string} path
   * @param {object} asked null and "" are left out
   * @param {AbortSignal} [signal]
   * @param {Heard} [heard] by the name of the event
   * @returns {Promise<any>}
   */
  ask(path, asked, signal = undefined, heard = {}) {
    signal?.throwIfAborted();
    if (!this.#isAble) return Promise.reject(this.refused(OLD, "unsupported"));
    const id = ++this.#asked;
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null && value !== undefined && value !== ""));
    return new Promise((done, fail) => {
      const message = { id, path, asked: given };
      this.#askers.set(id, { message, done, fail, heard });
      (this.#worker ?? this.#start()).postMessage(message);
      signal?.addEventListener("abort", () => this.#leave(id, signal.reason));
    });
  }

  /** Nobody waits for an answer any more. @param {number} id @param {unknown} reason */
  #leave(id, reason) {
    const asker = this.#askers.get(id);
    if (!asker) return;
    const [running] = this.#askers.keys();
    this.#askers.delete(id);
    this.#worker?.postMessage({ id, path: null });
    asker.fail(reason);
    if (id !== running || this.#left) return;
    this.#left = id;
    setTimeout(() => this.#left === id && this.#restart(), LATE);
  }

  /** A search cannot be stopped: another worker answers those who wait. */
  #restart() {
    this.#left = 0;
    this.#worker?.terminate();
    const worker = this.#start();
    for (const { message } of this.#askers.values()) worker.postMessage(message);
  }
}
