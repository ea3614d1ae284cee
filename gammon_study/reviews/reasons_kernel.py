"""What a decision is about, and what an error gave away, as numbers.

Python, C and the page without a server put these numbers into words. docs/review.md defines the
themes. A set of themes is a number: bit k stands for `names.THEMES[k]`. A *reason* against a play
is a difference in the search's chances, or one that can be counted on the board. Differences too
small to matter are left out.

A board is int8 [26], seen from the player who decides, or whose plan is tested. *Sides* are int8
[2, 26]: a board seen from that player, then from the opponent.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Float64Vector, Int8Matrix, Int64Vector
from gammon.core.values import without_cube
from gammon.rules.board import CHECKERS, OPENING, OWN_BAR, SIZE, THEIR_BAR, Rows, State
from gammon.rules.dice import HIGH, LOW, N_ROLLS
from gammon.rules.outcome import N_RESULTS
from gammon.rules.plays import successors
from gammon_study.reviews.choice import ALIKE, DOUBLE, NO_DOUBLE
from gammon_study.reviews.names import THEMES

_OPENING, _BLITZ, _PRIME = (1 << THEMES.index(name) for name in ("opening", "blitz", "prime"))
_HOLDING, _BACK = 1 << THEMES.index("holding game"), 1 << THEMES.index("back game")
_CONTAINMENT, _RACE = 1 << THEMES.index("containment"), 1 << THEMES.index("race")
_BEAR_IN, _BEAR_OFF = 1 << THEMES.index("bear-in"), 1 << THEMES.index("bear-off")
_HIT, _SLOT = 1 << THEMES.index("hit or not"), 1 << THEMES.index("point or slot")
_ANCHOR, _RUN = 1 << THEMES.index("anchor"), 1 << THEMES.index("run")
_TOO_GOOD, _WRONG = 1 << THEMES.index("too good"), 1 << THEMES.index("missed double")
_GO, _SAVE = 1 << THEMES.index("gammon go"), 1 << THEMES.index("gammon save")

#: The first point of the home board, the first point outside, and the opponent's first home point.
_FIRST, _OUTSIDE, _THEIRS = 1, 7, 19
#: A game is in its opening while each side has this many checkers where they began.
_UNMOVED = 10
_BEGUN = np.maximum(np.array(OPENING, np.int8), 0)
#: A blitz: the end of the zone, the least own checkers in it, the least blots and checkers of the
#: opponent in the home board and on the bar, and the most points made there.
_ZONE_END, _ATTACKERS, _VICTIMS, _CLOSED = 12, 10, 2, 4
#: The length of a prime.
_LENGTH = 4
#: The anchors of a holding game: the opponent's bar point, 5-point and 4-point.
_HOLD_FIRST, _HOLD_OTHER, _HOLD_LAST = 18, 20, 21
#: A back game: the least points held in the opponent's home, and the least pips behind.
_ANCHORS, _BEHIND = 2, 50
#: Containment: the most checkers of the opponent that are not home, the least place of the last
#: one, and the least own checkers before it.
_STRAGGLERS, _FAR, _GUARDS = 2, 13, 6
#: Bear-in: the farthest place of an own checker, and the least checkers at home or off.
_NEAR, _ARRIVED = 12, 9
#: The ends of the own points that count as made or slotted, and the first one that can be slotted.
_BUILT_END, _SLOT_FIRST, _SLOT_END = 9, 3, 8

#: Smaller differences of chances are not reasons.
_LEAST = 0.005
#: Gammons are reasons only if a gammon is worth this much more equity than a single game.
_LEAST_FACTOR = 0.05
#: The least part of an error that the cube must cause to be a reason.
_LEAST_BY_CUBE = 0.01
#: Smaller differences of shots, of 36, are not reasons.
_LEAST_SHOTS = 3
#: The layout of the reasons in `write_reasons`: a mark for each chance, for the cube and for each
#: count, the counts after both plays, a mark for the points, and the points that both plays make.
N_TOLD, N_COUNTS = 3, 6
CUBE_TOLD = N_TOLD
COUNTS_TOLD = CUBE_TOLD + 1
COUNTS = COUNTS_TOLD + N_COUNTS
POINTS_TOLD = COUNTS + 2 * N_COUNTS
N_REASONS = POINTS_TOLD + 3
_OFF, _SHOTS, _BLOTS, _HOME, _BAR, _BACK_CHECKERS = range(N_COUNTS)
#: The number of a single win among the six results.
_WIN = 3


@kernel(inner=True)
def _men(board: State, first: int, end: int) -> int:
    """Return the number of own checkers on places `first` to `end` - 1."""
    count = 0
    for place in range(first, end):
        count += max(int(board[place]), 0)
    return count


@kernel(inner=True)
def _made(board: State, first: int, end: int) -> int:
    """Return the number of points that the player holds on places `first` to `end` - 1."""
    count = 0
    for place in range(first, end):
        count += int(board[place] >= 2)
    return count


@kernel(inner=True)
def _rear(board: State) -> int:
    """Return the place of the rearmost own checker; 0 if there is none."""
    place = OWN_BAR
    while place > 0 and board[place] <= 0:
        place -= 1
    return place


@kernel(inner=True)
def _front(board: State) -> int:
    """Return the lowest place of the opponent's checkers; 26 if there is none."""
    place = 0
    while place < SIZE and board[place] >= 0:
        place += 1
    return place


@kernel(inner=True)
def _in_contact(board: State) -> bool:
    return _rear(board) > _front(board)


@kernel(inner=True)
def _pips(board: State) -> int:
    pips = 0
    for place in range(1, SIZE):
        pips += place * max(int(board[place]), 0)
    return pips


@kernel(inner=True)
def write_sides(board: State, sides: Int8Matrix) -> None:
    """Write a board, seen from its player and from the opponent."""
    for place in range(SIZE):
        sides[0, place], sides[1, place] = board[place], -board[SIZE - 1 - place]


@kernel(inner=True)
def _is_unmoved(board: State) -> bool:
    count = 0
    for place in range(SIZE):
        count += min(max(int(board[place]), 0), int(_BEGUN[place]))
    return count >= _UNMOVED


@kernel(inner=True)
def _is_blitz(board: State) -> bool:
    victims = -int(board[THEIR_BAR])
    for place in range(_FIRST, _OUTSIDE):
        if board[place] < -1:
            return False
        victims += int(board[place] == -1)
    if victims < _VICTIMS or not _in_contact(board):
        return False
    attackers = _men(board, _FIRST, _ZONE_END)
    return attackers >= _ATTACKERS and _made(board, _FIRST, _OUTSIDE) <= _CLOSED


@kernel(inner=True)
def _is_prime(board: State) -> bool:
    """Return whether there is a prime with an opposing checker behind it."""
    run = 0
    for place in range(max(_front(board) + 1, _FIRST), OWN_BAR):
        run = run + 1 if board[place] >= 2 else 0
        if run == _LENGTH:
            return True
    return False


@kernel(inner=True)
def _holds(board: State) -> bool:
    """Return whether the rearmost checkers are an anchor of a holding game."""
    rear = _rear(board)
    holding = rear == _HOLD_FIRST or _HOLD_OTHER <= rear <= _HOLD_LAST
    return bool(holding and board[rear] >= 2)


@kernel(inner=True)
def _is_holding(board: State, other: State) -> bool:
    past = _front(board) >= _OUTSIDE
    return _holds(board) and (past or _holds(other)) and _in_contact(board)


@kernel(inner=True)
def _is_back_game(board: State, other: State) -> bool:
    anchors = _made(board, _THEIRS, OWN_BAR)
    return anchors >= _ANCHORS and _pips(board) - _pips(other) >= _BEHIND


@kernel(inner=True)
def _contains(board: State, other: State) -> bool:
    """Return whether this side tries to contain the opponent's last checkers, which are blots."""
    if not 1 <= _men(other, _OUTSIDE, SIZE) <= _STRAGGLERS or _rear(other) < _FAR:
        return False
    for place in range(_OUTSIDE, OWN_BAR):
        if other[place] >= 2:
            return False
    return _men(board, SIZE - _rear(other), _THEIRS) >= _GUARDS


@kernel()
def position_bits(sides: Int8Matrix) -> int:
    """Return the themes of a position, seen from the player on roll.

    A theme of either side counts for both, so a blitz is a theme for its victim, too. Only bear-in
    and bear-off are themes of the player on roll alone.
    """
    themes = _OPENING if _is_unmoved(sides[0]) and _is_unmoved(sides[1]) else 0
    for side in range(2):
        board, other = sides[side], sides[1 - side]
        if _is_blitz(board):
            themes |= _BLITZ
        if _is_prime(board):
            themes |= _PRIME
        if _is_holding(board, other):
            themes |= _HOLDING
        if _is_back_game(board, other):
            themes |= _BACK
        if _contains(board, other):
            themes |= _CONTAINMENT
    if not _in_contact(sides[0]):
        themes |= _RACE
    outside = _men(sides[0], _OUTSIDE, SIZE)
    if outside == 0:
        themes |= _BEAR_OFF
    elif _rear(sides[0]) <= _NEAR and CHECKERS - outside >= _ARRIVED:
        themes |= _BEAR_IN
    return themes


@kernel(inner=True)
def _made_points(before: State, after: State, first: int, end: int) -> int:
    """Return the points from `first` to `end` - 1 that a play makes; bit p is point p."""
    points = 0
    for place in range(first, end):
        if after[place] >= 2 and before[place] < 2:
            points |= 1 << place
    return points


@kernel(inner=True)
def _slots(before: State, after: State) -> int:
    """Return the points in front of an opposing checker that a play slots; bit p is point p."""
    points = 0
    for place in range(max(_front(after) + 1, _SLOT_FIRST), _SLOT_END):
        if after[place] == 1 and before[place] < 1:
            points |= 1 << place
    return points


@kernel()
def play_bits(before: State, boards: Rows) -> int:
    """Return the themes in which plays differ: hits, points made or slotted, anchors, runs.

    Args:
        before: int8 [26], the board before the plays.
        boards: int8 [N, 26], the board after each play, seen from the same player.
    """
    themes = 0
    for first in range(boards.shape[0]):
        for second in range(first):
            a, b = boards[first], boards[second]
            if a[THEIR_BAR] != b[THEIR_BAR]:
                themes |= _HIT
            built = _made_points(before, a, _FIRST, _BUILT_END)
            if built != _made_points(before, b, _FIRST, _BUILT_END):
                themes |= _SLOT
            if _slots(before, a) != _slots(before, b):
                themes |= _SLOT
            anchor = _made_points(before, a, _THEIRS, OWN_BAR)
            if anchor != _made_points(before, b, _THEIRS, OWN_BAR):
                themes |= _ANCHOR
            if _men(a, _THEIRS, SIZE) != _men(b, _THEIRS, SIZE):
                themes |= _RUN
    return themes


@kernel()
def cube_bits(action: int, stay: float, taken: float, passed: float, error: float) -> int:
    """Return the themes of a choice about the cube.

    Args:
        action: as for `cube_loss`.
        stay: the equity of no double to the player on roll.
        taken: the equity of double and take.
        passed: the equity of double and pass.
        error: the equity that the choice loses.
    """
    themes = _WRONG << (action - NO_DOUBLE) if error >= ALIKE else 0
    if action <= DOUBLE and min(stay, taken) >= passed + ALIKE:
        themes |= _TOO_GOOD
    return themes


@kernel()
def score_bits(length: int, own: int, their: int, cube: int) -> int:
    """Return the themes of a score, from the points that the player who decides and the opponent need.

    Gammon go: a gammon wins the match, and a lost gammon costs nothing extra, as losing the game
    loses the match. Gammon save is the same for the opponent.
    """
    if length == 0:
        return 0
    themes = _GO if their <= cube < own <= 2 * cube else 0
    if own <= cube < their <= 2 * cube:
        themes |= _SAVE
    return themes


@kernel()
def shots_at(sides: Int8Matrix, rows: Rows) -> int:
    """Return how many of the opponent's 36 rolls can hit, by all legal plays.

    Blots in the opponent's home board do not count: a hit there costs only a few pips.

    Args:
        sides: int8 [2, 26], the sides after a play of their first player.
        rows: int8 [R, 26], scratch for the plays of a roll.
    """
    board = sides[0]
    blots = 0
    for place in range(_FIRST, _THEIRS):
        blots += int(board[place] == 1)
    if blots == 0 or not _in_contact(board):
        return 0
    shots = 0
    for roll in range(N_ROLLS):
        n = successors(sides[1], roll, rows)
        hits = False
        for row in range(n):
            for place in range(_FIRST, _THEIRS):
                hits |= board[place] == 1 and rows[row, place] < 1
        if hits:
            shots += 1 if HIGH[roll] == LOW[roll] else 2
    return shots


@kernel(inner=True)
def _write_counts(sides: Int8Matrix, rows: Rows, at: int, reasons: Int64Vector) -> None:
    """Write the counts of a board after a play, from index `at` on."""
    board = sides[0]
    shots, blots = shots_at(sides, rows), 0
    if shots > 0:
        for place in range(_FIRST, _THEIRS):
            blots += int(board[place] == 1)
    reasons[at + _OFF] = CHECKERS - _men(board, _FIRST, SIZE)
    reasons[at + _SHOTS], reasons[at + _BLOTS] = shots, blots
    reasons[at + _HOME] = _made(board, _FIRST, _OUTSIDE)
    reasons[at + _BAR] = -int(board[THEIR_BAR])
    reasons[at + _BACK_CHECKERS] = _men(board, _THEIRS, SIZE)


@kernel(inner=True)
def _mark_counts(contact: bool, reasons: Int64Vector) -> None:
    """Mark the counts that are worse than after the best play, and the points if it makes others."""
    for k in range(N_COUNTS):
        more = reasons[COUNTS + k] - reasons[COUNTS + N_COUNTS + k]
        if k in (_OFF, _HOME, _BAR):  # fewer are worse
            more = -more
        least = _LEAST_SHOTS if k == _SHOTS else 1
        reasons[COUNTS_TOLD + k] = int(more >= least and contact == (k != _OFF))
    made, best = reasons[POINTS_TOLD + 1], reasons[POINTS_TOLD + 2]
    reasons[POINTS_TOLD] = int(contact and best & ~made != 0)


@kernel()
def write_reasons(
    before: State,
    boards: Rows,
    chances: Float64Matrix,
    result_equities: Float64Vector,
    dead: bool,
    error: float,
    sides: Int8Matrix,
    rows: Rows,
    equities: Float64Vector,
    reasons: Int64Vector,
    figures: Float64Vector,
) -> None:
    """Write why a play was wrong.

    Args:
        before: int8 [26], the board before the play.
        boards: int8 [>= 2, 26], the boards after the play and after the best play, seen from the
            same player.
        chances: float64 [>= 2, 5], the chances of that player after both plays.
        result_equities: float64 [6], the equities of the six results to that player.
        dead: whether the cube is dead: nobody can gain by turning it.
        error: the equity that the play loses.
        sides: int8 [2, 26], scratch.
        rows: int8 [R, 26], scratch for the plays of a roll.
        equities: float64 [2], scratch.
        reasons: int64 [>= 25], to be written. First -1, 1 or 0 for wins, gammons won and gammons
            lost: against the play, for it, or too small to matter. Then 1 or 2 if the cube makes
            the difference: without the cube both plays are worth the same (1), or this play more
            (2). Then for six counts (checkers off, shots, blots, points at home, opposing checkers
            on the bar, checkers back) 1 if the count is a reason; the six counts after the play;
            the six counts after the best play. Then 1 if the points that the plays make are a
            reason; the points that this play makes, with bit p for point p; and the points that
            the best play makes.
        figures: float64 [>= 4], to be written: the three chances after the play minus the chances
            after the best play, then the same difference of cubeless equities.
    """
    against, saved = False, False
    for k in range(N_TOLD):
        index = 3 if k == 2 else k
        difference = chances[0, index] - chances[1, index]
        factor = 1.0
        if k > 0:
            factor = result_equities[_WIN + 1] - result_equities[_WIN]
            if k == 2:
                factor = result_equities[N_RESULTS - 1 - _WIN] - result_equities[N_RESULTS - 2 - _WIN]
        figures[k], reasons[k] = difference, 0
        if abs(difference) >= _LEAST and factor >= _LEAST_FACTOR:
            better = (difference > 0.0) == (k < 2)
            reasons[k] = 1 if better else -1
            against |= not better
            saved |= better
    without_cube(chances[:2], result_equities, equities)
    gain = equities[0] - equities[1]
    figures[N_TOLD], reasons[CUBE_TOLD] = gain, 0
    if not (dead or error + gain < _LEAST_BY_CUBE or gain < -0.5 * ALIKE):
        reasons[CUBE_TOLD] = 1 if gain < ALIKE else 2
    for play in range(2):
        write_sides(boards[play], sides)
        _write_counts(sides, rows, COUNTS + play * N_COUNTS, reasons)
        reasons[POINTS_TOLD + 1 + play] = _made_points(before, boards[play], _FIRST, OWN_BAR)
    _mark_counts(_in_contact(before), reasons)
    if not against and (saved or reasons[CUBE_TOLD] != 0):
        for k in range(N_COUNTS):
            reasons[COUNTS_TOLD + k] = 0
        reasons[POINTS_TOLD] = 0
