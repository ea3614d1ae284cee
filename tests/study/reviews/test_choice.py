"""Errors and what counts, against GNU Backgammon's own figures."""

import pytest

from gammon.eval.equity import Probabilities
from gammon.formats.met_file import read_met
from gammon.rules.terms import Terms
from gammon_study.reviews.choice import (
    Choice,
    ChoiceKind,
    CubeValues,
    RolledChoice,
    RolledPlay,
    counts_for_gnu,
    counts_without_double,
    cube_error,
    unit_cost,
)
from tests.study.reviews.stored import cube_choices


@pytest.mark.smoke
def test_cube_decisions_are_those_that_gnu_backgammon_counts() -> None:
    """match5_stats.txt of the program: totals, close ones, errors, what they cost."""
    choices = cube_choices()
    for player, total, close, error, cost in (
        (0, 46, 14, 1.189, 0.11985), (1, 35, 9, 0.298, 0.02410),
    ):  # fmt: skip
        mine = [choice for choice in choices if choice.player == player]
        assert (len(mine), sum(choice.active for choice in mine)) == (total, close)
        assert sum(choice.error for choice in mine) == pytest.approx(error, abs=6e-4)
        assert sum(choice.cost for choice in mine) == pytest.approx(cost, abs=2e-5)
    missed = {
        player: [
            choice for choice in choices
            if choice.player == player and choice.kind is ChoiceKind.NO_DOUBLE and choice.error
        ]
        for player in (0, 1)
    }  # fmt: skip
    assert [len(missed[player]) for player in (0, 1)] == [9, 2]
    takes = [choice for choice in choices if choice.kind is ChoiceKind.TAKE and choice.error]
    assert [round(choice.error, 3) for choice in takes] == [0.389, 0.126]


@pytest.mark.parametrize(
    ("values", "errors"),
    [  # no double, double and take, double and pass; errors of no double, double, take, pass
        ((0.5, 0.7, 1.0), (0.2, 0.0, 0.0, 0.3)),
        ((0.8, 1.3, 1.0), (0.2, 0.0, 0.3, 0.0)),
        ((1.2, 1.6, 1.0), (0.0, 0.2, 0.6, 0.0)),
        ((0.3, 0.1, 1.0), (0.0, 0.2, 0.0, 0.9)),
        ((0.9, 0.9 + 1e-12, 1.0), (0.0, 0.0, 0.0, 0.1)),
    ],
)
def test_errors_by_their_formulas(
    values: tuple[float, float, float], errors: tuple[float, ...]
) -> None:
    kinds = [ChoiceKind.NO_DOUBLE, ChoiceKind.DOUBLE, ChoiceKind.TAKE, ChoiceKind.PASS]
    found = [cube_error(kind, CubeValues(*values)) for kind in kinds]
    assert found == pytest.approx(errors)


@pytest.mark.parametrize(
    ("values", "counted"),
    [
        ((0.3, 0.25, 1.0), True),
        ((0.3, 0.0995, 1.0), False),  # a double is far off
        ((1.25, 1.6, 1.0), False),  # far too good
        ((1.15, 1.6, 1.0), True),
        ((-0.95, -0.97, 1.0), False),  # lost
        ((-0.85, -0.97, 1.0), True),
        ((0.3, 0.3, 1.0), False),  # alike
        ((0.3, 0.302, 1.0), True),
        ((-0.95, -0.94, 1.0), True),  # wrong ones count
        ((0.1, 0.9, 1.0), True),
    ],
)
def test_no_doubles_that_count(values: tuple[float, float, float], counted: bool) -> None:
    assert counts_without_double(CubeValues(*values)) == counted


def test_close_decisions() -> None:
    assert counts_for_gnu(CubeValues(0.3, 0.15, 1.0))
    assert not counts_for_gnu(CubeValues(0.3, 0.13, 1.0))
    assert counts_for_gnu(CubeValues(1.1, 2.0, 1.0))
    assert not counts_for_gnu(CubeValues(1.2, 2.0, 1.0))


def test_units_of_cost() -> None:
    met = read_met()
    assert unit_cost(Terms(cube=4, owner=1), met) == 4.0
    assert unit_cost(Terms(1, (1, 1)), met) == pytest.approx(0.5)
    # Kazaross-XG2 at 2-away 2-away: 67.736 % after a point won, 32.264 % after one lost.
    assert unit_cost(Terms(3, (2, 2)), met) == pytest.approx(0.5 * (0.67736 - 0.32264))


@pytest.mark.parametrize(
    ("error", "mark"), [(0.029, 0), (0.03, 1), (0.06, 2), (0.119, 2), (0.12, 3)]
)
def test_marks(error: float, mark: int) -> None:
    choice = Choice(
        0, 0, 0, ChoiceKind.PLAY, "", "", "", error, error, True, True, 1
    )  # fmt: skip
    assert choice.mark == mark


@pytest.mark.parametrize(
    ("apart", "said"), [(0.02, "not told apart from best"), (0.01, "best")]
)
def test_a_loss_that_chance_may_explain_is_said_to_be_one(apart: float, said: str) -> None:
    chances = Probabilities(0.5, 0.1, 0.0, 0.1, 0.0)
    best = RolledPlay("8/5 6/5", 0.2, 0.01, 0.0, 0.0, 36, chances)
    made = RolledPlay("13/9", 0.17, 0.01, 0.03, apart, 36, chances)
    words = RolledChoice(36, 1, (best, made), "").words("13/9")
    assert words == f"-0.030 ± {apart:.3f}, {said} 8/5 6/5"
    cube = RolledChoice(36, 1, (best._replace(name="No double"),), "no redouble, take")
    assert cube.words("", 1) == "no redouble, take (no redouble +0.200 ± 0.010)"


@pytest.mark.parametrize(
    ("equity", "said"), [(1.5, "pass -1.000, take -1.500 ± 0.010 (redouble, pass)"),
                         (0.8, "take -0.800 ± 0.010, pass -1.000 (redouble, pass)")],
)  # fmt: skip
def test_games_answer_the_player_who_was_doubled(equity: float, said: str) -> None:
    chances = Probabilities(0.5, 0.1, 0.0, 0.1, 0.0)
    stay, taken = (
        RolledPlay(name, value, 0.01, 0.0, 0.0, 36, chances)
        for name, value in (("No double", 0.9), ("Double, take", equity))
    )
    rolled = RolledChoice(36, 1, (stay, taken), "redouble, pass")
    assert rolled.words("take", 1) == rolled.words("pass", 1) == said
