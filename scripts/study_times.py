"""Measure how long a library of many matches takes to answer, and the size of its file.

It copies the matches of a library under other names until there are enough, and queries the copy:

    gammon match strength=6 strength=10 --length 7 --games 500 --out sevens --mat
    gammon study add sevens/matches --library sevens.db --workers 2
    python scripts/study_times.py sevens.db 500
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from gammon_study.library.library import Library
from gammon_study.library.selection import Selection
from gammon_study.library.stats import groups_of, largest_errors, trend_of
from gammon_study.reviews.names import GROUPS

#: The number of times that each answer is timed; the first and the least time are printed.
TIMES = 5
#: Filters, some of which match nothing, so that all errors are read.
FILTERS = (
    Selection(),
    Selection(player="me"),
    Selection(theme="back game"),
    Selection(kind="cube", least=0.1),
    Selection(phase="race"),
    Selection(score="3-5"),
    Selection(board="6=2+ o20=2 bar=1"),
    Selection(theme="prime", phase="opening", score="7-7", board="24=15"),
    Selection(since="2030"),
    Selection(player="me", opponent="other 7", theme="blitz", most=0.05),
)


def fill(source: Path, path: Path, wanted: int) -> None:
    """Copy matches of a library under other names until there are `wanted` matches."""
    tables = "kept", "side", "sums", "error"
    with Library(source) as old, Library(path, make=True) as new:
        matches = old.ask("SELECT * FROM match")
        rows = {
            match["id"]: {
                table: old.ask(f"SELECT * FROM {table} WHERE match = ?", [match["id"]]) for table in tables
            }
            for match in matches
        }
        for number in range(wanted):
            match = dict(matches[number % len(matches)])
            entries = rows[match.pop("id")]
            day = f"{2021 + number // 100}-{number // 9 % 12 + 1:02}-{number % 28 + 1:02}"
            match |= {"digest": f"{number}", "played": day}
            names = ["me", f"other {number % 20}"]
            copies = {
                table: [{k: v for k, v in row.items() if k != "match"} for row in entries[table]]
                for table in tables
            }
            for side in copies["side"]:
                side |= {"name": names[side["side"]], "opponent": names[1 - side["side"]]}
            with new.writing():
                key = new._insert("match", match)
                new._fill(key, copies)


def timed(ask: Callable[[], Any]) -> str:
    """Return the time of the first answer, and the least time of several."""
    times = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        ask()
        times.append(time.perf_counter() - begun)
    return f"first {times[0]:.3f} s, least {min(times):.3f} s"


def main(source: str, wanted: int) -> None:
    """Fill a library, query it, and print the times."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.db"
        fill(Path(source), path, wanted)
        with Library(path) as library:
            ((count,),) = (row.values() for row in library.ask("SELECT COUNT(*) FROM error"))
            size = path.stat().st_size / 1e6
            print(f"{wanted} matches, {count} errors, {size:.1f} MB")
            for by in GROUPS:
                print(f"stats by {by}: {timed(partial(groups_of, library, Selection(), by))}")
            print(f"trend: {timed(partial(trend_of, library, Selection(player='me')))}")
            for selection in FILTERS:
                filters = {k: v for k, v in selection.__dict__.items() if v is not None}
                print(f"errors {filters}: {timed(partial(largest_errors, library, selection, 10))}")
        for words in (["stats"], ["stats", "--by", "theme"], ["errors", "--theme", "prime"]):
            call = [sys.executable, "-m", "gammon", "study", *words, "--library", str(path)]
            times = timed(partial(subprocess.run, call, check=True, stdout=subprocess.DEVNULL))
            print(f"gammon study {' '.join(words)}, with the start of the program: {times}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
