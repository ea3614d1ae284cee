/**
 * Work of which only the latest piece counts: new work stops the earlier work, and errors are shown.
 */

export class Asking {
  #stop = new AbortController();

  /**
   * @param {import("./board_area.js").BoardArea} area shows errors
   * @param {() => boolean} [heard] returns whether errors are to be shown
   */
  constructor(area, heard = () => true) {
    this.area = area;
    this.heard = heard;
  }

  /** The signal that stops the present work. */
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
   * Do other work beside the present work, and show its error if it fails.
   * @param {() => Promise<unknown>} work
   * @param {(error: Error) => void} [failed] called after an error
   * @returns {Promise<boolean>} whether the work was done
   */
  async aside(work, failed = () => {}) {
    try {
      await work();
      return true;
    } catch (caught) {
      const error = /** @type {Error} */ (caught);
      if (error.name === "AbortError") return false;
      if (this.heard()) this.area.say(error.message, true);
      failed(error);
      return false;
    }
  }

  stop() {
    this.#stop.abort();
  }
}
