"""What a question to the search may be: checked once, for all kernels.

Depth counts every max, min and chance node as one ply. A decision has an odd depth: 1
looks at its successors, 3 at the replies to them after every outcome of chance, and so
on. A chance node has an even depth, where 0 is its static value.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Timer

import numpy as np
import numpy.typing as npt

from gammon.errors import GammonError
from gammon.search.game import Evaluator, Game
from gammon.search.options import Options
from gammon.search.problem import (
    EXPECTIMAX,
    GAMMA,
    GAMMA_OPPONENT,
    GAMMA_ROLLER,
    GUARANTEED,
    POSSIBLE,
    Problem,
    State,
)
from gammon.search.stats import NODE_LIMIT, STOPPED, Counts

__all__ = [
    "ALGORITHMS", "DEFAULT", "LUCK", "WITHOUT_CHANCE", "SearchError", "check_depth",
    "check_leaves", "checked_states", "limits", "problem_of",
]  # fmt: skip

#: What `algorithm` can be for the value of best play, with the number of probes that the
#: kernels know it by. Gamma pruning is for both sides' decisions, for those of the player
#: who rolls or decides at the root, and for the other's.
ALGORITHMS = {
    "expectimax": EXPECTIMAX,
    "gamma": GAMMA,
    "gamma-a": GAMMA_ROLLER,
    "gamma-b": GAMMA_OPPONENT,
    "star1": 0,
    "star2": 1,
    "star2.5": 2,
}
#: The same algorithms by the names that they have in games without chance.
WITHOUT_CHANCE = {"minimax": EXPECTIMAX, "alpha-beta": 0}
#: What else can be asked for: the value if chance is always against the player, or for.
LUCK = {"guaranteed": GUARANTEED, "possible": POSSIBLE}

DEFAULT = Options()


class SearchError(GammonError, ValueError):
    """A search that cannot be: an unknown algorithm, a depth of the wrong parity."""


def problem_of(
    game: Game,
    evaluator: Evaluator,
    probe: Evaluator | None,
    algorithm: str,
    sigma: float,
    noise_seed: int,
    options: Options,
) -> Problem:
    """Return the kernels' view of a search, or raise a SearchError."""
    known = ALGORITHMS | LUCK | (WITHOUT_CHANCE if game.max_outcomes == 1 else {})
    if algorithm in WITHOUT_CHANCE and algorithm not in known:
        raise SearchError(
            f"{algorithm} for {game.name}: expected a game without chance; in games of chance "
            "it is expectimax, or star1"
        )
    if algorithm not in known:
        names = ", ".join(known)
        raise SearchError(f"unknown algorithm {algorithm!r}: expected one of {names}")
    if not 0.0 <= sigma < np.inf:
        raise SearchError(f"noise of {sigma!r}: expected a standard deviation, 0 or more")
    if not 0 <= noise_seed < 1 << 64:
        raise SearchError(f"noise seed {noise_seed!r}: expected 0 to 2**64 - 1")
    if options.probes < 1:
        raise SearchError(f"{options.probes!r} probes: expected 1 or more")
    if options.replies < 0 or not options.margin >= 0.0:
        raise SearchError(
            f"{options.replies!r} replies within {options.margin!r}: expected 0 or more"
        )
    if options.replies > 0 and known[algorithm] < EXPECTIMAX:
        raise SearchError(f"{algorithm} of some replies: expected one of the Stars, expectimax")
    probe = evaluator if probe is None else probe
    probes = options.probes if algorithm == "star2.5" else known[algorithm]
    return Problem(
        game.outcomes, game.successors, game.terminal, game.bounds,
        game.max_outcomes, game.max_successors,
        evaluator.values, evaluator.weights, probe.values, probe.weights,
        probes, sigma, np.uint64(noise_seed), options,
    )  # fmt: skip


@contextmanager
def limits(
    several: Sequence[Counts], max_nodes: int | None, max_seconds: float | None
) -> Iterator[None]:
    """Have the searches that count here stop after so many nodes, or after so long."""
    if max_nodes is not None:
        for counts in several:
            counts[NODE_LIMIT] = max_nodes
    if max_seconds is None:
        yield
        return

    def stop() -> None:
        for counts in several:
            counts[STOPPED] = 1

    timer = Timer(min(max_seconds, TIMEOUT_MAX), stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def check_leaves(algorithm: str, leaves: bool) -> None:
    """Raise a SearchError if leaves are wanted that there are none of."""
    if leaves and algorithm in LUCK:
        raise SearchError(f"leaves of a search for the {algorithm} value: expected none")


def check_depth(depth: int, parity: int) -> None:
    """Raise a SearchError unless a depth is even (parity 0), or odd (1), and possible."""
    if depth < 0 or depth % 2 != parity:
        node, right = ("a decision", "1, 3, 5") if parity else ("a chance node", "0, 2, 4")
        raise SearchError(f"depth {depth!r} for {node}: expected one of {right} and so on")


def checked_states(game: Game, states: npt.ArrayLike, shape: tuple[int, ...]) -> State:
    """Return states as contiguous int8, or raise a SearchError if they have another shape."""
    array = np.ascontiguousarray(states, np.int8)
    if array.shape != shape:
        raise SearchError(f"states of shape {array.shape} for {game.name}: expected {shape}")
    return array
