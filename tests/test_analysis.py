"""The records of the engine's answers, against sums done by hand."""

import pytest

from gammon.analysis import Analysis, Candidate, Kind, RollTable
from gammon.eval.equity import Probabilities
from gammon.formats.position import Position
from gammon.play import legal_plays
from gammon.rules.dice import ROLLS
from gammon.rules.stakes import parse_stakes
from gammon.search.stats import Stats

OPENING = Position.opening()
DMP = parse_stakes("dmp")


def analysis(dice: tuple[int, int], equity: float, depth: int) -> Analysis:
    """An analysis of two candidates; the best one wins (1 + equity) / 2 of its games."""
    play = legal_plays(OPENING, dice)[0]
    chances = Probabilities((1 + equity) / 2, 0.25, 0.0, 0.125, 0.0)
    candidates = [
        Candidate(play, equity, 0.0, chances, Kind.EXACT, depth),
        Candidate(play, equity - 1, 1.0, None, Kind.STATIC, 1),
    ]
    return Analysis(OPENING, dice, DMP, candidates, Stats(1, 2, 3, 4, 5, 6, 7), 0.1)


@pytest.mark.parametrize("kind", Kind)
def test_only_exact_candidates_are_exact(kind: Kind) -> None:
    play = legal_plays(OPENING, (3, 1))[0]
    assert Candidate(play, 0.0, 0.0, None, kind, 3).exact == (kind is Kind.EXACT)


def test_an_analysis_is_as_deep_as_its_best_play() -> None:
    assert analysis((3, 1), 0.0, 5).depth == 5


def test_the_mean_of_the_rolls_counts_doubles_once_and_others_twice() -> None:
    # Doubles win every game, other rolls none: 6 throws of 36 win.
    analyses = [analysis(dice, 1.0 if dice[0] == dice[1] else -1.0, 3) for dice in ROLLS]
    analyses[4] = analysis(ROLLS[4], -1.0, 1)
    table = RollTable(OPENING, analyses, 0.5)
    assert table.equity == pytest.approx(6 / 36 - 30 / 36)
    assert table.probabilities == pytest.approx((6 / 36, 0.25, 0.0, 0.125, 0.0))
    assert table.depth == 1, "as deep as the least deep roll"
    assert table.stakes == DMP
    assert table.stats == Stats(*(21 * each for each in (1, 2, 3, 4, 5, 6, 7)))
