"""Checks of a search's arguments, before any kernel runs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from gammon.base.checks import is_real, is_whole, shown
from gammon.base.errors import GameError, SearchError
from gammon.base.stop import Stop
from gammon.compiled.kernel import checked
from gammon.search.algorithms import ALGORITHMS, BOUNDED, STAR2, WITHOUT_CHANCE, Algorithm
from gammon.search.game import NOT_OVER, Evaluator, Game, Rows, State, no_offer
from gammon.search.problem import Filter, Options, Problem
from gammon.search.stats import NODE_LIMIT, STOPPED, Counts
from gammon.search.table import Table

DEFAULT_OPTIONS = Options()
#: The greatest depth: deeper recursion would overflow the stack.
MOST_DEPTH = 1000
#: The largest integer of a kernel.
_MOST = (1 << 63) - 1
#: The largest sizes of a game and an evaluator. No real one comes near them, and a buffer, whose
#: size is a product of three, still has a number of bytes that one can ask the system for.
_MOST_SIZE, _MOST_SCRATCH = 1 << 20, 1 << 30
#: The filter that lets everything pass.
EVERYTHING = Filter()


def problem_of(
    game: Game,
    evaluator: Evaluator,
    probe: Evaluator | None = None,
    algorithm: str | Algorithm = STAR2,
    sigma: float = 0.0,
    noise_seed: int = 0,
    options: Options = DEFAULT_OPTIONS,
    filter: Filter = EVERYTHING,
    width: Evaluator | None = None,
) -> Problem:
    """Check the arguments of a search and return them as a `Problem` for kernels.

    The arguments are as for `tree_search.TreeSearch`.

    Raises:
        GameError: the game, or an evaluator, is not as `gammon.search.game` describes it.
        SearchError: another argument is out of its range.
    """
    _check_game(game)
    _check_evaluator(evaluator)
    for other in (probe, width):
        if other is not None:
            _check_evaluator(other)
    algorithm = algorithm_of(game, algorithm)
    if not is_real(sigma) or not 0.0 <= sigma < np.inf:
        raise SearchError(f"noise of {shown(sigma)}: expected a standard deviation, 0 or more")
    if not is_whole(noise_seed, 0, (1 << 64) - 1):
        raise SearchError(f"noise seed {shown(noise_seed)}: expected 0 to 2**64 - 1")
    if not isinstance(options, Options) or not is_whole(options.probes, 1, _MOST):
        raise SearchError(f"{shown(options)}: expected Options, with 1 probe or more")
    for name, flag in options._asdict().items():
        if name != "probes" and not isinstance(flag, bool):
            raise SearchError(f"Options with {name}={shown(flag)}: expected True or False")
    replies, margin, bounds = filter if isinstance(filter, Filter) else (-1, 0.0, False)
    if not is_whole(replies, 0, _MOST) or not is_real(margin) or not margin >= 0.0:
        raise SearchError(f"{shown(filter)}: expected a Filter of 0 or more")
    if not isinstance(bounds, bool):
        raise SearchError(f"a Filter with node_bounds={shown(bounds)}: expected True or False")
    if not replies and margin < np.inf:
        raise SearchError(f"a margin of {shown(margin)} without replies: expected how many, too")
    if filter.replies > 0 and not algorithm.filters:
        raise SearchError(f"{algorithm.name} with a filter of replies: expected a Star, or expectimax")
    if game.offer is not no_offer and not algorithm.doubles:
        raise SearchError(f"{algorithm.name} for a game with doubles: expected a Star, or expectimax")
    leaf, probe = evaluator, evaluator if probe is None else probe
    bounded = algorithm.bounded and width is not None
    if bounded and (sigma > 0.0 or filter != EVERYTHING or options.fail_hard):
        raise SearchError(f"{algorithm.name} with noise, a filter or `fail_hard`: expected none of them")
    try:
        return checked(
            Problem(
                outcomes=game.outcomes,
                successors=game.successors,
                terminal=game.terminal,
                bounds=game.bounds,
                offer=game.offer,
                params=game.params,
                stake=game.stake,
                low=float(game.low),
                high=float(game.high),
                max_outcomes=game.max_outcomes,
                max_successors=game.max_successors,
                leaf=checked(leaf),
                probe=checked(probe),
                width=checked(leaf if width is None else width),
                bounded=bounded,
                probes=options.probes if algorithm.probes is None else algorithm.probes,
                parameters=np.array(algorithm.parameters or (0.0,), np.float64),
                sigma=float(sigma),
                noise_seed=np.array([noise_seed], np.uint64),
                options=options,
                filter=filter._replace(margin=float(filter.margin)),
                doubles=game.offer is not no_offer,
            )
        )
    except TypeError as error:
        raise GameError(
            f"{game.name}: {error}; gammon.search.game has the annotations for @kernel()"
        ) from None


def algorithm_of(game: Game, algorithm: str | Algorithm) -> Algorithm:
    """Return the algorithm of a name, or a given `Algorithm` after a check of its fields.

    Raises:
        SearchError: there is no algorithm of that name for the game, or `algorithm` is not an
            algorithm.
    """
    if isinstance(algorithm, Algorithm):
        _check_algorithm(algorithm)
        return algorithm
    known = ALGORITHMS | {BOUNDED.name: BOUNDED} | (WITHOUT_CHANCE if game.max_outcomes == 1 else {})
    named = isinstance(algorithm, str)
    if named and algorithm in WITHOUT_CHANCE and algorithm not in known:
        raise SearchError(
            f"{algorithm} for {game.name}: expected a game without chance; in games of chance "
            "it is expectimax, or star1"
        )
    if not named or algorithm not in known:
        names = ", ".join(known)
        raise SearchError(f"unknown algorithm {shown(algorithm)}: expected one of {names}")
    return known[algorithm]


def _check_algorithm(algorithm: Algorithm) -> None:
    """Raise a SearchError unless the fields of an algorithm have the right types."""
    name = shown(algorithm.name)
    if algorithm.probes is not None and not is_whole(algorithm.probes, 0, _MOST):
        raise SearchError(f"algorithm {name} with {shown(algorithm.probes)} probes: expected 0 or more")
    for numbers in (
        algorithm.parameters,
        algorithm.parameters if algorithm.below is None else algorithm.below,
    ):
        if not isinstance(numbers, tuple) or not all(map(is_real, numbers)):
            raise SearchError(f"algorithm {name} with {shown(numbers)}: expected numbers")
        if len(numbers) != len(algorithm.parameters):
            raise SearchError(f"algorithm {name}: expected as many numbers below a decision")
    for field in algorithm._fields[algorithm._fields.index("exact") :]:
        flag = getattr(algorithm, field)
        if not isinstance(flag, bool):
            raise SearchError(f"algorithm {name} with {field}={shown(flag)}: expected True or False")


def as_text(numbers: npt.ArrayLike) -> str:
    """Return a state, or other numbers, as text for messages."""
    listed = np.asarray(numbers).ravel().tolist()
    parts = [f"{number:.6g}" for number in listed[:32]]
    return f"[{' '.join(parts)}{' ...' if len(listed) > len(parts) else ''}]"


def _check_game(game: Game) -> None:
    """Raise a GameError unless the fields of a game have the right types and ranges."""
    if not isinstance(game, Game):
        raise GameError(f"a game of type {type(game).__name__}; expected a Game")
    for name in ("width", "max_outcomes", "max_successors"):
        size = getattr(game, name)
        if not is_whole(size, 1, _MOST_SIZE):
            raise GameError(
                f"{game.name}: {name} is {shown(size)}; expected a whole number, 1 to {_MOST_SIZE}"
            )
    try:
        right = -np.inf < game.low <= game.high < np.inf
    except TypeError:
        right = False
    if not right:
        raise GameError(
            f"{game.name}: bounds of {shown(game.low)} and {shown(game.high)}; expected two "
            "finite numbers, low and high"
        )
    if not is_whole(game.stake, -_MOST, _MOST):
        raise GameError(f"{game.name}: stake is {shown(game.stake)}; expected a whole number")
    if not callable(game.fits):
        raise GameError(f"{game.name}: fits is {shown(game.fits)}; expected a function")
    _check_vector("the game's parameters", game.params, np.float64)
    if not game.params.flags.writeable:
        raise GameError("the game's parameters: read-only; expected a writable vector, though no search does")


def _check_evaluator(evaluator: Evaluator) -> None:
    """Raise a GameError unless the fields of an evaluator have the right types and ranges."""
    if not isinstance(evaluator, Evaluator):
        raise GameError(f"an evaluator of type {type(evaluator).__name__}; expected an Evaluator")
    if not is_whole(evaluator.outputs, 1, _MOST_SIZE):
        raise GameError(
            f"the evaluator's outputs: {shown(evaluator.outputs)}; expected a whole number, 1 to {_MOST_SIZE}"
        )
    if not is_whole(evaluator.scratch, 0, _MOST_SCRATCH):
        raise GameError(
            f"the evaluator's scratch: {shown(evaluator.scratch)}; expected a number of words, "
            f"0 to {_MOST_SCRATCH}"
        )
    for name in ("has_turn", "has_tie"):
        if not isinstance(getattr(evaluator, name), bool):
            raise GameError(
                f"the evaluator's {name}: {shown(getattr(evaluator, name))}; expected True or False"
            )
    _check_vector("the evaluator's weights", evaluator.weights, np.float32)


def _check_vector(name: str, vector: npt.NDArray[np.floating], kind: type) -> None:
    """Raise a GameError if a vector is not laid out as kernels read it."""
    if not isinstance(vector, np.ndarray):
        raise GameError(f"{name}: of type {type(vector).__name__}; expected a vector of {kind.__name__}")
    if vector.ndim != 1 or vector.dtype != kind or not vector.flags.c_contiguous:
        raise GameError(
            f"{name}: {vector.dtype} of shape {vector.shape}; expected a contiguous vector of {kind.__name__}"
        )


@contextmanager
def stopped_after(
    several: Sequence[Counts], max_nodes: int | None, max_seconds: float | None, stop: Stop | None
) -> Iterator[None]:
    """Stop the searches with these counts at a limit of nodes or time, or on demand."""
    if max_nodes is not None:
        for counts in several:
            counts[NODE_LIMIT] = max_nodes

    def end() -> None:
        for counts in several:
            counts[STOPPED] = 1

    with Stop(max_seconds, stop).telling(end):
        yield


def check_limit(name: str, most: int | None) -> None:
    """Raise a SearchError unless the limit of a count is 0 or more, or None."""
    if most is not None and not is_whole(most, 0, _MOST):
        raise SearchError(f"{name} {shown(most)}: expected a whole number, 0 or more")


def check_limits(max_nodes: int | None, max_seconds: float | None, stop: Stop | None) -> None:
    """Raise a SearchError unless each limit is valid, or None."""
    check_limit("max_nodes", max_nodes)
    if max_seconds is not None and not (is_real(max_seconds) and max_seconds >= 0.0):
        raise SearchError(f"max_seconds {shown(max_seconds)}: expected a number, 0 or more")
    if stop is not None and not isinstance(stop, Stop):
        raise SearchError(f"stop {shown(stop)}: expected a Stop")


def check_window(window: tuple[float, float]) -> None:
    """Raise a SearchError unless a window is a pair (alpha, beta) with alpha < beta."""
    pair = isinstance(window, tuple) and len(window) == 2 and all(map(is_real, window))
    if not pair or not window[0] < window[1]:
        raise SearchError(f"window {shown(window)}: expected (alpha, beta) with alpha < beta")


def check_leaves(algorithm: Algorithm, leaves: bool) -> None:
    """Raise a SearchError if leaves are requested from an algorithm that has none."""
    if leaves and not (algorithm.exact or algorithm.keeps_leaves):
        raise SearchError(
            f"principal leaves with {algorithm.name}: expected an exact algorithm, or no leaves"
        )


def check_progress(progress: object) -> None:
    """Raise a SearchError unless `progress` is an array for two counts."""
    if (
        not isinstance(progress, np.ndarray)
        or progress.shape != (2,)
        or progress.dtype != np.int64
        or not (progress.flags.c_contiguous and progress.flags.writeable)
    ):
        raise SearchError("progress: expected a writable array of two counts, int64 [2]")


def check_depth(depth: int, parity: int) -> None:
    """Raise a SearchError unless a depth is within limits and even (parity 0) or odd (1)."""
    if not is_whole(depth, 0, MOST_DEPTH) or depth % 2 != parity:
        node, right = ("a decision", "1, 3, 5") if parity else ("a chance node", "0, 2, 4")
        raise SearchError(
            f"depth {shown(depth)} for {node}: expected one of {right} and so on to {MOST_DEPTH}"
        )


def checked_states(game: Game, states: npt.ArrayLike, shape: tuple[int | None, ...]) -> State:
    """Return states as contiguous int8.

    Args:
        game: the game that they are states of.
        states: as int8, or as other numbers that int8 can represent exactly.
        shape: the expected shape; None for an axis of any length.

    Raises:
        SearchError: they have another shape, or numbers beyond int8, or one is not a state of
            the game.
    """
    try:
        given = np.asarray(states)
    except ValueError:
        raise SearchError(
            f"states of several lengths for {game.name}: expected {game.width} numbers each"
        ) from None
    array = given
    if given.dtype != np.int8:
        if given.dtype.kind not in "biuf":
            raise SearchError(f"states of type {given.dtype} for {game.name}: expected int8")
        with np.errstate(invalid="ignore"):
            array = given.astype(np.int8)
        wrong = array != given
        if wrong.any():
            raise SearchError(
                f"states with {given[wrong].flat[0]} for {game.name}: expected whole numbers of -128 to 127"
            )
    first, *others = shape
    fits = array.ndim == len(shape) and list(array.shape[1:]) == others
    if not fits or first not in (None, len(array)):
        right = str(shape).replace("None", "N")
        raise SearchError(f"states of shape {array.shape} for {game.name}: expected {right}")
    array = np.require(array, np.int8, ["C", "W"])
    rows = array.reshape(-1, game.width)
    fitting = game.fits(game, rows)
    if fitting < len(rows):
        raise SearchError(f"{as_text(rows[fitting])} is no state of {game.name}")
    return array


def check_outcome(outcome: int, n: int) -> None:
    """Raise a SearchError unless an outcome is one of n."""
    if not is_whole(outcome, 0, n - 1):
        raise SearchError(f"outcome {shown(outcome)}: expected 0 to {n - 1}")


def check_decision(game: Game, state: State, outcome: int) -> None:
    """Raise a SearchError if a game is over, or if its state has no such outcome."""
    if game.terminal(state, game.stake, game.params) != NOT_OVER:
        raise SearchError(f"a decision in {as_text(state)} of {game.name}: its game is over")
    chance = np.empty(game.max_outcomes, np.float64)
    check_outcome(outcome, game.outcomes(state, game.params, chance))


def check_table(game: Game, table: Table | None) -> None:
    """Raise a SearchError unless a table is a `Table` for states of the game, or None."""
    if table is not None and not isinstance(table, Table):
        raise SearchError(f"table {shown(table)}: expected a Table")
    if table is not None and len(table.numbers) != game.width:
        raise SearchError(
            f"a table for states of {len(table.numbers)} bytes: expected one of "
            f"Table.allocate for {game.name}, {game.width}"
        )


def check_value(game: Game, state: State, value: float) -> None:
    """Raise a GameError if a value is beyond the game's bounds by more than rounding.

    Static values are float32, which may round a value at a bound beyond it.
    """
    if not game.low <= value <= game.high:
        slack = 1e-6 * max(1.0, abs(game.low), abs(game.high))
        if not game.low - slack <= value <= game.high + slack:
            raise GameError(
                f"{game.name}: the value of {as_text(state)} is {value:.7g}; expected "
                f"{game.low:g} to {game.high:g}, its bounds"
            )


def check_values(game: Game, states: Rows, values: npt.NDArray[np.float64]) -> None:
    """Raise a GameError if one of the values [N] of states [N, W] is beyond the bounds."""
    for number in np.flatnonzero(~((values >= game.low) & (values <= game.high))).tolist():
        check_value(game, states[number], float(values[number]))
