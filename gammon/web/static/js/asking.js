// @ts-check
/** One thing that is asked in place of another: what was asked before ends, and what goes wrong is said. */

import { isStopped } from "./api.js";

export class Asking {
  #stop = new AbortController();

  /** @param {import("./desk.js").Desk} desk says what goes wrong */
  constructor(desk) {
    this.desk = desk;
  }

  /** @param {(signal: AbortSignal) => Promise<void>} work */
  async ask(work) {
    this.stop();
    const { signal } = (this.#stop = new AbortController());
    try {
      await work(signal);
    } catch (error) {
      if (!isStopped(error)) this.desk.say(/** @type {Error} */ (error).message, true);
    }
  }

  stop() {
    this.#stop.abort();
  }
}
