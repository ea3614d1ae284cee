"""Units of work: interrupted or not the same results, in a file whose damage is noticed."""

import json
import os
import signal
import subprocess
import sys
import time
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gammon.base import parallel
from gammon.base.errors import GammonError, SettingError, UnfinishedError
from gammon.base.parallel import Pool, run_units, unit_results
from gammon.base.stop import Stop
from gammon.base.store import Store, Unit, are_numbers, key_of
from tests.boards import NOT_NUMBERS
from tests.damage import damages
from tests.processes import cube, never, printed, slow_cube, until_told

# Results in a file: damage is noticed, whatever it is.

UNITS: list[Unit] = [{"number": n, "seed": 7} for n in range(6)]
EXPECTED = [{"third": n / 3} for n in range(6)]


def third(unit: Unit) -> dict[str, float]:
    return {"third": unit["number"] / 3}


def stored(path: Path) -> dict[str, Any]:
    return Store(path, UNITS, lambda unit, result: True).results


def test_a_line_is_json_with_a_checksum(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "units.jsonl"
    Store(path, UNITS, lambda unit, result: True).add(UNITS[1], {"third": 1 / 3})
    (line,) = path.read_text().splitlines()
    body = '{"unit": {"number": 1, "seed": 7}, "result": {"third": 0.3333333333333333}}'
    assert json.loads(line) == {"crc32": f"{zlib.crc32(body.encode()):08x}"} | json.loads(body)
    assert stored(path) == {key_of(UNITS[1]): {"third": 1 / 3}}


@pytest.mark.smoke
def test_flipped_bits_and_cuts_are_noticed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "units.jsonl"
    run_units(third, UNITS, path)
    whole = path.read_bytes()
    for damaged in damages(whole, 60):
        path.write_bytes(damaged.data)
        caplog.clear()
        assert run_units(third, UNITS, path) == EXPECTED
        place = damaged.place
        between = place == 0 or b"\n" in whole[place - 1 : place + 1]
        assert ("damaged" in caplog.text) == (damaged.flipped or not between)
        caplog.clear()
        assert run_units(third, UNITS, path) == EXPECTED
        assert caplog.text == "", "the file is mended"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\xff\xfe",
        b"null",
        b"[]",
        b'{"unit": {"number": 0, "seed": 7}, "result": 5}',
        b'{"crc32": "00000000", "unit": {"number": 0, "seed": 7}, "result": 5}',
        b"[" * 100_000,
        b"1" * 5000,
    ],
    ids=lambda line: repr(line[:20]),
)
def test_odd_lines_are_damaged(line: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "units.jsonl"
    path.write_bytes(line + b"\n")
    assert stored(path) == {}
    assert "1 damaged line is left out" in caplog.text
    assert path.read_bytes() == b""


@pytest.mark.parametrize(
    "rest",
    [
        b'"result": 5}',
        b'"unit": 5}',
        b'"unit": ' + b"[" * 100_000 + b"}",
        b"}",
        b'"unit": {"number": 0, "seed": 7}, "result": ' + b"9" * 5000 + b"}",
    ],
    ids=lambda rest: repr(rest[:20]),
)
def test_odd_lines_with_a_right_checksum_are_damaged(rest: bytes, tmp_path: Path) -> None:
    path = tmp_path / "units.jsonl"
    path.write_bytes(b'{"crc32": "%08x", %b\n' % (zlib.crc32(b"{" + rest), rest))
    assert stored(path) == {}


def test_a_result_that_does_not_fit_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "units.jsonl"
    run_units(lambda unit: {}, UNITS, path)
    found = run_units(third, UNITS, path, fits=lambda unit, result: "third" in result)
    assert found == EXPECTED


def test_lines_of_other_units_stay(tmp_path: Path) -> None:
    path = tmp_path / "units.jsonl"
    run_units(third, UNITS, path)
    assert run_units(third, UNITS[:2], path) == EXPECTED[:2]
    path.write_bytes(path.read_bytes()[:-5])
    run_units(third, UNITS[:2], path)
    assert len(stored(path)) == 5


LIMITED = """
import resource, sys
from pathlib import Path
from gammon.base.errors import GammonError
from gammon.base.parallel import run_units
units = [{"number": n, "seed": 7} for n in range(6)]
resource.setrlimit(resource.RLIMIT_FSIZE, (250, 250))
try:
    run_units(lambda unit: {"third": unit["number"] / 3}, units, Path(sys.argv[1]))
except GammonError as error:
    print(error)
"""


def test_a_full_disk_is_one_line_and_the_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "units.jsonl"
    said = printed(LIMITED, str(path))
    assert said == f"{str(path)!r} cannot be written: File too large"
    assert path.stat().st_size <= 250
    kept = stored(path)
    assert 0 < len(kept) < len(UNITS)
    asked: list[Unit] = []

    def counted(unit: Unit) -> dict[str, float]:
        asked.append(unit)
        return third(unit)

    assert run_units(counted, UNITS, path) == EXPECTED
    assert len(asked) == len(UNITS) - len(kept)


def test_an_unwritable_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "units.jsonl", tmp_path):
        with pytest.raises(GammonError, match="cannot be written"):
            stored(path)


@pytest.mark.parametrize("result", NOT_NUMBERS, ids=lambda result: str(result)[:20])
def test_what_a_file_says_may_be_no_numbers(result):
    assert are_numbers([1, 2.5, -3], 3)
    assert not are_numbers(result, 3)
    assert are_numbers([[1, 2.5, -3]] * 2, 2, 3)
    assert not are_numbers([[1, 2.5, -3], result], 2, 3)


# Units of work: any number of workers, interrupted or not, the same results.

PARALLEL_UNITS: list[Unit] = [{"number": n, "seed": 7} for n in range(12)]


PARALLEL_EXPECTED = [cube(unit) for unit in PARALLEL_UNITS]


@pytest.mark.parametrize("scheduler", [5, "", b"tcp://10.0.0.1:8786", True])
def test_a_scheduler_is_an_address(scheduler: object) -> None:
    with pytest.raises(SettingError, match=r"scheduler .*: expected the address of one"):
        Pool(scheduler=scheduler)  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [1, 2])
def test_results_are_in_order(workers: int, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    store = tmp_path / "deep" / "units.jsonl"
    found = run_units(cube, PARALLEL_UNITS, store, Pool(workers), lambda *counts: seen.append(counts))
    assert found == PARALLEL_EXPECTED
    assert seen == [(done, 12) for done in range(13)]
    assert run_units(never, PARALLEL_UNITS, store, Pool(workers)) == PARALLEL_EXPECTED


@pytest.mark.smoke
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    store = tmp_path / "units.jsonl"
    run_units(cube, PARALLEL_UNITS, store)
    whole = store.read_text()
    for length in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        store.write_text(whole[:length])  # what is on disk when the power goes
        asked: list[Unit] = []

        def counted(unit: Unit, asked: list[Unit] = asked) -> dict[str, float]:
            asked.append(unit)
            return cube(unit)

        assert run_units(counted, PARALLEL_UNITS, store) == PARALLEL_EXPECTED
        kept = sum(len(prefix) <= length for prefix in _prefixes(whole))
        assert len(asked) == len(PARALLEL_UNITS) - kept
        assert run_units(never, PARALLEL_UNITS, store) == PARALLEL_EXPECTED


def _prefixes(whole: str) -> list[str]:
    lines = whole.splitlines()
    return ["\n".join(lines[: n + 1]) for n in range(len(lines))]


def test_other_settings_are_other_units(tmp_path: Path) -> None:
    store = tmp_path / "units.jsonl"
    run_units(cube, PARALLEL_UNITS, store)
    other = [{**unit, "seed": 8} for unit in PARALLEL_UNITS]
    assert run_units(cube, other, store) == [cube(unit) for unit in other]
    assert len([json.loads(line) for line in store.read_text().splitlines()]) == 24


def test_a_cluster_loses_nothing_with_a_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real scheduler and two workers on loopback, one of which is killed meanwhile."""
    distributed = pytest.importorskip("distributed")
    psutil = pytest.importorskip("psutil")
    address_file = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    worker = ["dask_worker", "--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
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
        with closing(unit_results(slow_cube, PARALLEL_UNITS, pool, stop)) as results:
            assert next(results)[1] in PARALLEL_EXPECTED
            stop.set()
            with pytest.raises(UnfinishedError):
                list(results)
        with pytest.raises(UnfinishedError):
            list(unit_results(never, PARALLEL_UNITS, pool, stop))
        late = Stop(3600.0)
        for _ in unit_results(cube, PARALLEL_UNITS[:1], pool, late):
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
            slow_cube, PARALLEL_UNITS, tmp_path / "units.jsonl", Pool(scheduler=address), on_done
        )
        assert killed
        assert found == PARALLEL_EXPECTED
        assert listening == [], "the program itself only calls the scheduler"

        def end_scheduler(done: int, total: int) -> None:
            if done == 3:
                started[0].send_signal(signal.SIGKILL)

        monkeypatch.setattr(parallel, "_CONNECT_SECONDS", 4.0)
        store = tmp_path / "lost.jsonl"
        with pytest.raises(GammonError, match=r"scheduler .* was lost"):
            run_units(slow_cube, PARALLEL_UNITS, store, Pool(scheduler=address), end_scheduler)
        assert run_units(cube, PARALLEL_UNITS, store) == PARALLEL_EXPECTED
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_no_scheduler_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_CONNECT_SECONDS", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(GammonError, match="scheduler"):
            run_units(cube, PARALLEL_UNITS, tmp_path / "units.jsonl", Pool(scheduler=address))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stop_ends_the_unit_under_way_and_keeps_nothing_of_it(workers: int, tmp_path: Path) -> None:
    stop, store = Stop(3600.0), tmp_path / "units.jsonl"

    def first_is_done(done: int, total: int) -> None:
        if done == 1:
            stop.set()

    with pytest.raises(UnfinishedError):
        run_units(until_told, PARALLEL_UNITS, store, Pool(workers), first_is_done, stop=stop)
    assert len(store.read_text().splitlines()) == 1
    with pytest.raises(UnfinishedError):
        run_units(until_told, PARALLEL_UNITS, store, Pool(workers), stop=Stop(0.1))
    assert len(store.read_text().splitlines()) == 1
    assert run_units(cube, PARALLEL_UNITS, store) == PARALLEL_EXPECTED
