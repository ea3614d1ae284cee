/**
 * The library of the page without a server: questions about its matches. What groups of decisions cost
 * is added up at each question. gammon_study/library is the twin in Python.
 */

import { ALIKE } from "../js/blunders.js";
import { Refusal, quoted } from "../js/refusal.js";
import { SCHEMA_VERSION } from "./answers.js";
import { readPlace } from "./ids.js";
import { calledIn, CHANGES, folded, isTime } from "./shelving.js";
import { termsOf } from "./terms.js";
import { classOf, errorsOf, PARTS } from "./totals.js";

/**
 * @import {Choice, Group, GroupPart, Trend, StudiedChoice} from "../../answers.js"
 * @import {Asked, Ready, Tell, Wanted} from "./questions.js"
 * @import {Brief, Kept, Shelf} from "./shelving.js"
 * @typedef {{match: Kept, number: number, side: number, name: string, opponent: string}} Side a player
 *   of a match, whose number is its place in the library from 1 on
 */

/** The number of matches in the moving average of a trend. */
const TOGETHER = 10;
/** The kinds of decisions that errors of a theme are among. */
const ERRORS_OF = /** @type {Record<string, Choice["kind"]>} */ ({
  "missed double": "no double",
  "wrong double": "double",
  "wrong take": "take",
  "wrong pass": "pass",
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
  ...CHANGES,
  "library/matches": listOf,
  "study/stats": async (shelf, { by = "all", ...asked }) => ({
    schema_version: SCHEMA_VERSION,
    by,
    groups: groupsOf(await sidesOf(shelf, asked), asked, by),
    analyses: groupsOf(await sidesOf(shelf, asked), asked, "analysis"),
  }),
  "study/trend": trendOf,
  "study/errors": largestErrors,
};

/**
 * Refuse a selection that is malformed.
 * @param {Asked} asked
 */
function check({ since, until, length, least, most }) {
  for (const [name, time] of Object.entries({ since, until }))
    if (time !== undefined && !isTime(time))
      throw new Refusal(
        `${name} ${quoted(time)}: expected a day, a month or a year, such as 2026-11`,
      );
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
    const names = calledIn(marks, match.names);
    const inTime =
      (since === undefined || (played !== null && played >= since)) &&
      (until === undefined || (played !== null && played <= `${until}~`));
    if (!inTime || (length !== undefined && match.length !== Number(length))) return [];
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
    const isOf = (/** @type {Side} */ side) =>
      ofDecisions || folded(labelOf(by, side)) === folded(group.name);
    return figuresOf(group, {
      whole: !ofDecisions && !has && one,
      parts: !ofDecisions && !has,
      decisions: among
        ? errorsOf(sides.filter(isOf).flatMap(choicesOf).filter(ofKind(among))).counted
        : null,
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
 * The figures of a group. The page shows no interval, so there is none.
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
    interval: null,
  };
}

/** @param {Brief[]} choices @returns {GroupPart} */
function partIn(choices) {
  const { pr, counted, wrong, marks, error } = errorsOf(choices);
  return { pr, counted, wrong, bad: marks[1] + marks[2], error, interval: null };
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
};

/**
 * A decision of the library.
 * @param {Side} side
 * @param {Brief} choice
 * @param {Choice | undefined} whole with its analysis
 * @returns {StudiedChoice}
 */
function studied({ match, side, name, opponent }, choice, whole) {
  const unread = { ...UNREAD, ...choice, game_value: 0, stored: null };
  const { game_value: _, stored: __, ...analysed } = whole ?? unread;
  const day = match.played ? `${match.played}, ` : "";
  const what = match.length ? `to ${match.length}` : "money";
  return {
    ...analysed,
    names: side ? [opponent, name] : [name, opponent],
    source: `${day}${name} against ${opponent}, ${what}, game ${choice.game + 1}`,
  };
}
