"""The search on backgammon: every algorithm against plain expectimax."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from gammon import search
from gammon.eval import nnue
from gammon.eval.model_file import load_model
from gammon.eval.packed import pack
from gammon.games.backgammon import BACKGAMMON
from gammon.rules import outcome
from gammon.rules.board import Points
from gammon.search import game
from gammon.search.game import Evaluator


@pytest.fixture(scope="module")
def leaf() -> Evaluator:
    return Evaluator(nnue.values, pack(load_model("leaf").weights))


@pytest.fixture(scope="module")
def probe() -> Evaluator:
    return Evaluator(nnue.values, pack(load_model("probe").weights))


def test_the_two_halves_of_the_first_floor_agree() -> None:
    assert outcome.NOT_OVER == game.NOT_OVER
    for function, signature in (
        (BACKGAMMON.outcomes, game.OUTCOMES_SIGNATURE),
        (BACKGAMMON.successors, game.SUCCESSORS_SIGNATURE),
        (BACKGAMMON.terminal, game.TERMINAL_SIGNATURE),
        (nnue.values, game.VALUES_SIGNATURE),
    ):
        assert function.nopython_signatures == [signature]


@pytest.mark.parametrize(("depth", "positions"), [(1, 60), (3, 30), (5, 1)])
def test_all_algorithms_give_the_same_values(
    depth: int,
    positions: int,
    leaf: Evaluator,
    probe: Evaluator,
    played: Callable[[int, int], list[Points]],
) -> None:
    rng = np.random.default_rng(depth)
    leaves: Counter[str] = Counter()
    for points in played(positions * 7, 20 + depth)[::7]:
        roll = int(rng.integers(21))
        slow = search.decide(BACKGAMMON, leaf, points, roll, depth, "expectimax")
        truth = {
            row.tobytes(): value for row, value in zip(slow.rows, slow.values, strict=True)
        }
        ranked = np.sort(slow.values)[::-1]
        for algorithm in ("star1", "star2", "star2.5"):
            fast = search.decide(BACKGAMMON, leaf, points, roll, depth, algorithm, probe, top=3)
            assert fast.values[fast.order[:3]] == pytest.approx(ranked[:3], abs=1e-6)
            for row, value, exact in zip(fast.rows, fast.values, fast.exact, strict=True):
                true = truth[row.tobytes()]
                assert abs(value - true) < 1e-6 if exact else value > true - 1e-6
            leaves[algorithm] += fast.stats.leaves
        leaves["expectimax"] += slow.stats.leaves
    if depth > 1:
        assert leaves["star2"] < leaves["star1"] < leaves["expectimax"]


def test_finished_games_count_their_payoff(leaf: Evaluator, probe: Evaluator) -> None:
    # Both have one checker left on the ace point: whoever is on roll wins one point.
    points = [0] * 26
    points[1], points[24] = 1, -1
    for algorithm in search.ALGORITHMS:
        won = search.decide(BACKGAMMON, leaf, points, 20, 3, algorithm, probe)
        assert won.values.tolist() == [1.0]
        value = search.chance_value(BACKGAMMON, leaf, points, 4, algorithm, probe).value
        assert value == pytest.approx(1.0)
