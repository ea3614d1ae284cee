"""Units of work: any number of workers, interrupted or not, the same results."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from gammon.base import parallel
from gammon.base.errors import GammonError, SettingError, UnfinishedError
from gammon.base.parallel import Pool, run_units, unit_results
from gammon.base.stop import Stop
from gammon.base.store import Unit

UNITS: list[Unit] = [{"number": n, "seed": 7} for n in range(12)]


def cube(unit: Unit) -> dict[str, float]:
    return {"cube": unit["number"] ** 3 / 3, "seed": unit["seed"]}


def never(unit: Unit) -> None:
    raise AssertionError(f"{unit} was done already")


EXPECTED = [cube(unit) for unit in UNITS]


@pytest.mark.parametrize("scheduler", [5, "", b"tcp://10.0.0.1:8786", True])
def test_a_scheduler_is_an_address(scheduler: object) -> None:
    with pytest.raises(SettingError, match=r"scheduler .*: expected the address of one"):
        Pool(scheduler=scheduler)  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_are_in_order(workers: int, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    store = tmp_path / "deep" / "units.jsonl"
    found = run_units(cube, UNITS, store, Pool(workers), lambda *counts: seen.append(counts))
    assert found == EXPECTED
    assert seen == [(done, 12) for done in range(13)]
    assert run_units(never, UNITS, store, Pool(workers)) == EXPECTED


@pytest.mark.smoke
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    store = tmp_path / "units.jsonl"
    run_units(cube, UNITS, store)
    whole = store.read_text()
    for length in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        store.write_text(whole[:length])  # what is on disk when the power goes
        asked: list[Unit] = []

        def counted(unit: Unit, asked: list[Unit] = asked) -> dict[str, float]:
            asked.append(unit)
            return cube(unit)

        assert run_units(counted, UNITS, store) == EXPECTED
        kept = sum(len(prefix) <= length for prefix in _prefixes(whole))
        assert len(asked) == len(UNITS) - kept
        assert run_units(never, UNITS, store) == EXPECTED


def _prefixes(whole: str) -> list[str]:
    lines = whole.splitlines()
    return ["\n".join(lines[: n + 1]) for n in range(len(lines))]


def test_other_settings_are_other_units(tmp_path: Path) -> None:
    store = tmp_path / "units.jsonl"
    run_units(cube, UNITS, store)
    other = [{**unit, "seed": 8} for unit in UNITS]
    assert run_units(cube, other, store) == [cube(unit) for unit in other]
    assert len([json.loads(line) for line in store.read_text().splitlines()]) == 24


def slow_cube(unit: Unit) -> dict[str, float]:
    time.sleep(0.2)
    return cube(unit)


def test_a_cluster_loses_nothing_with_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real scheduler and two workers on loopback, one of which is killed meanwhile."""
    distributed = pytest.importorskip("distributed")
    psutil = pytest.importorskip("psutil")
    address_file = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    worker = [
        "dask_worker",
        "--nworkers",
        "1",
        "--nthreads",
        "1",
        "--no-nanny",
        "--no-dashboard",
    ]
    where = ["--scheduler-file", str(address_file)]
    started = []
    try:
        for name, *options in (scheduler, worker, worker):
            program = [*dask[:2], f"{dask[2]}.{name}", *options, *where]
            started.append(subprocess.Popen(program, cwd=tmp_path, env=here, **quiet))
            for _ in range(1200):
                if address_file.exists():
                    break
                time.sleep(0.1)
        address = json.loads(address_file.read_text())["address"]
        with distributed.Client(address) as client:
            client.wait_for_workers(2, timeout=300)
        monkeypatch.setattr(parallel, "_CONNECT_SECONDS", 60.0)
        stop, pool = Stop(3600.0), Pool(scheduler=address)
        with closing(unit_results(slow_cube, UNITS, pool, stop)) as results:
            assert next(results)[1] in EXPECTED
            stop.set()
            with pytest.raises(UnfinishedError):
                list(results)
        with pytest.raises(UnfinishedError):
            list(unit_results(never, UNITS, pool, stop))
        late = Stop(3600.0)
        for _ in unit_results(cube, UNITS[:1], pool, late):
            late.set()  # when nothing is left to do
        killed, listening = [], []

        def on_done(done: int, total: int) -> None:
            if done == 3 and not killed:
                started[-1].send_signal(signal.SIGKILL)
                killed.append(done)
                listening.extend(
                    socket
                    for socket in psutil.Process().net_connections()
                    if socket.status == psutil.CONN_LISTEN
                )

        found = run_units(
            slow_cube, UNITS, tmp_path / "units.jsonl", Pool(scheduler=address), on_done
        )
        assert killed
        assert found == EXPECTED
        assert listening == [], "the program itself only calls the scheduler"

        def end_scheduler(done: int, total: int) -> None:
            if done == 3:
                started[0].send_signal(signal.SIGKILL)

        monkeypatch.setattr(parallel, "_CONNECT_SECONDS", 4.0)
        store = tmp_path / "lost.jsonl"
        with pytest.raises(GammonError, match=r"scheduler .* was lost"):
            run_units(slow_cube, UNITS, store, Pool(scheduler=address), end_scheduler)
        assert run_units(cube, UNITS, store) == EXPECTED
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_no_scheduler_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_CONNECT_SECONDS", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(GammonError, match="scheduler"):
            run_units(cube, UNITS, tmp_path / "units.jsonl", Pool(scheduler=address))


def until_told(unit: Unit, stop: Stop) -> dict[str, float]:
    """Take for ever, but for the first unit."""
    while unit["number"] and not stop.is_set():
        time.sleep(0.01)
    return cube(unit)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stop_ends_the_unit_under_way_and_keeps_nothing_of_it(
    workers: int, tmp_path: Path
) -> None:
    stop, store = Stop(3600.0), tmp_path / "units.jsonl"

    def first_is_done(done: int, total: int) -> None:
        if done == 1:
            stop.set()

    with pytest.raises(UnfinishedError):
        run_units(until_told, UNITS, store, Pool(workers), first_is_done, stop=stop)
    assert len(store.read_text().splitlines()) == 1
    with pytest.raises(UnfinishedError):
        run_units(until_told, UNITS, store, Pool(workers), stop=Stop(0.1))
    assert len(store.read_text().splitlines()) == 1
    assert run_units(cube, UNITS, store) == EXPECTED
