"""`gammon demo`."""

from tests.engine.commands.program import run


def test_demo() -> None:
    done = run("demo")
    assert done.exit_code == 0
    assert done.output.count("$ gammon analyze") == 3
    assert "8/5 6/5" in done.output
