/**
 * Files on their way into the library: the server reviews and adds one after the other, while the
 * player looks elsewhere.
 */

import { serves, stream } from "./api.js";
import { button, card, html } from "./elements.js";
import { t } from "./language.js";
import { answered, levelKept } from "./levels.js";
import { Refusal } from "./refusal.js";

/**
 * @typedef {import("../../answers.js").AddedFile} Added
 * @typedef {{file: Blob, name: string, level?: string, again?: boolean, review?: object}} Waiting
 *   `level`: unless the level of reviews; `again`: also if the match was removed before; `review`: what
 *   a page without a server need not do again
 * @typedef {Added & {from: Waiting}} Done
 */

/** The endings of match files. */
const MATCHES = /\.(mat|sgf|bgf|xg|ogxm|gvab|txt)$/i;

/** Whether a file is a match, by its name. @param {File} file */
export const isMatch = ({ name }) => MATCHES.test(name);

/** The errors after which the other files can still be added. */
const OF_FILES = ["invalid_request", "too_large", "timeout", "unread", "unsupported"];

/** What has become of files, in words. */
const FATES = /** @type {Record<string, string>} */ (t.library.fates);

/** All files that are added, or wait. */
class Additions {
  /** @type {Waiting[]} the files to be added, the present one first */
  waiting = [];
  /** @type {Done[]} what has become of the others since the queue was last empty */
  done = [];
  /** The finished share of the present file. */
  share = 0;
  /** Why the last file failed. */
  failed = "";
  #stop = new AbortController();
  /** @type {Set<() => void>} functions that draw a change */
  heard = new Set();
  /** Has a screen reader read what has happened. */
  tell = (/** @type {string} */ words) => void words; // the page sets it

  /** The number of the present file, from 1 on, and of all files. */
  get count() {
    return [this.done.length + 1, this.done.length + this.waiting.length];
  }

  /** @param {Partial<Additions>} change */
  #set(change) {
    Object.assign(this, change);
    for (const draw of this.heard) draw();
  }

  /** Add files, after those that wait. @param {Waiting[]} files */
  add(files) {
    if (!files.length) return;
    const begins = !this.waiting.length;
    const done = begins ? [] : this.done;
    this.#set({ waiting: [...this.waiting, ...files], done, failed: "" });
    if (begins) this.#work();
  }

  /** Add the match files among files. @param {File[]} files */
  addFiles(files) {
    const matches = files.filter(isMatch);
    if (!matches.length && !this.waiting.length)
      this.#set({ done: [], failed: t.library.noMatches });
    this.add(matches.map((file) => ({ file, name: file.webkitRelativePath || file.name })));
  }

  /** Stop; what is added stays. */
  stop() {
    this.#stop.abort();
  }

  async #work() {
    const { signal } = (this.#stop = new AbortController());
    while (this.waiting.length) {
      const [from] = this.waiting;
      this.#set({ share: 0 });
      try {
        const added = await this.#added(from, signal);
        this.#set({ waiting: this.waiting.slice(1), done: [...this.done, { ...added, from }] });
      } catch (caught) {
        const error = /** @type {Error & {code?: string}} */ (caught);
        const stopped = error.name === "AbortError";
        if (OF_FILES.includes(error.code ?? "")) {
          const left = { file: from.name, what: "left out", detail: error.message, from };
          this.#set({ waiting: this.waiting.slice(1), done: [...this.done, left] });
          continue;
        }
        const why = stopped ? "" : error.message;
        this.#set({ waiting: [], failed: t.library.left(why, this.waiting.length) });
      }
    }
    this.tell(this.words);
  }

  /** @param {Waiting} from @param {AbortSignal} signal @returns {Promise<Added>} */
  async #added({ file, name, level = answered(levelKept()), again = false, review }, signal) {
    /** @type {Added | null} */
    let fate = null;
    const data = await base64(file);
    const known = serves.all ? {} : { review };
    const sent = JSON.stringify({ file: name, data, ...known });
    const body = new Blob([sent], { type: "application/json" });
    const handlers = {
      progress: (/** @type {import("../../answers.js").Progress} */ { done, total }) =>
        this.#set({ share: Math.floor((100 * done) / (total || 1)) / 100 }),
      added: (/** @type {Added} */ added) => (fate = added),
    };
    await stream("library/add", { level, again: again || null }, handlers, signal, body);
    if (!fate) throw new Error(t.library.noAnswer);
    return fate;
  }

  /** What has become of the files, in a line. */
  get words() {
    const { done, failed } = this;
    if (!done.length) return failed;
    if (done.length === 1 && !failed) return `${wordsOf(done[0])}.`;
    const added = done.filter(({ what }) => what in FATES && !/there|removed/.test(what)).length;
    return `${t.library.added(added, done.length)} ${failed}`.trim();
  }
}

export const additions = new Additions();

/** @param {Done} done */
function wordsOf({ file, what, detail }) {
  return what in FATES ? `${file} ${FATES[what]}` : t.library.leftOut(file, detail);
}

/** The bytes of a file in base64. @param {Blob} file @returns {Promise<string>} */
function base64(file) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(String(reader.result).split(",")[1] ?? ""));
    reader.addEventListener("error", () => fail(new Refusal(t.library.unread, "unread")));
    reader.readAsDataURL(file);
  });
}

/**
 * The files that were dropped, also those in folders. The entries must be asked for at once, before
 * anything is awaited.
 * @param {DataTransfer} dropped
 * @returns {Promise<File[]>}
 */
export async function filesOf(dropped) {
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  return (await Promise.all(entries.map(filesIn))).flat();
}

/** @param {FileSystemEntry | File | null} entry @returns {Promise<File[]>} */
async function filesIn(entry) {
  if (entry === null || entry instanceof File) return entry ? [entry] : [];
  if (entry.isFile)
    return new Promise((done) =>
      /** @type {FileSystemFileEntry} */ (entry).file(
        (file) => done([file]),
        () => done([]),
      ),
    );
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const files = [];
  for (;;) {
    // A reader gives some entries at a time, and none at the end.
    const entries = await new Promise((done) => reader.readEntries(done, () => done([])));
    if (!entries.length) return files;
    for (const inside of entries) files.push(...(await filesIn(inside)));
  }
}

/** The progress of the files, or what has become of them; false without any. */
export function addingView() {
  const { waiting, done, share, failed } = additions;
  if (!waiting.length && !done.length && !failed) return false;
  const [number, all] = additions.count;
  const odd = done.filter(({ what }) => !(what in FATES) || what === "removed before");
  const again = odd.filter(({ what }) => what === "removed before").map(({ from }) => from);
  const max = { "aria-label": t.library.files, max: all, value: number - 1 + share };
  return card(
    t.library.name,
    html(
      "div",
      { class: "head" },
      html("h2", {}, waiting.length ? t.library.adding(number, all) : t.library.over),
      waiting.length > 0 && button(t.common.stop, () => additions.stop(), { class: "plain" }),
    ),
    waiting.length > 0 && [
      html("p", { class: "soft small" }, waiting[0].name),
      html("progress", max),
    ],
    !waiting.length && html("p", {}, additions.words),
    odd.length > 0 &&
      done.length > 1 &&
      html(
        "ul",
        { class: "small" },
        odd.map((fate) => html("li", {}, wordsOf(fate))),
      ),
    !waiting.length &&
      again.length > 0 &&
      button(t.library.again, () => additions.add(again.map((from) => ({ ...from, again: true })))),
  );
}
