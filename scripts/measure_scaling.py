"""Measure the cost of a unit of work on a Dask cluster, and work out larger clusters from it.

    python scripts/measure_scaling.py --out runs/scaling

A scheduler and 1, 2 and 4 workers run on this machine, and the commands' own functions give
them work: units that do nothing, rollouts, and games of a match. The report has, for each unit,
the processor time of every process, the bytes that went each way, and whether the results are
those of one process. Then a worker is killed at work, and another one falls silent. The rest is
the cost of games by depth, of a first start and of memory; `scaling_report.py` works out larger
clusters. A measurement that is done is kept in the folder, and is not made again.

The figures are processor time, which depends less than the time by the clock on what else the
machine does. Linux only.
"""

import json
import os
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from scaling_report import report_of

from gammon.base.folder import run_folder
from gammon.base.parallel import HERE, Pool, run_units
from gammon.base.store import Unit
from gammon.base.workers import in_processes
from gammon.commands.group import OneLine
from gammon.commands.process import watch_signals
from gammon.commands.shared import out_option
from gammon.engine.block import play_block
from gammon.engine.rollout import rollout
from gammon.eval.model_file import network_id
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.match.match import MatchSettings, run_match
from gammon.match.player import parse_player
from gammon.match.result import Numbers, result_of
from gammon.rules.terms import Score
from gammon_lab.commands.reporting import show_report
from gammon_study.match_files.match_file import read_transcript
from gammon_study.reviews.task import review_facts, review_unit, units_of

if TYPE_CHECKING:
    from distributed import Client

#: Where TCP_INFO has the bytes that were sent and acknowledged, and those that came.
_BYTES_AT, _INFO_SIZE = 120, 136
#: Seconds without a word from a worker, after which the scheduler of the test gives it up.
_SILENCE = 60.0
#: Workers of the measured clusters; 0: no cluster, this process alone.
_WORKERS = (0, 1, 2, 4)
#: The players of noisy games by depth, against depth 1 with the same errors, and the games.
_GAMES = {"depth=1": 200, "depth=3": 60, "depth=5": 12, "depth=7,filter=normal": 4}
_MATCH = Path(__file__).parents[1] / "tests/golden/matches/match5.mat"
#: The work of workers whose memory is measured: its kind, depth and model.
_MEMORY = (
    ("rollout", 1, "leaf"),
    ("rollout", 3, "leaf"),
    ("rollout", 5, "leaf"),
    ("rollout", 5, "large"),
    ("review", 3, "leaf"),
    ("review", 5, "leaf"),
    ("review", 7, "leaf"),
    ("review", 7, "large"),
)
#: How the opening book rolls out, and what: see `gammon_lab.experiments.openings`.
_BOOK: dict[str, Any] = {"depth": 3, "cube_depth": 1, "move_filter": "tiny", "truncate": 12, "model": "large"}
_BOOK_PLAYS = ("24/23 13/11", "13/11 6/5")

#: Called while the work's last result is in hand, and the connections are still open.
OnEnd = Callable[[], None]


def idle_units(
    pool: Pool, folder: Path, count: int, at_end: OnEnd, task: Callable[[Unit], Any] = dict
) -> Any:
    """Run units that do nothing, and return the results."""
    units: list[Unit] = [{"number": number} for number in range(count)]

    def on_done(done: int, total: int) -> None:
        if done == total:
            at_end()

    return run_units(task, units, folder / "units.jsonl", pool, on_done)


def rolled_units(pool: Pool, folder: Path, count: int, at_end: OnEnd) -> Any:
    """Roll the opening out, 36 games a unit, and return the result."""
    found = rollout(
        Position.opening(),
        trials=36 * count,
        cubeless=True,
        out=folder,
        scheduler=pool.scheduler,
        on_result=lambda at: at_end() if at.whole else None,
    )
    (only,) = found.candidates
    return [only.equity, only.error, *only.probabilities]


def large_units(pool: Pool, folder: Path, count: int, at_end: OnEnd) -> Any:
    """Run units that do nothing but return as much as 100 games of a match are."""
    return idle_units(pool, folder, count, at_end, long_text)


def long_text(unit: Unit) -> str:
    """Return a text of 120,000 letters, another one for each unit."""
    return f"{unit['number']:06}" * 20_000


#: Kinds of work: its function, and the units that are measured.
WORK = {
    "nothing": (idle_units, 500),
    "nothing, 120 kB back": (large_units, 100),
    "36 games of a rollout": (rolled_units, 24),
}


@contextmanager
def cluster(workers: int) -> Iterator[tuple["Client", str, list[int]]]:
    """Run a scheduler and workers on this machine, each of them a process.

    Yields:
        A client, the scheduler's address, and the process IDs: the scheduler's, then those of
        the workers.
    """
    from distributed import Client
    from distributed.deploy.subprocess import SubprocessCluster

    with (
        SubprocessCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            worker_class="distributed.Worker",
            worker_kwargs={"dashboard": False},
        ) as made,
        Client(made) as client,  # type: ignore[no-untyped-call]
    ):
        client.wait_for_workers(workers, timeout=120)
        pids = [client.run_on_scheduler(os.getpid), *client.run(os.getpid).values()]
        yield client, made.scheduler_address, pids


def traffic() -> tuple[int, int]:
    """Return the bytes that this process sent and received by the connections it has now."""
    sent = received = 0
    for path in Path("/proc/self/fd").iterdir():
        if not path.is_socket():
            continue
        with suppress(OSError), socket.socket(fileno=os.dup(int(path.name))) as each:
            info = each.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_SIZE)
            out, back = struct.unpack_from("QQ", info, _BYTES_AT)
            sent, received = sent + out, received + back
    return sent, received


def memory(pid: int | str, name: str) -> float:
    """Return a process's memory in MB: the most it ever had (VmHWM), or has now (VmRSS)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.rpartition(f"{name}:")[2].split()[0]) / 1024


def _busy(pids: Sequence[int]) -> list[float]:
    """Return the seconds of processor time that processes have used."""
    found = []
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        found.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return found


def measure_units(unit: Unit) -> dict[str, Any]:
    """Do one kind of work with some workers, the second time measured."""
    (work, count), workers = WORK[unit["work"]], unit["workers"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        work(HERE, folder / "warm", 1, lambda: None)
        if not workers:
            begun, started = time.perf_counter(), time.process_time()
            result = work(HERE, folder / "here", count, lambda: None)
            used = [1e3 * (time.process_time() - started) / count]
            return {
                "wall": 1e3 * (time.perf_counter() - begun) / count,
                "busy": used,
                "result": _digest(result),
                "stored": _stored(folder / "here") / count,
            }
        with cluster(workers) as (client, address, pids):
            pool = Pool(scheduler=address)
            work(pool, folder / "start", workers, lambda: None)
            own = os.getpid(), *pids
            ends: list[tuple[int, int]] = []
            begun, before = time.perf_counter(), _busy(own)
            here, there = traffic(), client.run(traffic)
            size = memory(pids[0], "VmRSS")
            result = work(pool, folder / "cluster", count, lambda: ends.append(traffic()))
            after = client.run(traffic)
            used = [b - a for a, b in zip(before, _busy(own), strict=True)]
            each = [(after[name], there[name]) for name in there]
            return {
                "wall": 1e3 * (time.perf_counter() - begun) / count,
                "busy": [1e3 * t / count for t in (used[0], used[1], sum(used[2:]))],
                "client": [(b - a) / count for a, b in zip(here, ends[-1], strict=True)],
                "workers": [sum(b[n] - a[n] for b, a in each) / count for n in (0, 1)],
                "scheduler_mb": memory(pids[0], "VmRSS") - size,
                "peak_mb": max(memory(pid, "VmHWM") for pid in pids[1:]),
                "result": _digest(result),
            }


def _digest(result: Any) -> str:
    return f"{zlib.crc32(json.dumps(result).encode()):08x}"


def _stored(folder: Path) -> int:
    return (folder / "units.jsonl").stat().st_size


def measure_loss(unit: Unit) -> dict[str, Any]:
    """Lose one of two workers at work, killed or silent; see what becomes of its units.

    A silent one is stopped, and its connections stay open.
    """
    silent = unit["lost"] == "silent"
    if silent:
        os.environ["DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL"] = f"{_SILENCE}s"
    with tempfile.TemporaryDirectory() as name, cluster(2) as (_, address, pids):
        folder, lost = Path(name), pids[-1]
        rollout(Position.opening(), (2, 1), _BOOK_PLAYS, trials=36 * 8, out=folder, drop=False, **_BOOK)
        lines = [json.loads(line) for line in _lines(folder)]
        left: list[float] = []

        def on_done(done: int, total: int) -> None:
            if done == 3 and not left:
                left.append(time.time())
                os.kill(lost, signal.SIGSTOP if silent else signal.SIGKILL)

        try:
            found = run_units(
                partial(marked_block, name),
                [line["unit"] for line in lines],
                folder / "cluster.jsonl",
                Pool(scheduler=address),
                on_done,
            )
        finally:
            with suppress(ProcessLookupError):
                os.kill(lost, signal.SIGKILL)
        begun = {int(path.name.split("-")[0]) for path in folder.glob(f"*-{lost}")}
        again = [
            each
            for line, each in zip(lines, found, strict=True)
            if line["unit"]["first"] in begun and each["pid"] != lost and each["end"] > left[0]
        ]
        return {
            "again": len(again),
            "seconds": max((each["end"] for each in again), default=left[0]) - left[0],
            "unit": statistics.median(each["took"] for each in found),
            "same": [each["found"] for each in found] == [line["result"] for line in lines],
        }


def _lines(folder: Path) -> list[str]:
    return (folder / "units.jsonl").read_text().splitlines()


def marked_block(folder: str, unit: Unit) -> dict[str, Any]:
    """Play a rollout's unit, and leave a file that says which process began it."""
    Path(folder, f"{unit['first']}-{os.getpid()}").touch()
    begun = time.time()
    found = play_block(unit)
    end = time.time()
    return {"pid": os.getpid(), "end": end, "took": end - begun, "found": found}


def measure_games(unit: Unit) -> dict[str, Any]:
    """Play noisy games of a depth against depth 1; or roll out as the opening book does."""
    with tempfile.TemporaryDirectory() as name:
        if unit["player"] == "book":
            asked = Position.opening(), (2, 1), _BOOK_PLAYS
            rollout(*asked, trials=36, **_BOOK)
            begun = time.process_time()
            games = rollout(*asked, trials=108, drop=False, **_BOOK).games
            return {"seconds": (time.process_time() - begun) / games, "games": games}
        games, player = _GAMES[unit["player"]], f"{unit['player']},noise=0.03"
        other = parse_player("depth=1,noise=0.03")
        players = parse_player(player), other
        run_match(MatchSettings(other, other, 4, Path(name, "warm"), 9))
        begun = time.process_time()
        result, _ = run_match(MatchSettings(*players, games, Path(name, "games"), 1))
        seconds = (time.process_time() - begun) / games
        sd = result.adjusted.error * games**0.5
        return {"seconds": seconds, "games": games, "sd": sd}


def measure_counting(unit: Unit) -> dict[str, Any]:
    """Count games as a match does after each of its units."""
    games = unit["count"]
    with tempfile.TemporaryDirectory() as name:
        players = (parse_player("depth=1"), parse_player("depth=1,noise=0.03"))
        run_match(MatchSettings(*players, 100, Path(name)))
        lines = Path(name, "games.jsonl").read_text().splitlines()
    one = Numbers.of([json.loads(line) for line in lines])
    *before, last = (one._replace(match=one.match + first) for first in range(0, games + 100, 100))
    counted = Numbers.joined(before)
    begun = time.process_time()
    for _ in range(5):
        result_of(Numbers.joined([counted, last]), Score(live=False))
    return {"seconds": (time.process_time() - begun) / (5 * games)}


def measure_start(unit: Unit) -> dict[str, Any]:
    """Start a rollout in an empty folder of compiled code, and again."""
    del unit
    import resource

    arguments = ("rollout", "4HPwATDgc/ABMA", "--dice", "21", "--trials", "36", "--depth", "3")
    found = []
    with tempfile.TemporaryDirectory() as name:
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                [sys.executable, "-m", "gammon", *arguments],
                check=True,
                capture_output=True,
                env={**os.environ, "GAMMON_CACHE": name},
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            found.append(used)
    return {"first": found[0], "again": found[-1]}


def measure_memory(unit: Unit) -> dict[str, Any]:
    """Let a worker process do one unit, and say the most memory that it had."""
    ((_, found),) = in_processes(memory_of, [unit], 1)
    return {"mb": found}


def memory_of(unit: Unit) -> float:
    """Do some of a rollout or a review, and return this process's largest memory, in MB."""
    kind, depth, model = unit["memory"], unit["depth"], unit["model"]
    if kind == "rollout":
        rollout(
            Position.opening(),
            (2, 1),
            _BOOK_PLAYS,
            trials=36,
            truncate=6,
            depth=depth,
            model=model,
            move_filter="tiny" if depth > 3 else None,
        )
    else:
        facts = review_facts(depth, model, read_met())
        for each in units_of(read_transcript(_MATCH).games, facts)[:2]:
            review_unit(each)
    return memory("self", "VmHWM")


#: The measured tasks, by the word that a unit of each has.
MEASURES = {
    "work": measure_units,
    "lost": measure_loss,
    "player": measure_games,
    "count": measure_counting,
    "start": measure_start,
    "memory": measure_memory,
}


def measure(unit: Unit) -> dict[str, Any]:
    """Make one of the measurements."""
    return next(MEASURES[word] for word in MEASURES if word in unit)(unit)


def all_units() -> list[Unit]:
    """Return the measurements, in their order."""
    units: list[Unit] = [{"work": name, "workers": n} for name in WORK for n in _WORKERS]
    units += [{"lost": how} for how in ("killed", "silent")]
    units += [{"player": player} for player in (*_GAMES, "book")]
    units += [{"count": 10_000}, {"start": "first"}]
    names = "memory", "depth", "model"
    return [*units, *(dict(zip(names, each, strict=True)) for each in _MEMORY)]


def _key(unit: Unit) -> tuple[Any, ...]:
    return tuple(unit.values())


@click.command(cls=OneLine)
@out_option()
def main(out: Path) -> None:
    """Measure, and write the report."""
    watch_signals()
    units = all_units()
    with run_folder(out, "a measurement of scaling", {"networks": network_id("leaf")}):
        results = run_units(
            measure,
            units,
            out / "units.jsonl",
            on_done=lambda done, total: click.echo(f"{done} of {total}", err=True),
        )
        found = dict(zip(map(_key, units), results, strict=True))
        show_report(report_of(found), out, "python scripts/measure_scaling.py")


if __name__ == "__main__":
    main()
