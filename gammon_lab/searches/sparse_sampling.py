"""Sparse sampling: a game whose chance nodes have only a sample of their outcomes.

M. Lanctot, A. Saffidine, J. Veness, C. Archibald and M. Winands, "Monte Carlo *-minimax search"
(IJCAI 2013): at each chance node a few outcomes are drawn with replacement, and an outcome counts by
the share of the draws that it has. What remains is a tree like any other. So sampling is a property of
the game here, and every algorithm searches that game: expectimax (ExpSS in the paper), Star1 (Star1SS)
and Star2 (Star2SS), with their tables and threads.

The draws are a hash of the state and a seed. So a state has the same sample wherever it occurs, and
all algorithms find the same value. In the paper each node has draws of its own. Here all nodes may also
have the same draws (common random numbers), which is not in the paper: then the luck of the draws is the
same for all successors of a decision.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from gammon.base.checks import whole
from gammon.compiled.hashing import mix, unit
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.search.game import Game, Outcomes, Params, State

#: The largest seed: parameters are float64.
MOST_SEED = 2**53 - 1
#: Where the sample's size, the seed and the flag for common draws are, from the parameters' end.
_SAMPLES, _SEED, _COMMON = -3, -2, -1


@kernel(inner=True, allocates=True)
def _draw(state: State, params: Params, chance: Float64Vector, n: int) -> None:
    """Replace the chances of n outcomes, float64 [>= n], by their shares of the draws."""
    key, shares = mix(np.uint64(int(params[_SEED]))), np.zeros(n)
    if params[_COMMON] == 0.0:
        for byte in range(state.shape[0]):
            key = mix(key ^ np.uint64(int(state[byte]) & 255))
    for _ in range(int(params[_SAMPLES])):
        key = mix(key)
        left = unit(key)
        outcome = 0
        for i in range(n):
            if chance[i] > 0.0 and left >= 0.0:
                outcome = i  # the last one with a chance, if rounding leaves a rest
                left -= chance[i]
        shares[outcome] += 1.0 / params[_SAMPLES]
    for i in range(n):
        chance[i] = shares[i]


@cache
def _sampled(base: Callable[..., int]) -> Outcomes:
    """Return the function that draws from the outcomes of another one."""

    @kernel()
    def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
        n = base(state, params, weight)
        _draw(state, params, weight, n)
        return n

    return outcomes


def sampled(game: Game, samples: int, seed: int = 0, common: bool = False) -> Game:
    """Return a game with a sample of the outcomes at each chance node.

    Args:
        game: the game; its functions read no parameters from the end.
        samples: the draws at each chance node, 1 or more. An outcome may be drawn again.
        seed: of the draws, below 2**53.
        common: whether all nodes have the same draws.

    Raises:
        SettingError: the samples or the seed are not as described.
    """
    whole("samples", samples, 1)
    whole("seed", seed, 0, MOST_SEED)
    return game._replace(
        name=f"{game.name}, {samples} samples",
        outcomes=_sampled(game.outcomes),  # type: ignore[arg-type]  # kernels are hashable
        params=np.concatenate([game.params, [samples, seed, common]]),
    )
