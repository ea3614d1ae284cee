"""The network as an evaluator of games with the cube.

Its outputs are the chances of the six results, in a seventh column the efficiency of the cube
or a mark, and behind it three numbers, one for each owner of the cube (`efficiency.py`).
Janowski's model makes values of them (`janowski_kernel.py`).
"""

from gammon.base.errors import SettingError
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.eval.bearoff import N_NUMBERS, N_WITH_CUBE, with_cube
from gammon.eval.efficiency import KNOWN, LIKE_TWO, N_OUTPUTS, efficiency_of
from gammon.eval.fold import tie_dead
from gammon.eval.integer_network_kernel import results
from gammon.eval.integers import SLOT
from gammon.eval.janowski_kernel import fold_rolled, fold_turn
from gammon.eval.race_cube import with_two_checkers
from gammon.rules.board import Rows, State
from gammon.rules.outcome import N_RESULTS
from gammon.rules.terms import Terms
from gammon.search.game import Evaluator

_results = results


@kernel()
def chances_and_efficiency(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix,
    scratch: UInt64Vector,
) -> None:  # fmt: skip
    """Write the chances of the six results, and what is known of the cube.

    The arguments are those of `integer_network_kernel.results`, but out is float32 [>= n, 10].
    """
    _results(parent, rows, n, weights, out, scratch)
    at = int(weights[SLOT.tables]) + N_NUMBERS
    for j in range(n):
        row = out[j]
        rolls, worth = row[N_RESULTS], row[N_RESULTS + 1 :]
        if rolls < 0.0:
            continue  # in contact, where the efficiencies stand
        if rolls == 0.0:
            row[N_RESULTS] = efficiency_of(rows[j])
            worth[:] = 0.0
        elif with_cube(rows[j], weights, at, worth):
            row[N_RESULTS] = KNOWN
        else:
            win = row[3] + row[4] + row[5]
            with_two_checkers(rolls, win, weights, at + N_WITH_CUBE, worth)
            row[N_RESULTS] = LIKE_TWO


def has_cube(evaluator: Evaluator) -> bool:
    """Tell whether an evaluator is one that `cubeful_evaluator` takes."""
    return evaluator.evaluate is results


def evaluator_at(evaluator: Evaluator, terms: Terms) -> Evaluator:
    """Return an evaluator of games at these terms: with the cube, unless that is dead.

    The arguments and errors are those of `cubeful_evaluator`.
    """
    return evaluator if terms.dead else cubeful_evaluator(evaluator)


def cubeful_evaluator(evaluator: Evaluator) -> Evaluator:
    """Return the evaluator with the cube of a network.

    Args:
        evaluator: of `gammon.eval.evaluators`.

    Raises:
        SettingError: it is another one, such as a torch module's.
    """
    if not has_cube(evaluator):
        raise SettingError("an evaluator with the cube: expected that of a network in integers")
    return evaluator._replace(
        evaluate=chances_and_efficiency,
        outputs=N_OUTPUTS,
        fold=fold_rolled,
        turn=fold_turn,
        has_turn=True,
        tie=tie_dead,
        has_tie=True,
    )
