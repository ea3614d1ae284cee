"""The subject of one search: the functions and settings that are the same at every node.

A `Problem` crosses from Python into the kernels as one value, and is handed down as one.
"""

from typing import NamedTuple

from gammon.compiled.records import Float64Vector, UInt64Vector, declared
from gammon.search.filter import Filter
from gammon.search.game import Bounds, Evaluator, Offer, Outcomes, Successors, Terminal
from gammon.search.options import Options

__all__ = [
    "BIASED", "BOTH", "EXPECTIMAX", "GAMMA", "OPPONENT", "ROLLER", "STAR", "Problem",
    "opponents",
]  # fmt: skip

#: The algorithms: Star1, Star2 and Star2.5 by the number of probes; no cutoffs at all; gamma
#: pruning; the value if chance takes a side.
STAR, EXPECTIMAX, GAMMA, BIASED = range(4)
#: Sides: at whose decisions gamma pruning prunes, or whose side chance takes.
ROLLER, OPPONENT, BOTH = 1, 2, 3


@declared
class Problem(NamedTuple):
    """A game, its evaluators and the settings of a search, as the kernels see them.

    Attributes:
        outcomes: see `game.Outcomes`.
        successors: see `game.Successors`.
        terminal: see `game.Terminal`.
        bounds: see `game.Bounds`.
        offer: see `game.Offer`.
        params: float64 [Q], the game's numbers.
        stake: what is at stake for the player on roll, or who decides, at the root.
        low: no value is below it, for that player.
        high: no value is above it.
        max_outcomes: N, the most outcomes of a chance node.
        max_successors: R, the rows that `successors` needs.
        leaf: the evaluator of leaves, which also orders successors.
        probe: the evaluator that picks the successors to probe.
        algorithm: STAR, EXPECTIMAX, GAMMA or BIASED.
        probes: of STAR: how many successors a probe looks at. 0 is Star1, 1 Star2, more
            Star2.5.
        sides: of GAMMA and BIASED: ROLLER, OPPONENT or BOTH, as the node sees them that is
            searched first.
        sigma: the standard deviation of the noise at leaves, in units of value.
        noise_seed: uint64 [1], which noise.
        options: see `options.Options`.
        filter: see `filter.Filter`.
        doubles: whether anyone may ever double: the game has an `offer`.
    """

    outcomes: Outcomes
    successors: Successors
    terminal: Terminal
    bounds: Bounds
    offer: Offer
    params: Float64Vector
    stake: int
    low: float
    high: float
    max_outcomes: int
    max_successors: int
    leaf: Evaluator
    probe: Evaluator
    algorithm: int
    probes: int
    sides: int
    sigma: float
    noise_seed: UInt64Vector
    options: Options
    filter: Filter
    doubles: bool


def opponents(sides: int) -> int:
    """Return the same sides as seen from a node with the other player on roll."""
    return {ROLLER: OPPONENT, OPPONENT: ROLLER}.get(sides, sides)
