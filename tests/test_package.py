"""The package as it is installed: found from any folder, complete, typed."""

import subprocess
import sys
from importlib.metadata import files

import pytest

import gammon
from gammon.eval.model_file import shipped_models


def test_it_is_found_from_a_folder_with_another_gammon(tmp_path):
    (tmp_path / "gammon").mkdir()  # as in the folder that holds a clone
    found = subprocess.run(
        [sys.executable, "-c", "import gammon; print(gammon.Position.__name__)"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (found.stdout, found.stderr) == ("Position\n", "")


@pytest.mark.parametrize("name", gammon.__all__)
def test_every_public_name_is_there(name):
    assert getattr(gammon, name).__module__.startswith("gammon.")


def test_the_networks_come_with_it():
    assert {path.stem for path in shipped_models()} == {"large", "leaf", "probe"}


def test_an_editable_install_is_a_plain_path():
    """Type checkers follow a path; they do not run an import hook."""
    installed = [str(file) for file in files("gammon") or ()]
    assert not any("finder" in name for name in installed)


def test_reading_a_position_needs_no_compiler():
    program = (
        "import sys, gammon\n"
        "gammon.Position.parse('4HPwATDgc/ABMA')\n"
        "print(sorted({'numba', 'torch', 'rich'} & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (found.stdout, found.stderr) == ("[]\n", "")
