"""bgsage as a player, with a stand-in for it, and where it is installed itself."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gammon.base.errors import GammonError
from gammon.rules.board import OPENING
from gammon.rules.dice import ROLLS
from gammon_lab.programs import Bgsage
from gammon_lab.programs.bgsage import VARIABLE
from tests.boards import opening_counts, points_of
from tests.lab.programs.boards import LAST, LAST_62, MIXED, OPENING_31, PASS
from tests.lab.programs.stand_ins import bgsage_environment

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
        (
            sys.executable,
            f"GAMMON_BGSAGE '{sys.executable}' does not have it: expected the path",
        ),
    ],
)
def test_a_python_that_does_not_have_it(
    monkeypatch: pytest.MonkeyPatch, python: str, message: str
) -> None:
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
