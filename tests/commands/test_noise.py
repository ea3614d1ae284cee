"""`gammon noise`."""

import pytest
from click.testing import CliRunner

from gammon.commands.main import main
from tests.commands.program import assert_refused, first_words

BAD = [
    (["noise", "--out", "x", "--sigma", "0", "--depth", "1"], "expected a match"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=first_words)
def test_bad_input_gets_one_line(arguments: list[str], words: str) -> None:
    assert_refused(arguments, words)


@pytest.mark.parametrize(
    ("option", "value"),
    [("--sigma", "x"), ("--sigma", "-1"), ("--depth", "2"), ("--games", "3")],
)
def test_bad_settings_get_one_line(tmp_path, option, value):
    done = CliRunner().invoke(main, ["noise", "--out", str(tmp_path), option, value])
    assert done.exit_code == 1
    assert done.stderr.count("\n") == 1
