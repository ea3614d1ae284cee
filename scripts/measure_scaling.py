"""Measure the cost of a unit of work on a Dask cluster, and extrapolate to larger clusters.

    python scripts/measure_scaling.py --out runs/scaling

A scheduler and 1, 2 and 4 workers run on this machine, and the commands' own functions give
them work: units that do nothing, rollouts, and games of a match. For each unit the report has the
processor time of every process, the bytes sent in each direction, and whether the results equal the
results of one process. Then a worker is killed at work, and another one stops responding. The
remaining measurements are the cost of games by depth, of a first start and of memory;
`scaling_report.py` computes larger clusters. The folder keeps finished measurements, which are not
made again.

The figures are processor time, which depends less than elapsed time on other work of the machine.
Linux only.
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
from gammon.base.parallel import HERE, Pool, in_processes, run_units
from gammon.base.store import Unit
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

#: The offset in TCP_INFO of the bytes sent and acknowledged, and of the bytes received.
_BYTES_AT, _INFO_SIZE = 120, 136
#: Seconds of silence after which the scheduler of the test gives up a worker.
_SILENCE = 60.0
#: Workers of the measured clusters; 0 means this process alone, without a cluster.
_WORKERS = (0, 1, 2, 4)
#: The number of games by player, with noise, against depth 1 with the same noise.
_GAMES = {"depth=1": 200, "depth=3": 60, "depth=5": 12, "depth=7,filter=normal": 4}
_MATCH = Path(__file__).parents[1] / "tests/golden/matches/match5.mat"
#: Work for the measurement of memory: its kind, depth and model.
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
#: The settings and plays of a rollout of the opening book: see `gammon_lab.experiments.openings`.
_BOOK: dict[str, Any] = {"depth": 3, "cube_depth": 1, "move_filter": "tiny", "truncate": 12, "model": "large"}
_BOOK_PLAYS = ("24/23 13/11", "13/11 6/5")

#: Called after the last result of the work, while the connections are still open.
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
    """Roll out the opening with 36 games a unit, and return the result."""
    analysis = rollout(
        Position.opening(),
        trials=36 * count,
        cubeless=True,
        out=folder,
        scheduler=pool.scheduler,
        on_result=lambda at: at_end() if at.complete else None,
    )
    (only,) = analysis.candidates
    return [only.equity, only.error, *only.probabilities]


def large_units(pool: Pool, folder: Path, count: int, at_end: OnEnd) -> Any:
    """Run units that only return as many bytes as 100 games of a match have."""
    return idle_units(pool, folder, count, at_end, long_text)


def long_text(unit: Unit) -> str:
    """Return a text of 120,000 letters, different for each unit."""
    return f"{unit['number']:06}" * 20_000


#: The kinds of work: their functions and numbers of units.
WORK = {
    "nothing": (idle_units, 500),
    "nothing, 120 kB back": (large_units, 100),
    "36 games of a rollout": (rolled_units, 24),
}


@contextmanager
def cluster(workers: int) -> Iterator[tuple["Client", str, list[int]]]:
    """Run a scheduler and workers on this machine, each in a process of its own.

    Yields:
        A client, the scheduler's address, and the process IDs: the scheduler's, then the
        workers'.
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
        ) as running,
        Client(running) as client,  # type: ignore[no-untyped-call]
    ):
        client.wait_for_workers(workers, timeout=120)
        pids = [client.run_on_scheduler(os.getpid), *client.run(os.getpid).values()]
        yield client, running.scheduler_address, pids


def traffic() -> tuple[int, int]:
    """Return the bytes that this process sent and received over its open connections."""
    sent = received = 0
    for path in Path("/proc/self/fd").iterdir():
        if not path.is_socket():
            continue
        with suppress(OSError), socket.socket(fileno=os.dup(int(path.name))) as connection:
            info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_SIZE)
            out, back = struct.unpack_from("QQ", info, _BYTES_AT)
            sent, received = sent + out, received + back
    return sent, received


def memory(pid: int | str, name: str) -> float:
    """Return a process's memory in MB: its peak (VmHWM), or its current size (VmRSS)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.rpartition(f"{name}:")[2].split()[0]) / 1024


def _busy(pids: Sequence[int]) -> list[float]:
    """Return the processor time that each process has used, in seconds."""
    seconds = []
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        seconds.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return seconds


def measure_units(unit: Unit) -> dict[str, Any]:
    """Do one kind of work with some workers twice, and measure the second time."""
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
            sent_before, traffic_before = traffic(), client.run(traffic)
            size = memory(pids[0], "VmRSS")
            result = work(pool, folder / "cluster", count, lambda: ends.append(traffic()))
            after = client.run(traffic)
            used = [b - a for a, b in zip(before, _busy(own), strict=True)]
            pairs_of_traffic = [(after[name], traffic_before[name]) for name in traffic_before]
            return {
                "wall": 1e3 * (time.perf_counter() - begun) / count,
                "busy": [1e3 * t / count for t in (used[0], used[1], sum(used[2:]))],
                "client": [(b - a) / count for a, b in zip(sent_before, ends[-1], strict=True)],
                "workers": [sum(b[n] - a[n] for b, a in pairs_of_traffic) / count for n in (0, 1)],
                "scheduler_mb": memory(pids[0], "VmRSS") - size,
                "peak_mb": max(memory(pid, "VmHWM") for pid in pids[1:]),
                "result": _digest(result),
            }


def _digest(result: Any) -> str:
    return f"{zlib.crc32(json.dumps(result).encode()):08x}"


def _stored(folder: Path) -> int:
    return (folder / "units.jsonl").stat().st_size


def measure_loss(unit: Unit) -> dict[str, Any]:
    """Lose one of two workers at work, killed or silent; return what happens to its units.

    A silent worker is stopped, but its connections stay open.
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
            results = run_units(
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
            result
            for line, result in zip(lines, results, strict=True)
            if line["unit"]["first"] in begun and result["pid"] != lost and result["end"] > left[0]
        ]
        return {
            "again": len(again),
            "seconds": max((result["end"] for result in again), default=left[0]) - left[0],
            "unit": statistics.median(result["took"] for result in results),
            "same": [result["found"] for result in results] == [line["result"] for line in lines],
        }


def _lines(folder: Path) -> list[str]:
    return (folder / "units.jsonl").read_text().splitlines()


def marked_block(folder: str, unit: Unit) -> dict[str, Any]:
    """Play a rollout's unit, and leave a file named after the process that began it."""
    Path(folder, f"{unit['first']}-{os.getpid()}").touch()
    begun = time.time()
    played = play_block(unit)
    end = time.time()
    return {"pid": os.getpid(), "end": end, "took": end - begun, "found": played}


def measure_games(unit: Unit) -> dict[str, Any]:
    """Play noisy games of a depth against depth 1, or a rollout of the opening book."""
    with tempfile.TemporaryDirectory() as name:
        if unit["player"] == "book":
            question = Position.opening(), (2, 1), _BOOK_PLAYS
            rollout(*question, trials=36, **_BOOK)
            begun = time.process_time()
            games = rollout(*question, trials=108, drop=False, **_BOOK).games
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
    """Measure the time to count games, which a match does after each unit."""
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
    """Measure a rollout with an empty folder for compiled code, and again with a full one."""
    del unit
    import resource

    arguments = ("rollout", "4HPwATDgc/ABMA", "--dice", "21", "--trials", "36", "--depth", "3")
    seconds = []
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
            seconds.append(used)
    return {"first": seconds[0], "again": seconds[-1]}


def measure_memory(unit: Unit) -> dict[str, Any]:
    """Let a worker process do one unit, and return its peak memory."""
    ((_, megabytes),) = in_processes(memory_of, [unit], 1)
    return {"mb": megabytes}


def memory_of(unit: Unit) -> float:
    """Do part of a rollout or a review, and return the peak memory of this process in MB."""
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
        for work in units_of(read_transcript(_MATCH).games, facts)[:2]:
            review_unit(work)
    return memory("self", "VmHWM")


#: The measurements, by the entry that identifies their units.
MEASURES = {
    "work": measure_units,
    "lost": measure_loss,
    "player": measure_games,
    "count": measure_counting,
    "start": measure_start,
    "memory": measure_memory,
}


def measure(unit: Unit) -> dict[str, Any]:
    """Make the measurement of a unit."""
    return next(MEASURES[word] for word in MEASURES if word in unit)(unit)


def all_units() -> list[Unit]:
    """Return the measurements, in their order."""
    units: list[Unit] = [{"work": name, "workers": n} for name in WORK for n in _WORKERS]
    units += [{"lost": how} for how in ("killed", "silent")]
    units += [{"player": player} for player in (*_GAMES, "book")]
    units += [{"count": 10_000}, {"start": "first"}]
    names = "memory", "depth", "model"
    return [*units, *(dict(zip(names, values, strict=True)) for values in _MEMORY)]


def _key(unit: Unit) -> tuple[Any, ...]:
    return tuple(unit.values())


@click.command(cls=OneLine)
@out_option()
def main(out: Path) -> None:
    """Make all measurements, and write the report."""
    watch_signals()
    units = all_units()
    with run_folder(out, "a measurement of scaling", {"networks": network_id("leaf")}):
        results = run_units(
            measure,
            units,
            out / "units.jsonl",
            on_done=lambda done, total: click.echo(f"{done} of {total}", err=True),
        )
        by_unit = dict(zip(map(_key, units), results, strict=True))
        show_report(report_of(by_unit), out, "python scripts/measure_scaling.py")


if __name__ == "__main__":
    main()
