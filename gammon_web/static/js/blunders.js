/**
 * Constants of reviews, and rules that use them. gammon_study/reviews/choice.py and rates.py have the
 * same; tests/web/test_app.py compares both.
 */

/** The least errors of a doubtful, a bad and a very bad play. */
export const BLUNDERS = [0.03, 0.06, 0.12];
/** The least error of a wrong choice. */
export const ALIKE = 0.001;
/** If a double would cost more than this, not to double does not count as a decision. */
export const FAR = 0.2;
/** Below this equity the player is lost with any cube action. */
export const LOST = -0.9;
/**
 * Whether not to double counts as a decision: a missed double does; otherwise it does not count if a
 * double is far off, the player is lost, or both are alike.
 * @param {number} gain the gain of a double @param {number} stay the equity of no double
 * @param {number} taken the equity of double and take
 */
export function countsWithoutDouble(gain, stay, taken) {
  return gain >= ALIKE || (!(stay < LOST && taken < LOST) && -gain >= ALIKE && -gain <= FAR);
}
/** Plays of a roll that differ by less are alike: none of them counts as a decision. */
export const PLAYS_ALIKE = 0.0001;
/** A performance rating is the mean loss of a decision times this. */
export const RATING = 500;

/**
 * The performance rating: 500 times the mean loss of decisions that count; null without one.
 * @param {number} error the sum of the losses @param {number} counted the number of these decisions
 */
export function ratingOf(error, counted) {
  return counted ? (RATING * error) / counted : null;
}
