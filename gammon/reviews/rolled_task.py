"""Units of rollouts of the costliest decisions: plain JSON values, and so are their results.

All candidates of a decision have the same dice.
"""

from math import isfinite
from typing import Any

from gammon.answers.rollout import rollout
from gammon.eval.model_file import network_id
from gammon.formats.met_file import met_entry, met_of_entry
from gammon.formats.position import Position
from gammon.reviews.rolled import rolled_choice
from gammon.rules.match_equity import MatchEquityTable
from gammon.runs.store import Unit
from gammon.search import Stop


def unit_of_rollout(
    xgid: str, plays: list[str], trials: int, model: str, met: MatchEquityTable
) -> Unit:
    """Return the unit of a decision.

    Args:
        xgid: the position, with the roll of a play.
        plays: the candidates; none for a decision about the cube.
        trials: games of each candidate, a multiple of 36.
        model: the network that plays.
        met: the match equity table.
    """
    networks = {name: network_id(name) for name in (model, "probe")}
    return {
        "rollout": xgid, "plays": plays, "trials": trials, "model": model, "networks": networks,
        "met": met_entry(met),
    }  # fmt: skip


def rollout_unit(unit: Unit, stop: Stop | None = None) -> dict[str, Any]:
    """Return what the games of a unit say, until a stop is set; for worker processes."""
    found = rollout(
        Position.parse(unit["rollout"]), plays=unit["plays"] or None, trials=unit["trials"],
        model=unit["model"], met=met_of_entry(unit["met"]), stop=stop,
    )  # fmt: skip
    return {
        "trials": found.trials,
        "depth": found.settings.depth,
        "verdict": "" if found.cube is None else found.cube.verdict,
        "candidates": [
            [
                each.name, each.equity, each.error, each.loss,
                each.loss / each.jsd if each.jsd and isfinite(each.jsd) else None,
                each.trials, list(each.probabilities),
            ]
            for each in found.candidates
        ],
    }  # fmt: skip


def rollout_fits(unit: Unit, result: Any) -> bool:
    """Tell whether what a file says of a unit can be its result."""
    try:
        names = [each.name for each in rolled_choice(result).candidates]
    except (KeyError, TypeError, ValueError):
        return False
    return sorted(names) == sorted(unit["plays"]) if unit["plays"] else len(names) == 2
