"""`gammon reproduce`."""

import os
import signal
from pathlib import Path

import pytest

from gammon_lab.commands import reproduce
from gammon_lab.reports.origin import Origin
from tests.engine.commands.program import assert_refused, run
from tests.processes import comes_true, members, started


@pytest.mark.parametrize(
    "how",
    [
        signal.SIGKILL,
        # What these do to workers is in `test_workers`, and to a command in `test_process`.
        pytest.param(signal.SIGINT, marks=pytest.mark.nightly),
        pytest.param(signal.SIGTERM, marks=pytest.mark.nightly),
    ],
)
def test_a_signal_ends_all_processes_and_the_run_goes_on(
    how: signal.Signals, tmp_path: Path
) -> None:
    arguments = ["reproduce", "ballard", "--quick", "--out", str(tmp_path)]
    store = tmp_path / "ballard.jsonl"
    code = "from gammon.commands.main import main; main()"
    with started(code, *arguments, "--workers", "2") as program:
        try:
            assert comes_true(lambda: store.exists() and b"\n" in store.read_bytes(), 300)
            program.send_signal(how)
            assert comes_true(lambda: not members(program.pid), 40), members(program.pid)
        finally:
            if members(program.pid):
                os.killpg(program.pid, signal.SIGKILL)
        _, errors = program.communicate()
    assert program.returncode != 0
    assert "Traceback" not in errors
    kept = store.read_bytes()
    assert run(*arguments).exit_code == 0
    assert store.read_bytes().startswith(kept), "what was done is not done again"


def test_a_folder_holds_one_experiment(tmp_path: Path) -> None:
    assert run("reproduce", "alphabeta", "--quick", "--out", str(tmp_path)).exit_code == 0
    held = f"{str(tmp_path)!r} holds the experiment alphabeta --quick, seed 1, not "
    for other in (["alphabeta"], ["nim", "--quick"], ["alphabeta", "--quick", "--seed", "2"]):
        assert_refused(["reproduce", *other, "--out", str(tmp_path)], held)
    assert_refused(["noise", "--out", str(tmp_path)], held)


def test_every_experiment_has_a_name() -> None:
    assert {*reproduce.experiments()} == {*reproduce._EXPERIMENTS}


def test_all_of_them_have_folders_of_their_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(reproduce, "_EXPERIMENTS", ("alphabeta", "nim"))
    assert run("reproduce", "all", "--quick", "--out", str(tmp_path)).exit_code == 0
    for name in ("alphabeta", "nim"):
        (origin,) = Origin.read((tmp_path / name / "report.md").read_text())
        assert origin.command == f"gammon reproduce {name} --quick --seed 1"
    # The folder of all is theirs alone, and a second run goes on there.
    assert run("reproduce", "all", "--quick", "--out", str(tmp_path)).exit_code == 0
    held = f"{str(tmp_path)!r} holds all experiments --quick, seed 1, not the experiment nim"
    assert_refused(["reproduce", "nim", "--quick", "--out", str(tmp_path)], held)
    held = f"{str(tmp_path / 'nim')!r} holds the experiment nim --quick, seed 1, not all"
    assert_refused(["reproduce", "all", "--quick", "--out", str(tmp_path / "nim")], held)
    assert not (tmp_path / "nim" / "nim").exists()
