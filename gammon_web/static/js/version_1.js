/** Reading of reviews that were saved with version 1 of the JSON, whose entries had other names. */

/** By the schema, the names of version 1 and the present names; docs/python.md has them, too. */
export const RENAMED = {
  AtScore: { games: "rollout" },
  Candidate: { games: "rollout" },
  Choice: { worth: "game_value", why: "explanation" },
  Cube: { sure: "confidence" },
  Decision: { worth: "payoffs", stakes: "terms" },
  Group: { of: "decisions" },
  LargestErrors: { lost: "total_error" },
  LibraryErrors: { lost: "total_error" },
  Luck: { worth: "value" },
  PlayGrid: { worth: "payoffs", stakes: "terms" },
  PlayValues: { exact: "searched" },
  Plays: { worth: "payoffs", stakes: "terms", sure: "confidence" },
  Position: { stakes: "terms" },
  Progress: { of: "total" },
  Review: { left: "unfinished" },
  ReviewedPlayer: { luck_worth: "luck_value" },
  Roll: { games: "rollout" },
  RolledCandidate: { plain: "unadjusted", out: "dropped" },
  Rollout: { worth: "payoffs", stakes: "terms", whole: "complete" },
  Rolls: { worth: "payoffs", stakes: "terms" },
  ScoreGrid: { worth: "payoffs", stakes: "terms" },
  SetUp: { stakes: "terms" },
  StudiedChoice: { why: "explanation", where: "source" },
  StudiedError: { why: "explanation" },
  Totals: { luck_worth: "luck_value" },
};

/**
 * An object with the present names of its entries.
 * @param {Record<string, any>} object
 * @param {Record<string, string>} names
 */
function renamed(object, names) {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [names[name] ?? name, value]),
  );
}

/**
 * A saved review with the present names of its entries.
 * @param {any} review
 * @returns {import("../../answers.js").Review}
 */
export function upgraded(review) {
  if (review.schema_version !== 1) return review;
  /** @param {Record<string, any>[]} all @param {keyof typeof RENAMED} schema */
  const allOf = (all, schema) => all.map((object) => renamed(object, RENAMED[schema]));
  const whole = renamed(review, RENAMED.Review);
  return /** @type {any} */ ({
    ...whole,
    schema_version: 2,
    players: allOf(whole.players, "ReviewedPlayer"),
    games: whole.games.map((/** @type {any} */ game) => ({
      ...game,
      players: allOf(game.players, "Totals"),
    })),
    choices: allOf(whole.choices, "Choice"),
    rolls: allOf(whole.rolls, "Luck"),
  });
}
