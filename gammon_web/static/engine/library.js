/**
 * The library of the page without a server: questions about matches that the browser keeps. What
 * groups of decisions cost is added up at each question. gammon_study/library is the twin in Python.
 */

import { ALIKE } from "../js/blunders.js";
import { Refusal, quoted } from "../js/refusal.js";
import { SCHEMA_VERSION } from "./answers.js";
import { readPlace } from "./ids.js";
import { matchIn, reviewOf } from "./judge.js";
import { mixed } from "./match_file.js";
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

/**
 * The players of the matches of a selection, both of each match unless one is selected.
 * @param {Shelf} shelf @param {Asked} asked @returns {Promise<Side[]>}
 */
async function sidesOf(shelf, { player, opponent, since, until, length }) {
  const [all, { called }] = await Promise.all([shelf.all(), shelf.marks()]);
  const is = (/** @type {string} */ name, /** @type {string | undefined} */ wanted) =>
    wanted === undefined || folded(name) === folded(wanted);
  return all.flatMap((match, at) => {
    const { played } = match;
    const names = match.names.map((name) => called[folded(name)] ?? name);
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
  const [whole, { called }] = await Promise.all([shelf.whole(digest), shelf.marks()]);
  if (!whole) throw noMatch(digest);
  const players = whole.review.players.map((player) => ({
    ...player,
    name: called[folded(player.name)] ?? player.name,
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

/** Give a player another name in all matches. @param {Shelf} shelf @param {Asked} asked */
async function renamed(shelf, { player, name }) {
  const sides = await sidesOf(shelf, { player });
  if (!sides.length) throw new Refusal(`player ${quoted(player)}: no match has this player`);
  if (!name.trim() || name.length > 100) throw new Refusal("name: expected 1 to 100 characters");
  const other = sides.find(
    ({ opponent }) => folded(opponent) === folded(name) && folded(name) !== folded(player),
  );
  if (other) throw new Refusal(`name ${quoted(name)}: it is the opponent in match ${other.number}`);
  const marks = await shelf.marks();
  const written = sides.map(({ match, side }) => [folded(match.names[side]), name.trim()]);
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
  const read = await matchIn(ready.engine, blob);
  const fate = await place(shelf, read.match, again);
  if ("what" in fate) return tell("added", { file, what: fate.what, detail: "" });
  const heard = (/** @type {unknown} */ progress) => (tell("progress", progress), wanted());
  const review = given ?? (await reviewOf(ready, blob, Number(level), heard));
  if (!review) return;
  const match = keptOf(fate, read.match, file, review);
  await shelf.put(match, { text: read.text, review }, fate.instead);
  const what = fate.instead ? "continued" : "reviewed";
  tell("added", { file, what, detail: match.analysis });
}

/**
 * The place of a match in the library, or what keeps it out.
 * @param {Shelf} shelf @param {Match} match
 * @param {boolean} again whether a match that was removed may come again
 * @returns {Promise<{what: string} | {line: string, digest: string, instead?: string}>} `instead`: the
 *   digest of the beginning of this match
 */
async function place(shelf, match, again) {
  const line = lineOf(match);
  const digest = digestOf(line);
  const [all, marks] = await Promise.all([shelf.all(), shelf.marks()]);
  if (all.some((kept) => kept.line.startsWith(line))) return { what: "already there" };
  if (marks.removed.includes(digest) && !again) return { what: "removed before" };
  const part = all.find((kept) => line.startsWith(kept.line));
  return { line, digest, instead: part?.digest };
}

/** What identifies a match: its players, its length, and all actions. @param {Match} match */
function lineOf({ names, length, games }) {
  const actions = games.flatMap((game, number) =>
    game.actions.map(({ kind, player, place: { dice }, play }) =>
      [number, kind, player, dice?.join("") ?? "", play].join(" "),
    ),
  );
  return [...names.map(folded), length, ...actions].map((part) => `${part}\n`).join("");
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
  const date = Object.entries(details).find(
    ([name, value]) => /date/i.test(name) && DAY.test(value),
  );
  const [, year, month, day] = DAY.exec(date?.[1] ?? "") ?? [];
  return {
    digest,
    line,
    file,
    added: new Date().toISOString().replace("T", " ").replace(/\..*/, "+00:00"),
    played: year ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : null,
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
  for (const { digest, file } of await shelf.all())
    matches.push({ file, ...(await shelf.whole(digest)) });
  const text = JSON.stringify({ format: FORMAT, ...(await shelf.marks()), matches });
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
}

/** Whether a value has what the library adds up of a review. @param {any} review */
function isReview(review) {
  const { schema_version: version, players, choices } = review ?? {};
  const isNumber = Number.isFinite;
  return (
    version === SCHEMA_VERSION &&
    [players, choices].every(Array.isArray) &&
    players.length === 2 &&
    players.every(
      (/** @type {any} */ one) => typeof one?.name === "string" && isNumber(one.luck),
    ) &&
    choices.every(
      (/** @type {any} */ one) =>
        [one?.game, one?.action, one?.player, one?.error, one?.cost].every(isNumber) &&
        [one.kind, one.xgid, one.made, one.best, one.explanation].every(
          (text) => typeof text === "string",
        ) &&
        Array.isArray(one.themes),
    )
  );
}

/**
 * Add the matches of a saved library, and its names of players unless there are others here.
 * @param {Shelf} shelf @param {Asked} asked `body`: the file
 * @param {Ready} ready @param {Tell} tell
 */
async function merged(shelf, { body }, ready, tell) {
  const stream = body.stream().pipeThrough(new DecompressionStream("gzip"));
  const library = await new Response(stream).json().catch(() => null);
  if (library?.format !== FORMAT || !Array.isArray(library.matches))
    throw new Refusal("It is no library that this page has saved.");
  let count = 0;
  for (const { file, text, review } of library.matches) {
    if (!isReview(review)) throw new Refusal(`${quoted(String(file))} is damaged: ${count} added.`);
    const { match } = await matchIn(ready.engine, new Blob([text]));
    const fate = await place(shelf, match, false);
    if ("what" in fate) continue;
    await shelf.put(keptOf(fate, match, String(file), review), { text, review }, fate.instead);
    count += 1;
  }
  const marks = await shelf.marks();
  await shelf.mark({
    removed: [...new Set([...marks.removed, ...library.removed])],
    called: { ...library.called, ...marks.called },
  });
  return { matches: count };
}
