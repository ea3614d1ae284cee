"""Games as plain JSON values, and a check that some of them are whole matches."""

from collections.abc import Sequence
from typing import Any, TypedDict, get_origin, get_type_hints

from gammon.rules.terms import HIGHEST_CUBE, Score


class GameRecord(TypedDict):
    """A game as plain JSON values.

    Attributes:
        match: number of the match; matches 2n and 2n + 1 are pair n. A game for money counts as
            a match.
        game: number of the game in the match, from 0 on.
        score: points of A and B before the game.
        crawford: whether it is the Crawford game.
        first: the player who began, 0 for A and 1 for B.
        rolls: two digits per turn, without separators.
        positions: the Position ID after each play, seen from the opponent of the mover.
        doubles: turns, from 0 on, in which the player doubled before the roll. All doubles were
            taken, except that the last one was passed if no roll follows it.
        cube: value of the cube at the end.
        points: points that A won, with the cube; negative if B won.
        luck: luck of A's and B's dice in all, counted for A: as a chance to win the match; for
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
    """Return whether plain JSON values have the types of a game record."""
    return (
        isinstance(value, dict)
        and {name: type(entry) for name, entry in value.items()} == _KINDS
        and value["first"] in (0, 1)
        and abs(value["luck"]) < 1e6
        and len(value["rolls"]) == 2 * len(value["positions"])
        and all(isinstance(text, str) for text in value["positions"])
    )


def _fits_cube(game: Any, start: Score) -> bool:
    """Return whether the doubles, the cube and the points of a game agree with each other."""
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
        and abs(game["points"]) in [result * game["cube"] for result in results]
    )


def are_matches(games: Any, numbers: Sequence[int], start: Score) -> bool:
    """Return whether plain JSON values, such as the contents of a file, are whole matches.

    Args:
        games: the values to check.
        numbers: expected numbers of the matches.
        start: the score that each match begins with.
    """
    remaining = iter(games)
    game: Any
    for number in numbers:
        score, count = start, 0
        while not score.over:
            game = next(remaining, None)
            if not (
                _is_record(game)
                and _fits_cube(game, start)
                and (game["match"], game["game"]) == (number, count)
                and game["score"] == list(score.points)
                and game["crawford"] == score.crawford
            ):
                return False
            score, count = score.after(game["points"]), count + 1
    return next(remaining, None) is None
