"""Lists of plays: each play has a value, in an order that a search of all plays confirms."""

from functools import cache

import numpy as np
import pytest

import gammon
from gammon import Kind, Position
from gammon.engine.bot import Bot
from gammon.match.player import OwnMind, Player
from gammon.rules.dice import ROLLS, outcome_of
from tests.conftest import Played

OPENING = Position.opening()
#: The rolls that begin a game.
OPENING_ROLLS = [(high, low) for high, low in ROLLS if high != low]


@cache
def engine(depth: int, top: int) -> gammon.Engine:
    return gammon.Engine(depth=depth)


def listed(
    position: Position, dice: tuple[int, int], depth: int, top: int
) -> list[gammon.Candidate]:
    return engine(depth, top).analyze(position, dice, top).candidates


def rank_correlation(first: list[float], second: list[float]) -> float:
    """Spearman's, of values in one order."""
    ranks = [np.argsort(np.argsort(values)) for values in (first, second)]
    return float(np.corrcoef(*ranks)[0, 1])


def check(position: Position, dice: tuple[int, int], depth: int, top: int) -> float:
    """Check a list against a search of all plays; return the correlation of their values."""
    found = listed(position, dice, depth, top)
    every = {each.play: each.equity for each in listed(position, dice, depth, 1000)}
    for each in found:
        if each.kind is Kind.EXACT:
            assert (each.depth, each.bound) == (depth, None)
            assert each.equity == pytest.approx(every[each.play], abs=1e-9)
        else:
            assert (each.kind, each.depth) == (Kind.SHALLOW, max(1, depth - 2))
            assert every[each.play] <= each.bound + 1e-9
            assert each.equity <= found[top - 1].equity
        assert each.probabilities_depth == each.depth
    assert sum(each.exact for each in found) >= min(top, len(found))
    equities = [each.equity for each in found]
    assert equities == sorted(equities, reverse=True)
    assert [each.loss for each in found] == pytest.approx([equities[0] - e for e in equities])
    if len(found) < 3:
        return 1.0
    return rank_correlation(equities, [every[each.play] for each in found])


@pytest.mark.parametrize("depth", [3, 5])
def test_the_opening_rolls(depth: int) -> None:
    found = [check(OPENING, dice, depth, 10) for dice in OPENING_ROLLS]
    assert min(found) > 0.97
    assert np.mean(found) > 0.99


def test_positions_of_games(played: Played) -> None:
    boards = played(900, 3)[::30]
    found = [check(Position(p), ROLLS[n % 21], 3, 10) for n, p in enumerate(boards)]
    found += [check(Position(p), ROLLS[n % 21], 3, 3) for n, p in enumerate(boards[:10])]
    assert np.mean(found) > 0.99


def test_values_of_shallow_plays_are_those_of_the_shallower_search() -> None:
    found = listed(OPENING, (4, 3), 5, 4)
    shallower = {each.play: each for each in listed(OPENING, (4, 3), 3, 1000)}
    others = [each for each in found if not each.exact]
    assert len(others) >= 10
    for each in others:
        assert each.equity == shallower[each.play].equity
        assert each.probabilities == shallower[each.play].probabilities


def test_a_sixth_play_that_was_shown_with_a_bound() -> None:
    """Opening 43: 6/3 6/2 stood sixth, by a bound; it is the sixteenth of seventeen."""
    found = listed(OPENING, (4, 3), 5, 10)
    places = {each.play.notation: place for place, each in enumerate(found, 1)}
    assert places["13/6"] == 6
    assert places["6/3 6/2"] == 16
    assert found[15].loss == pytest.approx(0.298, abs=0.02)


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_ubgi_and_matches_choose_the_play_that_is_listed_first(depth: int) -> None:
    engine, mind = gammon.Engine(depth=depth), OwnMind(Player(depth=depth))
    boards = [
        "XGID=-BBBCCB-----------bbccb-c-:0:0:1:00:0:0:0:0:10",
        "XGID=-B---B--------------j-----:0:0:1:00:0:0:0:0:10",
        "XGID=-a-B--C-bbBcBBbBb-----B---:0:0:1:00:0:0:0:0:10",
        "XGID=-CCC-BB--a----------ac-be-:0:0:1:00:0:0:0:0:10",
    ]
    for text in boards:
        position = Position.parse(text)
        for dice in [(6, 5), (6, 1), (4, 2), (3, 3)]:
            listed = engine.analyze(position, dice).candidates[0].play
            assert Bot(engine).play(position, dice) == listed, (text, dice)
            (played,) = engine.best_plays([position.points], [dice])
            assert tuple(played.tolist()) == listed.points, (text, dice)
            boards, terms = np.array([position.points], np.int8), position.context.terms()
            (played,) = mind.plays(boards, [outcome_of(dice)], [terms], [0])
            assert tuple(played.tolist()) == listed.points, (text, dice)


@pytest.mark.parametrize("algorithm", ["star1", "star2.5", "expectimax"])
def test_the_list_is_the_same_by_any_algorithm(algorithm: str) -> None:
    other = gammon.Engine(depth=3, algorithm=algorithm)
    for text, dice in (
        # The first three plays lead to a pass.
        ("XGID=-AACACBA---A-----c-eBbbab-:0:0:1:00:0:0:0:0:10", (5, 2)),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", (4, 3)),
    ):
        position = Position.parse(text)
        found = other.analyze(position, dice).candidates
        for ours, theirs in zip(
            listed(position, dice, 3, 10), other.analyze(position, dice).candidates, strict=True
        ):
            assert (ours.play, ours.kind, ours.depth) == (
                theirs.play,
                theirs.kind,
                theirs.depth,
            )
            assert ours.equity == pytest.approx(theirs.equity, abs=1e-9)
            assert ours.probabilities == pytest.approx(theirs.probabilities, abs=1e-9)
        assert [each.exact for each in found[:10]] == [True] * 10
