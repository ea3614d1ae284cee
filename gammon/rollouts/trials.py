"""Trials of a rollout as a unit of work: JSON in, JSON out."""

from typing import Any, NamedTuple

import numpy as np

from gammon.answers.worth import Worth
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import leaf_and_probe
from gammon.formats.met_file import met_of_entry
from gammon.games.backgammon import FILTERS
from gammon.rollouts.dice import shuffles_of
from gammon.rollouts.luck_kernel import LuckRoom
from gammon.rollouts.settings import BLOCK
from gammon.rollouts.trials_kernel import Games, Plan, Room, play_trials
from gammon.rules.board import SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.rules.stakes import parse_stakes
from gammon.rules.terms import Terms
from gammon.runs.parallel import Unit
from gammon.runs.store import are_numbers
from gammon.search import Evaluator, Filter, Game, Stop, Table, problem_of
from gammon.search.candidates import Candidates
from gammon.search.checks import stopped_after
from gammon.search.node import search_of
from gammon.search.workspace import Workspace

__all__ = ["Starts", "is_block", "play_block", "play_games", "worth_at"]


class Starts(NamedTuple):
    """The positions in which the games of C candidates start.

    Attributes:
        points: int8 [C, 26], each seen from its player on roll.
        stakes: int64 [C], of that player.
        scales: float64 [C], what the values at that stake are multiplied by.
    """

    points: np.ndarray[Any, np.dtype[np.int8]]
    stakes: np.ndarray[Any, np.dtype[np.int64]]
    scales: np.ndarray[Any, np.dtype[np.float64]]


def play_games(
    game: Game,
    leaf: Evaluator,
    probe: Evaluator,
    plan: Plan,
    starts: Starts,
    first: int,
    trials: int,
    move_filter: Filter,
    stop: Stop | None = None,
) -> Games:
    """Play some trials of each candidate.

    Args:
        game: backgammon, with the cube or without.
        leaf: values positions, and says how lucky rolls are.
        probe: helps deeper searches.
        plan: how games are played.
        starts: where they start.
        first: the number of the first trial.
        trials: n, how many.
        move_filter: of deeper plays.
        stop: ends the games when it is set, also in the midst of a search. What is returned
            then means nothing.
    """
    problem = problem_of(game, leaf, probe, filter=move_filter)
    deepest = max(plan.depth, plan.cube_depth)
    table = Table.at_depth(game, deepest)
    work = Workspace.allocate(problem, SIZE, deepest - 1, False, table)
    room = Room(
        np.empty(SIZE, np.int8), np.zeros((1, leaf.outputs), np.float32),
        np.zeros(1, np.float32), np.zeros(2), np.zeros(N_RESULTS), LuckRoom.allocate(),
        Candidates.allocate(game),
    )  # fmt: skip
    count = len(starts.points)
    games = Games(
        np.empty((count, trials)), np.empty((count, trials)), np.empty((count, N_RESULTS)),
        np.zeros(count, np.int64),
    )  # fmt: skip
    shuffles = shuffles_of(int(plan.seed))
    with stopped_after([work.stats], None, None, stop):
        play_trials(search_of(problem), work, room, plan, shuffles, *starts, first, games)
    return games


def worth_at(unit: Unit) -> Worth:
    """Return what is at stake for the player whose decision a rollout is about.

    Args:
        unit: any of the rollout.
    """
    if unit["stakes"] is not None:
        return Worth.cubeless(parse_stakes(unit["stakes"]))
    terms = Terms(*unit["terms"])._replace(away=(unit["terms"][1][0], unit["terms"][1][1]))
    return Worth.cubeful(terms, met_of_entry(unit["met"]))


def _starts(unit: Unit, game: Game) -> Starts:
    """Return where the games of the candidates of a unit start."""
    double = game.offer(game.stake, game.params)
    doubled = [unit["starts"][c]["doubled"] for c in unit["candidates"]]
    points = [unit["starts"][c]["points"] for c in unit["candidates"]]
    return Starts(
        np.array(points, np.int8),
        np.where(doubled, double.stake, game.stake).astype(np.int64),
        np.where(doubled, double.factor, 1.0).astype(np.float64),
    )


def play_block(unit: Unit, stop: Stop | None = None) -> list[dict[str, Any]]:
    """Play the 36 trials of a unit.

    Args:
        unit: what the games depend on: `model`, `seed`, `depth`, `cube_depth`, `truncate`,
            `filter` and `exact` as in `gammon.rollouts.settings`; `stakes`, a text, or `terms`
            and `met`, those of the player whose decision it is; `after`, whether it is a
            decision about plays, so that the games start with the opponent on roll; `starts`,
            for each candidate the `points` seen from the player on roll, and whether that
            player has `doubled`; `candidates`, which of these play; `first`, the number of the
            first trial.
        stop: as for `play_games`.

    Returns:
        For each candidate that plays: `values` and `plain`, 36 numbers as in `Games`; the sums
        of the `chances`; and the `turns` that were played.
    """
    worth = worth_at(unit)
    leaf, probe = leaf_and_probe(unit["model"])
    if worth.terms is not None:
        leaf, probe = cubeful_evaluator(leaf), cubeful_evaluator(probe)
    game = worth.turned().game if unit["after"] else worth.game
    chosen = FILTERS[unit["filter"]] if unit["filter"] else Filter()
    plan = Plan(
        np.uint64(unit["seed"]), unit["depth"], unit["cube_depth"], unit["truncate"],
        unit["after"], True, unit["exact"],
    )  # fmt: skip
    games = play_games(
        game, leaf, probe, plan, _starts(unit, game), unit["first"], BLOCK,
        chosen._replace(margin=chosen.margin * abs(worth.unit)), stop,
    )  # fmt: skip
    return [
        {"values": values, "plain": plain, "chances": chances, "turns": turns}
        for values, plain, chances, turns in zip(
            *(numbers.tolist() for numbers in games), strict=True
        )
    ]


def is_block(unit: Unit, result: Any) -> bool:
    """Tell whether something from a file can be what `play_block` returns for a unit."""
    try:
        return len(result) == len(unit["candidates"]) and all(
            are_numbers([each["values"], each["plain"]], 2, BLOCK)
            and are_numbers(each["chances"], N_RESULTS)
            and type(each["turns"]) is int
            for each in result
        )
    except (KeyError, TypeError):
        return False
