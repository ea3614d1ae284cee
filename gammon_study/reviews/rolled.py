"""Rollouts of the costliest decisions of a match: their units, and choices with their results.

A unit and its result are plain JSON values. All candidates of a decision are rolled out with the
same dice.
"""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from gammon.base.parallel import OnDone, Pool, run_units
from gammon.base.store import Unit, key_of
from gammon.engine.rollout import rollout
from gammon.eval.equity import Probabilities
from gammon.eval.model_file import network_id
from gammon.formats.met_file import met_entry, met_of_entry
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon.search import Stop
from gammon_study.reviews.choice import Choice, ChoiceKind, RolledChoice, RolledPlay


def unit_of_rollout(xgid: str, plays: list[str], trials: int, model: str, met: MatchEquityTable) -> Unit:
    """Return the unit of a decision.

    Args:
        xgid: the position, with the roll of a play.
        plays: the candidates; empty for a decision about the cube.
        trials: games of each candidate, a multiple of 36.
        model: the network that plays.
        met: the match equity table.
    """
    networks = {name: network_id(name) for name in (model, "probe")}
    return {
        "rollout": xgid,
        "plays": plays,
        "trials": trials,
        "model": model,
        "networks": networks,
        "met": met_entry(met),
    }


def rollout_unit(unit: Unit, stop: Stop | None = None) -> dict[str, Any]:
    """Roll out a unit in a worker process, until a stop is set, and return the result."""
    rolled = rollout(
        Position.parse(unit["rollout"]),
        plays=unit["plays"] or None,
        trials=unit["trials"],
        model=unit["model"],
        met=met_of_entry(unit["met"]),
        stop=stop,
    )
    return {
        "trials": rolled.trials,
        "depth": rolled.settings.depth,
        "verdict": "" if rolled.cube is None else rolled.cube.verdict,
        "candidates": [
            [
                candidate.name,
                candidate.equity,
                candidate.error,
                candidate.loss,
                candidate.loss / candidate.jsd if candidate.jsd and isfinite(candidate.jsd) else None,
                candidate.trials,
                list(candidate.probabilities),
            ]
            for candidate in rolled.candidates
        ],
    }


def rollout_fits(unit: Unit, result: Any) -> bool:
    """Return whether a result from a file can belong to a unit."""
    try:
        names = [candidate.name for candidate in rolled_choice(result).candidates]
    except (KeyError, TypeError, ValueError):
        return False
    return sorted(names) == sorted(unit["plays"]) if unit["plays"] else len(names) == 2


def rolled_choice(result: dict[str, Any]) -> RolledChoice:
    """Return the result of a unit as a `RolledChoice`."""
    candidates = [
        RolledPlay(name, equity, error, loss, apart if loss else 0.0, trials, Probabilities(*chances))
        for name, equity, error, loss, apart, trials, chances in result["candidates"]
    ]
    return RolledChoice(result["trials"], result["depth"], tuple(candidates), result["verdict"])


def with_rollouts(
    choices: Sequence[Choice],
    over: float,
    trials: int,
    model: str,
    met: MatchEquityTable,
    store: Path,
    pool: Pool,
    on_done: OnDone,
    stop: Stop | None,
) -> tuple[Choice, ...]:
    """Return the choices, with rollouts of those that lost `over` or more.

    A double and its answer share a rollout. A double that cannot gain is not rolled out.

    Args:
        choices: the choices of a match.
        over: an equity, 0 or more; a choice that lost nothing is not rolled out.
        trials: as for `unit_of_rollout`.
        model: as for `unit_of_rollout`.
        met: as for `unit_of_rollout`.
        store: the file that keeps the results.
        pool: the pool of worker processes.
        on_done: called with the numbers of finished and of all units.
        stop: ends the work when it is set.

    Raises:
        UnfinishedError: the stop was set.
        GammonError: the file cannot be read or written, or a worker was killed.
    """
    wanted: dict[int, Unit] = {}
    for place, choice in enumerate(choices):
        if choice.error < over or not choice.error:
            continue
        position = Position.parse(choice.xgid)
        if choice.kind is not ChoiceKind.PLAY:
            if not position.context.terms().may_double:
                continue
            position = position.with_offer(False)
        plays = [result.play for result in choice.plays]
        wanted[place] = unit_of_rollout(position.xgid, plays, trials, model, met)
    units = list({key_of(unit): unit for unit in wanted.values()}.values())
    results = run_units(rollout_unit, units, store, pool, on_done=on_done, fits=rollout_fits, stop=stop)
    by_unit = {key_of(unit): rolled_choice(result) for unit, result in zip(units, results, strict=True)}
    return tuple(
        choice._replace(rollout=by_unit[key_of(wanted[place])]) if place in wanted else choice
        for place, choice in enumerate(choices)
    )
