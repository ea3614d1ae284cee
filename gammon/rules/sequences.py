"""All plays of a roll with their checker moves, compiled.

The search's generator (`gammon.rules.plays`) writes only positions. Here each position comes
with the moves that a person plays. If several sequences of moves lead to a position, the one
that moves the fewest checkers is chosen; among these, the one with the rearmost moves.

Plays of the same number of moves are stored as a *slot*. Slot 0 holds the position before the
roll. Each further slot is derived from another one by one more move.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.hashing import mix
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Int8Stack, Int32Vector, Int64Matrix, Int64Vector
from gammon.rules.board import OFF, OWN_BAR, SIZE, THEIR_BAR, Move, Moves, Points, State
from gammon.rules.plays import MAX_SUCCESSORS

#: The most moves of a play, and the numbers of a move: source, target, and 1 for a hit. A play
#: with fewer moves has sources of 0 at the end.
MOVES, MOVE = 4, 3
#: The size of the hash table of a slot; a power of 2.
_PLACES = 1 << 13
#: The bits of a move in the rank of a play.
_BITS = 11


class MoveSequences(NamedTuple):
    """Memory for three slots of M plays.

    Attributes:
        boards: int8 [3, M, 26], the positions after the plays, seen from the mover.
        moves: int8 [3, M, 12], four moves in the order of play, see `MOVE`.
        ranks: int64 [3, M]: of two plays to the same position, the one of higher rank is kept.
        counts: int64 [3], the number of plays of each slot.
        places: int32 [8192], a hash table of the boards of the slot being written: the index
            of the play plus 1, or 0 if empty.
    """

    boards: Int8Stack
    moves: Int8Stack
    ranks: Int64Matrix
    counts: Int64Vector
    places: Int32Vector

    @classmethod
    def allocate(cls) -> "MoveSequences":
        """Allocate memory for any roll."""
        return cls(
            boards=np.empty((3, MAX_SUCCESSORS, SIZE), np.int8),
            moves=np.empty((3, MAX_SUCCESSORS, MOVES * MOVE), np.int8),
            ranks=np.empty((3, MAX_SUCCESSORS), np.int64),
            counts=np.zeros(3, np.int64),
            places=np.empty(_PLACES, np.int32),
        )


@kernel(inner=True)
def _copy(source: State, target: State) -> None:
    """Copy numbers. (A slice assignment takes a second to compile.)"""
    for k in range(target.shape[0]):
        target[k] = source[k]


@kernel(inline=True)
def _number(moves: State, k: int) -> int:
    """Return a move of a play as a number; a move from further back has a larger number."""
    at = MOVE * k
    return int(moves[at]) << 6 | int(moves[at + 1]) << 1 | int(moves[at + 2])


@kernel(inner=True)
def _rank(moves: State, length: int) -> int:
    """Return the rank of a play: higher for fewer checkers moved, then for rearmost moves.

    Args:
        moves: int8 [12], in the order of play.
        length: the number of moves.
    """
    continues = 0  # bit k: move k continues with a checker that has moved before
    checkers = 0
    for k in range(length):
        # Checkers that earlier moves have brought to this source, and that are still there.
        arrived = 0
        for j in range(k):
            arrived += int(moves[MOVE * j + 1] == moves[MOVE * k])
            arrived -= int(moves[MOVE * j] == moves[MOVE * k]) & (continues >> j)
        if arrived > 0:
            continues |= 1 << k
        else:
            checkers += 1
    # In the lower bits the numbers of the moves follow, the largest first.
    rank = MOVES - checkers
    last = 1 << 62
    for _ in range(length):
        largest = -1
        for j in range(length):
            number = _number(moves, j) << 2 | j
            if largest < number < last:
                largest = number
        rank = rank << _BITS | largest >> 2
        last = largest
    return rank


@kernel(inner=True)
def _place_of(sequences: MoveSequences, slot: int, board: State) -> int:
    """Return the index of a board in the hash table of a slot, or of its free place."""
    key = np.uint64(0)
    for byte in range(SIZE):
        key = mix(key ^ np.uint64(int(board[byte]) & 255))
    place = int(np.int64(key)) & (_PLACES - 1)
    while sequences.places[place] != 0:
        other = sequences.boards[slot, sequences.places[place] - 1]
        same = True
        for byte in range(SIZE):
            same &= other[byte] == board[byte]
        if same:
            break
        place = (place + 1) & (_PLACES - 1)
    return place


@kernel(inner=True)
def _keep(sequences: MoveSequences, slot: int, board: State, moves: State, length: int) -> None:
    """Add a play to a slot, unless a play of the same or a higher rank has the same board."""
    place = _place_of(sequences, slot, board)
    at = sequences.places[place] - 1
    rank = _rank(moves, length)
    if at < 0:
        at = sequences.counts[slot]
        sequences.counts[slot] = sequences.places[place] = at + 1
        _copy(board, sequences.boards[slot, at])
    elif rank <= sequences.ranks[slot, at]:
        return
    sequences.ranks[slot, at] = rank
    _copy(moves, sequences.moves[slot, at])


@kernel(inner=True)
def _begin(sequences: MoveSequences, slot: int) -> None:
    """Empty a slot and the hash table."""
    sequences.counts[slot] = 0
    for place in range(_PLACES):
        sequences.places[place] = 0


@kernel(inner=True)
def _look_up_again(sequences: MoveSequences, slot: int) -> None:
    """Rebuild the hash table of a slot, so that more plays can be added to it."""
    n = sequences.counts[slot]
    _begin(sequences, slot)
    sequences.counts[slot] = n
    for at in range(n):
        sequences.places[_place_of(sequences, slot, sequences.boards[slot, at])] = at + 1


@kernel(inner=True)
def _play_die(
    sequences: MoveSequences, source: int, slot: int, length: int, die: int, board: State, moves: State
) -> None:
    """Extend each play of a slot by one move with a die, and add the results to another slot.

    Args:
        sequences: the memory of the slots.
        source: the slot of plays with `length` moves.
        slot: the slot of plays with one move more.
        length: the number of moves.
        die: the die, 1..6.
        board: int8 [26], scratch.
        moves: int8 [12], scratch.
    """
    for at in range(sequences.counts[source]):
        _copy(sequences.boards[source, at], board)
        _copy(sequences.moves[source, at], moves)
        rear = OWN_BAR
        while rear > 0 and board[rear] <= 0:
            rear -= 1
        last = OWN_BAR if board[OWN_BAR] > 0 else 1
        for point in range(rear, last - 1, -1):
            if board[point] <= 0:
                continue
            target = max(point - die, OFF)
            if target == OFF and (rear > 6 or (point < die and point != rear)):
                continue
            if target != OFF and board[target] < -1:
                continue
            hit = target != OFF and board[target] == -1
            board[point] -= 1
            if hit:
                board[target] = 0
                board[THEIR_BAR] -= 1
            if target != OFF:
                board[target] += 1
            moves[MOVE * length] = point
            moves[MOVE * length + 1] = target
            moves[MOVE * length + 2] = int(hit)
            _keep(sequences, slot, board, moves, length + 1)
            if target != OFF:
                board[target] -= 1
            if hit:
                board[target] = -1
                board[THEIR_BAR] += 1
            board[point] += 1


@kernel(allocates=True)
def find_plays(state: State, die1: int, die2: int, sequences: MoveSequences) -> int:
    """Write the plays of a roll, with the larger die first, rearmost checkers first.

    Args:
        state: int8 [26], seen from the player on roll; the game is not over.
        die1: 1..6.
        die2: 1..6.
        sequences: memory.

    Returns:
        The slot that holds the plays. A pass is the position itself, with no moves.
    """
    board, moves = np.empty(SIZE, np.int8), np.empty(MOVES * MOVE, np.int8)
    high, low = max(die1, die2), min(die1, die2)
    sequences.counts[0] = 1
    _copy(state, sequences.boards[0, 0])
    for k in range(MOVES * MOVE):
        sequences.moves[0, 0, k] = 0
    if high == low:
        slot = 0
        for length in range(MOVES):
            longer = 2 if slot == 1 else 1
            _begin(sequences, longer)
            _play_die(sequences, slot, longer, length, high, board, moves)
            if sequences.counts[longer] == 0:
                break
            slot = longer
        return slot
    for first, second in ((high, low), (low, high)):
        _begin(sequences, 1)
        _play_die(sequences, 0, 1, 0, first, board, moves)
        if first == high:
            _begin(sequences, 2)
        else:
            _look_up_again(sequences, 2)
        _play_die(sequences, 1, 2, 1, second, board, moves)
    if sequences.counts[2] > 0:
        return 2
    for die in (high, low):
        _begin(sequences, 1)
        _play_die(sequences, 0, 1, 0, die, board, moves)
        if sequences.counts[1] > 0:
            return 1
    return 0


@kernel(allocates=True)
def find_moves(state: State, die: int, sequences: MoveSequences) -> int:
    """Write the moves of one checker by one die, the same as from `board.legal_moves`.

    Args:
        state: int8 [26], seen from the player on roll.
        die: 1..6.
        sequences: memory.

    Returns:
        The slot that holds the moves, as plays of one move each; it may be empty.
    """
    board, moves = np.empty(SIZE, np.int8), np.zeros(MOVES * MOVE, np.int8)
    sequences.counts[0] = 1
    _copy(state, sequences.boards[0, 0])
    _copy(moves, sequences.moves[0, 0])
    _begin(sequences, 1)
    _play_die(sequences, 0, 1, 0, die, board, moves)
    return 1


def plays_of(points: Points, dice: tuple[int, int]) -> dict[Points, Moves]:
    """Return every distinct result of a roll, with moves that lead to it.

    Args:
        points: 26 counts, seen from the player on roll; the game is not over.
        dice: the roll, in any order, each die 1..6.

    Returns:
        The results, seen from the mover, each with its moves in the order of play. A pass
        is the position itself, with no moves.
    """
    sequences = MoveSequences.allocate()
    slot = find_plays(np.array(points, np.int8), *dice, sequences)
    n = int(sequences.counts[slot])
    plays: dict[Points, Moves] = {}
    boards, moves = sequences.boards[slot, :n].tolist(), sequences.moves[slot, :n].tolist()
    for board, numbers in zip(boards, moves, strict=True):
        fields = zip(numbers[::MOVE], numbers[1::MOVE], numbers[2::MOVE], strict=True)
        plays[tuple(board)] = tuple(
            Move(source, target, bool(hit)) for source, target, hit in fields if source
        )
    return plays
