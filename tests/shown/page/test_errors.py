"""The sheet of errors: a card each, with the board and the reason."""

from gammon.shown.page.errors import errors_page
from tests.shown.test_study import ERROR


def test_cards() -> None:
    page = errors_page([ERROR, ERROR._replace(made="bad", best="play")])
    assert page.count("<details class=t open>") == 2
    assert page.count("Wins 3.0 % less.") == 2
    assert "<h1>2 errors</h1>" in page
    first, second = page.split("<details class=t open>")[1:]
    assert "gb-best" in first
    assert "gb-made" in first
    assert "gammon-board" not in second


def test_texts_of_strangers_are_texts() -> None:
    bad = "<script>alert(1)</script>"
    page = errors_page([ERROR._replace(player=bad, why=bad, xgid=bad, made=bad, themes=(bad,))])
    assert bad not in page
    assert "script-src 'sha256-" in page
