"""`gammon bench`, `grade`, `noise` and `reproduce`."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gammon.compiled.kernel import no_library, variant
from gammon.compiled.library import library
from gammon.engine.question import DEPTHS
from gammon_lab.bench import BenchSettings
from gammon_lab.bench.positions import FINGERPRINT
from gammon_lab.commands import reproduce
from gammon_lab.commands.bench import _typed
from gammon_lab.report import Origin
from tests.engine.commands.program import assert_refused, run
from tests.lab.test_bench import FOUND
from tests.processes import comes_true, members, started

# `gammon bench`.


def test_the_command_shows_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """`test_bench.py` measures."""
    asked = []

    def measured(settings: BenchSettings, say: object) -> dict[str, object]:
        asked.append(settings)
        return FOUND

    monkeypatch.setattr("gammon_lab.bench.run_bench", measured)
    done = run("bench", "--quick", "--positions", "2")
    assert done.exit_code == 0, done.output
    assert asked == [BenchSettings(positions=2, deep=0, first_start=False)]
    assert "successors" in done.stdout
    assert "depth 5, 2 threads" in done.stdout


def test_a_page_gets_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon_lab.bench.run_bench", lambda settings, say: FOUND)
    page, command = tmp_path / "page.md", "bench --quick --positions 2 --against gnubg,bgsage"
    page.write_text(
        f"# Mine\n\n<!-- made by `gammon {command}`, gammon 0, x 0123456789ab -->\n"
        "<!-- report -->\nold\n<!-- end -->\n"
    )
    done = run(*command.split(), "--pages", str(tmp_path))
    assert done.stdout.splitlines()[-1] == f"wrote {page}"
    text = page.read_text()
    assert Origin.read(text) == [Origin.of(f"gammon {command}")]
    assert "### In a second" in text
    assert text.startswith("# Mine\n\n<!--")
    assert text.endswith("at most.\n<!-- end -->\n")
    page.write_text("# Mine\n")
    done = run(*command.split(), "--pages", str(tmp_path))
    assert done.stderr == f"no page below {tmp_path} has figures of `gammon {command}`\n"


def test_the_command_of_a_page_can_be_typed_again() -> None:
    settings = BenchSettings(model="my nets/x", positions=9, against=("gnubg", "bgsage"))
    assert shlex.split(_typed(settings, False, "x86-64-v2")) == [
        "gammon",
        "bench",
        "--positions",
        "9",
        "--model",
        "my nets/x",
        "--variant",
        "x86-64-v2",
        "--against",
        "gnubg,bgsage",
    ]


def test_the_signature_is_one_number() -> None:
    expected = sum(stats.evaluations for stats in FINGERPRINT.values())
    assert run("bench", "--signature").stdout == f"{expected}\n"


@pytest.mark.parametrize("option", ["--positions 9", "--against gnubg", "--quick", "--json", "--model probe"])
def test_the_signature_takes_no_options_of_measurements(option: str) -> None:
    words = f"{option.partition(' ')[0]} without measurements: it has no effect"
    assert_refused(["bench", "--signature", *option.split()], words)


@pytest.mark.skipif(no_library() != "", reason="the library is not used")
def test_each_variant_searches_the_same_nodes() -> None:
    expected = sum(stats.evaluations for stats in FINGERPRINT.values())
    for name in library().variants:
        command = [sys.executable, "-m", "gammon", "bench", "--signature", "--variant", name]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == f"{expected}\n"


def test_kernels_in_use_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMMON_KERNELS", variant())
    done = run("bench", "--signature", "--variant", "another")
    assert done.exit_code == 1
    assert done.stderr == f"Error: variant 'another': this process uses {variant()}\n"


# `gammon grade`.


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GAMMON_BGSAGE", raising=False)
    assert_refused(["grade", "bgsage=4"], "GAMMON_BGSAGE is not set")


def test_it_is_told_before_anybody_is_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    def graded(*args: object, **kwargs: object) -> None:
        raise AssertionError("somebody was graded")

    monkeypatch.setattr("gammon_lab.experiments.grade.grade", graded)
    monkeypatch.delenv("GAMMON_BGSAGE", raising=False)
    assert_refused(["grade", "depth=1", "bgsage=4"], "GAMMON_BGSAGE is not set")


def test_a_program_that_plays_with_the_cube_only() -> None:
    words = "external=127.0.0.1:1 without the cube: expected games with it"
    assert_refused(["grade", "external=127.0.0.1:1"], words)


# `gammon noise`.


def test_the_help_names_the_depths_that_are_accepted() -> None:
    *most, last = map(str, DEPTHS)
    assert f"{', '.join(most)} or {last}." in " ".join(run("noise", "--help").stdout.split())


def test_a_folder_holds_one_study(tmp_path):
    arguments = ["noise", "--depth", "1", "--sigma", " 0.1", "--out", str(tmp_path)]
    assert run(*arguments, "--games", "4").exit_code == 0
    assert run(*arguments, "--games", "8", "--until-se", "9").exit_code == 0
    (origin,) = Origin.read((tmp_path / "report.md").read_text())
    assert shlex.split(origin.command)[:6] == ["gammon", "noise", "--sigma", " 0.1", "--depth", "1"]
    held = "holds a noise study of sigma 0.1 and depth 1, seed 1"
    assert_refused([*arguments, "--seed", "2"], f"{held}, not a noise study of")
    assert_refused([*arguments, "--sigma", "0.2"], f"{held}, not a noise study of")
    other = f"{held} with errors equity, not outputs: choose"
    assert_refused([*arguments, "--errors", "outputs"], other)


# `gammon reproduce`.


@pytest.mark.parametrize(
    "how",
    [
        signal.SIGKILL,
        # What these do to workers is in `test_workers`, and to a command in `test_process`.
        pytest.param(signal.SIGINT, marks=pytest.mark.nightly),
        pytest.param(signal.SIGTERM, marks=pytest.mark.nightly),
    ],
)
def test_a_signal_ends_all_processes_and_the_run_goes_on(how: signal.Signals, tmp_path: Path) -> None:
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


def test_the_small_version_writes_into_no_pages(tmp_path: Path) -> None:
    command = ["reproduce", "nim", "--quick", "--pages", str(tmp_path), "--out", str(tmp_path / "out")]
    assert_refused(command, "--pages with --quick: pages have figures of the whole version")
    assert not (tmp_path / "out").exists()


def test_every_experiment_has_a_name() -> None:
    assert {*reproduce.experiments()} == {*reproduce._EXPERIMENTS}


def test_all_of_them_have_folders_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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
