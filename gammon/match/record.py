"""Games as plain JSON values, and what makes some of them whole matches."""

from collections.abc import Sequence
from typing import Any, TypedDict, get_origin, get_type_hints

from gammon.rules.terms import HIGHEST_CUBE, Score


class GameRecord(TypedDict):
    """A game as JSON has it.

    Attributes:
        match: the number of its match; matches 2n and 2n + 1 are pair n. A game for money is
            a match of its own.
        game: its number in the match, from 0 on.
        score: the points of A and B before it.
        crawford: whether it is the Crawford game.
        first: who began, 0 for A and 1 for B.
        rolls: two digits for each turn, one after the other.
        positions: the Position ID after each play, seen from its opponent.
        doubles: the turns, from 0 on, before whose roll the player doubled. All doubles were
            taken, but the last one was passed if no roll follows it.
        cube: its value at the end.
        points: those that A won, with the cube, negative where B did.
        luck: how lucky A's and B's dice were in all, to A: as a chance to win the match; for
            money in points, or in the unit of the stakes.
    """

    match: int
    game: int
    score: list[int]
    crawford: bool
    first: int
    rolls: str
    positions: list[str]
    doubles: list[int]
    cube: int
    points: int
    luck: float


_KINDS = {name: get_origin(kind) or kind for name, kind in get_type_hints(GameRecord).items()}


def _is_record(value: Any) -> bool:
    """Tell whether plain JSON values are of the types of a game's."""
    return (
        isinstance(value, dict)
        and {name: type(entry) for name, entry in value.items()} == _KINDS
        and value["first"] in (0, 1)
        and abs(value["luck"]) < 1e6
        and len(value["rolls"]) == 2 * len(value["positions"])
        and all(isinstance(text, str) for text in value["positions"])
    )


def _fits_cube(game: Any, start: Score) -> bool:
    """Tell whether the doubles, the cube and the points of a game fit each other."""
    doubles, turns = game["doubles"], len(game["positions"])
    if not all(type(turn) is int for turn in doubles):
        return False
    passed = turns in doubles
    results = (1,) if passed or (start.jacoby and game["cube"] == 1) else (1, 2, 3)
    return (
        doubles == sorted(set(doubles))
        and (start.live or not doubles)
        and all(0 < turn <= turns for turn in doubles)
        and game["cube"] == 1 << (len(doubles) - passed) <= HIGHEST_CUBE
        and abs(game["points"]) in [each * game["cube"] for each in results]
    )


def are_matches(games: Any, numbers: Sequence[int], start: Score) -> bool:
    """Tell whether plain JSON values, such as a file's, are whole matches.

    Args:
        games: what is asked about.
        numbers: of the matches that it should be.
        start: the score that each begins with.
    """
    left = iter(games)
    game: Any
    for number in numbers:
        score, count = start, 0
        while not score.over:
            game = next(left, None)
            if not (
                _is_record(game)
                and _fits_cube(game, start)
                and (game["match"], game["game"]) == (number, count)
                and game["score"] == list(score.points)
                and game["crawford"] == score.crawford
            ):
                return False
            score, count = score.after(game["points"]), count + 1
    return next(left, None) is None
