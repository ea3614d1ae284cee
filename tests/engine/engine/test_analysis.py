"""The records of the engine's answers, against sums done by hand."""

import pytest

from gammon.engine.analysis import Analysis, Candidate, Evaluation, Kind, RollTable
from gammon.eval.equity import Probabilities
from gammon.formats.play import legal_plays
from gammon.formats.position import Position
from gammon.rules.dice import ROLLS
from gammon.rules.terms import parse_stakes
from gammon.search.stats import Stats

OPENING = Position.opening()
DMP = parse_stakes("dmp")
CHANCES = Probabilities(0.5, 0.125, 0.0, 0.125, 0.0)


def analysis(dice: tuple[int, int], equity: float, depth: int) -> Analysis:
    """An analysis of two candidates; the best one wins (1 + equity) / 2 of its games."""
    play = legal_plays(OPENING, dice)[0]
    chances = Probabilities((1 + equity) / 2, 0.25, 0.0, 0.125, 0.0)
    candidates = [
        Candidate(play, equity, 0.0, chances, Kind.EXACT, depth, depth),
        Candidate(play, equity - 1, 1.0, chances, Kind.STATIC, 1, 1),
    ]
    work = Stats(1, 2, 3, 4, 5, 6, 7)
    return Analysis(OPENING, dice, DMP, candidates, work, 0.1, 5)


@pytest.mark.parametrize("kind", Kind)
def test_only_exact_candidates_are_exact(kind: Kind) -> None:
    play = legal_plays(OPENING, (3, 1))[0]
    candidate = Candidate(play, 0.0, 0.0, CHANCES, kind, 3, 3)
    assert candidate.exact == (kind is Kind.EXACT)


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
    assert table.terms == DMP
    assert table.stats == Stats(*(21 * each for each in (1, 2, 3, 4, 5, 6, 7)))


def test_an_answer_is_a_table_as_a_text_and_a_line_where_it_is_shown() -> None:
    found = analysis((3, 1), 0.25, 5)
    assert "  1.  " in str(found)
    assert "X to play 31" in str(found)
    best = found.candidates[0].play
    assert repr(found) == f"<Analysis of 31: 2 plays, best {best} +0.2500, depth 5>"
    table = RollTable(OPENING, [analysis(dice, 0.25, 3) for dice in ROLLS], 0.5)
    assert "the mean over the 21 rolls" in str(table)
    assert repr(table) == "<RollTable of 4HPwATDgc/ABMA: equity +0.2500, depth 3>"


def test_what_an_answer_holds_is_shown_in_a_few_words() -> None:
    play = legal_plays(OPENING, (3, 1))[0]
    assert repr(play) == f"<Play {play.notation}>"
    shown = {kind: repr(Candidate(play, -0.02345, 0.1, CHANCES, kind, 3, 1)) for kind in Kind}
    assert shown[Kind.EXACT] == f"<Candidate {play}: -0.0234, exact, depth 3>"
    assert shown[Kind.SHALLOW] == f"<Candidate {play}: -0.0234, shallow, depth 3>"
    work = Stats(1, 2, 3, 4, 5, 6, 7)
    assert repr(Evaluation(0.0784, CHANCES, work, 0.1)) == "<Evaluation +0.0784, win 50.0 %>"
