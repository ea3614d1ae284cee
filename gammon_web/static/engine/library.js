/**
 * The library of the page without a server: questions about matches that the browser keeps. What
 * groups of decisions cost is added up at each question. gammon_study/library is the twin in Python.
 */

import { ALIKE } from "../js/blunders.js";
import { Refusal, quoted } from "../js/refusal.js";
import { SCHEMA_VERSION } from "./answers.js";
import { readPlace } from "./ids.js";
import { matchIn, reviewOf } from "./judge.js";
import { mixed, visible } from "./match_file.js";
import { termsOf } from "./terms.js";
import { classOf, errorsOf } from "./totals.js";

/**
 * @import {Review, Choice, Group, Part, Statistics, Trend, StudiedChoice} from "../../answers.js"
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
 * @typedef {{match: Kept, number: number, side: number, name: string, opponent: string}} Side a player
 *   of a match, whose number is its place in the library from 1 on
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
]);
/** The number of matches in the moving average of a trend. */
const TOGETHER = 10;
/** The kinds of decisions that errors of a theme are among. */
const ERRORS_OF = /** @type {Record<string, Choice["kind"]>} */ ({
  "missed double": "no double",
  "wrong double": "double",
  "wrong take": "take",
  "wrong pass": "pass",
});
/** The parts of a group, and the kinds of decisions in each. */
const PARTS = /** @type {const} */ ({
  plays: ["play"],
  doubles: ["no double", "double"],
  takes: ["take", "pass"],
});
/** The groups of matches, and their names for each side. */
const OF_MATCHES = /** @type {Record<string, (side: Side) => string | number | undefined>} */ ({
  all: () => "",
  player: ({ name }) => name,
  opponent: ({ opponent }) => opponent,
  day: ({ match }) => match.played ?? undefined,
  month: ({ match }) => match.played?.slice(0, 7),
  year: ({ match }) => match.played?.slice(0, 4),
  length: ({ match }) => match.length,
  analysis: ({ match }) => match.analysis,
  match: ({ number }) => number,
});
/** The groups that are sorted by name; of the others the group that lost the most comes first. */
const IN_ORDER = ["day", "month", "year", "length", "match"];

/**
 * The functions that answer, by path.
 * @type {Record<string, (shelf: Shelf, asked: Asked, ready: Ready, tell: Tell, wanted: Wanted) =>
 *   unknown>}
 */
export const QUESTIONS = {
  "library/matches": listOf,
  "library/match": reviewKept,
  "library/add": added,
  "library/remove": removed,
  "library/rename": renamed,
  "library/save": saved,
  "library/merge": merged,
  "study/stats": async (shelf, { by = "all", ...asked }) => ({
    schema_version: SCHEMA_VERSION,
    by,
    groups: groupsOf(await sidesOf(shelf, asked), asked, by),
    analyses: groupsOf(await sidesOf(shelf, asked), asked, "analysis"),
  }),
  "study/trend": trendOf,
  "study/errors": largestErrors,
};

/** @param {string} name */
const folded = (name) => name.toLowerCase();

/** What the person calls a player. @param {Marks} marks @param {string} name as written */
const calledIn = ({ called }, name) =>
  Object.hasOwn(called, folded(name)) ? called[folded(name)] : name;

/** A day, a month or a year; the rest may be missing. */
const TIME = /^(\d{4})(-\d{2})?(-\d{2})?$/;

/** Whether there is such a day, month or year. @param {string} time such as 2026-11-22 */
function isTime(time) {
  const [, year, month = "-01", day = "-01"] = TIME.exec(time) ?? [];
  const date = new Date(`${year}${month}${day}T00:00Z`);
  return Number(year) > 0 && !isNaN(+date) && date.toISOString().startsWith(time);
}

/**
 * Refuse a selection that is malformed.
 * @param {Asked} asked
 */
function check({ since, until, length, least, most }) {
  for (const [name, time] of Object.entries({ since, until }))
    if (time !== undefined && !isTime(time))
      throw new Refusal(`${name} ${quoted(time)}: expected a day such as 2026-11-22`);
  if (length !== undefined && !/^\d{1,2}$/.test(String(length)))
    throw new Refusal(`length ${quoted(String(length))}: expected a whole number, 0 to 64`);
  for (const [name, equity] of Object.entries({ least, most }))
    if (equity !== undefined && !(Number.isFinite(Number(equity)) && Number(equity) >= 0))
      throw new Refusal(`${name} ${quoted(String(equity))}: expected an equity, 0 or more`);
}

/**
 * The players of the matches of a selection, both of each match unless one is selected.
 * @param {Shelf} shelf @param {Asked} asked @returns {Promise<Side[]>}
 */
async function sidesOf(shelf, asked) {
  check(asked);
  const { player, opponent, since, until, length } = asked;
  const [all, marks] = await Promise.all([shelf.all(), shelf.marks()]);
  const is = (/** @type {string} */ name, /** @type {string | undefined} */ wanted) =>
    wanted === undefined || folded(name) === folded(wanted);
  return all.flatMap((match, at) => {
    const { played } = match;
    const names = match.names.map((name) => calledIn(marks, name));
    const in_time =
      (since === undefined || (played !== null && played >= since)) &&
      (until === undefined || (played !== null && played <= `${until}~`));
    if (!in_time || (length !== undefined && match.length !== Number(length))) return [];
    return [0, 1]
      .map((side) => ({
        match,
        number: at + 1,
        side,
        name: names[side],
        opponent: names[1 - side],
      }))
      .filter((side) => is(side.name, player) && is(side.opponent, opponent));
  });
}

/** The name of the group of a side. @param {string} by @param {Side} side */
const labelOf = (by, side) => String(OF_MATCHES[by](side) ?? "unknown");

/** The order of days, and of matches of a day as they were added. @param {Side} a @param {Side} b */
const byDay = ({ match: a, number: m }, { match: b, number: n }) =>
  Number((a.played ?? "") > (b.played ?? "")) - Number((a.played ?? "") < (b.played ?? "")) ||
  m - n;

/** The decisions of a player. @param {Side} side */
const choicesOf = ({ match, side }) => match.choices.filter(({ player }) => player === side);

/** The first side of each match, in the order of the days. @param {Side[]} sides */
const onePerMatch = (sides) =>
  sides.filter(({ number }, at) => sides[at - 1]?.number !== number).sort(byDay);

/** @param {Shelf} shelf @param {Asked} asked */
async function listOf(shelf, asked) {
  const matches = onePerMatch(await sidesOf(shelf, asked)).map((own) => {
    const { digest, played, event, length, games, result, analysis, file, added } = own.match;
    const sides = [own, { ...own, side: 1 - own.side }];
    const sums = sides.map((side) => errorsOf(choicesOf(side)));
    return {
      match: own.number,
      digest,
      played,
      event,
      length,
      games,
      players: [own.name, own.opponent],
      prs: sums.map(({ pr }) => pr),
      decisions: sums.map(({ counted }) => counted),
      won: result === null ? null : (own.side ? -result : result) > 0,
      analysis,
      file,
      added,
    };
  });
  return { schema_version: SCHEMA_VERSION, matches, number: matches.length };
}

/**
 * The part of the decisions that is selected; a condition is true for its decisions.
 * @param {Asked} asked
 * @returns {{name: string, has: ((choice: Brief) => boolean) | null}} null: all decisions
 */
function partOf({ theme, kind, phase }) {
  if (phase !== undefined) throw new Refusal("phase: this needs the server", "unsupported");
  if (theme !== undefined && kind !== undefined)
    throw new Refusal("theme and kind: expected one of them for statistics");
  if (theme !== undefined) return { name: theme, has: ({ themes }) => themes.includes(theme) };
  if (kind !== undefined) return { name: kind, has: ofKind(kind) };
  return { name: "", has: null };
}

/** @param {string} kind "cube" for all about the cube @returns {(choice: Brief) => boolean} */
const ofKind = (kind) => (choice) =>
  kind === "cube" ? choice.kind !== "play" : choice.kind === kind;

/**
 * The decisions of a selection in groups.
 * @param {Side[]} sides
 * @param {Asked} asked
 * @param {string} by
 * @returns {Group[]}
 */
function groupsOf(sides, asked, by) {
  const { name: part, has } = partOf(asked);
  const ofDecisions = by === "kind" || by === "theme";
  if (!ofDecisions && !(by in OF_MATCHES))
    throw new Refusal(`by ${quoted(by)}: this needs the server`, "unsupported");
  if (ofDecisions && part) throw new Refusal(`by '${by}': expected no theme or kind with it`);
  /** @type {Map<string, {name: string, sides: Side[], choices: Brief[]}>} */
  const groups = new Map();
  const put = (
    /** @type {Side} */ side,
    /** @type {string} */ name,
    /** @type {Brief[]} */ choices,
  ) => {
    const key = folded(name);
    const group = groups.get(key) ?? { name, sides: [], choices: [] };
    groups.set(key, group);
    group.sides.push(side);
    group.choices.push(...choices);
  };
  for (const side of sides) {
    const choices = choicesOf(side);
    if (ofDecisions) {
      const names = (/** @type {Brief} */ choice) =>
        by === "kind" ? [choice.kind] : choice.themes;
      for (const name of new Set(choices.flatMap(names)))
        put(
          side,
          name,
          choices.filter((choice) => names(choice).includes(name)),
        );
    } else {
      const chosen = has ? choices.filter(has) : choices;
      if (!has || chosen.length) put(side, labelOf(by, side), chosen);
    }
  }
  const one = asked.player !== undefined || by === "player" || by === "opponent";
  const figures = [...groups.values()].map((group) => {
    const among = ERRORS_OF[by === "theme" ? group.name : part];
    const within = ofDecisions
      ? sides
      : sides.filter((side) => folded(labelOf(by, side)) === folded(group.name));
    return figuresOf(group, {
      whole: !ofDecisions && !has && one,
      parts: !ofDecisions && !has,
      decisions: among ? errorsOf(within.flatMap(choicesOf).filter(ofKind(among))).counted : null,
    });
  });
  const order = (/** @type {Group} */ { name }) => {
    if (!IN_ORDER.includes(by)) return folded(name);
    return name === "unknown" ? "" : name.padStart(10);
  };
  figures.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return IN_ORDER.includes(by) ? figures : figures.sort((a, b) => b.error - a.error);
}

/**
 * The figures of a group. The page shows no margin, so there is none.
 * @param {{name: string, sides: Side[], choices: Brief[]}} group
 * @param {{whole: boolean, parts: boolean, decisions: number | null}} has `whole`: luck and results;
 *   `parts`: plays, doubles and takes; `decisions`: of a theme that has only errors
 * @returns {Group}
 */
function figuresOf({ name, sides, choices }, { whole, parts, decisions }) {
  const { marks, rate, ...sums } = errorsOf(choices);
  const results = sides.flatMap(({ match: { result }, side }) =>
    result === null ? [] : side ? -result : result,
  );
  const part = (/** @type {keyof typeof PARTS} */ of) =>
    parts
      ? partIn(choices.filter(({ kind }) => /** @type {any} */ (PARTS[of]).includes(kind)))
      : null;
  return {
    name,
    matches: new Set(sides.map(({ number }) => number)).size,
    ...sums,
    pr: decisions === null ? sums.pr : null,
    pr_class: decisions === null ? classOf(sums.pr, sums.counted) : null,
    bad: marks[1] + marks[2],
    luck: whole ? sides.reduce((sum, { match, side }) => sum + match.lucks[side], 0) : null,
    won: whole && results.length ? results.filter((result) => result > 0).length : null,
    decisions,
    plays: part("plays"),
    doubles: part("doubles"),
    takes: part("takes"),
    margin: null,
  };
}

/** @param {Brief[]} choices @returns {Part} */
function partIn(choices) {
  const { pr, counted, wrong, marks, error } = errorsOf(choices);
  return { pr, counted, wrong, bad: marks[1] + marks[2], error, margin: null };
}

/** @param {Shelf} shelf @param {Asked} asked @returns {Promise<Trend[]>} */
async function trendOf(shelf, asked) {
  const { name, has } = partOf(asked);
  if (name in ERRORS_OF)
    throw new Refusal(`theme '${name}': it has only errors, so there is no PR to draw`);
  const sides = await sidesOf(shelf, asked);
  const all = onePerMatch(sides).flatMap(({ match, number }) => {
    const choices = sides.filter((side) => side.number === number).flatMap(choicesOf);
    const chosen = has ? choices.filter(has) : choices;
    return has && !chosen.length ? [] : { match, number, chosen };
  });
  return all.map(({ match, number, chosen }, at) => ({
    match: number,
    played: match.played,
    pr: errorsOf(chosen).pr,
    mean: errorsOf(all.slice(Math.max(at + 1 - TOGETHER, 0), at + 1).flatMap((one) => one.chosen))
      .pr,
  }));
}

/** The errors of a selection, the largest first. @param {Shelf} shelf @param {Asked} asked */
async function largestErrors(shelf, asked) {
  const { theme, kind, phase, least, most, score, board, begin = 0, count = 20, reviews } = asked;
  if (phase !== undefined || board !== undefined)
    throw new Refusal("phase and board: these need the server", "unsupported");
  const away = score === undefined ? null : /^(\d{1,2})-(\d{1,2})$/.exec(score);
  if (score !== undefined && !away)
    throw new Refusal(`score ${quoted(score)}: expected points away such as 3-5`);
  const isIn = (/** @type {Brief} */ choice) =>
    choice.error >= ALIKE &&
    (theme === undefined || choice.themes.includes(theme)) &&
    (kind === undefined || ofKind(kind)(choice)) &&
    (least === undefined || choice.error >= Number(least)) &&
    (most === undefined || choice.error <= Number(most)) &&
    (!away || String(awayOf(choice)) === `${Number(away[1])},${Number(away[2])}`);
  const errors = (await sidesOf(shelf, asked)).flatMap((side) =>
    choicesOf(side)
      .filter(isIn)
      .map((choice) => ({ side, choice })),
  );
  errors.sort(
    ({ choice: a, side: { number: m } }, { choice: b, side: { number: n } }) =>
      b.error - a.error || m - n || a.game - b.game || a.action - b.action,
  );
  const shown = errors.slice(begin, begin + count);
  const digests = [...new Set(shown.map(({ side }) => side.match.digest))].slice(0, reviews);
  const wholes = new Map(
    await Promise.all(
      digests.map(async (digest) => /** @type {const} */ ([digest, await shelf.whole(digest)])),
    ),
  );
  const choices = shown.map(({ side, choice }) => {
    const whole = wholes
      .get(side.match.digest)
      ?.review.choices.find(
        ({ game, kind, xgid }) =>
          game === choice.game && kind === choice.kind && xgid === choice.xgid,
      );
    return studied(side, choice, whole);
  });
  const total = errors.reduce((sum, { choice }) => sum + choice.error, 0);
  return { count: errors.length, total_error: total, choices };
}

/** The points that the player who decides and the opponent still need. @param {Brief} choice */
function awayOf({ xgid, kind }) {
  const { away } = termsOf(readPlace(xgid).context);
  return kind === "take" || kind === "pass" ? [away[1], away[0]] : away;
}

/** What a decision lacks if its review was not read. */
const UNREAD = {
  depth: 0,
  values: null,
  chances: null,
  plays: [],
  rollout: null,
  level: "",
  stored: null,
};

/**
 * A decision of the library.
 * @param {Side} side
 * @param {Brief} choice
 * @param {Choice | undefined} whole with its analysis
 * @returns {StudiedChoice}
 */
function studied({ match, side, name, opponent }, choice, whole) {
  const { game_value: _, ...analysed } = whole ?? { ...UNREAD, ...choice, game_value: 0 };
  const day = match.played ? `${match.played}, ` : "";
  const what = match.length ? `to ${match.length}` : "money";
  return {
    ...analysed,
    names: side ? [opponent, name] : [name, opponent],
    source: `${day}${name} against ${opponent}, ${what}, game ${choice.game + 1}`,
    remark: "",
  };
}

/** The review of a match, with the players as they are called. @param {Shelf} shelf @param {Asked} asked */
async function reviewKept(shelf, { digest }) {
  const [whole, marks] = await Promise.all([shelf.whole(digest), shelf.marks()]);
  if (!whole) throw noMatch(digest);
  const players = whole.review.players.map((player) => ({
    ...player,
    name: calledIn(marks, player.name),
  }));
  return { ...whole.review, players };
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
  const sides = await sidesOf(shelf, { player });
  if (!sides.length) throw new Refusal(`player ${quoted(player)}: no match has this player`);
  const called = visible(name).trim().replace(/\s+/g, " ");
  if (!isName(called)) throw new Refusal("name: expected 1 to 100 characters");
  const other = sides.find(
    ({ opponent }) => folded(opponent) === folded(called) && folded(called) !== folded(player),
  );
  if (other)
    throw new Refusal(`name ${quoted(called)}: it is the opponent in match ${other.number}`);
  const marks = await shelf.marks();
  const written = sides.map(({ match, side }) => [folded(match.names[side]), called]);
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
  const { game, action, player, kind, xgid, made, best, error, cost, explanation, themes } = choice;
  return (
    Array.isArray(themes) &&
    [game, action, error, cost].every(Number.isFinite) &&
    (player === 0 || player === 1) &&
    [choice.counted, choice.active].every((flag) => typeof flag === "boolean") &&
    [kind, xgid, made, best, explanation, ...themes].every((text) => typeof text === "string") &&
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
  const here = new Set(all.flatMap(({ names }) => names.map(folded)));
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
    .filter(([written, name]) => isName(name) && !here.has(written))
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
