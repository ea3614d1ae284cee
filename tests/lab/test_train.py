"""`gammon train`."""

import signal
from pathlib import Path

import pytest

from gammon.eval.model_file import load_model
from gammon_lab.train.learner import load_checkpoint
from tests.engine.commands.program import assert_refused, run
from tests.lab.train.small import SMALL
from tests.processes import comes_true, started


@pytest.fixture(autouse=True)
def _few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a network is worth is written into its card; here nobody reads it."""
    monkeypatch.setattr("gammon_lab.train.training._STRENGTH_GAMES", 20)


#: The program, which writes a checkpoint after each round, and measures itself by few games.
EAGER = """
from gammon_lab.train import training
training._SAVE_SECONDS = 0.0
training._STRENGTH_GAMES = 20
from gammon.commands.main import main
main()
"""


def written(folder: Path, text: str = SMALL) -> Path:
    """Return the file of a recipe."""
    recipe = folder / "recipe.toml"
    recipe.write_text(text)
    return recipe


def killed(arguments: list[str], checkpoint: Path, how: signal.Signals) -> bool:
    """Run a training, kill it after it has written a checkpoint, and tell whether it ended
    before that."""
    before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0

    def is_new() -> bool:
        ended = training.poll() is not None
        return ended or (checkpoint.exists() and checkpoint.stat().st_mtime_ns > before)

    with started(EAGER, *arguments) as training:
        assert comes_true(is_new, 300)
        training.send_signal(how)
        _, errors = training.communicate()
    assert training.returncode == 0 or "Traceback" not in errors, errors
    return training.returncode == 0


#: Training knows no signals: `test_process` has what signals but a kill do to a command.
EACH = signal.SIGKILL, signal.SIGINT, signal.SIGTERM


@pytest.mark.parametrize("signals", [EACH[:1], pytest.param(EACH, marks=pytest.mark.nightly)], ids=len)
def test_a_killed_training_learns_the_same(tmp_path: Path, signals: tuple[signal.Signals, ...]) -> None:
    """Killed again and again: the weights are those of a run that nobody disturbed."""
    recipe, out = written(tmp_path), tmp_path / "killed"
    done = run("train", "learn", str(recipe), "--out", str(tmp_path / "whole"))
    assert done.exit_code == 0, done.output
    arguments = ["train", "learn", str(recipe), "--out", str(out), "--threads", "1"]
    for how in signals:
        if killed(arguments, out / "checkpoint.safetensors", how):
            break
    else:
        assert 0 < load_checkpoint(out / "checkpoint.safetensors")[1]["round"] < 30
    assert run(*arguments).exit_code == 0
    one, other = (load_model(folder / "model.safetensors") for folder in (tmp_path / "whole", out))
    assert one.checksum == other.checksum


def test_a_folder_holds_one_training(tmp_path: Path) -> None:
    short = SMALL.replace("960", "32")
    arguments = ["--out", str(tmp_path / "run"), "--threads", "1"]
    assert run("train", "learn", str(written(tmp_path, short)), *arguments).exit_code == 0
    other = written(tmp_path, short.replace("average = 10", "average = 2"))
    assert_refused(["train", "learn", str(other), *arguments], "holds a training of 16 and 4 units")
    match = ["match", "depth=1", "depth=1", "--games", "4", *arguments[:2]]
    assert_refused(match, "holds a training of 16 and 4 units, seed 1, not a match of")
