"""GNU Backgammon as a player, with stand-ins for it and where it is installed itself."""

import os
import stat
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from gammon.base.errors import GammonError, SettingError
from gammon.rules.board import OPENING, flipped
from gammon.rules.dice import ROLLS
from gammon.rules.terms import Terms
from gammon_lab.programs import GnuBackgammon, gnubg_inside
from gammon_lab.programs.gnubg import find_program
from tests.boards import opening_counts, points_of
from tests.lab.programs.stand_ins import LAST, LAST_62, MIXED, OPENING_31, PASS

# GNU Backgammon as a player, with a stand-in for it, and where it is installed itself.

needs_program = pytest.mark.skipif(find_program() is None, reason="GNU Backgammon (gnubg) is not installed")


# Without the program.


def test_absent_program() -> None:
    with pytest.raises(GammonError, match=r"'no-such-program'.*not installed") as caught:
        GnuBackgammon("no-such-program").open()
    assert "\n" not in str(caught.value)


def stand_in(folder: Path) -> str:
    """Write a program that is started as GNU Backgammon is, and return its path.

    It finds a win as likely as there are checkers on the first point, until it forgets.
    """
    inside = folder / "inside.py"
    inside.write_text(
        textwrap.dedent("""\
            class Program:
                def evaluate(self, points, plies):
                    return [points[1], plies, 0, 0, 0]
                def forget(self):
                    self.evaluate = lambda points, plies: [0] * 5
            """)
    )
    path = folder / "stand-in"
    path.write_text(
        textwrap.dedent(f"""\
            #!{sys.executable}
            import os, runpy, sys
            if sys.argv[1:] == ["--version"]:
                print("Stand-in 1.0")
                sys.exit()
            *options, server = sys.argv[1:]
            assert options == ["-t", "-q", "-r", "-p"]
            os.environ["GAMMON_PEER_FILE"] = {str(inside)!r}
            runpy.run_path(server, run_name="__main__")
            """)
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_stand_in(tmp_path: Path) -> None:
    positions = [points_of({1: n, 2: 1}, {24: 1}) for n in range(15)]
    with GnuBackgammon(stand_in(tmp_path)) as gnubg:
        assert gnubg.version == "Stand-in 1.0"
        assert gnubg.evaluations(positions, 2) == [(n, 2, 0, 0, 0) for n in range(15)]
        assert gnubg.evaluate(positions[3]) == (3, 0, 0, 0, 0)
        gnubg.forget()
        assert gnubg.evaluate(positions[3]) == (0, 0, 0, 0, 0)


def test_a_program_without_python(tmp_path: Path) -> None:
    path = tmp_path / "deaf"
    path.write_text("#!/bin/sh\nexit 5\n")
    path.chmod(0o755)
    with pytest.raises(GammonError, match=r"exit status 5\); .* to have Python built in"):
        GnuBackgammon(str(path)).open()


def test_impossible_terms_do_not_reach_the_program() -> None:
    with pytest.raises(SettingError, match="cube 3"):
        GnuBackgammon().cube_values([OPENING], 0, [Terms(cube=3)])
    with pytest.raises(SettingError, match="away"):
        GnuBackgammon().best_plays_at([OPENING], [(3, 1)], 0, [Terms(7, (8, 8))])


# With the program.


@pytest.fixture(scope="module")
def gnubg() -> Iterator[GnuBackgammon]:
    with GnuBackgammon() as running:
        yield running


@needs_program
def test_opening_counts(gnubg: GnuBackgammon) -> None:
    sets = gnubg.successor_sets([OPENING] * len(ROLLS), ROLLS)
    counts = {f"{high}{low}": len(set(s)) for (high, low), s in zip(ROLLS, sets, strict=True)}
    assert counts == opening_counts()
    assert gnubg.version.startswith("GNU Backgammon")


@needs_program
def test_pass_is_the_position_itself(gnubg: GnuBackgammon) -> None:
    assert gnubg.successor_sets([PASS], [(6, 5)])[0] == [PASS]
    assert gnubg.best_play(PASS, (6, 5), 0) == PASS


@needs_program
def test_last_checker_must_hit_first(gnubg: GnuBackgammon) -> None:
    assert gnubg.successor_sets([LAST], [(6, 2)])[0] == [LAST_62]
    assert gnubg.best_play(LAST, (2, 6), 0) == LAST_62


@needs_program
@pytest.mark.parametrize("plies", [0, 1])
def test_best_play_of_the_opening(gnubg: GnuBackgammon, plies: int) -> None:
    assert gnubg.best_play(OPENING, (3, 1), plies) == OPENING_31


@needs_program
def test_what_it_remembers_changes_no_answer(gnubg: GnuBackgammon) -> None:
    before = gnubg.evaluate(MIXED, 1)
    gnubg.forget()
    assert gnubg.evaluate(MIXED, 1) == before


@needs_program
def test_best_play_is_the_best_of_the_successors(gnubg: GnuBackgammon) -> None:
    """Binds the perspectives of the three methods to each other, at 0-ply."""
    for points, dice in [(MIXED, (4, 3)), (OPENING, (6, 2))]:
        best = gnubg.best_play(points, dice, 0)
        plays = gnubg.successor_sets([points], [dice])[0]
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
        gnubg.successor_sets([stuck], [(6, 5)])
    assert len(gnubg.successor_sets([OPENING], [(5, 5)])[0]) == 4  # and it goes on


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


@needs_program
def test_the_cube(gnubg: GnuBackgammon) -> None:
    """Money, the Jacoby rule and a score each have their values, in any order."""
    each = [Terms(), Terms(jacoby=True), Terms(7, (2, 5)), Terms()]
    found = gnubg.cube_values([OPENING] * 4, 0, each)
    assert found[0] == found[3] == pytest.approx((0.0921, -0.1911), abs=2e-3)
    assert found[1] == pytest.approx((0.0844, -0.1911), abs=2e-3)  # gammons do not count yet
    assert found[2][0] != pytest.approx(found[0][0], abs=1e-3)


@needs_program
def test_best_plays_at_terms(gnubg: GnuBackgammon) -> None:
    """Gammon-go and gammon-save are played in other ways than money; all of it is legal."""
    go, save = Terms(7, (2, 1), crawford=True), Terms(7, (1, 2), crawford=True)
    rolls = [roll for roll in ROLLS if roll[0] != roll[1]]
    boards = [OPENING] * len(rolls)
    plain = gnubg.best_plays(boards, rolls, 0)
    each = [gnubg.best_plays_at(boards, rolls, 0, [at] * len(rolls)) for at in (go, save)]
    assert each[0] != each[1]
    assert plain != each[0]
    assert gnubg.best_plays_at(boards, rolls, 0, [go, save] * 7 + [go])[::2] == each[0][::2]


@needs_program
def test_values_without_the_cube_forget_the_terms(gnubg: GnuBackgammon) -> None:
    before = gnubg.evaluate(MIXED), gnubg.best_play(MIXED, (4, 3), 0)
    gnubg.cube_values([MIXED], 0, [Terms(7, (2, 1), crawford=True)])
    assert (gnubg.evaluate(MIXED), gnubg.best_play(MIXED, (4, 3), 0)) == before


# The half that runs inside GNU Backgammon, without the program.


def test_board_of_the_program() -> None:
    their, own = gnubg_inside.board_of(list(OPENING))
    assert own == their
    assert {p + 1: c for p, c in enumerate(own) if c} == {6: 5, 8: 3, 13: 5, 24: 2}
    their, own = gnubg_inside.board_of(list(MIXED))
    assert {p + 1: c for p, c in enumerate(own) if c} == {25: 1, 6: 4, 5: 2, 2: 1}
    assert {p + 1: c for p, c in enumerate(their) if c} == {25: 2, 24: 2, 7: 3, 5: 1, 1: 2}


@pytest.mark.parametrize(
    ("text", "hops"),
    [
        ("24/18*/13", [(24, 18), (18, 13)]),
        ("bar/22 6/off(2)", [(25, 22), (6, 0), (6, 0)]),
        ("13/7(2) 8/2*(2)", [(13, 7), (13, 7), (8, 2), (8, 2)]),
        ("24/18/12(2)", [(24, 18), (18, 12), (24, 18), (18, 12)]),
    ],
)
def test_plays_are_read_move_by_move(text: str, hops: list[tuple[int, int]]) -> None:
    assert gnubg_inside.hops_of(text) == hops


def test_moves_hit_and_bear_off() -> None:
    before = points_of({8: 2, 3: 1}, {2: 1, 20: 4})
    after = gnubg_inside.after(list(before), gnubg_inside.hops_of("8/2*(2) 3/off"))
    assert tuple(after) == points_of({2: 2}, {0: 1, 20: 4})


@pytest.mark.parametrize(
    ("terms", "arguments"),
    [
        (Terms(), (1, -1, 1, 0, (0, 0), 0, 0)),
        (Terms(cube=4, owner=1), (4, 1, 1, 0, (0, 0), 0, 0)),
        (Terms(7, (3, 5), cube=2, owner=-1), (2, 0, 1, 7, (2, 4), 0, 0)),
        (Terms(5, (1, 4), crawford=True), (1, -1, 1, 5, (1, 4), 1, 0)),
    ],
    ids=str,
)
def test_terms_of_the_program(terms: Terms, arguments: tuple[object, ...]) -> None:
    assert gnubg_inside.cube_arguments(list(terms)) == arguments
