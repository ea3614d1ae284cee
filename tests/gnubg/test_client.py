"""The client of GNU Backgammon, with the program and without it."""

import csv
import os
import stat
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from gammon.errors import GammonError, IllegalPositionError, SettingError
from gammon.gnubg.client import BATCH, GnuBackgammon
from gammon.rules.board import OPENING, Points, flipped
from gammon.rules.dice import ROLLS
from tests.conftest import GOLDEN
from tests.gnubg.boards import MIXED, points_of

needs_program = pytest.mark.skipif(
    not GnuBackgammon.available(), reason="GNU Backgammon (gnubg) is not installed"
)
PASS = points_of({25: 1, 6: 14}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2, 1: 3})


# Without the program.


def test_absent_program() -> None:
    with pytest.raises(GammonError, match=r"'no-such-program'.*not installed") as caught:
        GnuBackgammon("no-such-program").open()
    assert "\n" not in str(caught.value)


def test_methods_need_the_block() -> None:
    with pytest.raises(GammonError, match="not running"):
        GnuBackgammon().evaluate(OPENING)


@pytest.mark.parametrize("points", [OPENING[1:], (*OPENING[:25], -1), (1, *OPENING[1:])])
def test_impossible_positions_do_not_reach_the_program(points: Points) -> None:
    with pytest.raises(IllegalPositionError, match="26 counts"):
        GnuBackgammon().evaluate(points)


@pytest.mark.parametrize("dice", [(7, 1), (1,), (0, 3)])
def test_impossible_dice_do_not_reach_the_program(dice: tuple[int, ...]) -> None:
    with pytest.raises(SettingError, match="dice"):
        GnuBackgammon().best_play(OPENING, dice)


def stand_in(folder: Path, body: str) -> str:
    """Write a program that is started as GNU Backgammon is, and return its path."""
    path = folder / "stand-in"
    prologue = f"""\
        #!{sys.executable}
        import json, os, socket, sys
        if "--version" in sys.argv:
            print("Stand-in 1.0")
            sys.exit()
        port = int(os.environ["GAMMON_GNUBG_PORT"])
        connection = socket.create_connection(("127.0.0.1", port))
        requests, replies = connection.makefile("r"), connection.makefile("w")
        def reply(value):
            replies.write(json.dumps(value) + "\\n")
            replies.flush()
        token = os.environ["GAMMON_GNUBG_TOKEN"]
        """
    path.write_text(textwrap.dedent(prologue) + textwrap.dedent(body))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_batches_come_back_in_order(tmp_path: Path) -> None:
    program = stand_in(
        tmp_path,
        """
        reply({"token": token})
        for line in requests:
            items = json.loads(line)["items"]
            reply({"results": [[p[1]] * 5 for p in items], "cpu_seconds": 0.5})
        """,
    )
    positions = [points_of({1: n % 15, 2: 1}, {24: 1}) for n in range(2 * BATCH + 1)]
    with GnuBackgammon(program) as gnubg:
        values = gnubg.evaluations(positions)
        assert gnubg.version == "Stand-in 1.0"
        assert gnubg.cpu_seconds == 1.5
    assert [value[0] for value in values] == [n % 15 for n in range(2 * BATCH + 1)]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sys.exit(3)", "ended before it was ready .exit status 3"),
        ("reply({'token': 'other'})", "another program answered"),
        ("reply({'token': token}); requests.readline(); sys.exit(4)", "'evaluate' .*status 4"),
        (
            "reply({'token': token}); requests.readline(); reply({'error': 'no'})",
            "cannot answer 'evaluate': no",
        ),
    ],
)
def test_failures_are_one_line(tmp_path: Path, body: str, message: str) -> None:
    program = stand_in(tmp_path, body)
    with pytest.raises(GammonError, match=message) as caught, GnuBackgammon(program) as gnubg:
        gnubg.evaluate(OPENING)
    assert "\n" not in str(caught.value)


def test_a_program_that_never_connects(tmp_path: Path) -> None:
    path = tmp_path / "deaf"
    path.write_text("#!/bin/sh\nexit 5\n")
    path.chmod(0o755)
    with pytest.raises(GammonError, match="exit status 5"):
        GnuBackgammon(str(path)).open()
    path.write_text('#!/bin/sh\n[ "$1" = --version ] || exec sleep 60\n')
    with pytest.raises(GammonError, match=r"did not answer in 0\.3 seconds"):
        GnuBackgammon(str(path), start_seconds=0.3).open()


# With the program.


@pytest.fixture(scope="module")
def gnubg() -> Iterator[GnuBackgammon]:
    with GnuBackgammon() as running:
        yield running


@needs_program
def test_opening_counts(gnubg: GnuBackgammon) -> None:
    with (GOLDEN / "opening_counts.csv").open() as file:
        golden = {row["roll"]: int(row["successors"]) for row in csv.DictReader(file)}
    sets = gnubg.successor_sets([OPENING] * len(ROLLS), ROLLS)
    counts = {f"{high}{low}": len(set(s)) for (high, low), s in zip(ROLLS, sets, strict=True)}
    assert counts == golden
    assert gnubg.version.startswith("GNU Backgammon")


@needs_program
def test_pass_is_the_position_itself(gnubg: GnuBackgammon) -> None:
    assert gnubg.successors(PASS, (6, 5)) == [PASS]
    assert gnubg.best_play(PASS, (6, 5)) == PASS


@needs_program
def test_last_checker_must_hit_first(gnubg: GnuBackgammon) -> None:
    before = points_of({5: 1}, {3: 1, 20: 14})
    after = points_of({}, {0: 1, 20: 14})
    assert gnubg.successors(before, (6, 2)) == [after]
    assert gnubg.best_play(before, (2, 6)) == after


@needs_program
@pytest.mark.parametrize("plies", [0, 1])
def test_best_play_of_the_opening(gnubg: GnuBackgammon, plies: int) -> None:
    made = list(OPENING)
    made[8], made[6], made[5] = 2, 4, 2
    assert gnubg.best_play(OPENING, (3, 1), plies) == tuple(made)


@needs_program
def test_what_it_remembers_changes_no_answer(gnubg: GnuBackgammon) -> None:
    before = gnubg.evaluate(MIXED, 1)
    gnubg.forget()
    assert gnubg.evaluate(MIXED, 1) == before


@needs_program
def test_best_play_is_the_best_of_the_successors(gnubg: GnuBackgammon) -> None:
    """Binds the perspectives of the three methods to each other, at 0-ply."""
    for points, dice in [(MIXED, (4, 3)), (OPENING, (6, 2))]:
        best = gnubg.best_play(points, dice)
        plays = gnubg.successors(points, dice)
        equities = []
        for w, wg, wb, lg, lb in gnubg.evaluations([flipped(play) for play in plays]):
            equities.append(-(2 * w - 1 + wg + wb - lg - lb))
        assert len(plays) > 1
        assert best == plays[equities.index(max(equities))]


@needs_program
def test_evaluations(gnubg: GnuBackgammon) -> None:
    # The static evaluation of the opening position by version 1.07.
    expected = (0.52151, 0.15392, 0.00756, 0.12985, 0.00755)
    assert gnubg.evaluate(OPENING) == pytest.approx(expected, abs=2e-3)
    win, *_ = gnubg.evaluate(points_of({1: 1}, {24: 1}))
    assert win == 1.0
    assert gnubg.evaluate(points_of({1: 2}, {19: 15}), 1)[1] == pytest.approx(1.0, abs=1e-3)
    assert gnubg.cpu_seconds > 0.0


@needs_program
def test_a_position_that_the_program_refuses(gnubg: GnuBackgammon) -> None:
    closed = dict.fromkeys(range(1, 7), 2) | {25: 1}
    stuck = points_of(closed, {25 - point: count for point, count in closed.items()})
    with pytest.raises(GammonError, match="refuses the position"):
        gnubg.successors(stuck, (6, 5))
    assert len(gnubg.successors(OPENING, (5, 5))) == 4  # and it goes on


@needs_program
def test_the_program_is_killed() -> None:
    with GnuBackgammon() as gnubg:
        process = gnubg._process
        assert process is not None
        os.kill(process.pid, 9)
        with pytest.raises(GammonError, match=r"while it was asked 'evaluate'.*-9"):
            gnubg.evaluate(OPENING)
        with pytest.raises(GammonError, match="not running"):
            gnubg.evaluate(OPENING)
    assert process.returncode == -9
