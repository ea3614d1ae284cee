"""Six answers as people read them, each a whole text in tests/golden.

What the numbers mean is asked elsewhere; here it is their looks. Where these change on purpose:

    python -m tests.test_printed
"""

import re
from collections.abc import Callable

import pytest

from gammon.view.match import match_view
from gammon.view.tables import plain_text
from tests.conftest import GOLDEN
from tests.engine.commands.program import OPENING, OPENING_31, run
from tests.engine.view.test_rollout import EFFORT, RESULT, WITH_CUBE, A, B
from tests.matches import HAND

OFFERED = "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10"
#: Times depend on the machine.
SECONDS = re.compile(r"\b\d+(\.\d+)? s\b")


def printed(*arguments: str) -> str:
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


TEXTS: dict[str, Callable[[], str]] = {
    "analysis": lambda: printed("analyze", OPENING_31, "--depth", "3", "--top", "3"),
    "cube": lambda: printed("analyze", OFFERED, "--depth", "3"),
    "rolls": lambda: printed("analyze", OPENING, "--rolls", "--depth", "1"),
    "rollout": lambda: printed("rollout", OPENING_31, "--top", "2", "--trials", "72"),
    "review": lambda: printed("review", str(HAND), "--depth", "1"),
    "match": lambda: "\n".join(
        plain_text(match_view(A, B, result, EFFORT)) for result in (RESULT, WITH_CUBE)
    ),
}


def stable(text: str) -> str:
    """A text without times, and without blanks at the ends of lines."""
    return "".join(f"{line.rstrip()}\n" for line in SECONDS.sub("- s", text).splitlines())


@pytest.mark.parametrize("name", TEXTS)
def test_printed(name: str) -> None:
    assert stable(TEXTS[name]()) == (GOLDEN / f"{name}.txt").read_text()


if __name__ == "__main__":
    for name, text in TEXTS.items():
        (GOLDEN / f"{name}.txt").write_text(stable(text()))
