/**
 * The engine of the page without a server, in Node: `node engine.mjs FOLDER` reads what is asked
 * from its input, and writes what is answered. FOLDER has the files of the page.
 */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const folder = `${process.argv[2]}/static`;
const imported = (name) => import(pathToFileURL(`${folder}/${name}`));
const { Engine } = await imported("engine/gammon.js");
const { Ready, answerTo } = await imported("engine/questions.js");
const { readMat } = await imported("engine/mat.js");
const { themesOf, whyPlay } = await imported("engine/reasons.js");

const packed = (name) => gunzipSync(readFileSync(`${folder}/engine/${name}.gz`));
const code = await WebAssembly.compile(packed("gammon.wasm"));
const engine = new Engine(code, packed("gammon.engine"), { tables: false });
const ready = new Ready(engine);

/** A library in memory, in place of the browser's storage. */
const shelf = { matches: [], wholes: new Map(), marked: { removed: [], called: {} } };
ready.shelf = {
  all: async () => shelf.matches,
  whole: async (digest) => shelf.wholes.get(digest),
  put: async (match, whole, instead) => {
    if (instead) await ready.shelf.remove(instead);
    shelf.matches = [...shelf.matches, match];
    shelf.wholes.set(match.digest, whole);
  },
  remove: async (digest) => {
    shelf.matches = shelf.matches.filter((match) => match.digest !== digest);
    shelf.wholes.delete(digest);
  },
  marks: async () => shelf.marked,
  mark: async (marks) => (shelf.marked = marks),
};

/**
 * The answer to a question; an error is its name and code, or its message to a question about words.
 * Of a stream, the events. A body is given as text, and one of bytes is answered in base64.
 */
async function answer([how, path, { body, packed: bytes, ...rest }]) {
  const asked = rest;
  if (body !== undefined) asked.body = new Blob([body]);
  if (bytes !== undefined) asked.body = new Blob([Buffer.from(bytes, "base64")]);
  const events = [];
  const tell = (event, data) => {
    if (event === "progress") events[0] = data;
    else events.push(data);
  };
  const asking = answerTo(ready, path, asked, tell, async () => true);
  const data = await asking.catch((error) =>
    how === "words" ? error.message : `${error.constructor.name}: ${error.code}`,
  );
  if (data instanceof Blob) return Buffer.from(await data.arrayBuffer()).toString("base64");
  return how === "stream" && typeof data !== "string" ? events : data;
}

/** The review of the text of a match, and how far it was said to be, each time. */
async function review(text) {
  const progress = [];
  let found = null;
  const tell = (event, data) => {
    if (event === "progress") progress.push([data.done, data.total]);
    else found = data;
  };
  await answerTo(ready, "review", { body: new Blob([text]), depth: 1 }, tell, async () => true);
  return [progress, found];
}

/** The games that are read in the text of a match; an error is its name. */
function games(text) {
  try {
    return readMat(engine, text).games.map(({ score, actions, winner, points }) => {
      const kinds = actions.map(({ kind }) => kind);
      return [score.points, score.crawford, kinds, winner, points];
    });
  } catch (error) {
    return error.constructor.name;
  }
}

/** Why the first of some plays was wrong, and the themes of the decision. */
function explained([question, plays]) {
  const reasons = engine.explainPlay(question, plays);
  return [whyPlay(reasons), themesOf(reasons)];
}

const {
  questions = [],
  matches = [],
  texts = [],
  errors = [],
} = JSON.parse(readFileSync(0, "utf8"));
const answered = {
  answers: [],
  reviews: [],
  games: texts.map(games),
  reasons: errors.map(explained),
};
for (const question of questions) answered.answers.push(await answer(question));
for (const text of matches) answered.reviews.push(await review(text));
process.stdout.write(JSON.stringify(answered));
