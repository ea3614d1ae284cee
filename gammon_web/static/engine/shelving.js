/**
 * Changes of the library of the page without a server: its matches are added, removed, renamed, saved
 * as a file and merged. gammon_study/library is the twin in Python, where digests are others.
 */

import { Refusal, quoted } from "../js/refusal.js";
import { SCHEMA_VERSION } from "./answers.js";
import { readPlace } from "./ids.js";
import { matchIn, reviewOf } from "./judge.js";
import { mixed, visible } from "./match_file.js";

/**
 * @import {Review, Choice} from "../../answers.js"
 * @import {Match} from "./mat.js"
 * @import {Asked, Ready, Tell, Wanted} from "./questions.js"
 * @typedef {Pick<Choice, typeof BRIEF[number]>} Brief a decision without its analysis
 * @typedef {{digest: string, line: string, file: string, added: string, played: string | null, event:
 *   string, length: number, games: number, analysis: string, names: [string, string], result: number
 *   | null, lucks: [number, number], choices: Brief[]}} Kept a match. `line`: what identifies it; the
 *   line of a longer version begins with it. `names`: as written. `result`: of the first player
 * @typedef {{text: string, review: Review}} Whole the match file and the review of a match
 * @typedef {{all: () => Promise<Kept[]>, whole: (digest: string) => Promise<Whole | undefined>, put:
 *   (match: Kept, whole: Whole, instead?: string) => Promise<void>, remove: (digest: string) =>
 *   Promise<void>, marks: () => Promise<Marks>, mark: (marks: Marks) => Promise<void>}} Shelf `all`: in
 *   the order in which they were added
 * @typedef {{removed: string[], called: Record<string, string>}} Marks the digests of matches that
 *   were removed, and by names in lower case what the person calls these players
 */

/** The name of the format of a saved library, and its version. */
const FORMAT = "gammon-library-1";
/** The entries of a decision that the figures need. */
const BRIEF = /** @type {const} */ ([
  "game",
  "action",
  "player",
  "kind",
  "xgid",
  "made",
  "best",
  "error",
  "cost",
  "counted",
  "active",
  "explanation",
  "themes",
  "remark",
]);

/**
 * The functions that answer, by path.
 * @type {Record<string, (shelf: Shelf, asked: Asked, ready: Ready, tell: Tell, wanted: Wanted) =>
 *   unknown>}
 */
export const CHANGES = {
  "library/match": reviewKept,
  "library/add": added,
  "library/remove": removed,
  "library/rename": renamed,
  "library/save": saved,
  "library/merge": merged,
};

/** @param {string} name */
export const folded = (name) => name.toLowerCase();

/**
 * What the person calls the players of a match; they keep their names if both would have the same.
 * @param {Marks} marks @param {string[]} written
 */
export function calledIn({ called }, written) {
  const names = written.map((name) =>
    Object.hasOwn(called, folded(name)) ? called[folded(name)] : name,
  );
  return folded(names[0]) === folded(names[1]) ? written : names;
}

/** A day, a month or a year; the rest may be missing. */
const TIME = /^(\d{4})(-\d{2})?(-\d{2})?$/;

/** Whether there is such a day, month or year. @param {string} time such as 2026-11-22 */
export function isTime(time) {
  const [, year, month = "-01", day = "-01"] = TIME.exec(time) ?? [];
  const date = new Date(`${year}${month}${day}T00:00Z`);
  return Number(year) > 0 && !isNaN(+date) && date.toISOString().startsWith(time);
}

/** The review of a match, with the players as they are called. @param {Shelf} shelf @param {Asked} asked */
async function reviewKept(shelf, { digest }) {
  const [whole, marks] = await Promise.all([shelf.whole(digest), shelf.marks()]);
  if (!whole) throw noMatch(digest);
  const { players, ...review } = whole.review;
  const names = calledIn(
    marks,
    players.map(({ name }) => name),
  );
  return { ...review, players: players.map((player, side) => ({ ...player, name: names[side] })) };
}

/** @param {string} digest */
const noMatch = (digest) =>
  new Refusal(`match ${quoted(String(digest))}: the library has no such match`, "not_found");

/** @param {Shelf} shelf @param {Asked} asked */
async function removed(shelf, { digest }) {
  if (!(await shelf.whole(digest))) throw noMatch(digest);
  const marks = await shelf.marks();
  await shelf.mark({ ...marks, removed: [...new Set([...marks.removed, digest])] });
  await shelf.remove(digest);
  return { matches: 1 };
}

/** @param {unknown} name */
const isName = (name) => typeof name === "string" && name.trim() !== "" && name.length <= 100;

/** Give a player another name in all matches. @param {Shelf} shelf @param {Asked} asked */
async function renamed(shelf, { player, name }) {
  const [all, marks] = await Promise.all([shelf.all(), shelf.marks()]);
  const sides = all.flatMap((match, at) => {
    const names = calledIn(marks, match.names);
    return [0, 1]
      .filter((side) => folded(names[side]) === folded(player))
      .map((side) => ({ written: match.names[side], opponent: names[1 - side], number: at + 1 }));
  });
  if (!sides.length) throw new Refusal(`player ${quoted(player)}: no match has this player`);
  const called = visible(name).trim().replace(/\s+/g, " ");
  if (!isName(called)) throw new Refusal("name: expected 1 to 100 characters");
  const other = sides.find(
    ({ opponent }) => folded(opponent) === folded(called) && folded(called) !== folded(player),
  );
  if (other)
    throw new Refusal(`name ${quoted(called)}: it is the opponent in match ${other.number}`);
  const written = sides.map((side) => [folded(side.written), called]);
  await shelf.mark({ ...marks, called: { ...marks.called, ...Object.fromEntries(written) } });
  return { matches: sides.length };
}

/**
 * Review a match, and add it.
 * @param {Shelf} shelf @param {Asked} asked `body`: JSON with the name of the file, its bytes in base64,
 *   and the review, if there is one
 * @param {Ready} ready @param {Tell} tell @param {Wanted} wanted
 */
async function added(
  shelf,
  { body, depth = 3, level = depth, again = false },
  ready,
  tell,
  wanted,
) {
  const { file, data, review: given = null } = JSON.parse(await body.text());
  const blob = new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]);
  const { text, match } = await matchIn(ready.engine, blob);
  const look = async () => place(await shelf.all(), await shelf.marks(), match, again);
  let fate = await look();
  let review = given;
  if (!("what" in fate) && !review) {
    const heard = (/** @type {unknown} */ progress) => (tell("progress", progress), wanted());
    review = await reviewOf(ready, blob, Number(level), heard);
    if (!review) return;
    fate = await look(); // another tab may have added the match meanwhile
  }
  if ("what" in fate) return tell("added", { file, what: fate.what, detail: "" });
  const kept = keptOf(fate, match, file, review);
  await shelf.put(kept, { text, review }, fate.instead);
  const marks = await shelf.marks();
  await shelf.mark({ ...marks, removed: marks.removed.filter((other) => other !== kept.digest) });
  tell("added", { file, what: fate.instead ? "continued" : "reviewed", detail: kept.analysis });
}

/**
 * The place of a match in a library, or what keeps it out.
 * @param {Kept[]} all @param {Marks} marks @param {Match} match
 * @param {boolean} again whether a match that was removed may come again
 * @returns {{what: string} | {line: string, digest: string, instead?: string}} `instead`: the digest of
 *   the beginning of this match
 */
function place(all, marks, match, again) {
  const line = lineOf(match);
  const digest = digestOf(line);
  if (all.some((kept) => begins(line, kept.line))) return { what: "already there" };
  if (marks.removed.includes(digest) && !again) return { what: "removed before" };
  return { line, digest, instead: all.find((kept) => begins(kept.line, line))?.digest };
}

/**
 * What identifies a match: its players, its length, and all actions. Which player is on the left makes
 * no difference.
 * @param {Match} match
 */
function lineOf({ names, length, games }) {
  const lines = [0, 1].map((first) => {
    const actions = games.flatMap((game, number) =>
      game.actions.map(({ kind, player, place: { dice }, play }) =>
        [number, kind, player ^ first, [...(dice ?? [])].sort().join(""), play].join(" "),
      ),
    );
    const players = [names[first], names[1 - first]].map(folded);
    return [...players, length, ...actions].map((part) => `${part}\n`).join("");
  });
  return lines[0] < lines[1] ? lines[0] : lines[1];
}

/** A resignation as the last action, which stands for the rest of a game that was not saved. */
const RESIGNED = /^\d+ resign .*\n$/m;

/**
 * Whether a match is the beginning of another, or equal to it, by their lines.
 * @param {string} part @param {string} whole
 */
function begins(part, whole) {
  const played = part.replace(RESIGNED, "");
  return whole.startsWith(played) && whole.split("\n").length >= part.split("\n").length;
}

/** A hash of a line, 16 letters. @param {string} line */
function digestOf(line) {
  let hash = 1n;
  for (const letter of line) hash = mixed(hash ^ BigInt(letter.codePointAt(0) ?? 0));
  return hash.toString(16).padStart(16, "0");
}

/**
 * A match as the library keeps it.
 * @param {{line: string, digest: string}} place
 * @param {Match} match
 * @param {string} file its name
 * @param {Review} review
 * @returns {Kept}
 */
function keptOf({ line, digest }, { names, length, games, details }, file, review) {
  const [{ result }] = review.players;
  const last = games[games.length - 1];
  const score = last.score.points.map(
    (points, side) => points + (last.winner === side ? last.points : 0),
  );
  const days = Object.entries(details).flatMap(([name, value]) => {
    const [, year, month, day] = (/date/i.test(name) && DAY.exec(value)) || [];
    return year ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : [];
  });
  return {
    digest,
    line,
    file,
    added: new Date().toISOString().replace("T", " ").replace(/\..*/, "+00:00"),
    played: days.find(isTime) ?? null,
    event: details.Event ?? "",
    length,
    games: games.length,
    analysis: `gammon, depth ${review.depth}`,
    names,
    result: Math.max(...score) >= length ? result : null,
    lucks: [review.players[0].luck, review.players[1].luck],
    choices: review.choices.map(
      (choice) =>
        /** @type {any} */ (Object.fromEntries(BRIEF.map((name) => [name, choice[name]]))),
    ),
  };
}

/** A day in a match file. */
const DAY = /([0-9]{4})[./-]([0-9]{1,2})[./-]([0-9]{1,2})/;

/** The library as a file: packed JSON with the match files and their reviews. @param {Shelf} shelf */
async function saved(shelf) {
  const matches = [];
  for (const { digest, file } of await shelf.all()) {
    const whole = await shelf.whole(digest);
    // In parts, as a text has at most half a billion characters.
    if (whole) matches.push(JSON.stringify({ file, text: whole.text, review: whole.review }));
  }
  const { removed, called } = await shelf.marks();
  const head = JSON.stringify({ format: FORMAT, removed, called }).slice(0, -1);
  const parts = [
    `${head},"matches":[`,
    ...matches.flatMap((match, at) => (at ? [",", match] : match)),
    "]}",
  ];
  return new Response(new Blob(parts).stream().pipeThrough(new CompressionStream("gzip"))).blob();
}

/** Whether a value is an object, and not an array. @param {any} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value has what this page reads of a review. @param {any} review */
function isReview(review) {
  if (!isObject(review) || review.schema_version !== SCHEMA_VERSION) return false;
  const { players, figures, games, choices, rolls, notes, warnings, details } = review;
  const all = [players, figures, games, choices, rolls, notes, warnings].every(Array.isArray);
  if (!all || !isObject(details) || !games.every(isObject) || !rolls.every(isObject)) return false;
  return players.length === 2 && players.every(isPlayer) && choices.every(isChoice);
}

/** @param {any} player */
const isPlayer = (player) =>
  isObject(player) &&
  typeof player.name === "string" &&
  Number.isFinite(player.luck) &&
  (player.result === null || Number.isFinite(player.result)) &&
  isObject(player.all);

/** @param {any} choice */
function isChoice(choice) {
  if (!isObject(choice)) return false;
  const { game, action, player, kind, xgid, made, best, error, cost, explanation, themes, remark } =
    choice;
  return (
    Array.isArray(themes) &&
    [game, action, error, cost].every(Number.isFinite) &&
    (player === 0 || player === 1) &&
    [choice.counted, choice.active].every((flag) => typeof flag === "boolean") &&
    [kind, xgid, made, best, explanation, remark, ...themes].every(
      (text) => typeof text === "string",
    ) &&
    Array.isArray(choice.plays) &&
    choice.plays.every(isObject) &&
    isPlace(xgid)
  );
}

/** @param {string} xgid */
function isPlace(xgid) {
  try {
    return Boolean(readPlace(xgid));
  } catch {
    return false;
  }
}

/**
 * Add the matches of a saved library; what is damaged or cannot be read is left out. Names come along of
 * players whom no match here has, and matches that were removed there stay out, unless they are here.
 * @param {Shelf} shelf @param {Asked} asked `body`: the file
 * @param {Ready} ready @param {Tell} tell
 */
async function merged(shelf, { body }, ready, tell) {
  const stream = body.stream().pipeThrough(new DecompressionStream("gzip"));
  const library = await new Response(stream).json().catch(() => null);
  if (library?.format !== FORMAT || !Array.isArray(library.matches))
    throw new Refusal("It is no library that this page has saved.");
  const [all, marks] = await Promise.all([shelf.all(), shelf.marks()]);
  const ownPlayers = new Set(all.flatMap(({ names }) => names.map(folded)));
  let matches = 0;
  let left = 0;
  for (const [done, entry] of library.matches.entries()) {
    tell("progress", { done, total: library.matches.length });
    const kept = await taken(entry, { all, marks }, ready, shelf);
    if (kept) {
      all.push(kept);
      matches += 1;
    } else if (kept === null) left += 1;
  }
  const called = Object.entries(isObject(library.called) ? library.called : {})
    .filter(([written, name]) => isName(name) && !ownPlayers.has(written))
    .map(([written, name]) => [written, visible(String(name))]);
  const gone = Array.isArray(library.removed) ? library.removed : [];
  const digests = all.map(({ digest }) => digest);
  const now = await shelf.marks();
  await shelf.mark({
    removed: [...new Set([...now.removed, ...gone])].filter(
      (digest) => typeof digest === "string" && !digests.includes(digest),
    ),
    called: { ...Object.fromEntries(called), ...now.called },
  });
  return { matches, left };
}

/**
 * Add a match of a saved library.
 * @param {any} entry @param {{all: Kept[], marks: Marks}} library @param {Ready} ready @param {Shelf} shelf
 * @returns {Promise<Kept | null | undefined>} null: it is damaged; undefined: it is there, or removed
 */
async function taken(entry, { all, marks }, ready, shelf) {
  const { file, text, review } = isObject(entry) ? entry : /** @type {any} */ ({});
  if (typeof text !== "string" || !isReview(review)) return null;
  try {
    const { match } = await matchIn(ready.engine, new Blob([text]));
    const fate = place(all, marks, match, false);
    if ("what" in fate) return undefined;
    const kept = keptOf(fate, match, visible(String(file)), review);
    await shelf.put(kept, { text, review }, fate.instead);
    if (fate.instead)
      all.splice(
        all.findIndex(({ digest }) => digest === fate.instead),
        1,
      );
    return kept;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
