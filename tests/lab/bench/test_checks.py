"""The counts that come before any timing."""

import pytest
from click.testing import CliRunner

from gammon.commands.main import main
from gammon.search import Stats
from gammon_lab.bench import checks, speed

QUICK = checks.Case(3, 2)


@pytest.mark.smoke
@pytest.mark.parametrize("case", checks.FINGERPRINT, ids=str)
def test_the_search_does_what_it_always_does(case):
    assert checks.fingerprint(case) == checks.FINGERPRINT[case]


@pytest.mark.parametrize(
    ("module", "name", "value", "words"),
    [
        (speed, "SECOND_TURN", 183_631, "generator is wrong"),
        (checks, "FINGERPRINT", {QUICK: Stats(*[1] * 7)}, "not what it was"),
    ],
)
def test_wrong_counts_are_not_timed(monkeypatch, module, name, value, words):
    monkeypatch.setattr(module, name, value)
    done = CliRunner().invoke(main, ["bench", "--quick"])
    assert done.exit_code == 1
    assert words in done.stderr
