"""The chances of the six results over principal leaves."""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from gammon.eval.equity import Probabilities, for_opponent
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import probabilities
from gammon.eval.principal import TOGETHER, chances_of, leaf_mean, leaf_means
from gammon.rules.board import OPENING, flipped
from gammon.search.leaves import Leaves

LEAF = load_evaluator("leaf")
#: Finished games, and how they end for the player on roll, who has all checkers left, or a few.
LOST_GAMMON = (0, 0, 0, 0, 0, 0, 15, *[0] * 19)
LOST_SINGLE = (0, 0, 3, *[0] * 23)
LOST_BACKGAMMON = (*[0] * 25, 15)
FINISHED = {
    LOST_SINGLE: (0, 0, 0, 0, 0), LOST_GAMMON: (0, 0, 0, 1, 0),
    LOST_BACKGAMMON: (0, 0, 0, 1, 1),
    flipped(LOST_SINGLE): (1, 0, 0, 0, 0), flipped(LOST_GAMMON): (1, 1, 0, 0, 0),
    flipped(LOST_BACKGAMMON): (1, 1, 1, 0, 0),
}  # fmt: skip
RACE = (0, 2, 0, 1, *[0] * 18, -3, 0, 0, 0)


def said(row: tuple[int, ...]) -> npt.NDArray[Any]:
    """The network's word, or that of the rules, to the player on roll."""
    if row in FINISHED:
        return np.array(FINISHED[row], np.float64)
    return probabilities(np.array([row], np.int8), LEAF.weights)[0].astype(np.float64)


@pytest.mark.parametrize("row", [OPENING, RACE, *FINISHED], ids=str)
def test_one_leaf_is_what_is_said_of_it(row: tuple[int, ...]) -> None:
    rows = np.array([row], np.int8)
    assert chances_of(LEAF, rows)[0].tolist() == said(row).tolist()
    theirs = leaf_mean(LEAF, Leaves(rows, np.ones(1), -np.ones(1)))
    assert theirs == Probabilities(*for_opponent(said(row)))


@pytest.mark.parametrize(
    "sizes", [[1, 1, 1], [2, 1, 5], [21, 21], [3 * TOGETHER, 1], []], ids=str
)
def test_means_of_many_leaves_are_weighted_sums(sizes: list[int]) -> None:
    rng = np.random.default_rng(sum(sizes))
    total = sum(sizes)
    choice = [OPENING, RACE, *FINISHED]
    chosen = [choice[k] for k in rng.integers(len(choice), size=total)]
    rows = np.array(chosen, np.int8).reshape(-1, 26)
    weights = np.concatenate([[], *(rng.dirichlet(np.ones(size)) for size in sizes)])
    signs = rng.choice([-1.0, 1.0], total)
    offsets = np.cumsum([0, *sizes])
    found = leaf_means(LEAF, Leaves(rows, weights, signs), offsets)
    assert found.shape == (len(sizes), 5)
    for number, (begin, end) in enumerate(pairwise(offsets.tolist())):
        mean = np.zeros(5)
        for j in range(begin, end):
            own = said(chosen[j])
            mean += weights[j] * (own if signs[j] > 0 else for_opponent(own))
        assert found[number].tolist() == mean.tolist()
