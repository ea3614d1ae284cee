"""The compiled move generator: it writes all successors of a position and a roll.

A successor is the position after a whole turn, seen from the opponent, who is
then on roll. The rules in one paragraph: play both dice if that is possible in
either order; if only one die can be played, play the larger if possible; a
double is played up to four times, as often as possible; checkers on the bar
enter first; bearing off needs all checkers in the home board, and a die larger
than the rearmost checker's point bears off that checker.

The generator works on bit masks (bit p set: point p) and writes each distinct
successor exactly once *by construction*, without a table of earlier successors:

* Doubles: the checkers' moves, listed with their sources in descending order,
  determine the result, and a legal set of moves stays legal in that order.
* Other rolls: a result is determined by the pair (source of the larger die,
  source of the smaller), whichever is played first, with two exceptions that
  `successors` treats where it meets them: one checker that moves with both dice
  may reach its target over either middle point, and two checkers borne off may
  swap their dice.
"""

from gammon.compiled.kernel import kernel
from gammon.compiled.vector import Int8x16, bits, load, lowest, reverse, store
from gammon.rules.board import SIZE, Rows, State
from gammon.rules.dice import HIGH, LOW

#: No roll has more successors: four steps of a double spread over fifteen checkers
#: in C(18, 4) ways, and no two other spreads of steps are different positions.
MAX_SUCCESSORS = 3060
#: The rows that `successors` needs: the last one is its scratch board.
MAX_ROWS = MAX_SUCCESSORS + 1

#: A board is two overlapping vectors of this many counts; the second begins at `_SECOND`.
_HALF = 16
_SECOND = SIZE - _HALF
_BAR_BIT = 1 << 25
_ALL_POINTS = (1 << 25) - 2  # bits 1..24
_OUTFIELD = ((1 << 26) - 1) ^ ((1 << 7) - 1)  # bits 7..25: no bearing off while one is set


@kernel(inline=True)
def _sources(own: int, open_points: int, die: int) -> int:
    """Return the mask of points from which a checker can move `die` pips now."""
    sources = own & (open_points << die)
    if own & _BAR_BIT:
        return sources & _BAR_BIT
    if own & _OUTFIELD == 0:
        if own >> die & 1:
            sources |= 1 << die
        elif own >> die == 0:  # nothing on the die's point or behind it: the rearmost goes
            rear = die - 1
            while rear > 0 and own >> rear & 1 == 0:
                rear -= 1
            if rear > 0:
                sources |= 1 << rear
    return sources


@kernel(inline=True)
def _own_after(board: State, own: int, source: int, die: int) -> int:
    """Return the mask of own points after a move; `board` is the position before it."""
    target = source - die
    if board[source] == 1:
        own ^= 1 << source
    if target > 0:
        own |= 1 << target
    return own


@kernel(inline=True)
def _move(board: State, source: int, die: int) -> bool:
    """Move a checker on the board, and return whether it hit."""
    board[source] -= 1
    target = source - die
    if target <= 0:
        return False
    if board[target] < 0:
        board[target] = 1
        board[0] -= 1
        return True
    board[target] += 1
    return False


@kernel(inline=True)
def _take_back(board: State, source: int, die: int, hit: bool) -> None:
    """Undo `_move`."""
    board[source] += 1
    target = source - die
    if target > 0:
        if hit:
            board[target] = -1
            board[0] += 1
        else:
            board[target] -= 1


@kernel(inline=True)
def _turned(board: State) -> tuple[Int8x16, Int8x16]:
    """Return the board seen from the opponent: the first 16 counts and the last 16."""
    first, last = load(board, 0, _HALF), load(board, _SECOND, _HALF)
    return reverse(-last), reverse(-first)


@kernel(inline=True)
def _write(turned: tuple[Int8x16, Int8x16], row: State) -> None:
    """Write a board as `_turned` returns it."""
    first, last = turned
    store(row, 0, first)
    store(row, _SECOND, last)


@kernel(inline=True)
def _write_after(board: State, turned: tuple[Int8x16, Int8x16], source: int, die: int, row: State) -> None:
    """Write the result of a turn's last move, seen from the opponent.

    Args:
        board: int8 [26], the position before the move.
        turned: the same position, see `_turned`.
        source: the point that the checker leaves.
        die: the pips that it moves.
        row: int8 [26], to be written.
    """
    _write(turned, row)
    target = max(source - die, 0)
    count = board[target]
    hit = (count < 0) & (target > 0)
    row[25 - source] = 1 - board[source]
    row[25 - target] = min(-1 - count, -1)
    # Last, because it corrects row[25] if the checker is borne off.
    row[25] = hit - board[0]


@kernel(inline=True)
def _singles(board: State, own: int, open_points: int, die: int, last: int, rows: Rows, n: int) -> int:
    """Write all results of one more move, as `_doubles` does for several."""
    sources = _sources(own, open_points, die) & ((2 << last) - 1)
    turned = _turned(board)
    while sources:
        source = lowest(sources)
        sources &= sources - 1
        _write_after(board, turned, source, die, rows[n])
        n += 1
    return n


@kernel(inner=True)
def _singles_or_pass(board: State, own: int, open_points: int, die: int, rows: Rows) -> int:
    """Write all results of one move, or the unchanged board, and return their number."""
    n = _singles(board, own, open_points, die, 25, rows, 0)
    if n == 0:
        _write(_turned(board), rows[0])
        n = 1
    return n


@kernel(inner=True)
def _doubles(
    board: State, own: int, open_points: int, die: int, left: int, last: int, rows: Rows, n: int
) -> int:
    """Write all results of exactly `left` more moves whose sources are at most `last`.

    `left` is at least 2. Returns the new number of rows. The board is restored.
    """
    sources = _sources(own, open_points, die) & ((2 << last) - 1)
    while sources:
        source = lowest(sources)
        sources &= sources - 1
        own_next = _own_after(board, own, source, die)
        hit = _move(board, source, die)
        if left == 2:
            n = _singles(board, own_next, open_points, die, source, rows, n)
        else:
            n = _doubles(board, own_next, open_points, die, left - 1, source, rows, n)
        _take_back(board, source, die, hit)
    return n


@kernel()
def successors(state: State, outcome: int, rows: Rows) -> int:
    """Write every distinct successor of a position and a roll.

    Args:
        state: int8 [26], seen from the player on roll; the game is not over.
        outcome: the roll, 0..20 (`gammon.rules.dice.ROLLS`).
        rows: int8 [R, 26], R >= MAX_ROWS. Rows 0..n-1 become the successors, seen from
            the opponent. The other rows are scratch.

    Returns:
        n >= 1, the number of successors. If nothing can be played, the one successor is
        a pass.
    """
    board = rows[rows.shape[0] - 1]
    first, last = load(state, 0, _HALF), load(state, _SECOND, _HALF)
    store(board, 0, first)
    store(board, _SECOND, last)
    own = bits(first > 0) | bits(last > 0) << _SECOND
    open_points = (bits(first > -2) | bits(last > -2) << _SECOND) & _ALL_POINTS
    a = HIGH[outcome]
    b = LOW[outcome]
    n = 0

    if a == b:
        for left in (4, 3, 2):
            n = _doubles(board, own, open_points, a, left, 25, rows, 0)
            if n > 0:
                return n
        return _singles_or_pass(board, own, open_points, a, rows)

    # Larger die first. One checker that plays the smaller die first (t = s + b) is left
    # to the second pass, where that order is always legal if this one is.
    first_a = _sources(own, open_points, a)
    both_off = 0  # the sources of the two checkers, when both dice bear off
    sources = first_a
    while sources:
        s = lowest(sources)
        sources &= sources - 1
        then_b = _sources(_own_after(state, own, s, a), open_points, b)
        if s + b <= 25:
            then_b &= ~(1 << (s + b))
        if then_b == 0:
            continue
        hit_a = _move(board, s, a)
        turned = _turned(board)
        while then_b:
            t = lowest(then_b)
            then_b &= then_b - 1
            _write_after(board, turned, t, b, rows[n])
            n += 1
            if s <= a and t <= b:
                both_off = 1 << s | 1 << t
        _take_back(board, s, a, hit_a)

    # Smaller die first, except for results that the first pass has written.
    first_b = _sources(own, open_points, b)
    sources = first_b
    while sources:
        t = lowest(sources)
        sources &= sources - 1
        then_a = _sources(_own_after(state, own, t, b), open_points, a)
        if then_a == 0:
            continue
        hit_b = _move(board, t, b)
        turned = _turned(board)
        while then_a:
            s = lowest(then_a)
            then_a &= then_a - 1
            if s == t - b:
                # One checker, over t - b. The first pass took it to the same place over
                # t - a, if that was legal; a hit on either middle point is a difference.
                if t > a and first_a >> t & 1 and state[t - a] >= 0 and state[t - b] >= 0:
                    then_b = _sources(_own_after(state, own, t, a), open_points, b)
                    if then_b >> (t - a) & 1:
                        continue
            elif first_a >> s & 1:
                then_b = _sources(_own_after(state, own, s, a), open_points, b)
                if then_b >> t & 1:
                    continue
            if s <= a and t <= b and both_off == (1 << s | 1 << t):
                continue
            _write_after(board, turned, s, a, rows[n])
            n += 1
        _take_back(board, t, b, hit_b)
    if n > 0:
        return n

    # Only one die can be played: the larger if there is a choice.
    return _singles_or_pass(board, own, open_points, a if first_a else b, rows)
