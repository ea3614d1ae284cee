"""What docs/adding_a_feature.md says, done to a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding_a_feature.md").read_text()

#: Writes the bits of what the shipped networks say of a few positions.
VALUES = """
import numpy as np
from gammon.eval import nnue
from gammon.eval.model_file import load_model
from gammon.eval.packed import pack
from gammon.rules.board import OPENING

contact = [0, -1, 2, 0, 0, 3, 4, 0, 3, -1, 0, 0, -4, 2, 0, -1, 0, -3, 0, -4, -1, 0, 0, 0, 0, 1]
boards = np.array([OPENING, contact], np.int8)
for name in ("leaf", "probe"):
    print(nnue.results_of(boards, pack(load_model(name).weights)).tobytes().hex())
"""

#: Holds the changed kernel to the changed twin.
TWIN = """
import numpy as np
from gammon.eval.tactics import SideNumbers, tactics_of
from gammon.rules.board import flipped
from tests.eval.test_tactics import random_positions, twin

assert SideNumbers._fields[-1] == "board"
for points in random_positions(20):
    found = tactics_of(np.array([points], np.int8)).reshape(2, -1)
    for numbers, seen in zip(found, (points, flipped(points)), strict=True):
        expected = twin(seen)
        assert np.allclose(numbers, [expected[name] for name in SideNumbers._fields])
"""


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def apply(change: str, root: Path) -> None:
    """Make a change of the page: its lines that are not new stand together in the file."""
    first, *lines = change.splitlines()
    path = root / first.removeprefix("--- ")
    old = "".join(f"{line[1:]}\n" for line in lines if line[0] == " ")
    new = "".join(f"{line[1:]}\n" for line in lines)
    text = path.read_text()
    assert text.count(old) == 1, f"{path.name} has not these lines once:\n{old}"
    path.write_text(text.replace(old, new))


def said(code: str, root: Path) -> str:
    """What a process prints that runs the code as plain Python with the package of a folder."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root, env=environment, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("changed")
    for folder in ("gammon", "models", "tests"):
        left_out = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, root / folder, ignore=left_out)
    for change in blocks("diff"):
        apply(change, root)
    return root


def test_models_from_before_give_the_same_values_to_the_last_bit(changed: Path) -> None:
    before = said(VALUES, ROOT)
    assert len(before.split()) == 2
    assert said(VALUES, changed) == before


def test_the_page_runs(changed: Path) -> None:
    code = blocks("python")
    assert len(code) == 2
    said("\n".join([*code, TWIN]), changed)
