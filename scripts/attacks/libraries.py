"""Libraries of strangers: SQL of their own, values of other types, texts that steer, bombs."""

import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import click

from attacks.faults import Faults
from tests.matches import MATCH5_SGF
from tests.processes import ROOT
from tests.study.library.libraries import filled

#: Seconds of a command, and bytes that a library may have more after it, that are too much.
_LONG, _GROWN = 30.0, 1_000_000
#: Rows without an end.
_ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
_STEERS = "char(27) || '[31m' || char(27) || ']0;x' || char(7) || char(155) || char(8238)"
#: What a stranger does to a library, in SQL.
_CHANGES = (
    "CREATE TRIGGER t AFTER INSERT ON match BEGIN INSERT INTO card "
    f"SELECT x, x, x, x, x, x, 1, 1 FROM ({_ENDLESS} SELECT x FROM c); END",
    f"ALTER TABLE side RENAME TO s2;\n"
    f"CREATE VIEW side AS {_ENDLESS} SELECT s2.* FROM s2 JOIN c",
    f"CREATE TRIGGER t AFTER UPDATE ON match BEGIN UPDATE side SET name = {_STEERS}; END",
    "CREATE INDEX i ON match (length / 0)",
    "CREATE TABLE more (x)",
    f"UPDATE side SET name = {_STEERS}, opponent = {_STEERS}",
    f"UPDATE error SET why = {_STEERS}, made = {_STEERS}, best = {_STEERS}",
    f"UPDATE match SET file = {_STEERS}, analysis = {_STEERS}",
    f"UPDATE match SET played = {_STEERS}",
    "UPDATE match SET played = '../../evil'",
    "UPDATE match SET played = '$\\frac{'",
    "UPDATE match SET played = x'ff'",
    "UPDATE match SET file = CAST(x'ff' AS TEXT)",
    "UPDATE match SET rules = -9223372036854775808",
    "UPDATE match SET length = 'x', games = 9e999",
    "UPDATE side SET name = x'ff00'",
    "UPDATE side SET luck = 9e999, worth = x'00', result = 'x'",
    "UPDATE sums SET error = 9e999, cost = 'x'",
    "UPDATE sums SET choices = 9223372036854775807, counted = x'01'",
    "UPDATE error SET themes = x'01'",
    "UPDATE error SET xgid = 'nothing', board = x''",
    "UPDATE error SET game = 9223372036854775807, action = -1",
    "UPDATE error SET error = 'x', cost = 9e999",
    "UPDATE kept SET settings = '[]', results = x'', transcript = 'x';\n"
    "UPDATE match SET rules = 0",
    "UPDATE kept SET results = :lists;\nUPDATE match SET rules = 0",
    "UPDATE kept SET transcript = :games;\nUPDATE match SET rules = 0",
    "UPDATE card SET state = :brackets, due = '2000-01-01'",
    "UPDATE card SET state = '{\"due\": 3}', answers = 'x', due = '2000-01-01'",
    "UPDATE card SET xgid = 'nothing', due = '2000-01-01'",
    f"UPDATE card SET note = {_STEERS}, due = '2000-01-01'",
)
_GAME = b"(;GM[6]MI[length:0][game:0][ws:0][bs:0]PW[a]PB[b];B[21lnab])\n"


def _bombs() -> dict[str, object]:
    """Return values that are small in a file, and large to those who use them."""
    lists = b"[" + b"[]," * 33_000_000 + b"[]]"
    return {
        "lists": zlib.compress(lists, 9), "games": zlib.compress(_GAME * 1_500_000, 9),
        "brackets": "[" * 2_000_000,
    }  # fmt: skip


def _commands(folder: Path) -> Iterator[tuple[str, ...]]:
    yield "study", "stats"
    yield "study", "stats", "--json"
    yield "study", "stats", "--by", "theme", "--plot", str(folder / "trend.svg")
    yield "study", "errors", "--count", "100"
    yield "study", "errors", "--json"
    for name in ("e.csv", "e.html", "e.apkg", "matches"):
        yield "study", "export", str(folder / name)
    yield "drill", "--cards", "2", "--depth", "1"
    yield "study", "add", str(MATCH5_SGF), "--depth", "1", "--workers", "1", "--again"


def _run(words: tuple[str, ...], library: Path, what: str, faults: Faults) -> float:
    """Run a command on a library, look at what it says, and return its processor seconds."""
    size, told = library.stat().st_size, f"{what}: gammon {' '.join(words[:3])}"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "gammon", *words, "--library", str(library)],
            input=b"?\n?\n", cwd=ROOT, capture_output=True, check=False, timeout=4 * _LONG,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        faults.add(f"{told} does not end")
        return 4 * _LONG
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said, errors = done.stdout.decode(), done.stderr.decode()
    if "Traceback" in errors or done.returncode not in (0, 1, 2):
        faults.add(f"{told}: exit code {done.returncode}, {errors[-300:]!r}")
    if wrong := {each for each in said + errors if not each.isprintable()} - set("\n\t\xa0"):
        faults.add(f"{told}: says {wrong}")
    if taken > _LONG or library.stat().st_size > size + _GROWN:
        faults.add(f"{told}: {taken:.1f} s, {library.stat().st_size - size:,} bytes more")
    return taken


@click.command()
@click.option("--changes", type=click.IntRange(1), default=len(_CHANGES), show_default=True)
def libraries(changes: int) -> None:
    """Use libraries of strangers with all commands that read them."""
    faults, bombs, count = Faults(), _bombs(), 0
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="libraries-") as name:
        folder = Path(name)
        good = filled(folder / "good.db")
        _run(("drill", "--cards", "2", "--depth", "1"), good, "as it was", faults)
        for number, change in enumerate(_CHANGES[:changes]):
            inside = folder / "in" / "side" / str(number)
            inside.mkdir(parents=True)
            library, slowest = Path(shutil.copy(good, inside / "l.db")), 0.0
            base = sqlite3.connect(library, isolation_level=None)
            base.create_collation("any_case", lambda one, other: (one > other) - (one < other))
            for statement in change.split(";\n"):
                used = {each: bombs[each] for each in bombs if f":{each}" in statement}
                base.execute(statement, used)
            base.close()
            what = " ".join(change.split())[:60]
            for words in _commands(inside / "out"):
                slowest = max(slowest, _run(words, library, what, faults))
                count += 1
            click.echo(f"{what:60} {slowest:5.1f} s at most")
        left = {each.name for each in (folder / "in").iterdir()} - {"side"}
        if left or any(each.is_file() for each in (folder / "in" / "side").iterdir()):
            faults.add("files were written outside the folder that was named")
    faults.end(f"{count} commands in {time.monotonic() - begun:.0f} s")
