"""`gammon grade`."""

import pytest

from tests.engine.commands.program import assert_refused


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GAMMON_BGSAGE", raising=False)
    assert_refused(["grade", "bgsage=4"], "GAMMON_BGSAGE is not set")


def test_it_is_told_before_anybody_is_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    def graded(*args: object, **kwargs: object) -> None:
        raise AssertionError("somebody was graded")

    monkeypatch.setattr("gammon_lab.experiments.grade.grade", graded)
    monkeypatch.delenv("GAMMON_BGSAGE", raising=False)
    assert_refused(["grade", "depth=1", "bgsage=4"], "GAMMON_BGSAGE is not set")


def test_a_program_that_plays_with_the_cube_only() -> None:
    words = "external=127.0.0.1:1 without the cube: expected games with it"
    assert_refused(["grade", "external=127.0.0.1:1"], words)
