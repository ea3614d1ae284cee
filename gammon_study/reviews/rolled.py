"""Rollouts of the costliest decisions of a match: their units, and what these say of choices.

A unit is plain JSON values, and so is its result. All candidates of a decision have the same
dice.
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
        plays: the candidates; none for a decision about the cube.
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
    """Return what the games of a unit say, until a stop is set; for worker processes."""
    found = rollout(
        Position.parse(unit["rollout"]),
        plays=unit["plays"] or None,
        trials=unit["trials"],
        model=unit["model"],
        met=met_of_entry(unit["met"]),
        stop=stop,
    )
    return {
        "trials": found.trials,
        "depth": found.settings.depth,
        "verdict": "" if found.cube is None else found.cube.verdict,
        "candidates": [
            [
                each.name,
                each.equity,
                each.error,
                each.loss,
                each.loss / each.jsd if each.jsd and isfinite(each.jsd) else None,
                each.trials,
                list(each.probabilities),
            ]
            for each in found.candidates
        ],
    }


def rollout_fits(unit: Unit, result: Any) -> bool:
    """Tell whether what a file says of a unit can be its result."""
    try:
        names = [each.name for each in rolled_choice(result).candidates]
    except (KeyError, TypeError, ValueError):
        return False
    return sorted(names) == sorted(unit["plays"]) if unit["plays"] else len(names) == 2


def rolled_choice(result: dict[str, Any]) -> RolledChoice:
    """Return the result of a unit."""
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
    """Return choices, those that lost `over` or more with rollouts.

    A double and its answer have one rollout. A double that cannot gain has none.

    Args:
        choices: of a match.
        over: an equity, 0 or more; a choice that lost nothing is not rolled out.
        trials: as for `unit_of_rollout`.
        model: as there.
        met: as there.
        store: the file that keeps the results.
        pool: does the work.
        on_done: called with the units done and all units.
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
        plays = [each.play for each in choice.plays]
        wanted[place] = unit_of_rollout(position.xgid, plays, trials, model, met)
    units = list({key_of(unit): unit for unit in wanted.values()}.values())
    results = run_units(rollout_unit, units, store, pool, on_done=on_done, fits=rollout_fits, stop=stop)
    found = {key_of(unit): rolled_choice(each) for unit, each in zip(units, results, strict=True)}
    return tuple(
        choice._replace(rollout=found[key_of(wanted[place])]) if place in wanted else choice
        for place, choice in enumerate(choices)
    )
