"""Checks a search's arguments once, before any kernel runs.

Depth counts every max, min and chance node as one ply. A decision has an odd depth: 1
looks at its successors, 3 at the replies to them after every outcome of chance, and so
on. A chance node has an even depth, where 0 is its static value.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Timer

import numpy as np
import numpy.typing as npt

from gammon.errors import SearchError
from gammon.kernel import argument
from gammon.search.filter import Filter
from gammon.search.game import Evaluator, Game, State
from gammon.search.options import Options
from gammon.search.problem import (
    BIASED,
    BOTH,
    EXPECTIMAX,
    GAMMA,
    OPPONENT,
    ROLLER,
    STAR,
    Problem,
)
from gammon.search.stats import NODE_LIMIT, STOPPED, Counts

__all__ = [
    "ALGORITHMS", "BIASES", "EVERYTHING", "USUAL", "WITHOUT_CHANCE", "check_depth",
    "check_leaves", "check_progress", "checked_states", "problem_of", "stopped_after",
]  # fmt: skip

#: The names of algorithms for the value of best play, and what the kernels know them by:
#: the algorithm, its probes, its sides. Gamma pruning is for both sides' decisions, for
#: those of the player who rolls or decides at the root, and for the other's.
ALGORITHMS = {
    "expectimax": (EXPECTIMAX, 0, BOTH),
    "gamma": (GAMMA, 0, BOTH),
    "gamma-a": (GAMMA, 0, ROLLER),
    "gamma-b": (GAMMA, 0, OPPONENT),
    "star1": (STAR, 0, BOTH),
    "star2": (STAR, 1, BOTH),
    "star2.5": (STAR, 2, BOTH),
}
#: The same algorithms by the names that they have in games without chance.
WITHOUT_CHANCE = {
    "minimax": ALGORITHMS["expectimax"],
    "alpha-beta": ALGORITHMS["star1"],
}
#: Two other values: if chance is always against the player, and always for.
BIASES = {"guaranteed": (BIASED, 0, OPPONENT), "possible": (BIASED, 0, ROLLER)}

#: The options that are the default.
USUAL = Options()
#: The filter that lets everything pass.
EVERYTHING = Filter()


def problem_of(
    game: Game,
    evaluator: Evaluator,
    probe: Evaluator | None = None,
    algorithm: str = "star2",
    sigma: float = 0.0,
    noise_seed: int = 0,
    options: Options = USUAL,
    filter: Filter = EVERYTHING,
) -> Problem:
    """Return the kernels' view of a search.

    The arguments are those of `value.chance_value`.

    Raises:
        SearchError: one of them is out of its range.
    """
    known = ALGORITHMS | BIASES | (WITHOUT_CHANCE if game.max_outcomes == 1 else {})
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
    if filter.replies < 0 or not filter.margin >= 0.0:
        raise SearchError(
            f"{filter.replies!r} replies within {filter.margin!r}: expected 0 or more"
        )
    kind, probes, sides = known[algorithm]
    if filter.replies > 0 and kind not in (STAR, EXPECTIMAX):
        raise SearchError(f"{algorithm} of some replies: expected one of the Stars, expectimax")
    leaf, probe = evaluator, evaluator if probe is None else probe
    _check_vector("the game's parameters", game.params, np.float64)
    _check_vector("the evaluator's weights", leaf.weights, np.float32)
    _check_vector("the probe's weights", probe.weights, np.float32)
    try:
        return argument(
            Problem(
                outcomes=game.outcomes,
                successors=game.successors,
                terminal=game.terminal,
                bounds=game.bounds,
                params=game.params,
                stake=game.stake,
                low=float(game.low),
                high=float(game.high),
                max_outcomes=game.max_outcomes,
                max_successors=game.max_successors,
                leaf=argument(leaf),
                probe=argument(probe),
                algorithm=kind,
                probes=options.probes if algorithm == "star2.5" else probes,
                sides=sides,
                sigma=float(sigma),
                noise_seed=np.array([noise_seed], np.uint64),
                options=options,
                filter=filter._replace(margin=float(filter.margin)),
            )
        )
    except TypeError as error:
        raise SearchError(f"{game.name}: {error}") from None


def _check_vector(name: str, vector: npt.NDArray[np.floating], kind: type) -> None:
    """Raise a SearchError if a vector is not laid out as kernels read it."""
    if vector.ndim != 1 or vector.dtype != kind or not vector.flags.c_contiguous:
        raise SearchError(
            f"{name}: {vector.dtype} of shape {vector.shape}; expected a contiguous vector of "
            f"{kind.__name__}"
        )


@contextmanager
def stopped_after(
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
    if leaves and algorithm in BIASES:
        raise SearchError(f"leaves of a search for the {algorithm} value: expected none")


def check_progress(progress: object) -> None:
    """Raise a SearchError unless a kernel can keep two counts there."""
    if (
        not isinstance(progress, np.ndarray)
        or progress.shape != (2,)
        or progress.dtype != np.int64
        or not (progress.flags.c_contiguous and progress.flags.writeable)
    ):
        raise SearchError("progress: expected room for two counts, int64 [2]")


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
