"""The version tells the commit of a checkout."""

import shutil
import subprocess
from pathlib import Path

import pytest

import gammon
from gammon.base.revision import version_with_commit


def git(folder: Path, *words: str) -> str:
    names = "-c", "user.name=A", "-c", "user.email=a@example.org"
    done = subprocess.run(
        ["git", *names, *words], cwd=folder, check=True, capture_output=True, text=True
    )
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
