"""The answers are the same numbers on all processors, and in all forms of a kernel."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gammon.compiled.kernel import no_library
from gammon.compiled.library import FOLDER, Library

SCRIPT = Path(__file__).parents[3] / "scripts" / "same_everywhere.py"
pytestmark = pytest.mark.skipif(no_library() != "", reason="the library is not used")


def answers(kernels: str, each: int, **variables: str) -> None:
    """Ask, and see that the answers are those that are recorded."""
    done = subprocess.run(
        [sys.executable, SCRIPT, "--each", str(each)], capture_output=True, text=True,
        env=os.environ | {"GAMMON_KERNELS": kernels} | variables, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{kernels}: ")


def test_of_each_variant_and_of_arithmetic_for_an_older_processor() -> None:
    """numpy's BLAS has code of its own for each processor, so no answer may come from it."""
    for kernels in Library(FOLDER).variants:
        answers(kernels, 1, OPENBLAS_CORETYPE="Nehalem")


@pytest.mark.nightly
def test_of_tables_that_each_variant_builds(tmp_path: Path) -> None:
    for kernels in Library(FOLDER).variants:
        answers(kernels, 1, GAMMON_CACHE=str(tmp_path / kernels))


@pytest.mark.nightly
@pytest.mark.parametrize(("kernels", "each"), [("numba", 1), ("python", 40)])
def test_of_other_forms(kernels: str, each: int) -> None:
    answers(kernels, each)
