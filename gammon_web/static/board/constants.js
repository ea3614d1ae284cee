/**
 * Numbers of the game, the same as in gammon/rules/board.py; tests/web/test_app.py compares both.
 */

/** The checkers of a side. */
export const CHECKERS = 15;
/** The counts of a board: the points and both bars. */
export const SIZE = 26;
export const OPENING = [
  0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0,
];
