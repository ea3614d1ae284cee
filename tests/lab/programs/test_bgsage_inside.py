"""The half that runs where bgsage is installed, with a module in its place."""

import sys
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from gammon.rules.board import OPENING, Points
from gammon_lab.programs.bgsage_inside import GAMES_TURNS, Program, one_die_off, turned_bar
from tests.boards import points_of
from tests.lab.programs.boards import LAST, LAST_62, MIXED

ALONE = points_of({}, {3: 1, 20: 14})  # the last checker of LAST is off, without the hit


class Analyzer:
    """Ranks the boards that it was given; remembers how it was made and asked."""

    ranked: ClassVar[list[list[int]]] = []
    asked: ClassVar[list[Any]] = []

    def __init__(self, **settings: Any) -> None:
        self.asked.append(settings)

    def post_move_analytics(self, board: list[int], **more: Any) -> Any:
        self.asked.append((board, more))
        return SimpleNamespace(cubeless_equity=0.25, cubeless_se=None)

    def checker_play(self, board: list[int], *dice: int, **more: Any) -> Any:
        self.asked.append((board, dice, more))
        return SimpleNamespace(moves=[SimpleNamespace(board=each) for each in self.ranked])


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setattr(Analyzer, "asked", [])
    module = SimpleNamespace(BgBotAnalyzer=Analyzer)
    monkeypatch.setitem(sys.modules, "bgsage", module)
    return Program()


def test_the_opponents_bar_is_positive_there() -> None:
    assert turned_bar(list(MIXED)) == [2, *MIXED[1:]]
    assert turned_bar(turned_bar(list(MIXED))) == list(MIXED)


@pytest.mark.parametrize(
    ("points", "dice", "found"),
    [
        (LAST, (6, 2), ALONE),
        (LAST, (2, 6), ALONE),
        (LAST, (6, 5), None),  # either die bears off
        (LAST, (4, 2), None),  # neither does
        (points_of({5: 1}, {20: 15}), (6, 2), None),
        (points_of({5: 1, 1: 1}, {3: 1, 20: 14}), (6, 2), None),
        (points_of({5: 1}, {3: 2, 20: 13}), (6, 2), None),
    ],
)
def test_the_play_that_it_wrongly_allows(
    points: Points, dice: tuple[int, int], found: Points | None
) -> None:
    assert one_die_off(points, dice) == (None if found is None else list(found))


def test_that_play_is_passed_over(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    ranked = [turned_bar(list(each)) for each in (ALONE, LAST_62)]
    monkeypatch.setattr(Analyzer, "ranked", ranked)
    assert program.best_play(list(LAST), [6, 2], 1) == list(LAST_62)


def test_a_number_of_games(program: Program) -> None:
    program.plays(list(LAST), [6, 2], "games:72", list(LAST_62))
    settings, (_, _, asked) = Analyzer.asked
    assert settings["eval_level"] == "rollout"
    assert settings["n_trials"] == 72
    assert settings["truncation_depth"] == GAMES_TURNS
    assert asked["force_boards"] == [turned_bar(list(LAST_62))]


@pytest.mark.parametrize(("plies", "level"), [(1, "1ply"), (4, "4ply"), ("2T", "truncated2")])
def test_plies_and_levels_by_its_own_names(
    program: Program, plies: int | str, level: str
) -> None:
    program.best_play(list(LAST), [6, 2], plies)
    assert Analyzer.asked[0]["eval_level"] == level


def test_it_plays_without_the_cube(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Analyzer, "ranked", [[1, *OPENING[1:]], list(OPENING)])
    for _ in range(2):
        assert program.best_play(list(MIXED), [4, 3], 2) == [-1, *OPENING[1:]]
    made, *asked = Analyzer.asked
    assert made["eval_level"] == "2ply"
    assert made["cubeful"] is False
    assert asked == [([2, *MIXED[1:]], (4, 3), {"cube_owner": None})] * 2


def test_a_position_is_worth_the_opposite_to_the_player_on_roll(program: Program) -> None:
    assert program.value(list(MIXED), "truncated1") == [-0.25, 0.0]
    made, (board, more) = Analyzer.asked
    assert made["eval_level"] == "truncated1"
    assert board == turned_bar([-count for count in reversed(MIXED)])
    assert board[0] >= 0
    assert more == {"cube_owner": "centered", "jacoby": False}


def test_no_play_is_a_pass(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Analyzer, "ranked", [])
    assert program.best_play(list(MIXED), [4, 3], 1) == list(MIXED)
