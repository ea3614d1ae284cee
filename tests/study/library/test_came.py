"""Matches that came analyzed: their own values make the review."""

from pathlib import Path

import pytest

from gammon.formats.met_file import read_met
from gammon_study.library.add import review_again
from gammon_study.library.came import came_results
from gammon_study.library.library import Library
from gammon_study.match_files.match_file import read_transcript
from gammon_study.reviews.choice import ChoiceKind
from tests.matches import HAND, MATCH5_SGF, SAMPLE_XG
from tests.study.library.libraries import added

pytest.importorskip("gvformat")


def test_what_came_analyzed_is_kept(tmp_path: Path) -> None:
    with Library(tmp_path / "l.db", make=True) as library:
        (found,) = added(library, SAMPLE_XG)
        assert (found.what, found.detail) == ("kept as analyzed", "eXtreme Gammon")
        review = review_again(library, 1)
        stored = review.transcript.stored or read_transcript(SAMPLE_XG).stored
        for choice in review.choices:
            said = stored.get((choice.game, choice.action))
            if said is None:
                assert not choice.active
            elif choice.kind is ChoiceKind.PLAY and said.plays:
                made = next(each for each in said.plays if each.play == choice.made)
                best = max(each.equity for each in said.plays)
                assert choice.error == pytest.approx(best - made.equity)
            elif choice.values is not None and said.cube is not None:
                assert choice.values[:2] == (said.cube.no_double, said.cube.double_take)
        for luck in review.lucks:
            said = stored[luck.game, luck.action].luck or 0.0
            assert luck.equity == pytest.approx(said, abs=1e-6)


def test_it_is_reviewed_where_that_is_asked_for(tmp_path: Path) -> None:
    with Library(tmp_path / "l.db", make=True) as library:
        for again, what, by in (
            (False, "kept as analyzed", "eXtreme Gammon"),
            (True, "reviewed", "gammon, depth 1"),
            (True, "already there", ""), (False, "already there", ""),
        ):  # fmt: skip
            (found,) = added(library, SAMPLE_XG, again=again)
            assert (found.what, found.detail) == (what, by)
        (row,) = library.ask("SELECT id, analysis FROM match")
        assert row == {"id": 1, "analysis": "gammon, depth 1"}


def test_an_analysis_that_lacks_a_play_is_not_one() -> None:
    """GNU Backgammon's file has cube decisions alone; a text has nothing."""
    for path in (MATCH5_SGF, HAND):
        assert came_results(read_transcript(path), read_met()) is None
