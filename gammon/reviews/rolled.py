"""The costliest decisions of a match, rolled out: units of work, and their results.

A unit is plain JSON values, and so is its result. All candidates of a decision have the same
dice.
"""

from math import isfinite
from typing import Any, NamedTuple

from gammon.eval.equity import Probabilities
from gammon.eval.model_file import network_id
from gammon.formats.met_file import met_entry, met_of_entry
from gammon.formats.position import Position
from gammon.rollouts.estimate import REACH
from gammon.rollouts.rollout import rollout
from gammon.rules.match_equity import MatchEquityTable
from gammon.runs.parallel import Unit
from gammon.search import Stop

__all__ = [
    "RolledChoice", "RolledPlay", "rolled_choice", "rollout_fits", "rollout_unit",
    "unit_of_rollout",
]  # fmt: skip


class RolledPlay(NamedTuple):
    """A candidate of a rollout: a play, `No double`, or `Double, take`.

    Attributes:
        name: what it is called.
        equity: the mean of its games, to the player on roll.
        error: the standard error of the mean.
        loss: how much less than the best candidate's equity that is.
        loss_error: the standard error of that difference; 0 for the best one, None where the
            games do not tell.
        trials: games.
        probabilities: the chances of the player on roll.
    """

    name: str
    equity: float
    error: float
    loss: float
    loss_error: float | None
    trials: int
    probabilities: Probabilities


class RolledChoice(NamedTuple):
    """A decision by games that were played from its candidates.

    Attributes:
        trials: games of the best candidate.
        depth: plies of the plays.
        candidates: plays, the best one first; or no double, then double and take.
        verdict: of a decision about the cube, the right actions in words; else empty.
    """

    trials: int
    depth: int
    candidates: tuple[RolledPlay, ...]
    verdict: str

    def words(self, made: str) -> str:
        """Return what it says of a play that was made, or of the cube, in a few words.

        Args:
            made: the play; that of a decision about the cube does not matter.
        """
        if self.verdict:
            said = (
                f"{each.name.lower()} {each.equity:+.3f} ± {each.error:.3f}"
                for each in self.candidates
            )
            return f"{self.verdict} ({', '.join(said)})"
        mine = next(each for each in self.candidates if each.name == made)
        if not mine.loss:
            return "the play that was made is the best one"
        level = "not told apart from " if mine.loss < REACH * (mine.loss_error or 0.0) else ""
        apart = "" if mine.loss_error is None else f" ± {mine.loss_error:.3f}"
        return f"{-mine.loss:+.3f}{apart}, {level}best {self.candidates[0].name}"


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


def rolled_choice(result: dict[str, Any]) -> RolledChoice:
    """Return the result of a unit."""
    candidates = [
        RolledPlay(
            name, equity, error, loss, apart if loss else 0.0, trials, Probabilities(*chances)
        )
        for name, equity, error, loss, apart, trials, chances in result["candidates"]
    ]  # fmt: skip
    return RolledChoice(result["trials"], result["depth"], tuple(candidates), result["verdict"])


def rollout_fits(unit: Unit, result: Any) -> bool:
    """Tell whether what a file says of a unit can be its result."""
    try:
        names = [each.name for each in rolled_choice(result).candidates]
    except (KeyError, TypeError, ValueError):
        return False
    return sorted(names) == sorted(unit["plays"]) if unit["plays"] else len(names) == 2
