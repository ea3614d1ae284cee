"""`gammon bench`."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gammon.compiled.kernel import no_library, variant
from gammon.compiled.library import library
from gammon_lab.bench import BenchSettings
from gammon_lab.bench.checks import FINGERPRINT
from gammon_lab.commands.bench import _typed
from gammon_lab.reports.origin import Origin
from tests.engine.commands.program import assert_refused, run
from tests.lab.bench.test_report import FOUND


def test_the_command_shows_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """`bench/test_bench.py` measures."""
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
        "gammon", "bench", "--positions", "9", "--model", "my nets/x",
        "--variant", "x86-64-v2", "--against", "gnubg,bgsage",
    ]  # fmt: skip


def test_the_signature_is_one_number() -> None:
    expected = sum(stats.evaluations for stats in FINGERPRINT.values())
    assert run("bench", "--signature").stdout == f"{expected}\n"


@pytest.mark.parametrize(
    "option", ["--positions 9", "--against gnubg", "--quick", "--json", "--model probe"]
)
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
