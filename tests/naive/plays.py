"""The twin of the generators of plays: every order of moves, in plain Python."""

from gammon.rules.board import Moves, Points, flipped, legal_moves
from gammon.rules.dice import ROLLS, WEIGHTS


def _preference(moves: Moves) -> tuple[int, Moves]:
    """Rank sequences with the same result: the fewest moving checkers, then the rearmost."""
    ends: list[int] = []
    for move in moves:
        if move.source in ends:
            ends.remove(move.source)
        ends.append(move.target)
    return -len(ends), tuple(sorted(moves, reverse=True))


def _play_die(plays: dict[Points, Moves], die: int) -> dict[Points, Moves]:
    """Return every play that is one move of `die` longer than one of `plays`."""
    longer: dict[Points, Moves] = {}
    for points, moves in plays.items():
        for move, after in legal_moves(points, die):
            candidate = (*moves, move)
            if after not in longer or _preference(candidate) > _preference(longer[after]):
                longer[after] = candidate
    return longer


def enumerate_plays(points: Points, dice: tuple[int, int]) -> dict[Points, Moves]:
    """Return every distinct result of a roll, with moves that lead to it.

    Args:
        points: 26 counts, seen from the player on roll; the game is not over.
        dice: the roll, in any order.

    Returns:
        The results, seen from the mover, each with its moves in the order of play. A pass
        is the position itself, with no moves.
    """
    nothing: dict[Points, Moves] = {points: ()}
    high, low = max(dice), min(dice)
    if high == low:
        plays = nothing
        for _ in range(4):
            plays = _play_die(plays, high) or plays
        return plays
    high_first, low_first = _play_die(nothing, high), _play_die(nothing, low)
    both = _play_die(high_first, low)
    for after, moves in _play_die(low_first, high).items():
        if after not in both or _preference(moves) > _preference(both[after]):
            both[after] = moves
    return both or high_first or low_first or nothing


def shots(points: Points) -> int:
    """By all plays of each roll, as the rules in plain Python have them."""
    other = flipped(points)
    return sum(
        weight
        for weight, dice in zip(WEIGHTS, ROLLS, strict=True)
        if any(
            move.hit and move.target > 6  # which is outside the opponent's home board
            for moves in enumerate_plays(other, dice).values()
            for move in moves
        )
    )
