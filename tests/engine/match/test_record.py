"""Games from a file: whole matches, or refused."""

import pytest

from gammon.match.record import are_matches
from gammon.rules.terms import Score


def game(match, number, score, crawford, points, cube=1, doubles=()):
    return {
        "match": match, "game": number, "score": list(score), "crawford": crawford, "first": 0,
        "rolls": "316142", "positions": ["a", "b", "c"], "doubles": list(doubles), "cube": cube,
        "points": points, "luck": 0.25,
    }  # fmt: skip


#: A match of 3 points that A wins: 0-0, 2-0 Crawford, 2-1 post-Crawford; then one that B wins.
GAMES = [
    game(4, 0, (0, 0), False, 2, 2, [1]),
    game(4, 1, (2, 0), True, -1),
    game(4, 2, (2, 1), False, 4, 2, [2]),
    game(5, 0, (0, 0), False, -12, 4, [1, 2]),
]
START = Score(3)


@pytest.mark.smoke
def test_whole_matches():
    assert are_matches(GAMES, [4, 5], START)
    assert are_matches(GAMES[3:], range(5, 6), START)
    assert are_matches([], [], START)
    passed = GAMES[2] | {"points": 2, "cube": 2, "doubles": [1, 3]}
    assert are_matches([*GAMES[:2], passed, GAMES[3]], [4, 5], START)


@pytest.mark.parametrize(
    "games",
    [
        GAMES[:3], GAMES[1:], [*GAMES, GAMES[3]], [GAMES[0], *GAMES[2:]], GAMES[::-1], {},
        "text", [1, 2, 3, 4],
    ],
    ids=range(8),
)  # fmt: skip
def test_games_that_are_not_whole_matches(games):
    assert not are_matches(games, [4, 5], START)


@pytest.mark.parametrize(
    "change",
    [
        {"match": 5}, {"match": 4.0}, {"game": 2}, {"score": [1, 0]}, {"crawford": False},
        {"first": 2}, {"rolls": "31"}, {"positions": ["a", "b", 3]}, {"points": 0},
        {"points": 2, "cube": 2}, {"points": -4}, {"luck": float("nan")}, {"luck": 1},
        {"doubles": [1]}, {"doubles": ["1"]}, {"doubles": [1, 1], "cube": 4, "points": -4},
        {"doubles": [2, 1], "cube": 4, "points": -4}, {"doubles": [0], "cube": 2, "points": -2},
        {"doubles": [4], "cube": 2, "points": -2}, {"doubles": [3], "points": -2},
        {"doubles": list(range(1, 9)), "cube": 256, "points": -256}, {"more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_a_game_that_makes_no_sense(change):
    assert not are_matches([GAMES[0], GAMES[1] | change, *GAMES[2:]], [4, 5], START)


def test_gammons_count_only_with_a_turned_cube_under_jacoby():
    gammon = game(0, 0, (0, 0), False, -2)
    assert are_matches([gammon], [0], Score())
    assert not are_matches([gammon], [0], Score(jacoby=True))
    assert are_matches([gammon | {"points": -1}], [0], Score(jacoby=True))
    assert are_matches([game(0, 0, (0, 0), False, -4, 2, [1])], [0], Score(jacoby=True))


def test_a_dead_cube_is_not_turned():
    start = Score(live=False)
    assert are_matches([game(0, 0, (0, 0), False, -3)], [0], start)
    for change in ({"doubles": [1], "cube": 2, "points": -2}, {"doubles": [3], "points": 1}):
        games = [game(0, 0, (0, 0), False, -3) | change]
        assert are_matches(games, [0], Score())
        assert not are_matches(games, [0], start)


@pytest.mark.parametrize("value", [None, [], {}, 5, "game"], ids=str)
def test_what_a_file_says_may_be_no_game(value):
    assert not are_matches([value], [0], Score(live=False))
    whole = game(0, 0, (0, 0), False, 1)
    assert not are_matches([{name: whole[name] for name in list(whole)[1:]}], [0], Score())
    for change in ({"points": 10**400}, {"luck": float("inf")}, {"first": True}):
        assert not are_matches([whole | change], [0], Score())
