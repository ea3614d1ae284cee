/**
 * Reads match files as text (.mat), and checks each play against the rules.
 * gammon_study/match_files/mat.py is its twin, with more warnings about damaged files.
 */

import { OPENING } from "../board/constants.js";
import { Refusal, quoted } from "../js/refusal.js";
import { FRESH } from "./ids.js";
import { legalOf, numberOf, over } from "./positions.js";
import { HIGHEST, after, offered, termsOf } from "./terms.js";

/**
 * @import {Engine} from "./gammon.js"
 * @import {Place} from "./ids.js"
 * @typedef {"roll" | "double" | "take" | "pass" | "resign"} Kind
 * @typedef {{kind: Kind, player: number, place: Place, play: string}} Action with the position
 *   before it; for an answer, with the double on offer
 * @typedef {{length: number, points: [number, number], crawford: boolean, jacoby: boolean, live:
 *   boolean}} Score before a game, the left player's points first
 * @typedef {{score: Score, actions: Action[], winner: number | null, points: number, ruled:
 *   [number, number] | null}} Played `ruled`: the winner and the points, if the rules ended the game,
 *   not a resignation
 * @typedef {Played & {remarks: Map<number, string>}} Game `remarks`: marks and comments in the file, by
 *   the numbers of the actions
 * @typedef {{names: [string, string], length: number, details: Record<string, string>, warnings:
 *   string[], games: Game[]}} Match `details`: facts of the same name are lines of one text
 * @typedef {{line: number, side: number, sure: boolean, text: string}} Cell `sure`: its column is
 *   certain
 * @typedef {{line: number, names: [string, string], points: [number, number], cells: Cell[], wins:
 *   Cell | null, resigned: Cell | null, rows: number, remarks: [number, string, string][]}} Block a
 *   game's lines; of a remark the number of its cell, the comment and the mark
 */

/** @type {[RegExp, Kind][]} */
const KINDS = [
  [/^(re)?doubl/i, "double"],
  [/^(take|accept)/i, "take"],
  [/^(drop|pass|reject)/i, "pass"],
];
const CELL =
  /(?<!\S)(?:[1-6]{2}\s*:(?:\s*(?:cannot move|no play|pass)\b)?|00:|(?:(?:re)?doubl|beaver|take|accept|drop|pass|reject|win|resign|concede|losses)\w*)/gi;
const NAMES = /^(\S.*?) ?: ?(\d{1,7}) (\S.*?) ?: ?(\d{1,7})$/;
/** A comment of eXtreme Gammon: the game begins from another position. */
const SET_UP = /^;\s*Set Pos\b/i;
const LONGEST = { match: 64, name: 60, line: 500, game: 10000, money: 32767 };
/** What follows the name of a player in a comment on the player's cell. */
const REMARK = /^(?: \((very bad|bad|doubtful|interesting|very good|good|flagged)\))?:(.*)/;
/** The most characters of the comments on an action. */
const LONGEST_REMARK = 10000;
/** A cell alone in its row is the left player's if it begins before this column. */
const MIDDLE = 22;

/**
 * Read a match.
 * @param {Engine} engine lists the legal plays
 * @param {string} text the text of the file
 * @returns {Match}
 */
export function readMat(engine, text) {
  const { length, blocks, details, warnings } = sheetOf(text);
  if (length === null)
    throw new Refusal(
      "no length of the match: expected a match file (.mat), with a line such as ' 7 point match', or 0 points for money",
    );
  if (!blocks.length) throw new Refusal("no game: expected ' Game 1' and both players below it");
  const option = (/** @type {string} */ name) =>
    Object.entries(details)
      .find(([key]) => key.toLowerCase() === name)?.[1]
      .replace(/^.*\n/s, "") // the last line counts
      .toLowerCase() ?? "";
  if (!["", "backgammon"].includes(option("variation")))
    throw new Refusal(`a match of ${quoted(option("variation"))}: only backgammon is read`);
  const jacoby = !length && ["on", "true", "yes"].includes(option("jacoby"));
  const live = option("cubelimit") !== "1";
  const rule = length > 1 && !["off", "false", "no"].includes(option("crawford"));
  const before = warnings.length;
  const warn = (/** @type {number} */ line, /** @type {string} */ words) =>
    warnings.push(`line ${line}: ${words}`);
  let games = gamesOf(engine, blocks, { length, jacoby, live }, rule, warn);
  if (
    !length &&
    !jacoby &&
    games.some((game, number) => isGammonForOne(game, blocks[number], blocks[number + 1]))
  ) {
    warnings.length = before;
    warn(blocks[0].line, "a gammon counts 1 point: read with the Jacoby rule");
    games = gamesOf(engine, blocks, { length, jacoby: true, live }, rule, warn);
  }
  if (games.every(({ actions }) => !actions.length))
    throw new Refusal(`${warnings[0] ?? "no roll"}; nothing else can be read`);
  const names = /** @type {[string, string]} */ (
    blocks[0].names.map((name) => name.normalize("NFC").slice(0, LONGEST.name).trimEnd())
  );
  return { names, length, details, warnings, games };
}

/**
 * The games of a file.
 * @param {Engine} engine @param {Block[]} blocks @param {Pick<Score, "length" | "jacoby" | "live">}
 *   rules
 * @param {boolean} rule whether there is a Crawford game
 * @param {(line: number, words: string) => void} warn
 */
function gamesOf(engine, blocks, rules, rule, warn) {
  const { length } = rules;
  let isAhead = rule; // whether the Crawford game is still to come
  return blocks.map((block, number) => {
    // The first game in which a side needs one point is the Crawford game, unless it has a double.
    const crawford =
      isAhead && Math.max(...block.points) === length - 1 && Math.min(...block.points) < length - 1;
    if (crawford) isAhead = false;
    const doubled = block.cells.some(({ text }) => KINDS[0][0].test(text));
    const score = { ...rules, points: block.points, crawford: crawford && !doubled };
    const game = gameOf(engine, block, score, blocks[number + 1], warn);
    return { ...game, remarks: remarksOn(game.actions, block) };
  });
}

/**
 * Whether a gammon by the rules counts one point in the file, as by the Jacoby rule.
 * @param {Played} game
 * @param {Block} block
 * @param {Block} [next]
 */
function isGammonForOne({ actions, ruled }, block, next) {
  if (!ruled || ruled[1] === 1 || actions[actions.length - 1].place.context.cube) return false;
  const results = [block.wins && statedOf(block, next), gainedOf(block, next)]; // GNU Backgammon has it in the heading
  return results.some((result) => result?.[0] === ruled[0] && result[1] === 1);
}

/** The contents of the lines, before the rules are applied. @param {string} text */
function sheetOf(text) {
  /**
   * @type {{length: number | null, details: Record<string, string>, blocks: Block[], warnings:
   *   string[]}}
   */
  const sheet = { length: null, details: {}, blocks: [], warnings: [] };
  let begun = 0; // the line of a game whose players are still to come
  for (const [at, raw] of text.split(/\r\n?|\n/).entries()) {
    const [line, words] = [at + 1, raw.trim()];
    const block = sheet.blocks[sheet.blocks.length - 1];
    const comment = /^[;#]\s*(?:\[([^"\]]*)"(.*)"\s*\])?/.exec(words);
    const length =
      /^(\d{1,4})[ -]*points? match\b/i.exec(words)?.[1] ??
      (/^(unlimited|money) (match|game|session)\b/i.test(words) ? 0 : null);
    if (comment?.[1]) {
      const [name, value] = [comment[1].trim(), comment[2]];
      const known = Object.hasOwn(sheet.details, name) ? `${sheet.details[name]}\n` : "";
      sheet.details[name] = known + value;
    } else if (comment && block && !begun && !SET_UP.test(words))
      addRemark(block, words.slice(1).trim());
    if (SET_UP.test(words)) block?.cells.push({ line, side: 0, sure: true, text: words });
    if (!words || comment) continue;
    if (/^Game\s+\d{1,6}$/i.test(words)) begun = line;
    else if (begun) {
      const [, left, own, right, their] =
        NAMES.exec(words.slice(0, LONGEST.line).replace(/\s+/g, " ")) ?? [];
      if (!right)
        throw new Refusal(
          `line ${line}: ${quoted(words)}: expected both players and their points, such as Ann : 0   Bob : 2`,
        );
      const points = /** @type {[number, number]} */ ([Number(own), Number(their)]);
      if (sheet.length && Math.max(...points) >= sheet.length)
        throw new Refusal(
          `line ${line}: a score of ${Math.max(...points)} before a game of a match to ${sheet.length}`,
        );
      if (Math.max(...points) > LONGEST.money)
        throw new Refusal(
          `line ${line}: a score of ${Math.max(...points)} for money: expected at most ${LONGEST.money}`,
        );
      sheet.blocks.push({
        line: begun,
        names: [left, right],
        points,
        cells: [],
        wins: null,
        resigned: null,
        rows: 0,
        remarks: [],
      });
      begun = 0;
    } else if (block) takeRow(block, line, expanded(raw));
    else if (length === null || sheet.length !== null)
      sheet.warnings.push(`line ${line}: ${quoted(words)} is not understood`);
    else if (Number(length) > LONGEST.match)
      throw new Refusal(
        `line ${line}: a match of ${length} points: expected at most ${LONGEST.match}, or 0 for money`,
      );
    else sheet.length = Number(length);
  }
  return sheet;
}

/**
 * Add a comment below the last row; behind the name of a player it is on the player's cell in the row.
 * @param {Block} block @param {string} text without the character that begins it
 */
function addRemark({ names, cells, remarks }, text) {
  const last = Math.max(cells.length - 1, 0);
  for (const [side, name] of names.entries()) {
    const [, mark = "", comment] =
      (text.startsWith(name) && REMARK.exec(text.slice(name.length))) || [];
    if (comment === undefined) continue;
    const isBefore = last > 0 && cells[last].side !== side;
    remarks.push([last - Number(isBefore), comment.replace(/\\(.)/g, "$1"), mark]);
    return;
  }
  remarks.push([last, text, ""]);
}

/**
 * The remarks on the actions of a game. A remark on a resignation, or on what was left out, belongs to
 * the action before.
 * @param {Action[]} actions @param {Block} block
 */
function remarksOn(actions, { remarks }) {
  const last = actions.reduce((at, { kind }, number) => (kind === "resign" ? at : number), -1);
  /** @type {Map<number, {text: string, mark: string}>} */
  const byAction = new Map();
  for (const [number, text, mark] of last < 0 ? [] : [...remarks].sort(([a], [b]) => a - b)) {
    const place = Math.min(number, last);
    const known = byAction.get(place) ?? { text: "", mark: "" };
    const both = [known.text, text].join(" ").trim().replace(/\s+/g, " ");
    byAction.set(place, { text: both.slice(0, LONGEST_REMARK), mark: known.mark || mark });
  }
  const words = (/** @type {{text: string, mark: string}} */ { text, mark }) =>
    (mark ? `[${mark}] ${text}` : text).trim();
  return new Map([...byAction].map(([number, remark]) => [number, words(remark)]));
}

/** A line with blanks in place of its tabs. @param {string} line */
function expanded(line) {
  return line
    .split("\t")
    .reduce((made, part) => made.padEnd(8 * Math.floor(made.length / 8) + 8) + part);
}

/** Add a line with cells. @param {Block} block @param {number} line @param {string} text */
function takeRow(block, line, text) {
  const row = /^\s*\d{1,4}\)/.exec(text)?.[0] ?? "";
  if (row) block.rows += 1;
  const starts = [...text.slice(row.length).matchAll(CELL)].map(({ index }) => row.length + index);
  if (text.slice(row.length, starts[0]).trim()) starts.unshift(row.length); // words without a meaning
  starts.forEach((start, at) => {
    const pair = starts.length === 2;
    const cell = {
      line,
      side: pair ? at : Number(start >= MIDDLE),
      sure: pair || block.rows > 1,
      text: text.slice(start, starts[at + 1]).trim(),
    };
    if (/^(resign|concede|losses)/i.test(cell.text)) block.resigned = cell;
    else if (/^wins?\s+\d{1,4}\b/i.test(cell.text)) {
      if (starts.length === 1 && block.resigned?.sure) cell.side = 1 - block.resigned.side; // whatever its column
      block.wins ??= cell;
    } else if (block.cells.length <= LONGEST.game) block.cells.push(cell);
  });
}

/**
 * A game, as far as it can be read.
 * @param {Engine} engine @param {Block} block @param {Score} score @param {Block | undefined} next
 * @param {(line: number, words: string) => void} warn @returns {Played}
 */
function gameOf(engine, block, score, next, warn) {
  const { live, points: scores, ...rest } = score;
  const { cells, wins, resigned, line } = block;
  const stated = statedOf(block, next);
  let player = cells[0]?.sure === false ? (cells.length > 1 ? 1 : cells[0].side) : 0;
  /** @type {Place} */
  let place = {
    points: OPENING,
    dice: null,
    context: { ...FRESH, ...rest, scores, most: live ? FRESH.most : 0, turn: player ? -1 : 1 },
  };
  /** @type {Action[]} */
  const actions = [];
  /** @type {[number, number] | null} who has won, and how much */
  let result = null;
  for (const { line, side, sure, text } of cells) {
    try {
      if (result) throw new Refusal(`${quoted(text)} after the end of the game`);
      if (sure && side !== player)
        throw new Refusal(`${quoted(text)}: expected the ${["left", "right"][player]} player`);
      const { next, ...action } = actionOf(engine, text, place, actions.length === 0);
      actions.push({ ...action, player });
      if (action.kind === "pass") result = [1 - player, 2 ** place.context.cube];
      const won = over(next, termsOf(next.context));
      if (won) result = [player, won.scored];
      place = next;
      player = 1 - player;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      warn(line, `${error.message}; the rest of this game is left out`);
      if (result) break;
      return { score, actions, winner: stated?.[0] ?? null, points: stated?.[1] ?? 0, ruled: null };
    }
  }
  const ruled = result;
  if (!result && !wins && !(resigned && stated)) warn(line, "this game has no end");
  if (!result && stated && resigned?.sure && resigned.side === stated[0])
    warn(resigned.line, `${block.names[stated[0]]} resigned, but has won by the file's points`);
  if (!result && stated) {
    const cube = 2 ** place.context.cube;
    const [winner, won] = stated;
    result = [
      winner,
      score.length && won === score.length - scores[winner] ? Math.max(won, cube) : won,
    ]; // some files count no more than the match needs
    if ([1, 2, 3].some((factor) => factor * cube === result?.[1]))
      actions.push({ kind: "resign", player: 1 - winner, place, play: "" });
  }
  return { score, actions, winner: result?.[0] ?? null, points: result?.[1] ?? 0, ruled };
}

/**
 * The winner of a game and the points, by the file's words or by the next game's score.
 * @param {Block} block
 * @param {Block} [next]
 * @returns {[number, number] | null}
 */
function statedOf(block, next) {
  const { wins } = block;
  const gained = gainedOf(block, next);
  const stated = Number(/\d+/.exec(wins?.text ?? "")?.[0] ?? 0);
  return !wins || !stated || gained?.[1] === stated ? gained : [wins.side, stated];
}

/**
 * The winner of a game and the points, by the next game's score.
 * @param {Block} block
 * @param {Block} [next]
 * @returns {[number, number] | null}
 */
function gainedOf({ points }, next) {
  const gained = next ? next.points.map((count, side) => count - points[side]) : [0, 0];
  const most = Math.max(...gained);
  return most > 0 && Math.min(...gained) === 0 ? [gained.indexOf(most), most] : null;
}

/**
 * The action of a cell.
 * @param {Engine} engine @param {string} text @param {Place} place
 * @param {boolean} first whether it is the first action of the game
 * @returns {{kind: Kind, place: Place, play: string, next: Place}} `place` is before the action,
 *   with the dice, and `next` after it
 */
function actionOf(engine, text, place, first) {
  const { context } = place;
  const terms = termsOf(context);
  const roll = /^([1-6])([1-6])\s*:(.*)/.exec(text);
  const kind = roll ? "roll" : KINDS.find(([words]) => words.test(text))?.[1];
  if (!kind) throw new Refusal(`${quoted(text)} is not understood`);
  const answers = kind === "take" || kind === "pass";
  if (answers !== (context.offer === "D"))
    throw new Refusal(
      `${quoted(text)}: expected ${answers ? "a roll or a double" : "an answer to the double"}`,
    );
  if (answers)
    return {
      kind,
      place,
      play: "",
      next:
        kind === "take"
          ? {
              ...place,
              context: {
                ...context,
                cube: context.cube + 1,
                owner: -context.turn,
                offer: "",
                decides: 0,
              },
            }
          : place,
    };
  if (kind === "double") {
    const cube = Number(/\d+/.exec(text)?.[0] ?? 2 * terms.cube);
    if (
      cube !== 2 * terms.cube ||
      first ||
      terms.crawford ||
      !terms.live ||
      terms.owner < 0 ||
      cube > HIGHEST
    )
      throw new Refusal(`${quoted(text)}: no such double can be made there`);
    return { kind, place, play: "", next: offered(place) };
  }
  const [, high, low, written] = /** @type {RegExpExecArray} */ (roll).map((part) =>
    part.replace(/["'`´]/g, " ").trim(),
  );
  const dice = /** @type {[number, number]} */ ([Number(high), Number(low)]);
  if (first && high === low)
    throw new Refusal("a double as the first roll of a game: expected two unlike dice");
  const plays = legalOf(engine, place.points, terms, dice);
  const unknown = /^(\?*|illegal play.*)$/i.test(written);
  if (unknown && plays.length > 1) throw new Refusal(`the play of ${high}${low} is not recorded`);
  const play =
    plays[
      unknown
        ? 0
        : numberOf(
            /^(no play|pass)$/i.test(written) ? "cannot move" : written,
            place.points,
            plays,
            dice,
          )
    ];
  return { kind, place: { ...place, dice }, play: play.notation, next: after(place, play.points) };
}
