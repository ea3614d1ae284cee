/** Numbers of reviews. They are those of gammon/reviews/choice.py, as tests/web/test_files.py asks. */

/** Errors from which on a play is doubtful, bad, very bad. */
export const BLUNDERS = [0.03, 0.06, 0.12];
/** An error from which on a choice was wrong. */
export const ALIKE = 0.001;
/** Plays of a roll that differ by less are alike: none of them counts as a decision. */
export const PLAYS_ALIKE = 0.0001;
