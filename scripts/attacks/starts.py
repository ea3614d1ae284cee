"""First starts at once, homes that cannot be written, and full disks."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from attacks.faults import Faults
from attacks.programs import GAMMON, Program, start
from attacks.same import differences

_ANALYZE = ["analyze", "4HPwATDgc/ABMA", "--dice", "31", "--depth", "3", "--json"]
#: Where only little can be written to a file, in bytes.
_SMALL = f"""
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
{GAMMON}
"""


def _check(program: Program, what: str, expected: object, faults: Faults) -> None:
    """Check that a program gave the expected answer."""
    program.process.wait()
    errors = program.errors.read_text()
    if program.process.returncode or "Traceback" in errors:
        faults.add(f"{what}: exit code {program.process.returncode}, {errors[-300:]!r}")
    elif _plays(program) != expected:
        faults.add(f"{what}: another answer than elsewhere")


def _plays(program: Program) -> object:
    return json.loads(program.said.read_text())["candidates"]


def _answer(folder: Path) -> object:
    """Return the answer where nothing is wrong."""
    program = start(_ANALYZE, folder / "usual")
    if not program.ended() or program.process.returncode:
        raise click.ClickException(f"gammon fails by itself: {program.last_error()}")
    return _plays(program)


@click.command()
@click.option("--programs", type=click.IntRange(2), default=5, show_default=True)
def starts(programs: int) -> None:
    """Start several programs at once where no tables were made yet; each must answer."""
    faults = Faults()
    with tempfile.TemporaryDirectory(prefix="starts-") as place:
        folder = Path(place)
        expected = _answer(folder)
        cache = {"GAMMON_CACHE": str(folder / "cache")}
        begun = [
            start(_ANALYZE, folder / f"program-{number}", environment=cache)
            for number in range(programs)
        ]
        for number, program in enumerate(begun):
            _check(program, f"program {number}", expected, faults)
        parts = list(folder.joinpath("cache").rglob("*.part"))
        if parts:
            faults.add(f"parts of files are left: {parts[:3]}")
        again = start(_ANALYZE, folder / "again", environment=cache)
        _check(again, "a later program", expected, faults)
        if again.errors.read_text():
            faults.add(f"a later program says {again.errors.read_text()!r}")
    faults.end(f"{programs} first starts at once")


@contextmanager
def _mounted(folder: Path, options: str) -> Iterator[bool]:
    """Mount a small disk in memory, where the system lets us, and tell whether it did."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)],
        capture_output=True, check=False,
    )  # fmt: skip
    try:
        yield done.returncode == 0
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", "-l", str(folder)], check=True)


@click.command()
def disks() -> None:
    """Run where the home is read-only, and where the disk is full or becomes so."""
    faults = Faults()
    with tempfile.TemporaryDirectory(prefix="disks-") as place:
        folder = Path(place)
        expected = _answer(folder)
        _read_only_home(folder, expected, faults)
        _full_cache(folder, expected, faults)
        _full_runs(folder, faults)
    faults.end("a read-only home and full disks")


def _read_only_home(folder: Path, expected: object, faults: Faults) -> None:
    home, temporary = folder / "home", folder / "temporary"
    temporary.mkdir()
    with _mounted(home, "ro,size=64k") as mounted:
        if not mounted:
            home.chmod(0o500)
        environment = {
            "HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache"), "TMPDIR": str(temporary),
        }  # fmt: skip
        for number in range(2):
            program = start(_ANALYZE, folder / f"read-only-{number}", environment=environment)
            _check(program, "a read-only home", expected, faults)
        if program.errors.read_text():
            faults.add(f"a second start says {program.errors.read_text()!r}")
    how = "a disk that is mounted read-only" if mounted else "a folder without permission"
    click.echo(f"read-only home ({how}): tables are made once, in the temporary folder")


def _full_cache(folder: Path, expected: object, faults: Faults) -> None:
    """Let the disk of the tables be full from the first moment on."""
    cache = folder / "full"
    with _mounted(cache, "size=256k") as mounted:
        environment = {"GAMMON_CACHE": str(cache)}
        code = GAMMON if mounted else _SMALL
        program = start(_ANALYZE, folder / "full-cache", code, environment)
        _check(program, "a full disk for tables", expected, faults)
        if list(cache.rglob("*.part")):
            faults.add("a full disk keeps parts of files")
    click.echo(f"full disk for tables: {'256 kB' if mounted else 'files of 20 kB'}")


def _full_runs(folder: Path, faults: Faults) -> None:
    """Let the disk of a run become full, give it room, and let the run go on."""
    runs = {
        "match": "match depth=1 depth=1 --games 400",
        "reproduce": "reproduce ballard --quick",
        "rollout": "rollout 4HPwATDgc/ABMA --dice 31 --trials 324 --keep",
        "review": "review match5.mat --depth 1",
    }
    golden = Path(__file__).parents[2] / "tests/golden/matches/match5.mat"
    shutil.copy(golden, folder)
    for name, arguments in runs.items():
        whole, small = folder / f"{name}-whole", folder / f"{name}-small"
        words = arguments.replace("match5.mat", str(folder / "match5.mat")).split()
        start([*words, "--out", str(whole)], folder / f"{name}-1").process.wait()
        with _mounted(small, "size=36k") as mounted:
            out = small / "run"
            code = GAMMON if mounted else _SMALL
            program = start([*words, "--out", str(out)], folder / f"{name}-2", code)
            program.process.wait()
            errors = program.errors.read_text()
            if program.process.returncode != 1 or "cannot be written" not in errors:
                faults.add(f"{name} on a full disk: {program.process.returncode}, {errors!r}")
            if errors.count("\n") != 1:
                faults.add(f"{name} on a full disk says {errors!r}")
            kept = sum(path.stat().st_size for path in out.rglob("*.jsonl"))
            if mounted:
                subprocess.run(["mount", "-o", "remount,size=64m", str(small)], check=True)
            again = start([*words, "--out", str(out)], folder / f"{name}-3")
            again.process.wait()
            if again.process.returncode:
                faults.add(f"{name} does not go on: {again.errors.read_text()!r}")
            for each in differences(whole, out):
                faults.add(f"{name}: {each} is not that of an undisturbed run")
        how = "a disk of 36 kB" if mounted else "files of 20 kB"
        click.echo(f"{name}: {how}, {kept:,} bytes of results were kept, and it went on")
