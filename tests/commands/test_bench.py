"""`gammon bench`."""

import pytest

from tests.commands.program import assert_refused, first_words, run


def test_the_command_shows_tables() -> None:
    done = run("bench", "--quick", "--positions", "2")
    assert done.exit_code == 0
    assert "successors" in done.stdout
    assert "depth 5, 2 threads" in done.stdout


BAD = [
    (["bench", "--threads", "0"], "'--threads'"),
    (["bench", "--positions", "501"], "expected 1 to 500"),
    (["bench", "--deep", "-1"], "expected 0 to 500"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=first_words)
def test_bad_input_gets_one_line(arguments: list[str], words: str) -> None:
    assert_refused(arguments, words)
