"""`gammon info`."""

import json

from tests.commands.program import run


def test_info_names_the_models() -> None:
    done = run("info")
    assert done.exit_code == 0
    assert "model leaf" in done.output
    assert "model probe" in done.output
    assert "  recipe:\n    hidden1: 16\n" in done.output
    assert max(map(len, done.output.splitlines()[6:])) < 100
    assert set(json.loads(run("info", "--json").output)) == {"versions", "models", "cache"}
