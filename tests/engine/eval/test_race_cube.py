"""The cube in races: the table of two checkers beside plain recursion, and exact bearoffs."""

from functools import cache

import numpy as np
import pytest

from gammon import Engine, Position
from gammon.engine.bearoff import bearoff
from gammon.eval.bearoff_cube import exact_money
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import LIKE_TWO, cube_efficiency
from gammon.eval.evaluators import load_evaluator
from gammon.eval.janowski import money_value
from gammon.eval.race_cube import N_TWO_CHECKERS, with_two_checkers
from gammon.rules.board import Points
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.terms import Terms
from tests.boards import by_counts, points_of
from tests.twins import outputs

OWNERS = (1, 0, -1)
PIPS = [(high + low) * (2 if high == low else 1) for high, low in ROLLS]


@cache
def mean_rolls(pips: int) -> float:
    """How many rolls a checker needs on average."""
    left = [mean_rolls(pips - by) if by < pips else 0.0 for by in PIPS]
    return 1.0 + float(PROBABILITIES @ left)


@cache
def win(own: int, their: int) -> float:
    """The chance of the checker on roll to be off first."""
    return float(PROBABILITIES @ [1 - win(their, own - by) if by < own else 1.0 for by in PIPS])


@cache
def rolled(own: int, their: int, owner: int) -> float:
    """The worth of rolling with the cube of an owner."""
    left = [-turn(their, own - by, -owner) if by < own else 1.0 for by in PIPS]
    return float(PROBABILITIES @ left)


def turn(own: int, their: int, owner: int) -> float:
    """The worth of a turn, before which the player on roll may double."""
    worth = rolled(own, their, owner)
    return worth if owner < 0 else max(worth, min(2 * rolled(own, their, -1), 1.0))


def like_two(rolls: float, chance: float) -> list[float]:
    """The numbers of the table, by owner."""
    table = np.array(bearoff_tables()[-N_TWO_CHECKERS:])
    assert table.shape == (N_TWO_CHECKERS,)
    out = np.empty(3, np.float32)
    with_two_checkers(rolls, chance, table, 0, out)
    return out.tolist()


@pytest.mark.parametrize("their", [20, 40, 65, 90])
def test_races_of_two_checkers_have_their_own_worth(their: int) -> None:
    for own in range(their - 8, their + 9, 4):
        found = like_two(mean_rolls(own) + mean_rolls(their), win(own, their))
        expected = [rolled(own, their, owner) for owner in OWNERS]
        assert found == pytest.approx(expected, abs=0.02)


def test_what_is_certain_is_certain() -> None:
    for rolls in (0.0, 2.0, 7.3, 34.0, 99.0):
        assert like_two(rolls, 1.0) == pytest.approx([1, 1, 1], abs=1e-4)
        assert like_two(rolls, 0.0) == pytest.approx([-1, -1, -1], abs=1e-4)


def squares(points: Points) -> list[list[float]]:
    """The squared errors in a bearoff that is known: of this model, and of Janowski's."""
    found = bearoff(Position(points))
    chance = found.probabilities.win
    rolls = found.own.mean_rolls + found.their.mean_rolls
    results = [0.0, 0.0, 1.0 - chance, chance, 0.0, 0.0]
    both = []
    for owner, here in zip(OWNERS, like_two(rolls, chance), strict=True):
        terms = Terms(cube=2 if owner else 1, owner=owner)
        exact = exact_money(points, terms)
        janowski = money_value(results, terms, cube_efficiency(points))
        both.append([(here - exact) ** 2, (janowski - exact) ** 2])
    return both


def test_it_is_nearer_to_exact_bearoffs_than_janowskis_formula() -> None:
    random = np.random.default_rng(5)
    errors = []
    while len(errors) < 300:
        own, their = random.multinomial(6, np.full(6, 1 / 6), 2)
        errors.append(squares(by_counts(own, their)))
    here, janowski = np.sqrt(np.mean(errors, axis=0)).T
    assert (here < 0.03).all()
    assert (here < 0.6 * janowski).all()


def test_the_evaluator_writes_it_for_races_that_no_table_has() -> None:
    network = load_evaluator("leaf")
    at_home = by_counts((2, 2, 2, 2, 2, 2), (1, 2, 3, 1))
    outside = points_of({8: 3, 4: 6}, {23: 4, 15: 3})
    rows = np.array([at_home, outside], np.int8)
    out = outputs(cubeful_evaluator(network), rows[0], rows)
    for row, points in zip(out, rows.tolist(), strict=True):
        found = bearoff(Position(tuple(points)))
        rolls = found.own.mean_rolls + found.their.mean_rolls
        assert row[6] == LIKE_TWO
        assert row[7:].tolist() == pytest.approx(like_two(rolls, row[3:6].sum()), abs=1e-5)


def test_five_rolls_against_five() -> None:
    # .7534 and .7269 by recursion over the rolls that are left.
    position = Position.parse("XGID=-J----------------------j-:1:1:1:00:0:0:0:0:10")
    found = Engine(depth=5).cube(position)
    assert found.no_double.equity == pytest.approx(0.7534, abs=0.01)
    assert found.double_take is not None
    assert found.double_take.equity == pytest.approx(0.7269, abs=0.01)
