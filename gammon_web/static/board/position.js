/** Positions in the server's form, XGIDs, and the notation of plays. */

import { CHECKERS, SIZE } from "./constants.js";
import { texts } from "./texts.js";

/**
 * @typedef {{points: number[], cube: number, owner: number, turn: number, dice: string,
 *   score: [number, number], crawford: boolean, jacoby: boolean, beavers: boolean,
 *   length: number, most?: number}} Fields The fields of an XGID. The points are seen from the
 *   player on roll; `owner`, `turn` and `score` are by seat: 1 and the first are at the bottom.
 *   `most` is the logarithm of the highest cube.
 */

/** A board, seen from the opponent. @param {number[]} points */
export function flipped(points) {
  return points.map((_, place) => 0 - points[SIZE - 1 - place]);
}

/**
 * The borne-off checkers of the side that counts positive, and of the other side.
 * @param {number[]} points
 */
export function offOf(points) {
  return [1, -1].map(
    (side) => CHECKERS - points.reduce((sum, count) => sum + Math.max(0, side * count), 0),
  );
}

/** @param {Fields} fields @returns {string} */
export function xgidOf(fields) {
  const bottom = fields.turn === 1 ? fields.points : flipped(fields.points);
  const letters = bottom.map((count) => {
    if (count === 0) return "-";
    return String.fromCharCode(count > 0 ? 64 + count : 96 - count);
  });
  const rules = fields.length
    ? Number(fields.crawford)
    : Number(fields.jacoby) + 2 * Number(fields.beavers);
  const log = Math.round(Math.log2(fields.cube));
  const rest = [
    log,
    fields.owner,
    fields.turn,
    fields.dice || "00",
    ...fields.score,
    rules,
    fields.length,
    fields.most ?? 10,
  ];
  return `XGID=${letters.join("")}:${rest.join(":")}`;
}

/** Whether a text is an XGID, in the server's spelling. @param {string} text */
export function isXgid(text) {
  if (!/^(XGID=)?[-A-Oa-o]{26}:(\d|1[0-5]):-?[01]:-?1:(00|[1-6]{2}|[DBR])(:\d+){5}$/.test(text))
    return false;
  const { points } = fieldsOf(text);
  return points[25] >= 0 && points[0] <= 0 && offOf(points).every((off) => off >= 0);
}

/** The fields of an XGID. @param {string} xgid @returns {Fields} */
export function fieldsOf(xgid) {
  const parts = xgid.replace("XGID=", "").split(":");
  const bottom = [...parts[0]].map((letter) => {
    if (letter === "-") return 0;
    const code = letter.charCodeAt(0);
    return code >= 97 ? 96 - code : code - 64;
  });
  const [log, owner, turn] = parts.slice(1, 4).map(Number);
  const [top, bot, rules, length, most] = [parts[6], parts[5], parts[7], parts[8], parts[9]].map(
    Number,
  );
  return {
    points: turn === 1 ? bottom : flipped(bottom),
    cube: 2 ** log,
    owner,
    turn,
    dice: parts[4] === "00" ? "" : parts[4],
    score: [bot, top],
    crawford: length > 0 && rules === 1,
    jacoby: length === 0 && (rules & 1) > 0,
    beavers: length === 0 && (rules & 2) > 0,
    length,
    most,
  };
}

/** @param {string} xgid @param {string} dice two digits, or 00 */
export function withDice(xgid, dice) {
  const parts = xgid.split(":");
  parts[4] = dice;
  return parts.join(":");
}

/**
 * The paths of checkers in the notation of a play, such as `24/18*\/13 6/off(2)`.
 * @param {string} notation
 * @returns {import("./arrows.js").Leg[] | null} null: it is not a play
 */
export function legsOf(notation) {
  const legs = [];
  const plain = notation.toLowerCase().replace(/\s*[/\p{Pd}−]\s*/gu, "/");
  for (const item of plain.split(/[\s,"'`´\p{Pi}\p{Pf}]+/u).filter(Boolean)) {
    const parts =
      /^((?:b(?:ar)?|o(?:ff)?|\d{1,2})\*?(?:\/(?:b(?:ar)?|o(?:ff)?|\d{1,2})\*?)+)(?:\(([1-4])\))?$/.exec(
        item,
      );
    if (!parts) return null;
    const stops = parts[1].split("/").map((stop) => ({
      place: stop.startsWith("b") ? 25 : stop.startsWith("o") ? 0 : parseInt(stop, 10),
      hit: stop.endsWith("*"),
    }));
    if (stops.some(({ place }) => place > 25)) return null;
    const times = Number(parts[2] ?? 1);
    for (let time = 0; time < times; time++)
      for (let at = 1; at < stops.length; at++)
        legs.push({
          from: stops[at - 1].place,
          to: stops[at].place,
          hit: stops[at].hit && time === 0,
        });
  }
  return legs;
}

/**
 * The board after a move of a checker; a blot on its target goes to the bar.
 * @param {number[]} points
 * @param {number} from
 * @param {number} to
 */
export function moved(points, from, to) {
  const after = [...points];
  after[from] -= 1;
  if (to === 0) return after;
  if (after[to] === -1) {
    after[to] = 0;
    after[0] -= 1;
  }
  after[to] += 1;
  return after;
}

/**
 * The index of the play that a text means, or -1. People leave out middle points and stars, so a play
 * is identified by the places that checkers leave and reach, and if that is not enough, by the blots
 * on the written stops.
 * @param {string} typed
 * @param {{points: number[], plays?: {notation: string, points: number[]}[] | null}} position with
 *   its legal plays
 */
export function findPlay(typed, { points, plays }) {
  const all = plays ?? [];
  const plain = typed.trim().toLowerCase();
  const same = all.findIndex(({ notation }) => notation === plain);
  const legs = legsOf(plain);
  if (same >= 0 || !legs?.length) return same;
  const count = (/** @type {"from" | "to"} */ end, /** @type {number} */ place) =>
    legs.filter((leg) => leg[end] === place).length;
  const own = (/** @type {number} */ number) => Math.max(0, number);
  const alike = all.filter((play) =>
    points.every(
      (before, at) =>
        at === 0 || own(play.points[at]) - own(before) === count("to", at) - count("from", at),
    ),
  );
  const hits = alike.filter((play) =>
    points.every((before, at) => before !== -1 || play.points[at] >= 0 === count("to", at) > 0),
  );
  const [play, another] = hits.length === 1 ? hits : alike;
  return play && !another ? all.indexOf(play) : -1;
}

/**
 * The most points of a game, without the cube: 1 by the Jacoby rule while nobody owns the cube.
 * @param {{jacoby: boolean, owner: number}} terms
 */
export function mostOf({ jacoby, owner }) {
  return jacoby && !owner ? 1 : 3;
}

/** The pip counts of the side that counts positive, and of the other side. @param {number[]} points */
export function pipsOf(points) {
  return [1, -1].map((side) =>
    points.reduce(
      (sum, count, place) => sum + Math.max(0, side * count) * (side === 1 ? place : 25 - place),
      0,
    ),
  );
}

/**
 * The words for the cube and its owner.
 * @param {{value: number, owner: number, offered?: boolean}} cube 1: the owner is the player at the
 *   bottom
 */
export function cubeName({ value, owner, offered }) {
  return texts.cubeAt(value, owner, Boolean(offered));
}

/**
 * The words for a place and its checkers.
 * @param {number | string} place
 * @param {number[]} points
 */
export function placeName(place, points) {
  if (place === "off") {
    const [own, their] = offOf(points);
    return texts.off(own, their);
  }
  const count = points[Number(place)];
  if (place === 25) return texts.yourBar(count);
  if (place === 0) return texts.theirBar(-count);
  return texts.point(Number(place), count);
}
