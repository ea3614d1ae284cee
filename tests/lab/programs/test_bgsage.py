"""bgsage as a player, with stand-ins for it and where it is installed itself."""

import os
import shutil
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from gammon.base.errors import GammonError
from gammon.rules.board import OPENING, Points
from gammon.rules.dice import ROLLS
from gammon_lab.programs import Bgsage
from gammon_lab.programs.bgsage import VARIABLE
from gammon_lab.programs.bgsage_inside import GAMES_TURNS, Program, one_die_off, turned_bar
from tests.boards import opening_counts, points_of
from tests.lab.programs.stand_ins import LAST, LAST_62, MIXED, OPENING_31, PASS, bgsage_environment

# bgsage as a player, with a stand-in for it, and where it is installed itself.

needs_program = pytest.mark.skipif(
    shutil.which(os.environ.get(VARIABLE, "")) is None,
    reason=f"bgsage is not installed, or {VARIABLE} does not say where",
)


# Without the program.


@pytest.mark.parametrize(
    ("python", "message"),
    [
        ("", "GAMMON_BGSAGE is not set: expected the path"),
        ("/no/such/python", "GAMMON_BGSAGE '/no/such/python' is not a program: expected the"),
        ("/bin/true", "GAMMON_BGSAGE '/bin/true' does not have it: expected the path"),
        ("bare/bin/python", "GAMMON_BGSAGE 'bare/bin/python' does not have it: expected the path"),
    ],
)
def test_a_python_that_does_not_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, python: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    venv.create("bare", symlinks=True)
    monkeypatch.setenv(VARIABLE, python)
    with pytest.raises(GammonError, match=message) as caught:
        Bgsage().open()
    assert "\n" not in str(caught.value)


def test_a_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable finds the environment; boards are those of bgsage there, and ours here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, os.path.relpath(bgsage_environment(tmp_path)))
    monkeypatch.setenv("PYTHONPATH", "/no/such/folder")
    with Bgsage() as bgsage:
        assert bgsage.version == "bgsage 0.1"
        assert bgsage.best_play(PASS, (6, 5), 1) == PASS
        assert bgsage.successor_sets([PASS], [(6, 5)])[0] == [PASS]
        plays = bgsage.successor_sets([MIXED], [(4, 3)])[0]
        assert bgsage.best_play(MIXED, (4, 3), 1) in plays
        assert len(plays) > 2
        worths = bgsage.worths(MIXED, (4, 3), "1ply", [plays[2], plays[0]])
        assert worths == [-0.25, 0.0]
        behind = points_of({6: 2}, {3: 1})
        assert bgsage.values([behind, OPENING], "1ply") == [[0.125, 0.5], [0.0, 0.5]]
        with pytest.raises(GammonError, match="cannot answer 'best_play': AssertionError"):
            bgsage.best_play(MIXED, (4, 3), 2)


# With the program.


@pytest.fixture(scope="module")
def bgsage() -> Iterator[Bgsage]:
    with Bgsage() as running:
        yield running


@needs_program
def test_opening_counts(bgsage: Bgsage) -> None:
    sets = bgsage.successor_sets([OPENING] * len(ROLLS), ROLLS)
    counts = {f"{high}{low}": len(set(s)) for (high, low), s in zip(ROLLS, sets, strict=True)}
    assert counts == opening_counts()
    assert bgsage.version.startswith("bgsage 2.")


@needs_program
@pytest.mark.parametrize("plies", [1, 2, 3])
def test_best_plays(bgsage: Bgsage, plies: int) -> None:
    positions, dice = [OPENING, PASS, LAST], [(3, 1), (6, 5), (6, 2)]
    assert bgsage.best_plays(positions, dice, plies) == [OPENING_31, PASS, LAST_62]


@needs_program
@pytest.mark.parametrize("plies", [1, 2])
def test_a_play_does_not_depend_on_those_before_it(bgsage: Bgsage, plies: int) -> None:
    dice = list(ROLLS)
    plays = bgsage.best_plays([MIXED] * len(dice), dice, plies)
    again = bgsage.best_plays([MIXED] * len(dice), dice[::-1], plies)
    assert again == plays[::-1]


@needs_program
def test_worths_are_in_the_order_of_the_plays_and_its_games_keep_all(bgsage: Bgsage) -> None:
    plays = bgsage.successor_sets([OPENING], [(4, 1)])[0]
    best = bgsage.best_play(OPENING, (4, 1), 1)
    worths = dict(zip(plays, bgsage.worths(OPENING, (4, 1), "1ply", plays), strict=True))
    assert max(worths, key=worths.__getitem__) == best
    last = min(worths, key=worths.__getitem__)
    rolled = bgsage.worths(OPENING, (4, 1), "truncated1", [last, best])
    assert rolled[0] < rolled[1] - 0.1
    assert rolled[0] != worths[last]


# The half that runs where bgsage is installed, with a module in its place.

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
def test_the_play_that_it_wrongly_allows(points: Points, dice: tuple[int, int], found: Points | None) -> None:
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
def test_plies_and_levels_by_its_own_names(program: Program, plies: int | str, level: str) -> None:
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
