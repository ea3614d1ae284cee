"""Many positions at once: what they and their plays are worth, as arrays.

Neither the blocks nor the threads change a value.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from gammon.engine.boards import Boards, CubeDecisions, Evaluations, PlayValues, in_blocks, turned_boards
from gammon.engine.cube import CubeAction, CubeAnswer, CubeDecision
from gammon.engine.search import Search
from gammon.eval.equity import Probabilities
from gammon.eval.principal import leaf_means
from gammon.rules.board import SIZE
from gammon.rules.plays import MAX_ROWS
from gammon.search import EXACT

#: By depth: positions of a block, which take a second at most. At depth 1 calls cost little
#: beside it; deeper searches cost much more than their calls.
_BLOCKS = {1: 4096, 3: 128, 5: 8, 7: 1}


def evaluations(search: Search, boards: Boards, threads: int) -> Evaluations:
    """Return what positions are worth to the players on roll, before the turn.

    Args:
        search: the search.
        boards: int8 [N, 26], each seen from its player on roll; no game is over.
        threads: how many share the positions.
    """
    equities = np.empty(len(boards))
    chances = np.empty((len(boards), len(Probabilities._fields)))

    def evaluate(block: slice) -> None:
        found = search.setup.values(boards[block], search.depth - 1, on_turn=True, table=search.table())
        equities[block] = search.scale.equity(found.values)
        chances[block] = leaf_means(search.setup.evaluator, found.leaves, found.offsets)

    in_blocks(evaluate, len(boards), _BLOCKS[search.depth], threads)
    return Evaluations(equities, chances)


def play_values(search: Search, boards: Boards, outcomes: npt.NDArray[np.int64], threads: int) -> PlayValues:
    """Return what all plays of positions and rolls are worth to the movers.

    Args:
        search: the search.
        boards: as for `evaluations`.
        outcomes: int64 [N], their rolls.
        threads: how many share the positions.
    """
    shallow = search.depth == 1 or not len(boards)
    values = partial(_ranked if shallow else _searched, search, boards, outcomes)
    size = _BLOCKS[1] if shallow else 1
    return PlayValues.joined(in_blocks(values, len(boards), size, threads))


def _ranked(search: Search, boards: Boards, outcomes: npt.NDArray[np.int64], block: slice) -> PlayValues:
    """Return the plays of a block of positions with their equities at depth 1."""
    found = search.setup.rank(boards[block], outcomes[block])
    exact = np.ones(len(found.rows), np.bool_)
    chances = search.static_chances(found.rows)
    equities = search.scale.equity(found.values)
    kinds, order = np.full(len(equities), EXACT, np.int8), np.arange(len(equities))
    search.sort(order, equities, kinds, search.scale.without_cube(chances), found.offsets)
    return PlayValues(found.offsets, turned_boards(found.rows[order]), equities[order], chances[order], exact)


def _searched(search: Search, boards: Boards, outcomes: npt.NDArray[np.int64], block: slice) -> PlayValues:
    """Return the plays of a block of one position with their equities at the full depth."""
    (board,), outcome = boards[block], int(outcomes[block.start])
    game = search.scale.game
    n = game.successors(board, outcome, game.params, np.empty((MAX_ROWS, SIZE), np.int8))
    found = search.setup.decide(board, outcome, search.depth, top=n, leaves=True, table=search.table())
    order, chances = found.order.copy(), search.chances(found)
    equities = search.scale.equity(found.values)
    search.sort(order, equities, found.kind, search.scale.without_cube(chances))
    return PlayValues(
        np.array([0, n]),
        turned_boards(found.rows[order]),
        equities[order],
        chances[order],
        found.exact[order],
    )


def cube_decisions(decisions: Sequence[CubeDecision]) -> CubeDecisions:
    """Return N decisions about the cube as arrays."""
    no_double, double_take, double_pass = (
        np.array(
            [
                [np.nan if value is None else value.equity for value in values]
                for values in ((d.no_double, d.double_take, d.double_pass) for d in decisions)
            ]
        )
        .reshape(-1, 3)
        .T.copy()
    )
    chances = np.array([decision.probabilities for decision in decisions]).reshape(-1, 5)
    doubles = np.array([d.action is CubeAction.DOUBLE for d in decisions], np.bool_)
    takes = np.array([d.answer is not CubeAnswer.PASS for d in decisions], np.bool_)
    return CubeDecisions(no_double, double_take, double_pass, chances, doubles, takes)
