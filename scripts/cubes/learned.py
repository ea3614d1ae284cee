"""A learned cube: what a small network adds to Janowski's values for money.

Its *formula* is a network of two hidden layers. It sees what the leaf knows of a position
without its board: the chances of the six results, and what rolling is worth by Janowski's model
with the cube of the player on roll, a centred cube, and the opponent's. It also sees three
*signs* of the board, from -1 to 1. They come from a *cube network*, which is a network like any
other (`gammon.eval.network`): its six outputs count in pairs, and a pair of chances p and q is
the sign (q - p) / (q + p). Without a cube network the signs are 0. The formula's three outputs
are added to the three values. So a formula whose last layer is 0 leaves Janowski's values.

Values are kept in the order that no cube is better than one's own, nor worse than the
opponent's: the search relies on it. They are for money without the Jacoby rule alone.

An evaluator with a learned cube writes what that of `gammon.eval.cubeful` writes, ten outputs,
as if all values were known (`gammon.eval.efficiency`). So it has the same folds. A
rollout with it must play games to their end: one that stops at known values would stop at once.
"""

import zlib
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np

from gammon.base.errors import ModelError, SettingError
from gammon.base.files import written_whole
from gammon.compiled.aligned import LINE, aligned_zeros
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.eval.bearoff import N_NUMBERS, N_OWNERS, with_cube
from gammon.eval.cubeful import has_cube
from gammon.eval.efficiency import KNOWN, N_OUTPUTS, efficiency_of
from gammon.eval.evaluators import evaluator_of
from gammon.eval.integer_network_kernel import results
from gammon.eval.integers import header_of
from gammon.eval.janowski_kernel import fold_rolled, fold_turn
from gammon.eval.model_file import check_network
from gammon.eval.weights import Weights, check_weights
from gammon.rules.outcome import N_RESULTS, POINTS
from gammon.rules.stake import LEVELS, LIVE, WORTH
from gammon.rules.state import Rows, State
from gammon.search.game import Evaluator

#: The owners of the cube in the order of the outputs; for money they are the stakes.
OWNERS = (1, 0, -1)
#: Units of both hidden layers of the formula, and what it sees: chances, values and signs.
HIDDEN = 32
N_SEEN = N_RESULTS + 2 * N_OWNERS
#: The formula's tensors in the order in which they are packed: weights [to, from] and biases.
SHAPES = {
    "0.weight": (HIDDEN, N_SEEN), "0.bias": (HIDDEN,),
    "2.weight": (HIDDEN, HIDDEN), "2.bias": (HIDDEN,),
    "4.weight": (N_OWNERS, HIDDEN), "4.bias": (N_OWNERS,),
}  # fmt: skip
_FIRST = N_RESULTS + 1
#: The parameters of money: the cube may be turned, and results are worth their points.
_MONEY = np.concatenate([np.zeros(WORTH), np.tile(POINTS, 2 * LEVELS)])
_MONEY[LIVE] = 1.0
_results, _fold_rolled = results, fold_rolled
#: The last numbers of the weights: where the formula begins, the cube network or 0, the exact
#: values of small bearoffs or 0, and where the scratch of the cube network does.
_FORMULA, _NETWORK, _EXACT, _SCRATCH = -4, -3, -2, -1
_LAST = 4
_WORDS = LINE // 8
#: Errors, besides the system's, at files that are not archives of numbers.
_DAMAGE = (
    ValueError, TypeError, AttributeError, EOFError, MemoryError, BadZipFile, zlib.error,
)  # fmt: skip


class LearnedCube(NamedTuple):
    """The tensors of a learned cube.

    Attributes:
        formula: tensors float32 by the names and of the shapes of `SHAPES`.
        network: the tensors of the cube network, or None.
    """

    formula: Weights
    network: Weights | None = None


def nothing() -> LearnedCube:
    """Return the cube that adds nothing to Janowski's values."""
    return LearnedCube({name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()})


def save_cube(path: Path, cube: LearnedCube) -> None:
    """Write a learned cube to a file, an archive of numpy.

    Raises:
        GammonError: it cannot be written.
    """
    named = {f"formula.{name}": tensor for name, tensor in cube.formula.items()}
    named |= {f"network.{name}": tensor for name, tensor in (cube.network or {}).items()}
    with written_whole(path) as beside, beside.open("wb") as file:
        np.savez(file, **named)  # type: ignore[arg-type]


def read_cube(path: Path) -> LearnedCube:
    """Return the learned cube of a file.

    Raises:
        ModelError: the file holds none, or cannot be read, or its numbers are not finite.
    """
    unknown = f"{str(path)!r}: expected a learned cube, which `learn_cube.py learn` wrote"
    found = {}
    try:
        with np.load(path, allow_pickle=False) as file:
            for name in file.files:
                found[name] = np.asarray(file[name], np.float32)
    except OSError as error:
        raise ModelError(f"{unknown}: {error.strerror or 'it is damaged'}") from None
    except _DAMAGE:
        raise ModelError(unknown) from None
    network = {name[8:]: w for name, w in found.items() if name.startswith("network.")}
    formula = {name[8:]: w for name, w in found.items() if name.startswith("formula.")}
    if len(network) + len(formula) != len(found) or formula.keys() != SHAPES.keys():
        raise ModelError(f"{unknown}: its tensors have other names")
    if any(formula[name].shape != shape for name, shape in SHAPES.items()):
        raise ModelError(f"{unknown}: its formula has other shapes")
    check_weights(formula, f"the formula of {str(path)!r}")
    if network:
        check_network(network, str(path))
    return LearnedCube(formula, network or None)


@kernel(inner=True)
def _layer(seen: Float32Vector, weights: Float32Vector, at: int, out: Float32Vector) -> int:
    """Write bias + seen @ weights, where the weights [from, to] and then the bias stand.

    Returns:
        Where the next layer's weights stand.
    """
    n, width = seen.shape[0], out.shape[0]
    bias = at + n * width
    for k in range(width):
        out[k] = weights[bias + k]
    for i in range(n):
        x, row = seen[i], weights[at + i * width : at + (i + 1) * width]
        for k in range(width):
            out[k] += x * row[k]
    following: int = bias + width
    return following


@kernel(inner=True)
def _rectify(sums: Float32Vector) -> None:
    """Make the sums below 0 zero."""
    for k in range(sums.shape[0]):
        sums[k] = max(sums[k], np.float32(0.0))


@kernel(allocates=True)
def learned_values(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix,
    scratch: UInt64Vector,
) -> None:  # fmt: skip
    """Write the chances of the six results, `KNOWN`, and the values of rolling for each owner.

    Args:
        parent: int8 [26], seen from the player on roll.
        rows: int8 [R, 26], the first n of them seen from the opponent.
        n: how many.
        weights: of `learned_evaluator`.
        out: float32 [>= n, 10].
        scratch: uint64, of `Evaluator.new_scratch`.
    """
    formula, network = int(weights[_FORMULA]), int(weights[_NETWORK])
    exact, at_scratch = int(weights[_EXACT]), int(weights[_SCRATCH])
    values, params = np.empty(n, np.float32), _MONEY.copy()
    signs = np.ones((n, N_RESULTS), np.float32)
    seen = np.empty(N_SEEN, np.float32)
    first, second = np.empty(HIDDEN, np.float32), np.empty(HIDDEN, np.float32)
    added = np.empty(N_OWNERS, np.float32)
    _results(parent, rows, n, weights, out, scratch[:at_scratch])
    if network > 0:
        _results(parent, rows, n, weights[network:], signs, scratch[at_scratch:])
    for j in range(n):
        out[j, N_RESULTS] = efficiency_of(rows[j])
    for k in range(N_OWNERS):
        _fold_rolled(out, n, 1 - k, params, values)
        for j in range(n):
            out[j, _FIRST + k] = values[j]
    for j in range(n):
        row = out[j]
        row[N_RESULTS] = KNOWN
        if exact > 0 and with_cube(rows[j], weights, exact, row[_FIRST:]):
            continue
        seen[:N_RESULTS] = row[:N_RESULTS]
        for k in range(N_OWNERS):
            low, high = signs[j, 2 * k], signs[j, 2 * k + 1]
            seen[N_RESULTS + k] = row[_FIRST + k]
            seen[N_RESULTS + N_OWNERS + k] = (high - low) / (high + low)
        at = _layer(seen, weights, formula, first)
        _rectify(first)
        at = _layer(first, weights, at, second)
        _rectify(second)
        _layer(second, weights, at, added)
        for k in range(N_OWNERS):
            row[_FIRST + k] += added[k]
        row[_FIRST] = max(row[_FIRST], row[_FIRST + 1])
        row[_FIRST + 2] = min(row[_FIRST + 2], row[_FIRST + 1])


def learned_evaluator(evaluator: Evaluator, cube: LearnedCube, exact: bool = True) -> Evaluator:
    """Return the evaluator of a network with a learned cube.

    Args:
        evaluator: of `gammon.eval.evaluators`; it gives the chances.
        cube: learned.
        exact: where the evaluator has tables of bearoff, whether small bearoffs have their
            exact values with the cube.

    Raises:
        SettingError: it is another evaluator, such as a torch module's.
    """
    if not has_cube(evaluator):
        raise SettingError("an evaluator with the cube: expected that of a network in integers")
    formula = np.concatenate([cube.formula[name].T.ravel() for name in SHAPES])
    pieces, scratch = [evaluator.weights, formula], 0
    at_scratch = -(-evaluator.scratch // _WORDS) * _WORDS
    if cube.network is not None:
        second = evaluator_of(cube.network, bearoff=False)
        pieces.append(second.weights)
        scratch = second.scratch
    tables = header_of(evaluator.weights).tables
    room = LINE // 4
    places = np.cumsum([0, *(-(-piece.size // room) * room for piece in pieces)]).tolist()
    weights = aligned_zeros(places[-1] + room, np.float32)
    for place, piece in zip(places, pieces, strict=False):
        weights[place : place + piece.size] = piece
    weights[-_LAST:] = (
        places[1],
        0 if cube.network is None else places[2],
        tables + N_NUMBERS if exact and tables else 0,
        at_scratch,
    )
    return evaluator._replace(
        evaluate=learned_values,
        weights=weights,
        outputs=N_OUTPUTS,
        fold=fold_rolled,
        turn=fold_turn,
        scratch=at_scratch + scratch,
        has_turn=True,
    )
