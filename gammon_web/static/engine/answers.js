/**
 * The core's answers in the shape of the server's: plays, cube decisions, all rolls, all scores.
 */

import { Refusal, quoted } from "../js/refusal.js";
import { cubeOf, equityOf, mwcOf } from "./cube.js";
import { checkPlace, idsOf, isOver, movesOf, notationOf, numberOf } from "./positions.js";
import {
  MONEY,
  doubtfulNotes,
  entryOf,
  limitNotes,
  questionOf,
  termsOf,
  turned,
  withDice,
  withTerms,
} from "./terms.js";

/**
 * @import {Place} from "./ids.js"
 * @import {Terms} from "./terms.js"
 * @import {Engine} from "./gammon.js"
 * @import {Candidate, Answer} from "../../answers.js"
 * @typedef {{scores?: number, owners?: boolean}} Many the length of the match whose scores are all
 *   to be answered, and whether to answer for all owners of the cube
 * @typedef {{depth: number, top: number, plays: string[], cubeless: boolean}} Settings
 */

/** @type {import("../../answers.js").SchemaVersion} */
export const SCHEMA_VERSION = 2;
/** The payoffs of the results without the cube. */
const PAYOFFS = {
  win: 1,
  win_gammon: 2,
  win_backgammon: 3,
  lose: -1,
  lose_gammon: -2,
  lose_backgammon: -3,
};
/** Each roll once, the higher die first. @type {[number, number][]} */
export const ROLLS = [1, 2, 3, 4, 5, 6].flatMap((high) =>
  Array.from({ length: high }, (_, low) => /** @type {[number, number]} */ ([high, low + 1])),
);
/** Equities are compared in these units, as gammon/core/values.py does. */
const UNITS = 1e9;

/** An equity without the digits that rounding may change. @param {{equity: number}} of */
export const digits = ({ equity }) => Math.round(equity * UNITS);

/** Chances by their names. @param {number[]} chances */
export function named([win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]) {
  return { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon };
}

/**
 * The place of a question, after a check that the core can analyze it.
 * @param {Engine} engine
 * @param {Place} place
 */
export function inPlay(engine, place) {
  if (isOver(place.points))
    throw new Refusal(
      `${quoted(idsOf(place).position_id)}: the game is over, a side has no checkers left; expected a position in play`,
      "invalid_position",
    );
  checkPlace(engine, place);
  return place;
}

/** The terms of a question. @param {Place} place @param {Settings} settings */
export function termsAsked(place, { cubeless }) {
  return cubeless ? { ...MONEY, live: false } : termsOf(place.context);
}

/**
 * The entries that all answers have. Notes are about the cube; others are about commands.
 * @param {Place} place
 * @param {Settings} settings
 */
export function headed(place, { depth, cubeless }) {
  return {
    schema_version: SCHEMA_VERSION,
    ...idsOf(place),
    depth,
    algorithm: "bounded",
    level: null,
    payoffs: cubeless ? PAYOFFS : null,
    cubeful: !cubeless,
    terms: cubeless ? null : entryOf(termsOf(place.context)),
    notes: cubeless ? [] : limitNotes(place.context),
  };
}

/**
 * The plays of a roll, best first.
 * @param {Engine} engine
 * @param {Place} place with its roll
 * @param {Settings} settings @returns {Candidate[]}
 */
export function candidatesOf(engine, place, settings) {
  const { depth, cubeless } = settings;
  const { points, dice } = place;
  const terms = termsAsked(place, settings);
  const rows = engine.analyze(questionOf(points, terms, dice ?? undefined, settings.top), depth);
  const legal = rows.map((row) => ({ ...row, notation: notationOf(movesOf(row.moves)) }));
  const wanted = settings.plays.map((text) => numberOf(text, points, legal, dice));
  const candidates = legal.map((row, at) => {
    const { equity, mwc, cubeless: without, chances, bound } = row;
    const named = wanted.includes(at);
    const known = {
      points: row.points,
      equity,
      mwc,
      without,
      chances,
      isDeep: row.kind === 0,
      depth: row.depth,
      bound,
    };
    return {
      ...(named && !known.isDeep ? searchedPlay(engine, row.points, terms, depth) : known),
      play: row.notation,
      named,
    };
  });
  candidates.sort(
    (a, b) => digits(b) - digits(a) || Number(b.isDeep) - Number(a.isDeep) || b.without - a.without,
  );
  const best = candidates[0].equity;
  return candidates.map((candidate) => {
    const kind = candidate.isDeep ? deepKind(depth) : "shallow";
    return {
      play: candidate.play,
      points: candidate.points,
      equity: candidate.equity,
      mwc: terms.length ? candidate.mwc : null,
      cubeless_equity: cubeless ? null : candidate.without,
      loss: Math.max(best - candidate.equity, 0),
      exact: kind === "exact",
      kind,
      depth: candidate.depth,
      bound: candidate.isDeep ? null : candidate.bound,
      probabilities: named(candidate.chances),
      named: candidate.named,
      rollout: null,
    };
  });
}

/** The kind of the values of a search to a depth, as in Python's `deep_kind`. @param {number} depth */
const deepKind = (depth) => (depth >= 5 ? "bounded" : "exact");

/**
 * A play that the question names, with the value of its position.
 * @param {Engine} engine
 * @param {number[]} points seen from the player who moves
 * @param {Terms} terms @param {number} depth
 */
function searchedPlay(engine, points, terms, depth) {
  const { equity, mwc, chances, results } = engine.evaluate(
    questionOf(
      points.map((_, at) => 0 - points[25 - at]),
      turned(terms),
    ),
    depth,
  );
  const [win, winGammon, winBackgammon, loseGammon, loseBackgammon] = chances;
  return {
    points,
    equity: -equity,
    mwc: 1 - mwc,
    without: -withoutCube(chances, results),
    chances: [1 - win, loseGammon, loseBackgammon, winGammon, winBackgammon],
    isDeep: true,
    depth,
    bound: -equity,
  };
}

/**
 * The equity of chances if nobody turns the cube any more.
 * @param {number[]} chances
 * @param {number[]} results the equities of the six results
 */
export function withoutCube([win, winGammon, winBackgammon, loseGammon, loseBackgammon], results) {
  const shares = [
    loseBackgammon,
    loseGammon - loseBackgammon,
    1 - win - loseGammon,
    win - winGammon,
    winGammon - winBackgammon,
    winBackgammon,
  ];
  return shares.reduce((sum, share, at) => sum + share * results[at], 0);
}

/**
 * @param {Engine} engine
 * @param {Place} place
 * @param {Settings} settings
 * @returns {import("../../answers.js").Plays}
 */
function playsOf(engine, place, settings) {
  const begun = performance.now();
  const candidates = candidatesOf(engine, place, settings);
  return {
    ...headed(place, settings),
    dice: /** @type {number[]} */ (place.dice).join(""),
    candidates,
    confidence: null,
    ...spent(begun),
  };
}

/** The time that an answer took; the core has no statistics. @param {number} begun */
function spent(begun) {
  return { stats: /** @type {any} */ (null), seconds: (performance.now() - begun) / 1000 };
}

/** Refuse a beaver, and a double that the rules forbid. @param {Place} place */
export function checkOffer({ context }) {
  const { offer } = context;
  if (!offer) return;
  if (offer !== "D")
    throw new Refusal("a beaver or a raccoon is on offer, expected at most a double");
  const { crawford, owner, live, cube } = termsOf(context);
  if (crawford) throw new Refusal("a double in the Crawford game, expected none");
  if (owner < 0) throw new Refusal("a double of a cube that the other side owns, expected none");
  if (!live) throw new Refusal(`a double of a cube at ${cube}, expected a lower one`);
}

/** @param {Engine} engine @param {Place} place before the roll @param {Settings} settings */
function decided(engine, place, settings) {
  const terms = termsOf(place.context);
  const { may_double, equity, mwc, chances } = engine.decide(
    questionOf(place.points, terms),
    settings.depth,
  );
  /** @param {number} at @param {Candidate["kind"]} kind */
  const value = (at, kind) => ({
    equity: equity[at],
    mwc: terms.length ? mwc[at] : null,
    kind,
    error: null,
  });
  const searched = settings.depth > 1 ? deepKind(settings.depth) : "static";
  const cube = cubeOf(
    terms,
    chances,
    value(0, searched),
    may_double ? value(1, searched) : null,
    may_double ? value(2, "exact") : null,
  );
  if (!may_double && place.context.offer) cube.answer = "take"; // a pass would lose the match
  return { cube, equity: equityOf(cube), mwc: mwcOf(cube), probabilities: named(chances) };
}

/**
 * @param {Engine} engine
 * @param {Place} place
 * @param {Settings} settings
 * @returns {import("../../answers.js").Decision}
 */
export function decisionOf(engine, place, settings) {
  const begun = performance.now();
  const head = headed(withDice(place, null), settings);
  const decision = decided(engine, place, settings);
  return {
    ...head,
    dice: null,
    payoffs: null,
    terms: entryOf(termsOf(place.context)),
    notes: [...head.notes, ...doubtfulNotes(place.context, decision.cube)],
    ...decision,
    ...spent(begun),
  };
}

/**
 * @param {Engine} engine
 * @param {Place} place
 * @param {Settings} settings
 * @returns {import("../../answers.js").Rolls}
 */
export function rollsOf(engine, place, settings) {
  const begun = performance.now();
  const before = withDice(place, null);
  const rolls = ROLLS.map(([high, low]) => {
    const [best] = candidatesOf(engine, withDice(before, [high, low]), {
      ...settings,
      top: 1,
      plays: [],
    });
    return { dice: `${high}${low}`, probability: (high === low ? 1 : 2) / 36, ...best };
  });
  const mean = (/** @type {(roll: typeof rolls[number]) => number} */ of) =>
    rolls.reduce((sum, roll) => sum + roll.probability * of(roll), 0);
  const probabilities = { ...rolls[0].probabilities };
  for (const name of /** @type {(keyof typeof probabilities)[]} */ (Object.keys(probabilities)))
    probabilities[name] = mean((roll) => roll.probabilities[name]);
  return {
    ...headed(before, settings),
    dice: null,
    equity: mean(({ equity }) => equity),
    probabilities,
    rolls,
    ...spent(begun),
  };
}

/**
 * The best play, or the decision about the cube, at every score, and for every owner of the cube.
 * @param {Engine} engine @param {Place} place @param {Settings} settings @param {Many} many
 *   @returns {Answer}
 */
function scoresOf(engine, place, settings, { scores: away = 0, owners = false }) {
  const begun = performance.now();
  const terms = termsOf(place.context);
  if (owners && terms.crawford)
    throw new Refusal(
      "a cube that somebody owns in the Crawford game: expected a game with the cube",
    );
  const turned = Math.max(2, terms.cube);
  /** @type {Record<string, Terms>} */
  const others = {
    ...(away && {
      money: { ...terms, length: 0, away: [0, 0], crawford: false, live: true },
      dmp: { ...MONEY, length: 1, away: [1, 1] },
      "gammon-go": { ...MONEY, length: 2, away: [2, 1], crawford: true },
      "gammon-save": { ...MONEY, length: 2, away: [1, 2], crawford: true },
    }),
    ...(owners && {
      "cube-centred": { ...terms, cube: 1, owner: 0 },
      "cube-mine": { ...terms, cube: turned, owner: 1 },
      "cube-theirs": { ...terms, cube: turned, owner: -1 },
    }),
  };
  const aways = Array.from({ length: away }, (_, at) => at + 1);
  const scores = aways.flatMap((own) =>
    aways.map((their) => /** @type {[number, number]} */ ([own, their])),
  );
  const at = (/** @type {[number, number]} */ score) =>
    withTerms(place, {
      ...MONEY,
      length: Math.max(...score),
      away: score,
      cube: terms.owner ? terms.cube : 1,
      owner: terms.owner,
    });
  const head = { ...headed(place, settings), payoffs: null, terms: null };
  if (!place.dice) {
    const cubes = (/** @type {Place} */ variant) => decided(engine, variant, settings).cube;
    const named = Object.fromEntries(
      Object.entries(others).map(([name, variant]) => [name, cubes(withTerms(place, variant))]),
    );
    return {
      ...head,
      dice: null,
      scores: scores.map((score) => ({ away: score, cube: cubes(at(score)) })),
      named,
      seconds: spent(begun).seconds,
    };
  }
  const bestOnly = { ...settings, top: 1 };
  /** @type {string[]} */
  let first = [];
  /** @type {Record<string, Candidate[]>} */
  const named = {};
  for (const [name, variant] of Object.entries(others)) {
    const candidates = candidatesOf(engine, withTerms(place, variant), {
      ...bestOnly,
      plays: first,
    });
    first = first.length ? first : [candidates[0].play];
    named[name] = candidates.filter((candidate, number) => !number || candidate.named);
  }
  const best = scores.map((score) => ({
    away: score,
    ...candidatesOf(engine, at(score), bestOnly)[0],
  }));
  return { ...head, dice: place.dice.join(""), scores: best, named, seconds: spent(begun).seconds };
}

/**
 * The answer to a question, in the shape of the server's.
 * @param {Engine} engine
 * @param {Place} place a place whose game is not over
 * @param {Settings} settings @param {Many} [many] @returns {Answer}
 */
export function answerOf(engine, place, settings, many = {}) {
  if (!settings.cubeless) checkOffer(place);
  if (many.scores || many.owners) return scoresOf(engine, place, settings, many);
  if (place.dice) return playsOf(engine, place, settings);
  return settings.cubeless ? rollsOf(engine, place, settings) : decisionOf(engine, place, settings);
}
