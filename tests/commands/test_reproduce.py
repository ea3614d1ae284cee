"""`gammon reproduce`."""

import pytest

from tests.commands.program import assert_refused, first_words

BAD = [
    (["reproduce", "ballard", "--out", "x", "--seed", "-1"], "'--seed'"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=first_words)
def test_bad_input_gets_one_line(arguments: list[str], words: str) -> None:
    assert_refused(arguments, words)
