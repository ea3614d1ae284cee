"""`gammon grade`."""

import pytest

from tests.commands.program import assert_refused


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GAMMON_BGSAGE", raising=False)
    assert_refused(["grade", "bgsage=4"], "GAMMON_BGSAGE is not set")
