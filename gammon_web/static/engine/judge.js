/**
 * The review of a match: the cost of each decision and the luck of each roll. gammon_study/reviews is
 * the twin in Python, and explains the rules by which decisions count.
 */

import { OPENING } from "../board/constants.js";
import { ALIKE, countsWithoutDouble, PLAYS_ALIKE } from "../js/blunders.js";
import { Refusal } from "../js/refusal.js";
import { SCHEMA_VERSION, candidatesOf, decisionOf, named } from "./answers.js";
import { doublingWords } from "./cube.js";
import { xgidOf } from "./ids.js";
import { readMat } from "./mat.js";
import { scored, visible } from "./match_file.js";
import { MONEY, doubled, offered, questionOf, termsOf, turned, withDice } from "./terms.js";
import { themesOf, whyCube, whyPlay } from "./reasons.js";
import { figuresOf, flawlessNote, totalsOf, unitsOf } from "./totals.js";

/**
 * @import {Engine} from "./gammon.js"
 * @import {Place} from "./ids.js"
 * @import {Action} from "./mat.js"
 * @import {Terms} from "./terms.js"
 * @import {Choice, Luck} from "../../answers.js"
 * @typedef {{game: number, action: number, player: number}} Where
 */

/** The number of best plays of a roll with values of the full depth, beside the play that was made. */
const TOP = 5;
/** Values that differ by less are equal. */
const ROUNDING = 1e-9;
/** If a double would cost less than this, not to double is a decision (GNU Backgammon's rule). */
const NEAR = 0.16;
/** The beginnings of match files in other formats. */
const OTHERS = /^(\(;|RGMH|\{)/;

/**
 * The text of a file: UTF-8, UTF-16 with its mark, or else Windows-1252, which `latin1` means.
 * @param {Blob} file
 */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  const mark = String(new Uint8Array(bytes.slice(0, 2)));
  const kind = { "255,254": "utf-16le", "254,255": "utf-16be" }[mark] ?? "utf-8";
  const read = (/** @type {string} */ name) => new TextDecoder(name, { fatal: true }).decode(bytes);
  const text = await Promise.resolve(kind)
    .then(read)
    .catch(() => read("latin1"));
  if (OTHERS.test(text.trimStart()))
    throw new Refusal(
      "Without a server, match files are read as text (.mat). Other formats need gammon on your own machine.",
      "unsupported",
    );
  return visible(text.replace(/\r\n?/g, "\n"));
}

/** Judges decisions with one engine to one depth. */
class Judge {
  /** @type {Map<string, {middle: number, half: number}>} */
  #scales = new Map();
  /** @type {Map<string, number>} */
  #openings = new Map();

  /** @param {Engine} engine @param {number} depth */
  constructor(engine, depth) {
    this.engine = engine;
    this.depth = depth;
    this.settings = { depth, top: TOP, plays: /** @type {string[]} */ ([]), cubeless: false };
  }

  /**
   * The scale of equities: a chance to win the match is `middle` plus `half` times the EMG; for
   * money `half` is the cube.
   * @param {Terms} terms
   */
  scale(terms) {
    const name = JSON.stringify(terms);
    const known = this.#scales.get(name);
    if (known) return known;
    let scale = { middle: 0, half: terms.cube };
    if (terms.length) {
      // Any two plays give both numbers.
      const rows = this.engine.analyze(questionOf(OPENING, terms, [3, 1], 1), 1);
      const [best, worst] = [rows[0], rows[rows.length - 1]];
      const half = (best.mwc - worst.mwc) / (best.equity - worst.equity);
      scale = { half, middle: best.mwc - half * best.equity };
    }
    this.#scales.set(name, scale);
    return scale;
  }

  /**
   * An equity to the player on roll as a chance to win the match, or as points.
   * @param {number} equity
   * @param {Terms} terms
   */
  value(equity, terms) {
    const { middle, half } = this.scale(terms);
    return middle + half * equity;
  }

  /**
   * The chance of the left player to win the match, before a game.
   * @param {import("./mat.js").Score} score
   */
  before({ length, points, crawford }) {
    const [own, their] = points.map((count) => length - count);
    if (own <= 0 || their <= 0) return Number(own <= 0);
    if (own === their) return 0.5;
    // A game that leads to this score: the leader wins a point, or after the Crawford game the other
    // side does.
    const raise = own < their === (crawford || Math.min(own, their) > 1);
    const away = /** @type {[number, number]} */ (raise ? [own + 1, their] : [own, their + 1]);
    return this.value(raise ? 1 : -1, { ...MONEY, length: Math.max(...away), away });
  }

  /** The value of beginning a game, before the first roll. @param {Terms} terms */
  opening(terms) {
    const name = JSON.stringify(terms);
    if (!this.#openings.has(name)) {
      const { mean } = this.engine.luck({ ...questionOf(OPENING, terms, [2, 1]), first: 1 });
      this.#openings.set(name, this.value(mean, terms));
    }
    return /** @type {number} */ (this.#openings.get(name));
  }

  /**
   * The luck of a roll. The luck of a game's first roll includes who begins.
   * @param {Place} place
   * @param {boolean} first
   */
  luck({ points, context, dice }, first) {
    const terms = termsOf(context);
    const question = questionOf(points, terms, dice ?? undefined);
    const { luck } = this.engine.luck({ ...question, first: Number(first) });
    const begun = first
      ? (this.opening(terms) + this.opening(turned(terms)) - (terms.length ? 1 : 0)) / 2
      : 0;
    return this.scale(terms).half * luck + begun;
  }

  /**
   * The equities of the cube actions. A player who cannot gain by a double may double all the same.
   * @param {Place} place before the roll
   */
  cube(place) {
    const terms = termsOf(place.context);
    const { cube, probabilities } = decisionOf(this.engine, place, this.settings);
    let taken = cube.double_take?.equity;
    if (taken === undefined) {
      const { equity, mwc } = this.engine.evaluate(
        questionOf(place.points, doubled(terms)),
        this.depth,
      );
      const { middle, half } = this.scale(terms);
      taken = terms.length ? (mwc - middle) / half : 2 * equity;
    }
    return {
      values: { no_double: cube.no_double.equity, double_take: taken, double_pass: 1 },
      best: cube.action,
      chances: probabilities,
    };
  }

  /**
   * A choice about the cube.
   * @param {Where} where @param {"no double" | "double" | "take" | "pass"} kind
   * @param {Place} place before the roll
   * @param {ReturnType<Judge["cube"]>} found @returns {Choice}
   */
  cubeChoice(where, kind, place, { values, best, chances }) {
    const { no_double: stay, double_take: taken, double_pass: passed } = values;
    const terms = termsOf(place.context);
    const after = Math.min(taken, passed);
    const action = ["no double", "double", "take", "pass"].indexOf(kind) + 1;
    const reasons = this.engine.explainCube(
      { ...questionOf(place.points, terms), action },
      { equity: [stay, taken, passed] },
    );
    const answers = kind === "take" || kind === "pass";
    let [counted, active] = [answers ? Math.abs(taken - passed) >= ALIKE : true, true];
    if (kind === "no double") {
      const gain = after - stay;
      counted = countsWithoutDouble(gain, stay, taken);
      active = Math.max(stay, after) - Math.min(taken, 1) < NEAR;
    }
    const equity = { "no double": stay, double: after, take: taken, pass: passed }[kind];
    const choice = this.#choice(
      where,
      kind,
      answers ? offered(place) : place,
      reasons.loss,
      equity,
    );
    const wrong = choice.error >= ALIKE;
    return {
      ...choice,
      explanation: wrong
        ? whyCube(answers, values, Object.values(chances), place.points, terms)
        : "",
      themes: themesOf(reasons),
      made: doublingWords(kind, terms),
      best: answers ? (taken >= passed ? "pass" : "take") : doublingWords(best, terms),
      counted,
      active,
      values,
      chances,
      plays: [],
    };
  }

  /** The choice of a play. @param {Where} where @param {Action} action @returns {Choice} */
  playChoice(where, { place, play }) {
    const rows = this.engine.analyze(
      questionOf(place.points, termsOf(place.context), place.dice ?? undefined, 1),
      1,
    );
    const equities = rows.map(({ equity }) => equity);
    const spread = Math.max(...equities) - Math.min(...equities);
    const forced = rows.length === 1;
    const candidates = forced
      ? rows.map(({ points, equity, chances }) => ({
          play,
          points,
          equity,
          probabilities: named(chances),
          loss: 0,
          named: true,
        }))
      : candidatesOf(this.engine, place, { ...this.settings, plays: [play] });
    const mine = /** @type {typeof candidates[number]} */ (
      candidates.find((candidate) => candidate.named)
    );
    const plays = candidates
      .filter((candidate, at) => at < TOP || candidate.named)
      .map(({ play, equity, probabilities }) => ({ play, equity, probabilities, level: "" }));
    const choice = this.#choice(where, "play", place, mine.loss, mine.equity);
    const compared = [mine, choice.error ? candidates[0] : mine, ...candidates.slice(0, 2)];
    const reasons = this.engine.explainPlay(
      questionOf(place.points, termsOf(place.context)),
      compared.map(({ points, equity, probabilities }) => ({
        points,
        equity,
        chances: Object.values(probabilities),
      })),
    );
    return {
      ...choice,
      explanation: choice.error >= ALIKE ? whyPlay(reasons) : "",
      themes: themesOf(reasons),
      made: play,
      best: choice.error ? candidates[0].play : play,
      counted: Math.max(choice.error, spread) >= PLAYS_ALIKE,
      active: !forced,
      values: null,
      chances: null,
      plays,
    };
  }

  /**
   * The entries that all choices have.
   * @param {Where} where
   * @param {Choice["kind"]} kind
   * @param {Place} place
   * @param {number} lost
   * @param {number} equity the equity after the choice, to the player on roll
   */
  #choice(where, kind, place, lost, equity) {
    const { context } = place;
    const terms = termsOf(context);
    const error = lost > ROUNDING ? lost : 0;
    const value = this.value(equity, terms);
    return {
      ...where,
      kind,
      xgid: xgidOf(place),
      error,
      cost: error * this.scale(terms).half,
      depth: this.depth,
      rollout: null,
      level: "",
      remark: "",
      stored: null,
      game_value: context.turn === 1 ? value : terms.length ? 1 - value : -value,
      explanation: "",
      themes: [],
    };
  }
}

/** The text of a match file, and its match. @param {Engine} engine @param {Blob} file */
export async function matchIn(engine, file) {
  const text = await textOf(file);
  return { text, match: readMat(engine, text) };
}

/**
 * Review a match file.
 * @param {import("./questions.js").Ready} ready @param {Blob} file @param {number} depth
 * @param {(progress: import("../../answers.js").Progress) => Promise<boolean>} heard whether to go
 *   on
 * @returns {Promise<import("../../answers.js").Review | undefined>}
 */
export async function reviewOf(ready, file, depth, heard) {
  const { engine } = ready;
  const { match } = await matchIn(engine, file);
  const { names, length, details, warnings, games } = match;
  ready.fill(); // games end in bearoffs; an unreadable file is refused before this wait
  const judge = new Judge(engine, depth);
  /** @type {Choice[]} */
  const choices = [];
  /** @type {Luck[]} */
  const lucks = [];
  const total = games.reduce((sum, { actions }) => sum + actions.length, 0);
  let done = 0;
  for (const [game, { actions }] of games.entries()) {
    for (const [number, action] of actions.entries()) {
      const { kind, player, place } = action;
      const where = { game, action: number, player };
      const before = withDice(place, null);
      if (kind === "double") {
        const values = judge.cube(before);
        choices.push(judge.cubeChoice(where, "double", before, values));
        const answer = actions[number + 1]?.kind;
        if (answer === "take" || answer === "pass")
          choices.push(
            judge.cubeChoice(
              { game, action: number + 1, player: 1 - player },
              answer,
              before,
              values,
            ),
          );
      } else if (kind === "roll") {
        const first = actions.slice(0, number).every((action) => action.kind !== "roll");
        const undecided = !first && actions[number - 1].kind !== "take";
        if (
          undecided &&
          engine.decide(questionOf(place.points, termsOf(place.context)), 1).may_double === 1
        )
          choices.push(judge.cubeChoice(where, "no double", before, judge.cube(before)));
        choices.push(judge.playChoice(where, action));
        const value = judge.luck(place, first);
        const { half } = judge.scale(termsOf(place.context));
        lucks.push({ ...where, equity: half ? value / half : 0, value });
      }
      if (!(await heard({ done: ++done, total, depth }))) return undefined;
    }
  }
  const won = games.map(({ winner, points }) => (winner === 0 ? points : -points));
  const whole = games.every(({ winner }) => winner !== null);
  const follows = games.every(({ score, winner, points }, number) => {
    const next = games[number + 1]?.score.points ?? [];
    return next.every(
      (count, side) => count === score.points[side] + points * Number(winner === side),
    );
  });
  const ended = games.every(
    ({ ruled, actions }) => ruled || actions[actions.length - 1]?.kind === "resign",
  );
  const rolled = ended && (follows || !length); // otherwise the luck of some rolls is unknown
  const last = games[games.length - 1];
  const result = !length
    ? won.reduce((sum, points) => sum + points, 0)
    : judge.before(scored(last.score, won[won.length - 1])) - judge.before(games[0].score);
  const luck = lucks.reduce((sum, { player, value }) => sum + (player === 0 ? value : -value), 0);
  const [one, other] = names.map((name, player) => {
    const sign = player ? -1 : 1;
    return {
      name,
      ...totalsOf(choices, lucks, player),
      result: whole ? sign * result : null,
      luck_adjusted_result: whole && rolled ? sign * (result - luck) : null,
    };
  });
  return {
    schema_version: SCHEMA_VERSION,
    players: [one, other],
    figures: figuresOf([one, other], length),
    units: unitsOf(length),
    length,
    details,
    warnings,
    notes: [...warnings, ...[one, other].flatMap((player) => flawlessNote(player.name, player))],
    depth,
    level: null,
    unfinished: 0,
    games: games.map(({ score, winner, points }, game) => {
      const [mine, its] = [choices, lucks].map((all) => all.filter((item) => item.game === game));
      const of = (/** @type {number} */ player) =>
        totalsOf(/** @type {Choice[]} */ (mine), /** @type {Luck[]} */ (its), player);
      return {
        score: score.points,
        crawford: score.crawford,
        jacoby: score.jacoby,
        winner,
        points,
        players: [of(0), of(1)],
      };
    }),
    stored_by: "",
    choices: choices.map((choice) => ({
      ...choice,
      remark: games[choice.game].remarks.get(choice.action) ?? "",
    })),
    rolls: lucks,
  };
}
