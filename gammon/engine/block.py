"""Blocks of 36 trials of a rollout, which are also units of work: JSON in, JSON out."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gammon.base.store import Unit, are_numbers
from gammon.core.dice import shuffles_of
from gammon.core.level import BLOCK
from gammon.core.trials_kernel import GameBuffers, Games, Plan, play_trials
from gammon.engine.scale import Scale
from gammon.eval.cubeful import evaluator_at
from gammon.eval.evaluators import leaf_and_probe
from gammon.formats.met_file import met_of_entry
from gammon.games.backgammon import filter_named
from gammon.rules.board import SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.rules.terms import Terms, parse_stakes
from gammon.search import Evaluator, Filter, Game, Stop, Table, problem_of
from gammon.search.algorithms import search_of
from gammon.search.candidates import Candidates
from gammon.search.checks import stopped_after
from gammon.search.workspace import Workspace


class Starts(NamedTuple):
    """The positions in which the games of C candidates start.

    Attributes:
        points: int8 [C, 26], each seen from its player on roll.
        stakes: int64 [C], the stake of that player; see `gammon.rules.terms`.
        scales: float64 [C], the factors for the values at that stake.
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
        leaf: values positions and the luck of rolls.
        probe: picks the successors that deeper searches probe.
        plan: how games are played.
        starts: the positions in which they start.
        first: the number of the first trial.
        trials: how many trials.
        move_filter: for plays deeper than 1.
        stop: ends the games when it is set, even within a search. The result is then
            meaningless.
    """
    problem = problem_of(game, leaf, probe, filter=move_filter)
    deepest = max(plan.depth, plan.cube_depth)
    table = Table.at_depth(game, deepest)
    work = Workspace.allocate(problem, SIZE, deepest - 1, False, table)
    buffers = GameBuffers.allocate(leaf.outputs, Candidates.allocate(game))
    games = Games.allocate(len(starts.points), trials)
    shuffles = shuffles_of(int(plan.seed))
    with stopped_after([work.stats], None, None, stop):
        play_trials(search_of(problem), work, buffers, plan, shuffles, *starts, first, games)
    return games


def starts_of(game: Game, points: Sequence[Sequence[int]], doubled: Sequence[bool]) -> Starts:
    """Return where the games of C candidates start.

    Args:
        game: the game as its player on roll sees it.
        points: for each candidate 26 counts, seen from the player on roll.
        doubled: for each candidate, whether that player has doubled and the opponent has taken.
    """
    double = game.offer(game.stake, game.params)
    return Starts(
        np.array(points, np.int8),
        np.where(doubled, double.stake, game.stake).astype(np.int64),
        np.where(doubled, double.factor, 1.0).astype(np.float64),
    )


#: The start of a candidate's games: 26 counts, seen from the player on roll, and whether
#: that player has doubled.
Start = tuple[Sequence[int], bool]


def scale_of(unit: Unit) -> Scale:
    """Return what is at stake for the player whose decision a rollout is about.

    Args:
        unit: any unit of the rollout.
    """
    if unit["stakes"] is not None:
        return Scale.at(parse_stakes(unit["stakes"]))
    terms = Terms(*unit["terms"])._replace(away=(unit["terms"][1][0], unit["terms"][1][1]))
    return Scale.at(terms, met_of_entry(unit["met"]))


def play_batch(
    scale: Scale, leaf: Evaluator, probe: Evaluator, plan: Plan, move_filter: str,
    starts: Sequence[Start], first: int, stop: Stop | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Play 36 trials of each of some candidates.

    Args:
        scale: what is at stake for the player who decides. The games start with that player on
            roll for a decision about the cube, else with the opponent.
        leaf: values positions, with the cube if it counts.
        probe: picks the successors that deeper searches probe.
        plan: how games are played. After a play, the opponent may double first.
        move_filter: for plays deeper than 1, a name of `FILTERS`; empty for none.
        starts: one for each candidate.
        first: the number of the first trial.
        stop: as for `play_games`.

    Returns:
        For each candidate: `values` and `plain`, 36 numbers as in `Games`; the sums of the
        `chances`; and the `turns` that were played.
    """
    game = scale.for_opponent().game if plan.doubles_first else scale.game
    points, doubled = zip(*starts, strict=True)
    games = play_games(
        game, leaf, probe, plan, starts_of(game, points, doubled), first, BLOCK,
        filter_named(move_filter, scale.unit), stop,
    )  # fmt: skip
    return [
        {"values": values, "plain": plain, "chances": chances, "turns": turns}
        for values, plain, chances, turns in zip(*(numbers.tolist() for numbers in games), strict=True)
    ]


def play_block(unit: Unit, stop: Stop | None = None) -> list[dict[str, Any]]:
    """Play the 36 trials of a unit.

    Args:
        unit: all that the games depend on: `model`, `seed`, `depth`, `cube_depth`, `truncate`,
            `filter` and `exact` as in `gammon.engine.question`; `stakes`, a text, or
            `terms` and `met`, for the player who decides; `after`, whether the decision is
            about plays, so that the games start with the opponent on roll; `starts`, for each
            candidate the `points` seen from the player on roll, and whether that player has
            `doubled`; `candidates`, the indices of the candidates that play; `first`, the
            number of the first trial.
        stop: as for `play_games`.

    Returns:
        The results of `play_batch` for the candidates that play.
    """
    scale = scale_of(unit)
    leaf, probe = (evaluator_at(evaluator, scale.terms) for evaluator in leaf_and_probe(unit["model"]))
    plan = Plan(
        np.uint64(unit["seed"]), unit["depth"], unit["cube_depth"], unit["truncate"],
        unit["after"], unit["exact"],
    )  # fmt: skip
    all_starts = unit["starts"]
    starts = [(all_starts[c]["points"], all_starts[c]["doubled"]) for c in unit["candidates"]]
    return play_batch(scale, leaf, probe, plan, unit["filter"], starts, unit["first"], stop)


def is_block(unit: Unit, result: Any) -> bool:
    """Return whether a value from a file has the form of `play_block`'s result for a unit."""
    try:
        return len(result) == len(unit["candidates"]) and all(
            are_numbers([games["values"], games["plain"]], 2, BLOCK)
            and are_numbers(games["chances"], N_RESULTS)
            and type(games["turns"]) is int
            for games in result
        )
    except (KeyError, TypeError):
        return False
