"""`gammon bench`."""

import pytest

from gammon.bench.checks import FINGERPRINT
from tests.commands.program import assert_refused, first_words, run


def test_the_command_shows_tables() -> None:
    done = run("bench", "--quick", "--positions", "2")
    assert done.exit_code == 0
    assert "successors" in done.stdout
    assert "depth 5, 2 threads" in done.stdout


def test_the_signature_is_one_number() -> None:
    expected = sum(stats.evaluations for stats in FINGERPRINT.values())
    assert run("bench", "--signature").stdout == f"{expected}\n"


BAD = [
    (["bench", "--threads", "0"], "'--threads'"),
    (["bench", "--positions", "501"], "expected 1 to 500"),
    (["bench", "--deep", "-1"], "expected 0 to 500"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=first_words)
def test_bad_input_gets_one_line(arguments: list[str], words: str) -> None:
    assert_refused(arguments, words)
