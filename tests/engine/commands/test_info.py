"""`gammon info`."""

import json
import re
from importlib.metadata import PackageNotFoundError

import pytest

from tests.engine.commands.program import run
from tests.processes import ROOT


def test_info_names_the_models() -> None:
    done = run("info")
    assert done.exit_code == 0
    assert "model leaf" in done.output
    assert "model probe" in done.output
    assert "  recipe:\n    hidden1: 16\n" in done.output
    for words in (
        "points a game (against gammon/eval/baseline.py)",
        "said: 1646751 (of these, with targets that the network before said)",
        "start: ebb64967312d (the network before; models/README.md tells its commit)",
    ):
        assert words in done.output
    assert "start:\n" in done.output, "random weights stand for nothing"
    for script in re.findall(r"scripts/\w+\.py", done.output):
        assert (ROOT / script).exists(), script
    assert max(map(len, done.output.splitlines()[7:])) < 100
    assert set(json.loads(run("info", "--json").output)) == {
        "schema_version", "versions", "kernels", "models", "cache"
    }  # fmt: skip


def test_a_library_that_is_not_there_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name == "torch":
            raise PackageNotFoundError(name)
        return "1.2.3"

    monkeypatch.setattr("importlib.metadata.version", version)
    assert "\ntorch    not installed\n" in run("info").output
    assert json.loads(run("info", "--json").output)["versions"]["torch"] is None
