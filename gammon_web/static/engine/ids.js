/**
 * Reads and writes the IDs of positions: XGID, OGID, Position ID and Match ID. gammon/formats is the
 * twin in Python.
 */

import { CHECKERS, SIZE } from "../board/constants.js";
import { fieldsOf, flipped, offOf, xgidOf as textOf } from "../board/position.js";
import { Refusal, quoted } from "../js/refusal.js";

/**
 * The contents of an ID beside the checkers. Owner, turn, scores and the side that decides are by
 * seat: 1 and the first score are at the bottom, -1 at the top. `cube` and `most` are logarithms.
 * @typedef {{cube: number, owner: number, turn: number, scores: [number, number], length: number,
 *   crawford: boolean,
 *   jacoby: boolean, beavers: boolean, most: number, offer: string, resignation: number, decides:
 *   number,
 *   state: number, reserved: number}} Context
 * @typedef {{points: number[], dice: [number, number] | null, context: Context}} Place a position,
 *   seen from the player on roll
 */

/** @type {Context} Money, before the roll. */
export const FRESH = {
  cube: 0,
  owner: 0,
  turn: 1,
  scores: [0, 0],
  length: 0,
  crawford: false,
  jacoby: false,
  beavers: false,
  most: 10,
  offer: "",
  resignation: 0,
  decides: 0,
  state: 1,
  reserved: 0,
};
/** @type {[string, number, number][]} The name of each number of an XGID, and its range. */
const NUMBERS = [
  ["cube", 0, 15],
  ["cube owner", -1, 1],
  ["turn", -1, 1],
  ["dice", NaN, NaN],
  ["score", 0, 32767],
  ["score", 0, 32767],
  ["rules", 0, 3],
  ["match length", 0, 32767],
  ["maximum cube", 0, 15],
];
/** @type {[string, number][]} The fields of a Match ID from the lowest bit up, and their bits. */
const FIELDS = [
  ["cube", 4],
  ["owner", 2],
  ["turn", 1],
  ["crawford", 1],
  ["state", 3],
  ["decides", 1],
  ["doubled", 1],
  ["resignation", 2],
  ["die1", 3],
  ["die2", 3],
  ["length", 15],
  ["top", 15],
  ["bottom", 15],
  ["noJacoby", 1],
  ["reserved", 5],
];
const XGID =
  /(?:XGID *[:=]? *)?(?<![A-Za-z0-9-])([A-Pa-p-]{26}(?::-?[0-9A-Za-z]{1,5}){8}:\d{1,5})(?![\d:])/i;
const BEGUN = /XGID *[:=]? *(\S+)/i;
const OGID =
  /(?:OGID *[:=]? *|^|(?<=[ /=?&#([{>|,;]))([0-9a-z]{0,30}:[0-9a-z]{0,30}:[A-Z?]\d{1,2}[A-Z](?::[0-9A-Z]{0,6}){0,9})(?![\w:]|\?\w)/;
const OGID_BEGUN = /OGID *[:=]? *(?=[^ :]{0,40}:)(\S+)/i;
/** The character of each place of an OGID, from White's bar to Black's. */
const PLACES = "0123456789abcdefghijklmnop";
/** A lookahead that consumes nothing, because a part of an address may end inside an ID. */
const GNU = /(?<![\w+])(?=([A-Za-z0-9+/]{14})={0,2}(?![\w+=])(?::([^\s,;|<>()]+))?)/g;
/** Texts that are an ID and nothing else, without blanks. */
const XGID_ALONE = /^(?:XGID[:=]?){0,2}([A-P-]{26}(?::-?[0-9A-Z]{1,5}){8}:\d{1,2})$/i;
const GNU_ALONE = /^([A-Za-z0-9+/]{14})={0,2}(?:[:,;|]?([A-Za-z0-9+/]{12}))?$/;
const LABELS = /(?:GNU Backgammon|(?:Position|Match)[ -]?ID|GNU(?:bg)?[ -]?ID) ?[:=]?/gi;
/** Characters around an ID that do not belong to it. */
const AROUND = /^[ .,;:!?()[\]{}<>|*~#=]+|[ .,;:!?()[\]{}<>|*~#=]+$/g;
const LABELLED = /Match[ -]?ID ?[:=]? ?([A-Za-z0-9+/]{12})(?![\w+/=])/i;
/** Without a label a Match ID is recognized by its end: the last bits of all known IDs are 0. */
const MATCH = /(?<![\w+/:])[A-Za-z0-9+][A-Za-z0-9+/]{10}[A-H](?![\w+/=])/g;

/** Links are decoded twice, for a link inside another one. */
const DECODED = 2;
/** How far the full-width characters of East Asian keyboards are behind the usual ones. */
const FULL_WIDTH = 0xfee0;

/** @param {string} text @param {string} wrong @returns {never} */
function refuse(text, wrong) {
  throw new Refusal(`${quoted(text)}: ${wrong}`, "invalid_position");
}

/** @param {number[]} points @param {string} text where they come from */
function checked(points, text) {
  for (const [at, off] of offOf(points).entries()) {
    const side = at ? "opponent" : "player on roll";
    if (off < 0)
      refuse(text, `the ${side} has ${CHECKERS - off} checkers, expected at most ${CHECKERS}`);
  }
  if (points[0] > 0 || points[SIZE - 1] < 0)
    refuse(text, "a checker stands on the other side's bar");
  if (points.every((count) => !count))
    refuse(text, "the board is empty, no game has that position");
  return points;
}

/**
 * Refuse a context that no game can have.
 * @param {Context} context
 * @param {string} text where it comes from
 */
function playable(context, text) {
  const { length, scores, crawford, cube, owner, offer } = context;
  const most = Math.max(...scores);
  if (length && most >= length) {
    const wrong = most > length ? `expected at most ${length - 1}` : "which is over";
    refuse(text, `score ${most} in a match of ${length}, ${wrong}`);
  }
  if (length && crawford && most !== length - 1)
    refuse(
      text,
      `Crawford game at ${scores[0]} to ${scores[1]} in a match of ${length}, expected a score of ${length - 1}`,
    );
  if (length && cube && !owner && !offer)
    refuse(text, `centred cube at ${2 ** cube} in a match, expected an owner`);
  return context;
}

/** @param {string} text without the prefix @returns {Place} */
function parseXgid(text) {
  const fail = (/** @type {string} */ wrong) => refuse(text, wrong);
  const [checkers, ...rest] = text.split(":");
  if (rest.length !== NUMBERS.length)
    fail(
      `expected an XGID of ${NUMBERS.length + 1} fields between colons, found ${rest.length + 1}`,
    );
  if (checkers.length !== SIZE)
    fail(`expected ${SIZE} characters of checkers, found ${checkers.length}`);
  const wrong = /[^A-Pa-p-]/.exec(checkers);
  if (wrong) fail(`checkers ${quoted(wrong[0])}, expected -, A to P or a to p`);
  const numbers = NUMBERS.map(([name, low, high], at) => {
    if (name === "dice") return 0;
    const value = /^-?\d{1,5}$/.test(rest[at]) ? Number(rest[at]) : NaN;
    const shown = Number.isNaN(value) ? quoted(rest[at]) : value;
    return value >= low && value <= high
      ? value
      : fail(`${name} ${shown}, expected ${low} to ${high}`);
  });
  const [cube, , turn, , , , rules] = numbers;
  const {
    points,
    score,
    length,
    owner,
    crawford,
    jacoby,
    beavers,
    most = FRESH.most,
  } = fieldsOf(text);
  if (turn === 0) fail("turn 0, expected 1 or -1");
  if (length && rules > 1) fail(`rules ${rules} in a match, expected 0, or 1 for Crawford`);
  const letter = rest[3];
  if (!/^([DBR]|00|[1-6]{2})$/.test(letter))
    fail(`dice ${quoted(letter)}, expected 00, D, B, R or two digits 1 to 6`);
  const offer = /[DBR]/.test(letter) ? letter : "";
  const context = {
    ...FRESH,
    cube,
    owner,
    turn,
    scores: score,
    length,
    crawford,
    jacoby,
    beavers,
    most,
    offer,
    decides: offer ? -turn : 0,
  };
  const dice =
    offer || letter === "00" ? null : /** @type {[number, number]} */ ([...letter].map(Number));
  return { points: checked(points, text), dice, context: playable(context, text) };
}

/** @param {Place} place */
export function xgidOf({ points, dice, context }) {
  return textOf({
    ...context,
    points,
    cube: 2 ** context.cube,
    dice: context.offer || (dice ?? []).join(""),
    score: context.scores,
  });
}

/** @param {string} text without the prefix @returns {Place} */
function parseOgid(text) {
  const fail = (/** @type {string} */ wrong) => refuse(text, wrong);
  const fields = text.split(":");
  if (fields.length < 5 || fields.length > 11)
    fail(`expected an OGID of 5 to 11 fields between colons, found ${fields.length}`);
  const [white, black, cubeField, dice, colour, state, own, their, lengthField, play, checkers] = [
    ...fields,
    ..."IW:0:0:0:0:15".split(":").slice(fields.length - 5),
  ];
  const cubeFound =
    /^([WBND?])(\d{1,2})([NOT])$/.exec(cubeField) ??
    fail(`cube ${quoted(cubeField)}, expected an owner, a number and N, O or T, such as N0N`);
  const lengthFound =
    /^(\d{0,5})(C|L|G\d{1,5})?$/.exec(lengthField) ??
    fail(`match length ${quoted(lengthField)}, expected a number, with C in the Crawford game`);
  const [cube, length, bottomScore, topScore] = [cubeFound[2], lengthFound[1], own, their].map(
    Number,
  );
  const offered = cubeFound[3] === "O" || state === "D";
  if (!/^([1-6]{2})?$/.test(dice))
    fail(`dice ${quoted(dice)}, expected none, or two digits 1 to 6`);
  if (!/^[WB]$/.test(colour)) fail(`colour ${quoted(colour)}, expected W or B`);
  if (!/^(|IW|IB|R|C|D|A)$/.test(state))
    fail(`state ${quoted(state)}, expected the state of a game, such as R or C`);
  if (!/^(15)?$/.test(checkers)) fail(`checkers ${quoted(checkers)}, expected 15 on each side`);
  if (
    [own, their, play].some((field) => !/^\d{0,9}$/.test(field)) ||
    Math.max(length, bottomScore, topScore) > 32767
  )
    fail("a number is out of range");
  if (length && lengthFound[2]?.startsWith("G"))
    fail("a match with a limit of games, expected none");
  if (cube > 15) fail(`cube ${cube}, expected 0 to 15`);
  if (dice && (offered || state === "C" || state === "D"))
    fail(`dice ${dice} before the roll, expected none`);
  const seat = (/** @type {string} */ letter) => (letter === "W" ? 1 : letter === "B" ? -1 : 0);
  // The colour is the side that reached the position, or doubled. In state IW without dice nobody has
  // rolled.
  const turn = state === "IW" && !dice ? 1 : offered ? seat(colour) : -seat(colour);
  const bottom = new Array(SIZE).fill(0);
  for (const [side, letters] of /** @type {[number, string][]} */ ([
    [1, white],
    [-1, black],
  ])) {
    for (const letter of letters.replaceAll("q", "")) {
      const place = PLACES.indexOf(letter);
      if (place < 0 || place === (side === 1 ? SIZE - 1 : 0))
        fail(`checker ${letter}, expected its bar, a point or q`);
      if (side * bottom[SIZE - 1 - place] < 0) fail(`both sides stand on point ${place}`);
      bottom[SIZE - 1 - place] += side;
    }
  }
  const context = {
    ...FRESH,
    cube,
    owner: seat(cubeFound[1]),
    turn,
    scores: /** @type {[number, number]} */ ([bottomScore, topScore]),
    length,
    crawford: length > 0 && lengthFound[2] === "C",
    most: cubeFound[1] === "D" ? cube : FRESH.most,
    offer: offered ? "D" : "",
    decides: offered ? -turn : 0,
  };
  const rolled = dice ? /** @type {[number, number]} */ ([...dice].map(Number)) : null;
  return {
    points: checked(turn === 1 ? bottom : flipped(bottom), text),
    dice: rolled,
    context: playable(context, text),
  };
}

/** @param {Place} place */
export function ogidOf({ points, dice, context }) {
  const { cube, owner, turn, scores, length, crawford, most, offer } = context;
  const bottom = turn === 1 ? points : flipped(points);
  const sides = [1, -1].map((side) =>
    [...PLACES]
      .map((letter, place) => letter.repeat(Math.max(0, side * bottom[SIZE - 1 - place])))
      .join(""),
  );
  const doubled = offer === "D";
  const letter = owner ? (owner === 1 ? "W" : "B") : cube >= most ? "D" : "N";
  const mark = length > 1 && scores.includes(length - 1) ? (crawford ? "C" : "L") : "";
  const colour = (doubled ? turn : -turn) === 1 ? "W" : "B";
  return `OGID=${[...sides, `${letter}${cube}${doubled ? "O" : "N"}`, dice ? dice.join("") : "", colour, dice ? "R" : doubled ? "D" : "C", ...scores, `${length}${mark}`, 0].join(":")}`;
}

/** The number that Base64 letters encode, the lowest byte first. @param {string} text */
function bitsOf(text) {
  const bytes = [...atob(text.padEnd(4 * Math.ceil(text.length / 4), "="))];
  return bytes.reduceRight((bits, byte) => (bits << 8n) | BigInt(byte.charCodeAt(0)), 0n);
}

/** @param {bigint} bits @param {number} bytes */
function lettersOf(bits, bytes) {
  const every = Array.from({ length: bytes }, (_, at) =>
    String.fromCharCode(Number((bits >> BigInt(8 * at)) & 255n)),
  );
  return btoa(every.join("")).replace(/=+$/, "");
}

/** @param {string} text 14 letters @returns {number[]} the points */
function parsePositionId(text) {
  let bits = bitsOf(text);
  const counts = Array.from({ length: 2 * (SIZE - 1) }, () => {
    let count = 0;
    for (; bits & 1n; bits >>= 1n) count++;
    bits >>= 1n;
    return count;
  });
  if (bits) refuse(text, "expected a Position ID, its bits run past two sides");
  const points = [0, ...counts.slice(SIZE - 1)];
  counts.slice(0, SIZE - 1).forEach((count, at) => {
    const place = SIZE - 2 - at;
    if (count && points[place])
      refuse(text, `expected a Position ID, both sides stand on point ${place}`);
    points[place] -= count;
  });
  return checked(points, text);
}

/** @param {number[]} points */
export function positionIdOf(points) {
  const their = flipped(points).slice(1);
  let bits = 0n;
  let length = 0n;
  for (const count of [...their, ...points.slice(1)]) {
    const checkers = BigInt(Math.max(0, count));
    bits |= ((1n << checkers) - 1n) << length;
    length += checkers + 1n;
  }
  return lettersOf(bits, 10);
}

/** @param {string} text 12 letters @returns {Omit<Place, "points">} */
function parseMatchId(text) {
  if (text.length !== 12)
    refuse(text, `expected a Match ID of 12 characters, found ${text.length}`);
  if (!/^[A-Za-z0-9+/]*$/.test(text))
    refuse(text, "expected a Match ID, of the characters A-Z, a-z, 0-9, + and / only");
  let bits = bitsOf(text);
  /** @type {Record<string, number>} */
  const field = {};
  for (const [name, width] of FIELDS) {
    field[name] = Number(bits & ((1n << BigInt(width)) - 1n));
    bits >>= BigInt(width);
  }
  const { die1, die2 } = field;
  if (field.owner === 2 || die1 > 6 || die2 > 6 || !die1 !== !die2)
    refuse(text, "expected a Match ID, with two dice or none");
  const seat = (/** @type {number} */ number) => (number === 0 ? -1 : 1);
  const turn = seat(field.turn);
  const decides = seat(field.decides);
  const context = {
    ...FRESH,
    cube: field.cube,
    owner: field.owner === 3 ? 0 : seat(field.owner),
    turn,
    scores: /** @type {[number, number]} */ ([field.bottom, field.top]),
    length: field.length,
    crawford: field.crawford > 0,
    jacoby: !field.noJacoby,
    offer: field.doubled ? "D" : "",
    resignation: field.resignation,
    decides: decides === turn ? 0 : decides,
    state: field.state,
    reserved: field.reserved,
  };
  return { context: playable(context, text), dice: die1 ? [die1, die2] : null };
}

/** @param {Place} place */
export function matchIdOf({ context, dice }) {
  const number = (/** @type {number} */ seat) => (seat === 1 ? 1 : 0);
  const {
    scores: [bottom, top],
    turn,
    owner,
    decides,
    ...same
  } = context;
  const [die1, die2] = dice ?? [0, 0];
  /** @type {Record<string, unknown>} */
  const field = {
    ...same,
    owner: owner ? number(owner) : 3,
    turn: number(turn),
    decides: number(decides || turn),
    doubled: context.offer === "D",
    die1,
    die2,
    top,
    bottom,
    noJacoby: !context.jacoby,
  };
  let bits = 0n;
  let at = 0n;
  for (const [name, width] of FIELDS) {
    bits |= BigInt(Number(field[name])) << at;
    at += BigInt(width);
  }
  return lettersOf(bits, 9);
}

/**
 * A text in one line, with hyphens for all dashes, and without percent signs and invisible characters.
 * @param {string} text
 * @param {string} longDash replaces an en or em dash, which some editors put in place of two hyphens
 */
function cleaned(text, longDash) {
  let clean = text.slice(0, 20_000);
  try {
    for (let times = 0; times < DECODED; times++) clean = decodeURIComponent(clean);
  } catch {
    // A literal percent sign.
  }
  return clean
    .replace(/\p{Cf}/gu, "")
    .replace(/[：＝／＋]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH))
    .replace(/[–—]/g, longDash)
    .replace(/[\p{Pd}−]/gu, "-")
    .replace(/\s+/g, " ")
    .trim();
}

/** Whether a word is an ID. @param {(word: string) => unknown} parse @param {string} word */
function isRead(parse, word) {
  try {
    return Boolean(parse(word));
  } catch {
    return false;
  }
}

/**
 * The position of an ID.
 * @param {string} id a Position ID @param {string} [match] a Match ID @returns {Place}
 */
function placeOf(id, match = undefined) {
  const points = parsePositionId(id);
  return match ? { points, ...parseMatchId(match) } : { points, dice: null, context: FRESH };
}

/**
 * The position of a text that is an ID and nothing else, with blanks anywhere in it; null for another text.
 * @param {string} clean
 */
function readAlone(clean) {
  const squeezed = clean.replace(LABELS, " ").replace(AROUND, "").replaceAll(" ", "");
  const xgid = XGID_ALONE.exec(squeezed);
  if (xgid) return parseXgid(xgid[1]);
  const ogid = OGID.exec(squeezed);
  if (ogid && ogid[1] === squeezed.replace(/^OGID[:=]?/i, "") && clean[0] !== ":")
    return parseOgid(ogid[1]);
  const [, id, match] = GNU_ALONE.exec(squeezed) ?? [];
  // Words may have the length of an ID.
  const isIds = id && isRead(parsePositionId, id) && (!match || isRead(parseMatchId, match));
  return isIds ? placeOf(id, match) : null;
}

/** The position of a text that contains an ID. @param {string} text @returns {Place} */
export function readPlace(text) {
  const variants = ["-", "--"].map((longDash) => cleaned(text, longDash));
  const clean = variants.find((variant) => XGID.test(variant)) ?? variants[0];
  const alone = readAlone(clean);
  if (alone) return alone;
  const xgid = XGID.exec(clean) ?? BEGUN.exec(clean);
  if (xgid) return parseXgid(xgid[1]);
  const ogid = OGID.exec(clean) ?? OGID_BEGUN.exec(clean);
  if (ogid) return parseOgid(ogid[1]);
  for (const [, id, behind] of clean.matchAll(GNU)) {
    if (!isRead(parsePositionId, id)) continue; // A word of the same length.
    const rest = clean.replace(id, "|");
    const isMatchId = (/** @type {string} */ word) => isRead(parseMatchId, word);
    const found = LABELLED.exec(rest)?.[1] ?? rest.match(MATCH)?.find(isMatchId);
    return placeOf(id, behind?.replace(AROUND, "") ?? found);
  }
  refuse(
    clean,
    "expected a Position ID such as 4HPwATDgc/ABMA, with a Match ID after a colon or without, an XGID or an OGID",
  );
}
