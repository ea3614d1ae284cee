/**
 * One thing that is asked in place of another: what was asked before ends, and what goes wrong is
 * said.
 */

export class Asking {
  #stop = new AbortController();

  /**
   * @param {import("./desk.js").Desk} desk says what goes wrong
   * @param {() => boolean} [heard] whether it shall
   */
  constructor(desk, heard = () => true) {
    this.desk = desk;
    this.heard = heard;
  }

  /** Ends what is asked. */
  get signal() {
    return this.#stop.signal;
  }

  /**
   * @param {(signal: AbortSignal) => Promise<unknown>} work
   * @param {(error: Error) => void} [failed]
   */
  async ask(work, failed = () => {}) {
    this.stop();
    const { signal } = (this.#stop = new AbortController());
    return this.aside(() => work(signal), failed);
  }

  /**
   * Do something beside what is asked: if it fails, that is said, and the rest goes on.
   * @param {() => Promise<unknown>} work
   * @param {(error: Error) => void} [failed] does more where something goes wrong
   * @returns {Promise<boolean>} whether it was done
   */
  async aside(work, failed = () => {}) {
    try {
      await work();
      return true;
    } catch (caught) {
      const error = /** @type {Error} */ (caught);
      if (error.name === "AbortError") return false;
      if (this.heard()) this.desk.say(error.message, true);
      failed(error);
      return false;
    }
  }

  stop() {
    this.#stop.abort();
  }
}
