"""A rollout under way: shown on terminals alone."""

import pytest

import gammon
from gammon.shown import rollout_live as views
from gammon.shown.plain import plain_text

RACE = gammon.Position.parse("XGID=-BBBB---------------bbb---:0:0:1:00:0:0:0:0:10")


def test_what_is_done_and_what_is_left() -> None:
    found: list[gammon.Rollout] = []
    gammon.rollout(RACE, (6, 5), top=2, trials=108, on_result=found.append)
    assert [each.trials for each in found] == [36, 72, 108]
    text = plain_text(views.under_way(found[0]))
    assert str(found[0].candidates[0].play) in text
    assert "36 of 108 trials" in text
    assert "at most 0 s more" in plain_text(views.under_way(found[-1]))


def test_a_terminal_sees_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with views.watched() as show:
        gammon.rollout(RACE, trials=36, on_result=show)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(views, "_REFRESH", 0.0)
    with views.watched() as show:
        gammon.rollout(RACE, trials=36, on_result=show)
    assert "36 of 36 trials" in capsys.readouterr().err
