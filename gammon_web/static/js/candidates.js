/** The candidates of a decision, with their equities by the review, the file and rollouts. */

import { fieldsOf } from "../board/position.js";
import { button, html, scrolling } from "./elements.js";
import { head, term } from "./help.js";
import { said, t } from "./language.js";
import { difference, equityHead, lossCell } from "./tables.js";
import { doubleWords, doubling, percent, signed } from "./words.js";

/**
 * @typedef {import("../../answers.js").StudiedChoice &
 *   {stored?: import("../../answers.js").Choice["stored"]}} Choice
 * @typedef {{title: string, second: string, word: "error" | "standard-error", cells: Map<string,
 *   [number, HTMLElement]>}} Source
 *   the title, the head of the second column and its explanation, and by candidate the equity and that
 *   column's cell
 */

const ACTIONS = ["No double", "Double, take", "Double, pass"];
/** The second column of losses. */
const LOSS = { second: t.tables.loss, word: /** @type {const} */ ("error") };
/** The row of a choice about the cube. */
const MADE = /** @type {Record<string, string>} */ ({
  "no double": ACTIONS[0],
  double: ACTIONS[1],
  take: "Take",
  pass: "Pass",
});
const CHANCES = /** @type {const} */ ([
  "win",
  "win_gammon",
  "win_backgammon",
  "lose_gammon",
  "lose_backgammon",
]);

/** Whether a decision of the library came without its review. @param {Choice} choice */
export function isUnread({ values, plays }) {
  return !values && !plays.length;
}

/**
 * @param {Choice} choice `made` is "" if no choice was made
 * @param {(play: string) => void} show shows a play on the board
 */
export function candidatesTable(choice, show) {
  if (isUnread(choice)) return html("p", { class: "soft small" }, t.decisions.unread);
  const { kind, made, best, plays, chances } = choice;
  const isPlay = kind === "play";
  const isAnswer = kind === "take" || kind === "pass";
  const sources = isPlay ? playSources(choice) : cubeSources(choice, isAnswer);
  const names =
    isPlay || isAnswer ? [...new Set(sources.flatMap(({ cells }) => [...cells.keys()]))] : ACTIONS;
  const mine = isPlay ? made : made && MADE[kind];
  const after = new Map(
    isPlay
      ? plays.map(({ play, probabilities }) => [play, probabilities])
      : chances
        ? [isAnswer ? ["Take", turned(chances)] : [ACTIONS[0], chances]]
        : [],
  );
  const inMatch = fieldsOf(choice.xgid).length > 0;
  const above =
    sources.length > 1 &&
    html(
      "tr",
      {},
      html("td"),
      sources.map(({ title }) => html("th", { scope: "colgroup", colspan: 2 }, title)),
    );
  const heads = [
    html(
      "th",
      { scope: "col" },
      isPlay ? t.tables.play : isAnswer ? t.tables.answer : t.tables.action,
    ),
    ...sources.flatMap(({ second, word }) => [equityHead(inMatch), head(second, word)]),
  ];
  const odds = CHANCES.map((chance) => {
    const [name, words] = t.decisions.chances[chance];
    const word = term(name, "gammon-backgammon", words);
    return html("th", { scope: "col", class: `odds ${chance}` }, word);
  });
  const rows = names.map((name) => {
    const probabilities = after.get(name);
    const cells = sources.flatMap(({ cells }) => {
      const pair = cells.get(name);
      return pair ? [html("td", {}, signed(pair[0])), pair[1]] : [html("td"), html("td")];
    });
    const first = isPlay
      ? button(name, () => show(name), { "data-play": name })
      : doubling(name, choice.xgid);
    const level = choice.plays.find(({ play }) => play === name)?.level;
    const other = level && level !== choice.level ? level : "";
    const beside = [name === mine ? t.decisions.made : "", other].filter(Boolean).join(", ");
    const is = [
      name === mine ? "mine" : "",
      name === best || name.toLowerCase() === best ? "best" : "",
    ]
      .join(" ")
      .trim();
    return html(
      "tr",
      { class: is || null, "data-key": name },
      html("td", {}, first, beside && html("span", { class: "soft small" }, ` ${beside}`)),
      cells,
      CHANCES.map((chance) =>
        html(
          "td",
          { class: `odds ${chance}` },
          probabilities ? percent(probabilities[chance]) : "",
        ),
      ),
    );
  });
  const every = html(
    "table",
    { class: "candidates" },
    html("caption", { class: "soft small" }, sources.length > 1 ? "" : sources[0].title),
    html("thead", {}, above, html("tr", {}, heads, odds)),
    html("tbody", {}, rows),
  );
  const note =
    isAnswer &&
    choice.values &&
    html("p", { class: "soft small" }, doubleWords(choice.values, choice.xgid));
  return scrolling(t.common.candidates, [every, note]);
}

/** Chances, seen from the opponent. @param {import("../../answers.js").Probabilities} chances */
function turned({ win, win_gammon, win_backgammon, lose_gammon, lose_backgammon }) {
  return {
    win: 1 - win,
    win_gammon: lose_gammon,
    win_backgammon: lose_backgammon,
    lose_gammon: win_gammon,
    lose_backgammon: win_backgammon,
  };
}

/** Who analyzed a decision: gammon, or the program whose analysis was taken. @param {number} depth @param {string} level */
const searchedBy = (depth, level) => level || t.decisions.byGammon(depth);

/** @param {Choice} choice @returns {Source[]} */
function playSources({ plays, stored, rollout, depth, level }) {
  const lost = (/** @type {{play: string, equity: number}[]} */ all) =>
    new Map(
      all.map(({ play, equity }) => {
        const loss = all[0].equity - equity; // a less deep play may seem better than the best one
        const cell = loss < 0 ? html("td", {}) : lossCell(loss);
        return [play, /** @type {[number, HTMLElement]} */ ([equity, cell])];
      }),
    );
  /** @type {Source[]} */
  const sources = [{ title: searchedBy(depth, level), ...LOSS, cells: lost(plays) }];
  if (stored?.plays.length) {
    // The two best plays of the file, and the plays that our analysis has, too.
    const known = new Set([
      ...plays.map(({ play }) => play),
      ...stored.plays.slice(0, 2).map(({ play }) => play),
    ]);
    const shown = stored.plays.filter(({ play }) => known.has(play));
    const levels = [...new Set(shown.map(({ level }) => level))];
    sources.push({ title: t.decisions.inFile(levels.join(", ")), ...LOSS, cells: lost(shown) });
  }
  return rollout ? [...sources, rolled(rollout)] : sources;
}

/**
 * @param {Choice} choice
 * @param {boolean} isAnswer whether it is a take or a pass
 * @returns {Source[]}
 */
function cubeSources({ values, stored, rollout, depth, level }, isAnswer) {
  const sources = [];
  const add = (/** @type {string} */ title, /** @type {number[]} */ equities) => {
    sources.push(isAnswer ? answersBy(title, equities) : actionsBy(title, equities));
  };
  if (values)
    add(searchedBy(depth, level), [values.no_double, values.double_take, values.double_pass]);
  if (stored?.cube)
    add(t.decisions.inFile(stored.cube.level), [stored.cube.no_double, stored.cube.double_take, 1]);
  if (rollout) sources.push(isAnswer ? rolledAnswers(rollout) : rolled(rollout));
  return sources;
}

/** @param {string} title @param {number[]} equities of the actions @returns {Source} */
function actionsBy(title, equities) {
  const right = Math.max(equities[0], Math.min(equities[1], equities[2]));
  return {
    title,
    second: t.tables.difference,
    word: "error",
    cells: new Map(
      equities.map((equity, at) => [ACTIONS[at], [equity, difference(equity - right)]]),
    ),
  };
}

/**
 * The answers to a double, the best first, with equities to the player who answers.
 * @param {string} title
 * @param {number[]} equities to the player who doubled
 * @returns {Source}
 */
function answersBy(title, [, taken, passed]) {
  const equities = /** @type {[string, number][]} */ ([
    ["Pass", -passed],
    ["Take", -taken],
  ]).sort((a, b) => b[1] - a[1]);
  return {
    title,
    ...LOSS,
    cells: new Map(
      equities.map(([name, equity]) => [name, [equity, lossCell(equities[0][1] - equity)]]),
    ),
  };
}

/** @param {NonNullable<Choice["rollout"]>} rollout @returns {Source} */
function rolledAnswers({ trials, candidates }) {
  const taken = candidates.filter(({ name }) => name === ACTIONS[1]);
  return {
    title: t.decisions.byGames(trials),
    second: t.decisions.standardError,
    word: "standard-error",
    cells: new Map(
      taken.map(({ equity, error }) => ["Take", [-equity, html("td", {}, error.toFixed(3))]]),
    ),
  };
}

/** @param {NonNullable<Choice["rollout"]>} rollout @returns {Source} */
function rolled({ trials, candidates }) {
  return {
    title: t.decisions.byGames(trials),
    second: t.decisions.standardError,
    word: "standard-error",
    cells: new Map(
      candidates.map(({ name, equity, error }) => [
        name,
        [equity, html("td", {}, error.toFixed(3))],
      ]),
    ),
  };
}
