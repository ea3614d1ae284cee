"""The oracle against its definition, written a second time without any kernel."""

import numpy as np
import pytest

from gammon import search
from gammon.games import synthetic
from gammon.games.synthetic import LEAF, MAX_OUTCOMES, MAX_SUCCESSORS, WIDTH
from gammon.search import noise

SIGMA, NOISE_SEED = 0.2, 7


def defined_value(game, state, depth, low, high):
    """Return a chance node's value by its definition, one state at a time."""
    payoff = game.terminal(state)
    if payoff != search.NOT_OVER:
        return payoff
    if depth == 0:
        out = np.zeros(1, np.float32)
        LEAF.values(state, state[None], 1, LEAF.weights, out)
        error = SIGMA * noise.gauss(state, np.uint64(NOISE_SEED))
        return min(max(float(out[0]) + error, low), high)
    weight = np.zeros(MAX_OUTCOMES)
    total = 0.0
    for outcome in range(game.outcomes(state, weight)):
        rows = np.zeros((MAX_SUCCESSORS, WIDTH), np.int8)
        replies = rows[: game.successors(state, outcome, rows)]
        best = max(-defined_value(game, row, depth - 2, -high, -low) for row in replies)
        total += weight[outcome] * best
    return total


@pytest.mark.parametrize("depth", [0, 2, 4])
@pytest.mark.parametrize("bounds", [(-1, 1), (5, 10)])
def test_the_oracle_is_the_definition(bounds, depth):
    game = synthetic.game(*bounds)
    for seed in range(30):
        state = synthetic.root(*bounds, seed)
        found = search.chance_value(
            game, LEAF, state, depth, "expectimax", sigma=SIGMA, noise_seed=NOISE_SEED
        )
        assert found.value == pytest.approx(defined_value(game, state, depth, *bounds))
        assert bounds[0] <= found.value <= bounds[1]


def test_a_finished_game_has_its_payoff_at_any_depth():
    game = synthetic.game(-3, 3)
    rows = np.zeros((MAX_SUCCESSORS, WIDTH), np.int8)
    finished = 0
    for seed in range(200):
        game.successors(synthetic.root(-3, 3, seed), 0, rows)
        payoff = game.terminal(rows[0])
        if payoff == search.NOT_OVER:
            continue
        finished += 1
        for algorithm in search.ALGORITHMS:
            for depth in (0, 2, 4):
                found = search.chance_value(
                    game, LEAF, rows[0], depth, algorithm, sigma=SIGMA, window=(-1, 1)
                )
                assert found.value == payoff
                assert (found.stats.nodes, found.stats.leaves) == (0, 1)
    assert finished > 10
