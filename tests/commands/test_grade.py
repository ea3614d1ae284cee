"""`gammon grade`."""

import pytest

from tests.commands.program import assert_refused, first_words

BAD = [
    (["grade", "depth=1", "--seed", "-1"], "'--seed'"),
]


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GAMMON_BGSAGE", raising=False)
    assert_refused(["grade", "bgsage=4"], "GAMMON_BGSAGE is not set")


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=first_words)
def test_bad_input_gets_one_line(arguments: list[str], words: str) -> None:
    assert_refused(arguments, words)
