"""What a decision is about, and what an error gave away, as numbers.

Python, C and the page without a server put these numbers in words. docs/study.md defines the
themes. A set of themes is a number: bit k stands for `names.THEMES[k]`. A *reason* is a
difference that can be counted on the board, or that the search has found, and it speaks against
what was done. Differences too small to matter are left out.

A board is int8 [26], seen from the player who decides, or has the plan. *Sides* are int8
[2, 26], a board as that player sees it and as the other one does.
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

#: Where the opponent's home board begins, and where a board ends.
_FIRST, _OUTSIDE, _THEIRS = 1, 7, 19
#: A game is in its opening while so many checkers of each side stand where they began.
_UNMOVED = 10
_BEGUN = np.maximum(np.array(OPENING, np.int8), 0)
#: A blitz: so many checkers in the zone against so many in the home board, where no more points
#: are made.
_ZONE_END, _ATTACKERS, _VICTIMS, _CLOSED = 12, 10, 2, 4
_LENGTH = 4
#: The other's bar, 5- and 4-point, from where a holding game is played.
_HOLD_FIRST, _HOLD_OTHER, _HOLD_LAST = 18, 20, 21
#: A back game: at least this many points in the opponent's home, and pips behind.
_ANCHORS, _BEHIND = 2, 50
#: Containment: so many checkers at most are not home, the last one still so far from there.
_STRAGGLERS, _FAR, _GUARDS = 2, 13, 6
#: Bear-in: nobody is farther away, and so many checkers are home or off.
_NEAR, _ARRIVED = 12, 9
#: Points that are made, and those that are slotted, on a player's own side, end here.
_BUILT_END, _SLOT_FIRST, _SLOT_END = 9, 3, 8

#: Chances that differ by less are not told.
_LEAST = 0.005
#: Gammons count where a chance of them is worth so much equity.
_LEAST_WORTH = 0.05
#: What the cube adds to an error is not told if it is less.
_LEAST_BY_CUBE = 0.01
#: Shots of 36 that differ by fewer are not told.
_LEAST_SHOTS = 3
#: The numbers of `write_reasons`: chances that may be told, the cube, counts that may be, with
#: their numbers after both plays, and the points that both make.
N_TOLD, N_COUNTS = 3, 6
CUBE_TOLD = N_TOLD
COUNTS_TOLD = CUBE_TOLD + 1
COUNTS = COUNTS_TOLD + N_COUNTS
POINTS_TOLD = COUNTS + 2 * N_COUNTS
N_REASONS = POINTS_TOLD + 3
_OFF, _SHOTS, _BLOTS, _HOME, _BAR, _BACK_CHECKERS = range(N_COUNTS)
#: The result that a single win is, of six.
_WIN = 3


@kernel(inner=True)
def _men(board: State, first: int, end: int) -> int:
    """Return how many own checkers stand from one place to before another."""
    count = 0
    for place in range(first, end):
        count += max(int(board[place]), 0)
    return count


@kernel(inner=True)
def _made(board: State, first: int, end: int) -> int:
    """Return how many points a player holds from one place to before another."""
    count = 0
    for place in range(first, end):
        count += int(board[place] >= 2)
    return count


@kernel(inner=True)
def _rear(board: State) -> int:
    """Return where the rearmost own checker stands; 0 without any."""
    place = OWN_BAR
    while place > 0 and board[place] <= 0:
        place -= 1
    return place


@kernel(inner=True)
def _front(board: State) -> int:
    """Return the lowest place of the opponent's checkers; 26 without any."""
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
    """Write a board as both players see it."""
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
    """Tell whether there is a run of points with an opposing checker behind it."""
    run = 0
    for place in range(max(_front(board) + 1, _FIRST), OWN_BAR):
        run = run + 1 if board[place] >= 2 else 0
        if run == _LENGTH:
            return True
    return False


@kernel(inner=True)
def _holds(board: State) -> bool:
    """Tell whether the rearmost checkers are an anchor of a holding game."""
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
    """Tell whether this side must stop the other's last checkers, which are alone."""
    if not 1 <= _men(other, _OUTSIDE, SIZE) <= _STRAGGLERS or _rear(other) < _FAR:
        return False
    for place in range(_OUTSIDE, OWN_BAR):
        if other[place] >= 2:
            return False
    return _men(board, SIZE - _rear(other), _THEIRS) >= _GUARDS


@kernel()
def position_bits(sides: Int8Matrix) -> int:
    """Return the themes of a position, whose own player is on roll.

    The themes of a position are those of either side, but for the bear-in and the bear-off: a
    blitz is one for both players.
    """
    found = _OPENING if _is_unmoved(sides[0]) and _is_unmoved(sides[1]) else 0
    for side in range(2):
        board, other = sides[side], sides[1 - side]
        if _is_blitz(board):
            found |= _BLITZ
        if _is_prime(board):
            found |= _PRIME
        if _is_holding(board, other):
            found |= _HOLDING
        if _is_back_game(board, other):
            found |= _BACK
        if _contains(board, other):
            found |= _CONTAINMENT
    if not _in_contact(sides[0]):
        found |= _RACE
    outside = _men(sides[0], _OUTSIDE, SIZE)
    if outside == 0:
        found |= _BEAR_OFF
    elif _rear(sides[0]) <= _NEAR and CHECKERS - outside >= _ARRIVED:
        found |= _BEAR_IN
    return found


@kernel(inner=True)
def _made_points(before: State, after: State, first: int, end: int) -> int:
    """Return the points that a play makes, from one to before another; bit p is point p."""
    found = 0
    for place in range(first, end):
        if after[place] >= 2 and before[place] < 2:
            found |= 1 << place
    return found


@kernel(inner=True)
def _slots(before: State, after: State) -> int:
    """Return the points that a play slots before an opposing checker."""
    found = 0
    for place in range(max(_front(after) + 1, _SLOT_FIRST), _SLOT_END):
        if after[place] == 1 and before[place] < 1:
            found |= 1 << place
    return found


@kernel()
def play_bits(before: State, boards: Rows) -> int:
    """Return what plays differ in: whether they hit, what they make or slot, whether they run.

    Args:
        before: int8 [26], the board before them.
        boards: int8 [N, 26], the board after each of them, seen from the same player.
    """
    found = 0
    for one in range(boards.shape[0]):
        for two in range(one):
            a, b = boards[one], boards[two]
            if a[THEIR_BAR] != b[THEIR_BAR]:
                found |= _HIT
            built = _made_points(before, a, _FIRST, _BUILT_END)
            if built != _made_points(before, b, _FIRST, _BUILT_END):
                found |= _SLOT
            if _slots(before, a) != _slots(before, b):
                found |= _SLOT
            anchor = _made_points(before, a, _THEIRS, OWN_BAR)
            if anchor != _made_points(before, b, _THEIRS, OWN_BAR):
                found |= _ANCHOR
            if _men(a, _THEIRS, SIZE) != _men(b, _THEIRS, SIZE):
                found |= _RUN
    return found


@kernel()
def cube_bits(action: int, stay: float, taken: float, passed: float, error: float) -> int:
    """Return the themes of a choice about the cube.

    Args:
        action: as for `cube_loss`.
        stay: the equity of no double to the player on roll.
        taken: of a double that is taken.
        passed: of one that is passed.
        error: the equity that the choice loses.
    """
    found = _WRONG << (action - NO_DOUBLE) if error >= ALIKE else 0
    if action <= DOUBLE and min(stay, taken) > passed:
        found |= _TOO_GOOD
    return found


@kernel()
def score_bits(length: int, own: int, their: int, cube: int) -> int:
    """Return the themes of a score, by what the player who decides and the other one need.

    Gammon go: a gammon wins the match, and one that is lost costs no more than the game, which
    loses it anyway. Gammon save is the same for the opponent.
    """
    if length == 0:
        return 0
    found = _GO if their <= cube < own <= 2 * cube else 0
    if own <= cube < their <= 2 * cube:
        found |= _SAVE
    return found


@kernel()
def shots_at(sides: Int8Matrix, rows: Rows) -> int:
    """Return how many of the opponent's 36 rolls can hit, by the whole rules.

    Blots in the opponent's home board do not count: a hit there costs a few pips.

    Args:
        sides: after a play of their own player.
        rows: int8 [R, 26], room for the plays of a roll.
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
def _write_counts(sides: Int8Matrix, rows: Rows, at: int, told: Int64Vector) -> None:
    """Write the counts of a board after a play, from a place on."""
    board = sides[0]
    shots, blots = shots_at(sides, rows), 0
    if shots > 0:
        for place in range(_FIRST, _THEIRS):
            blots += int(board[place] == 1)
    told[at + _OFF] = CHECKERS - _men(board, _FIRST, SIZE)
    told[at + _SHOTS], told[at + _BLOTS] = shots, blots
    told[at + _HOME] = _made(board, _FIRST, _OUTSIDE)
    told[at + _BAR] = -int(board[THEIR_BAR])
    told[at + _BACK_CHECKERS] = _men(board, _THEIRS, SIZE)


@kernel(inner=True)
def _tell_counts(contact: bool, told: Int64Vector) -> None:
    """Mark the counts that are worse than after the best play, and the points that it makes."""
    for k in range(N_COUNTS):
        more = told[COUNTS + k] - told[COUNTS + N_COUNTS + k]
        if k in (_OFF, _HOME, _BAR):  # of which fewer are worse
            more = -more
        least = _LEAST_SHOTS if k == _SHOTS else 1
        told[COUNTS_TOLD + k] = int(more >= least and contact == (k != _OFF))
    made, best = told[POINTS_TOLD + 1], told[POINTS_TOLD + 2]
    told[POINTS_TOLD] = int(contact and best & ~made != 0)


@kernel()
def write_reasons(
    before: State,
    boards: Rows,
    chances: Float64Matrix,
    worths: Float64Vector,
    dead: bool,
    error: float,
    sides: Int8Matrix,
    rows: Rows,
    equities: Float64Vector,
    told: Int64Vector,
    figures: Float64Vector,
) -> None:
    """Write why a play was wrong.

    Args:
        before: int8 [26], the board before the play.
        boards: int8 [>= 2, 26], the boards after it and after the best one, seen from the same
            player.
        chances: float64 [>= 2, 5], that player's after both.
        worths: float64 [6], the equities of the six results to that player.
        dead: whether the cube stays as it is.
        error: the equity that the play loses.
        sides: int8 [2, 26], room.
        rows: int8 [R, 26], room for the plays of a roll.
        equities: float64 [2], room.
        told: int64 [>= 25], to be written: of wins, gammons won and gammons lost, whether each
            speaks against the play (-1), for it (1), or is not told (0); 1 or 2 where it is the
            cube that makes the difference, and without it both are worth the same, or the play
            more; of six counts (checkers off, shots, blots, points at home, opposing checkers
            on the bar, checkers back) which are told, what they are after the play, and after
            the best one; whether the points are told that the plays make, and bit p is point p,
            the points that this one makes, and that the best one makes.
        figures: float64 [>= 4], to be written: how much higher those chances are than after the
            best play, and how much more the play is worth without the cube.
    """
    against, saved = False, False
    for k in range(N_TOLD):
        index = 3 if k == 2 else k
        difference = chances[0, index] - chances[1, index]
        worth = 1.0
        if k > 0:
            worth = worths[_WIN + 1] - worths[_WIN]
            if k == 2:
                worth = worths[N_RESULTS - 1 - _WIN] - worths[N_RESULTS - 2 - _WIN]
        figures[k], told[k] = difference, 0
        if abs(difference) >= _LEAST and worth >= _LEAST_WORTH:
            better = (difference > 0.0) == (k < 2)
            told[k] = 1 if better else -1
            against |= not better
            saved |= better
    without_cube(chances[:2], worths, equities)
    gain = equities[0] - equities[1]
    figures[N_TOLD], told[CUBE_TOLD] = gain, 0
    if not (dead or error + gain < _LEAST_BY_CUBE or gain < -0.5 * ALIKE):
        told[CUBE_TOLD] = 1 if gain < ALIKE else 2
    for one in range(2):
        write_sides(boards[one], sides)
        _write_counts(sides, rows, COUNTS + one * N_COUNTS, told)
        told[POINTS_TOLD + 1 + one] = _made_points(before, boards[one], _FIRST, OWN_BAR)
    _tell_counts(_in_contact(before), told)
    if not against and (saved or told[CUBE_TOLD] != 0):
        for k in range(N_COUNTS):
            told[COUNTS_TOLD + k] = 0
        told[POINTS_TOLD] = 0
