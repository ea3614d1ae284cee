"""Targets two turns ahead, against plain recursion."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from gammon.eval.evaluators import evaluator_of
from gammon.eval.network import Network, tensors
from gammon.rules.board import Points, flipped
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.moves import enumerate_plays
from gammon.rules.outcome import IN_PLAY, POINTS, result_of
from gammon.search import Evaluator
from gammon.train.deep import deep_targets, deepen, is_deep
from gammon.train.selfplay import Turns
from gammon.train.starts import draw_starts
from tests.twins import outputs

#: A few checkers on either side: a shot, a straggler against the bar, a race.
NEARLY_OVER = (
    (0, 1, 0, -1, 0, 1, 0, *[0] * 15, -2, 0, 0, 0),
    (-1, 2, 0, 0, 0, 0, 0, 0, 1, *[0] * 15, -1, 0),
    (0, 0, 0, 1, 0, 0, 0, 0, 1, *[0] * 13, -1, 0, -1, 0),
)


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    torch.manual_seed(1)
    return evaluator_of(tensors(Network(16, 4)), bearoff=False)


def slow_chances(evaluator: Evaluator, points: Points, turns: int) -> np.ndarray:
    """The chances of the six results a number of turns ahead, for the player on roll."""
    row = np.array(points, np.int8)
    result = result_of(row)
    if result != IN_PLAY:
        return np.eye(6)[result]
    if turns == 0:
        return outputs(evaluator, row, row[None])[0].astype(float)
    total = np.zeros(6)
    for probability, roll in zip(PROBABILITIES, ROLLS, strict=True):
        replies = {flipped(after) for after in enumerate_plays(points, roll)}
        after = [slow_chances(evaluator, reply, turns - 1)[::-1] for reply in replies]
        total += probability * max(after, key=lambda chances: float(chances @ POINTS))
    return total


def test_deep_targets_are_two_turns_ahead(evaluator: Evaluator) -> None:
    found = deep_targets(evaluator, np.array(NEARLY_OVER, np.int8))
    for target, points in zip(found, NEARLY_OVER, strict=True):
        assert target == pytest.approx(slow_chances(evaluator, points, 2), abs=1e-5)
        assert target != pytest.approx(slow_chances(evaluator, points, 1), abs=1e-3)


def test_a_share_of_targets_is_replaced_whatever_the_pieces(evaluator: Evaluator) -> None:
    rows, _ = draw_starts(40, 1)
    rows[:3] = NEARLY_OVER
    where = is_deep(rows, 0.3)
    samples = rows.reshape(2, 20, 26)
    found = []
    for edges in ((0, 20), (0, 7, 20)):
        turns = Turns(samples, np.zeros((2, 20, 6), np.float32), np.zeros((2, 20), np.bool_))
        for begin, end in pairwise(edges):
            deepen(evaluator, 0.3, turns.of(slice(begin, end)))
        found.append(turns.targets.reshape(-1, 6))
    assert np.array_equal(*found)
    assert not found[0][~where].any()
    assert np.array_equal(found[0][where], deep_targets(evaluator, rows[where]))


def test_the_share() -> None:
    rows, _ = draw_starts(4000, 2)
    chosen = is_deep(rows, 0.2)
    assert chosen.mean() == pytest.approx(0.2, abs=0.03)
    assert is_deep(rows, 0.4)[chosen].all()
    assert not is_deep(rows, 0.0).any()
    assert is_deep(rows, 1.0).all()
