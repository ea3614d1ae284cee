/**
 * Numbers of reviews, and a rule by them. gammon_study/reviews/choice.py has the same, as
 * tests/web/test_app.py asks.
 */

/** Errors from which on a play is doubtful, bad, very bad. */
export const BLUNDERS = [0.03, 0.06, 0.12];
/** An error from which on a choice was wrong. */
export const ALIKE = 0.001;
/** A double that costs more is far off: not to double does not count as a decision. */
export const FAR = 0.2;
/** Below this the player is lost whatever happens to the cube. */
export const LOST = -0.9;
/**
 * Whether not to double counts as a decision: a wrong one does; otherwise not where a double is far
 * off, the player is lost, or nothing depends on it.
 * @param {number} gain of a double @param {number} stay the equity without one @param {number}
 *   taken the equity if it is taken
 */
export function countsWithoutDouble(gain, stay, taken) {
  return gain >= ALIKE || (!(stay < LOST && taken < LOST) && -gain >= ALIKE && -gain <= FAR);
}
/** Plays of a roll that differ by less are alike: none of them counts as a decision. */
export const PLAYS_ALIKE = 0.0001;
