"""Extras: a library that is not there is named in one line, with what brings it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gammon.base import extras
from gammon.base.errors import GammonError, MissingExtraError
from gammon.base.extras import EXTRAS, extra


def libraries(name: str) -> set[str]:
    """The libraries that an extra asks for itself, by pyproject.toml."""
    table = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    asked = table["project"]["optional-dependencies"][name]
    return {re.split(r"\W", line)[0] for line in asked} - {"gammon"}


def without(library: str, program: str) -> subprocess.CompletedProcess[str]:
    """Run Python where a library cannot be imported."""
    blocked = f"import sys\nsys.modules[{library!r}] = None\n{program}"
    return subprocess.run(
        [sys.executable, "-c", blocked], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", EXTRAS)
def test_they_are_those_of_the_package(name: str) -> None:
    assert set(EXTRAS[name]) == libraries(name)


def test_a_missing_library_gets_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for how in (
        'in the clone of gammon, pip install -e ".[train]"',
        'pip install "gammon[train]"',
    ):
        with pytest.raises(MissingExtraError) as caught, extra("train", "gammon train"):
            import torch  # noqa: F401
        assert str(caught.value) == f"gammon train needs torch: {how}"
        assert isinstance(caught.value, GammonError)
        # As a wheel is installed.
        monkeypatch.setattr(extras, "__file__", tmp_path / "gammon" / "base" / "extras.py")


def test_another_missing_library_is_no_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such") as caught, extra("train", "it"):
        import no_such  # type: ignore[import-not-found]  # noqa: F401
    assert not isinstance(caught.value, GammonError)


def test_a_network_cannot_be_defined_without_torch() -> None:
    done = without("torch", "import gammon.eval.network")
    last = done.stderr.splitlines()[-1]
    assert 'needs torch: in the clone of gammon, pip install -e ".[train]"' in last


def test_training_names_numba() -> None:
    blocked = "sys.modules['llvmlite'] = None\nimport gammon.train.learner"
    last = without("numba", blocked).stderr.splitlines()[-1]
    assert 'training needs numba: in the clone of gammon, pip install -e ".[jit]"' in last
