"""How alike the errors of related positions are, and what the best of noisy plays seems to be worth.

Relations of a position and a roll: *siblings* are the two best plays; *cousins* are the best
replies to two rolls after the best play; a *line* goes from the best play to a best reply.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.eval.evaluators import leaf_and_probe
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import is_over
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.search import TreeSearch
from gammon_lab.experiments.sample import contact_sample
from gammon_lab.hypergammon.judge import successors_of

Floats = npt.NDArray[np.float64]
#: A position: its number, or its row of counts; and several of them.
Place = Any
Positions = npt.NDArray[Any]
#: Returns the different successors of a position and a roll.
Successors = Callable[[Place, int], Positions]
#: Returns the equities of positions to their player on roll.
Equities = Callable[[Positions], Floats]

#: Draws of the errors of a decision's plays, to predict what the best play seems to be worth.
_DRAWS = 20
#: Plies of the search whose values stand for the truth in backgammon.
_TRUE_PLIES = 2


class Relatives(NamedTuple):
    """Related positions; each pair has one position from either array.

    Attributes:
        siblings, cousins, line: two arrays of positions each.
        plays: float64 [D, K], the equities of all plays of D decisions; -inf where there are fewer.
    """

    siblings: tuple[Positions, Positions]
    cousins: tuple[Positions, Positions]
    line: tuple[Positions, Positions]
    plays: Floats


class Likeness(NamedTuple):
    """Correlations of the errors of relatives, each from one player's view, and their size.

    Attributes:
        spread: the standard deviation of the errors of siblings, in points.
        siblings, cousins, line: correlations, -1 to 1.
    """

    spread: float
    siblings: float
    cousins: float
    line: float


def relatives(
    starts: Iterable[tuple[Place, int]],
    successors: Successors,
    equities: Equities,
    is_finished: Callable[[Place], bool],
    seed: int,
) -> Relatives:
    """Return the relatives of positions and rolls.

    Args:
        starts: positions, each with a roll.
        successors: see `Successors`.
        equities: the exact ones, or good ones.
        is_finished: whether a game is over.
        seed: of the rolls after the best plays.
    """
    random = np.random.default_rng(seed)
    siblings, cousins, line, decisions = [], [], [], []

    def ranked(position: Place, roll: int) -> tuple[Positions, Floats]:
        plays = successors(position, roll)
        values = -equities(plays)
        order = np.argsort(-values, kind="stable")
        return plays[order], values[order]

    for position, roll in starts:
        plays, values = ranked(position, roll)
        decisions.append(values)
        if len(plays) > 1 and not is_finished(plays[0]) and not is_finished(plays[1]):
            siblings.append((plays[0], plays[1]))
        if is_finished(plays[0]):
            continue
        first, second = (
            ranked(plays[0], int(other))[0][0]
            for other in random.choice(N_ROLLS, 2, replace=False, p=PROBABILITIES)
        )
        if not is_finished(first):
            line.append((plays[0], first))
            if not is_finished(second):
                cousins.append((first, second))
    table = np.full((len(decisions), max(map(len, decisions))), -np.inf)
    for row, values in zip(table, decisions, strict=True):
        row[: len(values)] = values
    return Relatives(_both(siblings), _both(cousins), _both(line), table)


def _both(pairs: Sequence[tuple[Place, Place]]) -> tuple[Positions, Positions]:
    one, other = zip(*pairs, strict=True)
    return np.array(one), np.array(other)


def likeness_of(relations: Relatives, errors: Equities) -> Likeness:
    """Return how alike the errors of relatives are; `errors` has their errors as equities."""

    def correlation(pair: tuple[Positions, Positions], sign: float = 1.0) -> float:
        return float(np.corrcoef(errors(pair[0]), sign * errors(pair[1]))[0, 1])

    spread = float(np.concatenate([errors(some) for some in relations.siblings]).std())
    line = correlation(relations.line, -1.0)  # the other player is on roll there
    return Likeness(spread, correlation(relations.siblings), correlation(relations.cousins), line)


def winners_curse(relations: Relatives, likeness: Likeness, seed: int) -> float:
    """Return by how much the best of plays with errors seems better than the best play, in points.

    Only what differs between plays counts, the part of the variance that siblings do not share. Of
    this part errors are taken to be normal and independent.
    """
    size = likeness.spread * np.sqrt(max(1.0 - likeness.siblings, 0.0))
    random, plays = np.random.default_rng(seed), relations.plays
    best = [(plays + size * random.standard_normal(plays.shape)).max(axis=1) for _ in range(_DRAWS)]
    return float(np.mean(best - plays.max(axis=1)))


def likeness_in_backgammon(model: str, count: int, seed: int) -> Likeness:
    """Return how alike the errors of a shipped network are in contact positions of self-play.

    The error is the difference from a search by the network `large`, two plies deep.

    Args:
        model: the name of the network.
        count: how many positions.
        seed: of the positions.
    """
    judge, own = (
        TreeSearch(BACKGAMMON, leaf, probe=probe) for leaf, probe in map(leaf_and_probe, ("large", model))
    )

    def errors(rows: Positions) -> Floats:
        return own.values(rows, 0).values - judge.values(rows, _TRUE_PLIES).values

    starts = [(np.array(points, np.int8), roll) for points, roll in contact_sample(count, seed)]
    family = relatives(
        starts,
        successors_of,
        lambda rows: judge.values(rows, 0).values,
        lambda row: is_over(row.tolist()),
        seed,
    )
    return likeness_of(family, errors)
