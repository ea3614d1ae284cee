"""Trials: games that are played on from the positions of some candidates."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gammon.core.dice import shuffles_of
from gammon.core.trials_kernel import Games, Plan, Room, play_trials
from gammon.rules.board import SIZE
from gammon.search import Evaluator, Filter, Game, Stop, Table, problem_of
from gammon.search.algorithms import search_of
from gammon.search.candidates import Candidates
from gammon.search.checks import stopped_after
from gammon.search.workspace import Workspace


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
    room = Room.allocate(leaf.outputs, Candidates.allocate(game))
    games = Games.allocate(len(starts.points), trials)
    shuffles = shuffles_of(int(plan.seed))
    with stopped_after([work.stats], None, None, stop):
        play_trials(search_of(problem), work, room, plan, shuffles, *starts, first, games)
    return games


def starts_of(game: Game, points: Sequence[Sequence[int]], doubled: Sequence[bool]) -> Starts:
    """Return where the games of C candidates start.

    Args:
        game: as the player sees it who is on roll there.
        points: C times 26 counts, seen from that player.
        doubled: whether that player has doubled, and the opponent has taken.
    """
    double = game.offer(game.stake, game.params)
    return Starts(
        np.array(points, np.int8),
        np.where(doubled, double.stake, game.stake).astype(np.int64),
        np.where(doubled, double.factor, 1.0).astype(np.float64),
    )
