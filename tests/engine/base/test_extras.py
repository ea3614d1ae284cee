"""What is installed: extras that are not there, and the commit of a checkout."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import gammon
from gammon.base import extras
from gammon.base.errors import GammonError, MissingExtraError
from gammon.base.extras import EXTRAS, extra
from gammon.base.folder import version_with_commit

# Extras: a library that is not there is named in one line, with what brings it.


def libraries(name: str) -> set[str]:
    """The libraries that an extra asks for itself, by pyproject.toml."""
    table = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    asked = table["project"]["optional-dependencies"][name]
    return {re.split(r"\W", line)[0] for line in asked} - {"gammon"}


def without(library: str, program: str) -> subprocess.CompletedProcess[str]:
    """Run Python where a library cannot be imported."""
    blocked = f"import sys\nsys.modules[{library!r}] = None\n{program}"
    return subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", EXTRAS)
def test_they_are_those_of_the_package(name: str) -> None:
    assert set(EXTRAS[name]) == libraries(name)


def test_a_missing_library_gets_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for how in ('in the clone of gammon, pip install -e ".[train]"', 'pip install "gammon[train]"'):
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
    blocked = "sys.modules['llvmlite'] = None\nimport gammon_lab.train.learner"
    last = without("numba", blocked).stderr.splitlines()[-1]
    assert 'training needs numba: in the clone of gammon, pip install -e ".[jit]"' in last


# The version tells the commit of a checkout.


def git(folder: Path, *words: str) -> str:
    names = "-c", "user.name=A", "-c", "user.email=a@example.org"
    done = subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_an_installed_package_has_its_version_alone(tmp_path: Path) -> None:
    assert version_with_commit(tmp_path) == gammon.__version__
    (tmp_path / ".git").write_text("not git's")
    version_with_commit.cache_clear()
    assert version_with_commit(tmp_path) == gammon.__version__


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_checkout_tells_its_commit_and_whether_it_was_changed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "file").write_text("one")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "-q", "-m", "One")
    git(tmp_path, "tag", "v9")
    commit = git(tmp_path, "rev-parse", "--short=12", "HEAD")
    assert version_with_commit(tmp_path) == f"{gammon.__version__}+g{commit}"
    (tmp_path / "file").write_text("two")
    version_with_commit.cache_clear()
    assert version_with_commit(tmp_path) == f"{gammon.__version__}+g{commit}.changed"
