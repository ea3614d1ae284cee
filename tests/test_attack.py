"""Small shares of `scripts/attack.py`, which SECURITY.md has the figures of."""

import os
import subprocess
import sys

import pytest

from tests.processes import ROOT


def attacked(*arguments: str) -> str:
    """Run an attack that finds nothing, and return what it says."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts/attack.py"), *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def test_damaged_inputs_are_refused_in_one_line() -> None:
    said = attacked("fuzz", "--inputs", "700")
    assert "inputs: 0 faults" in said
    assert said.count("refused") == 36, "a line for each reader"


@pytest.mark.nightly
@pytest.mark.skipif(os.environ.get("GAMMON_KERNELS") == "python", reason="nothing is compiled")
def test_flipped_bits_are_noticed() -> None:
    """The test of each reader damages its file too."""
    pytest.importorskip("torch")
    assert "20 flips: 0 faults" in attacked("flips", "--flips", "20")


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["rollout", "noise", "review"])
def test_killed_runs_go_on_to_the_same_files(name: str) -> None:
    """Two others are killed each time: `lab/test_commands.py`, `lab/test_train.py`."""
    said = attacked("kills", "--kills", "1", "--small", "--run", name)
    assert f"1 kills of each of {name}: 0 faults" in said


@pytest.mark.nightly
def test_a_signal_ends_what_takes_long() -> None:
    """`commands/test_process.py` and `lab/test_commands.py` end other programs."""
    said = attacked("signals", "--times", "1", "--command", "rollout")
    assert "to 1 commands: 0 faults" in said
