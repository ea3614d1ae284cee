/**
 * Questions to the server, or to the engine in the page. No other module knows which one answers.
 */

import { t } from "./language.js";
import { Local } from "./local.js";
import { Refusal } from "./refusal.js";

/** @import {Gets, Posts, Streams} from "../../answers.js" */
/**
 * @template A
 * @typedef {{[Name in keyof A]: string | number | boolean | string[] | null}} Asked null and "" are
 *   left out
 */
/** @template E @typedef {{[Name in keyof E]?: (data: E[Name]) => void}} Heard */

/** The version of the answers that this page reads. */
export const SCHEMA = 2;

const BASE = new URL("api/v1/", document.baseURI);
/** The worker that answers in a page without a server. */
const WORKER = document.querySelector('meta[name="engine"]')?.getAttribute("content");

const local = WORKER ? new Local(WORKER) : null;
/** @type {Local | null} another engine, for questions beside the others */
let beside = null;

/**
 * The abilities of the server or of the engine in the browser: what needs a server, which are match files
 * other than text, plans, drills and notes; the deepest search, which a server may limit; and whether
 * matches can be added to a library.
 */
export const serves = {
  all: !local,
  depth: 5,
  adds: local !== null && "indexedDB" in globalThis,
};

/** Learn the limits of the server. If it does not answer, the first question shows the error. */
export async function meet() {
  if (local) return;
  const health = await get("health", {}).catch(() => null);
  if (health)
    Object.assign(serves, { depth: health.depth, adds: health.library && health.editable });
}

/**
 * A question without empty fields.
 * @param {object} asked
 * @returns {Record<string, unknown>}
 */
function given(asked) {
  return Object.fromEntries(
    Object.entries(asked).filter(
      ([, value]) => value !== null && value !== undefined && value !== "",
    ),
  );
}

/** @param {string} path @param {Record<string, unknown>} asked */
function address(path, asked) {
  const url = new URL(path, BASE);
  for (const [name, value] of Object.entries(asked)) {
    for (const item of Array.isArray(value) ? value : [value])
      url.searchParams.append(name, String(item));
  }
  return url;
}

/** Throw the error of a connection that failed. @param {Error} error @returns {never} */
function away(error) {
  if (error.name === "AbortError") throw error;
  throw new Refusal(t.errors.serverAway, "away");
}

/** @param {URL} url @param {RequestInit} how */
async function answer(url, how) {
  const response = await fetch(url, how).catch(away);
  if (response.ok) return response;
  const refusal = await response.json().catch(() => null);
  throw new Refusal(
    refusal?.error?.message ?? t.errors.serverSays(response.status),
    refusal?.error?.code,
  );
}

/** @param {Response} response */
function read(response) {
  return response.headers.get("content-type")?.startsWith("application/json")
    ? response.json()
    : response.text();
}

/**
 * @template {keyof Gets} P
 * @param {P} path @param {Asked<Gets[P]["parameters"]>} asked @param {AbortSignal} [signal] @returns
 *   {Promise<Gets[P]["answer"]>}
 */
export async function get(path, asked, signal = undefined) {
  if (local) return local.ask(path, given(asked), signal);
  return read(await answer(address(path, given(asked)), { signal }));
}

/**
 * The same, without delaying other questions: in the page, another worker answers.
 * @template {keyof Gets} P
 * @param {P} path @param {Asked<Gets[P]["parameters"]>} asked @returns {Promise<Gets[P]["answer"]>}
 */
export async function getAside(path, asked) {
  if (!WORKER) return get(path, asked);
  beside ??= new Local(WORKER);
  return beside.ask(path, given(asked));
}

/**
 * @template {keyof Posts} P
 * @param {P} path @param {Posts[P]["body"]} body @param {AbortSignal} [signal] @returns
 *   {Promise<Posts[P]["answer"]>}
 */
export async function post(path, body, signal = undefined) {
  if (local) return local.ask(path, body, signal);
  const headers = { "Content-Type": "application/json" };
  return read(
    await answer(address(path, {}), {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal,
    }),
  );
}

/** The library of a page without a server, as a file. @returns {Promise<Blob>} */
export const savedLibrary = async () => local?.ask("library/save", {});

/**
 * Add the matches of such a file, in a worker of its own.
 * @param {File} body @param {(progress: {done: number, total: number}) => void} progress
 * @returns {Promise<{matches: number, left: number}>} `left`: how many are damaged
 */
export async function mergeLibrary(body, progress) {
  const own = new Local(String(WORKER));
  return own.ask("library/merge", { body }, undefined, { progress }).finally(() => own.end());
}

/**
 * Read the events of an answer, until it ends or the signal stops it.
 * @template {keyof Streams} P
 * @param {P} path @param {Asked<Streams[P]["parameters"]>} asked
 * @param {Heard<Streams[P]["events"]>} heard functions by the name of the event
 * @param {AbortSignal} signal
 * @param {Blob} [body] the body of a POST
 * @param {boolean} [long] whether other questions are asked meanwhile
 */
export async function stream(path, asked, heard, signal, body = undefined, long = false) {
  if (WORKER && (body || long)) {
    // Long work has a worker of its own, so that other questions are answered meanwhile.
    const own = new Local(WORKER);
    const whole = body ? { ...given(asked), body } : given(asked);
    return own.ask(path, whole, signal, heard).finally(() => own.end());
  }
  if (local) return local.ask(path, given(asked), signal, heard);
  const response = await answer(address(path, given(asked)), {
    signal,
    method: body ? "POST" : "GET",
    body,
  });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(away);
    rest += decoder.decode(value, { stream: !done });
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) tell(event, heard);
    if (done) return;
  }
}

/**
 * @param {string} event as the server writes it, or a comment
 * @param {Record<string, ((data: any) => void) | undefined>} heard
 */
function tell(event, heard) {
  const [, kind, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [];
  if (!kind) return;
  const value = JSON.parse(data);
  if (kind === "failed") throw new Refusal(value.message, value.code);
  heard[kind]?.(value);
}
