"""Values with the cube one turn ahead, against plain recursion."""

import numpy as np
import pytest
from cubes.targets import cube_targets, static_outputs

from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import backgammon
from gammon.rules.terms import Terms
from gammon.search import Setup
from tests.boards import points_of
from tests.twins import defined_value, outputs

OWNED = [Terms(cube=2, owner=1), Terms(), Terms(cube=2, owner=-1)]


@pytest.fixture(scope="module")
def evaluator():
    return cubeful_evaluator(load_evaluator("probe"))


def test_targets_are_those_of_a_search(evaluator, played) -> None:
    rows = np.array(played(700, 2), np.int8)[::50]
    found = cube_targets(evaluator, rows)
    assert found.shape == (len(rows), 3)
    for column, terms in zip(found.T, OWNED, strict=True):
        searched = Setup(backgammon(terms), evaluator).values(rows, 2)
        assert column == pytest.approx(searched.values, abs=2e-6)


def test_a_target_is_the_mean_of_the_best_replies(evaluator) -> None:
    over_soon = points_of({1: 1, 5: 2}, {20: 1, 23: 2})
    row = np.array(over_soon, np.int8)
    found = cube_targets(evaluator, row[None])[0]
    for value, terms in zip(found.tolist(), OWNED, strict=True):
        game = backgammon(terms)
        expected = defined_value(game, evaluator, row, 2, terms.owner)
        assert value == pytest.approx(expected, abs=1e-6)


def test_outputs_are_those_of_the_evaluator(evaluator, played) -> None:
    rows = np.array(played(100, 4), np.int8)
    assert (
        static_outputs(evaluator, rows).tobytes() == outputs(evaluator, rows[0], rows).tobytes()
    )
    assert static_outputs(evaluator, rows[:0]).shape == (0, evaluator.outputs)
