"""The half that runs inside GNU Backgammon, without the program."""

import pytest

from gammon.rules.board import OPENING
from gammon.rules.terms import Terms
from gammon_lab.programs import gnubg_inside
from tests.boards import points_of
from tests.lab.programs.boards import MIXED


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
