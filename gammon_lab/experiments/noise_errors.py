"""The likeness of an evaluator's errors, and the share of them that remains after a search.

The error of a play is its value by the evaluator minus its value by the network without errors, at
the same depth. A choice between plays depends on the differences of their errors. So two standard
deviations are measured: of the errors of all plays, and of the errors of one roll's plays around
their mean. The second at depth 3, as a share of the second at depth 1, is what remains after a
search.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon import search
from gammon.base.store import Unit, are_numbers
from gammon.eval.erring import Errors, erring, set_seed
from gammon.eval.evaluators import leaf_and_probe, load_evaluator
from gammon.games.backgammon import BACKGAMMON
from gammon.match.pairs import noise_seed
from gammon.match.player import Player
from gammon.rules.board import Points
from gammon.search import Evaluator
from gammon_lab.bench.positions import contact_sample
from gammon_lab.report import Cell

Values = npt.NDArray[np.float64]

DEPTHS = (1, 3)
#: The names of the numbers that `measure` returns for each decision.
ERROR_NAMES = ("plays", "mean", "squares")
COLUMNS = (
    "errors",
    "size",
    "of a play",
    "between plays, depth 1",
    "between plays, depth 3",
    "left %",
    "alike %",
)
#: Plays that lose more than this, by the network without errors at depth 1, are left out: nobody
#: would choose them.
_CLOSE = 0.2
#: Decisions of a unit.
_TOGETHER = 25


class Spread(NamedTuple):
    """Standard deviations of errors, in points.

    Attributes:
        whole: of the errors of all plays.
        between: of the errors of one roll's plays around their mean.
    """

    whole: float
    between: float


def _values(leaf: Evaluator, probe: Evaluator, points: Points, roll: int, depth: int) -> Values:
    """Return the values of all plays of a roll, float64 [n], in the game's order."""
    tree = search.TreeSearch(BACKGAMMON, leaf, probe=probe)
    return tree.decide(points, roll, depth, top=BACKGAMMON.max_successors).values


def error_units(player: Player, networks: dict[str, str], count: int, seed: int) -> list[Unit]:
    """Return units for `measure`, which measure the errors of a player's network.

    Args:
        player: the player, whose depth is ignored.
        networks: the IDs of the networks by name.
        count: the number of decisions.
        seed: the seed of the positions and errors.
    """
    return [
        {
            "model": player.model,
            "noise": player.noise,
            "errors": player.errors,
            "networks": networks,
            "depth": depth,
            "positions": count,
            "first": first,
            "seed": seed,
        }
        for depth in DEPTHS
        for first in range(0, count, _TOGETHER)
    ]


def measure(unit: Unit) -> list[list[float]]:
    """Return for each decision of a unit the number of its plays, their mean error and sum of squares.

    A decision with fewer than two close plays is left out.
    """
    errors = Errors.named(unit["noise"], unit["errors"])
    (leaf, probe), clean = leaf_and_probe(unit["model"]), load_evaluator("leaf")
    if errors.sigma > 0.0:
        leaf = erring(leaf, errors)
    depth, rows = unit["depth"], []
    first, end = unit["first"], min(unit["first"] + _TOGETHER, unit["positions"])
    for number in range(first, end):
        points, roll = contact_sample(unit["positions"], unit["seed"])[number]
        static = _values(clean, probe, points, roll, 1)
        close = static >= static.max() - _CLOSE
        if close.sum() < 2:
            continue
        if errors.sigma > 0.0:
            set_seed(leaf, noise_seed(unit["seed"], number, 0))
        erred = _values(leaf, probe, points, roll, depth)
        erred -= _values(clean, probe, points, roll, depth)
        mean, squares = float(erred[close].mean()), float(close.sum() * erred[close].var())
        rows.append([float(close.sum()), mean, squares])
    return rows


def is_measured(unit: Unit, result: Any) -> bool:
    """Return whether a stored value can be the result of a unit."""
    return (
        isinstance(result, list)
        and len(result) <= _TOGETHER
        and all(are_numbers(row, len(ERROR_NAMES)) for row in result)
    )


def spread_of(decisions: list[list[float]]) -> Spread:
    """Return the standard deviations of the errors in rows of `measure`."""
    plays, means, squares = np.array(decisions).T
    mean = float(plays @ means) / plays.sum()
    whole = (squares.sum() + plays @ (means - mean) ** 2) / plays.sum()
    between = squares.sum() / (plays - 1.0).sum()
    return Spread(float(np.sqrt(whole)), float(np.sqrt(between)))


def spread_row(name: str, size: float, one: Spread, three: Spread) -> list[Cell]:
    """Return a row with the `COLUMNS`, from the spreads at depths 1 and 3."""
    left, alike = three.between / one.between, 1.0 - (one.between / one.whole) ** 2
    return [name, size or None, one.whole, one.between, three.between, 100 * left, 100 * alike]
