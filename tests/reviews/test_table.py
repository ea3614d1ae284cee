"""Reviews as tables for people."""

import pytest

from gammon.reviews.review import Review, review
from gammon.reviews.table import review_view
from tests.matches import HAND
from tests.views.text import text_of


@pytest.fixture(scope="module")
def found() -> Review:
    return review(HAND, depth=1)


def test_figures_of_both_players(found: Review) -> None:
    lines = text_of(review_view(found))
    assert lines[0] == "Ann against Bob, a match to 3: 2 games, 3 to 0"
    rows = {line[2:28].strip(): line[28:].split() for line in lines[2:]}
    totals = [found.totals(player) for player in (0, 1)]
    assert rows["PR"] == [f"{each.all.pr:.2f}" for each in totals]
    assert rows["Snowie rate"] == [f"{each.snowie:.1f}" for each in totals]
    assert rows["unforced, of all"][:3] == [str(totals[0].plays.active), "of", "14"]
    for words in (
        "doubtful, bad, very bad",
        "missed doubles",
        "luck taken out",
        "GNU rate: all",
    ):
        assert words in "\n".join(lines)


def test_the_worst_choices_have_their_xgid(found: Review) -> None:
    lines = text_of(review_view(found, most=3))
    for rank, choice in enumerate(found.worst(most=3), 1):
        at = lines.index(f"     {choice.xgid}")
        assert lines[at - 1].startswith(f"{rank:3}. {-choice.error:+.4f}")
        assert lines[at - 1].endswith(f"{choice.made}, best {choice.best}")
    assert "The worst choices" not in text_of(review_view(found, most=0))


def test_one_player_alone(found: Review) -> None:
    lines = text_of(review_view(found, 1, 100))
    shown = "\n".join(lines[2:])
    assert "Bob: " in shown
    assert "Ann: " not in shown
    assert max(map(len, text_of(review_view(found), 60)[4:20])) <= 60
