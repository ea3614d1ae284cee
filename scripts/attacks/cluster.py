"""A match on a Dask cluster of this machine, whose workers are killed again and again."""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click

from attacks.faults import Faults
from attacks.programs import GAMMON, start
from attacks.same import differences
from gammon.commands.types import SEED
from tests.processes import comes_true

_MATCH = "match depth=1 depth=1 --games 1600 --seed 5"


def _dask(name: str, options: Sequence[str], folder: Path) -> "subprocess.Popen[bytes]":
    """Start a scheduler or a worker of Dask on loopback."""
    quiet = subprocess.DEVNULL
    words = ["--scheduler-file", str(folder / "scheduler.json"), "--no-dashboard", *options]
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{name}", *words], cwd=folder,
        stdin=quiet, stdout=quiet, stderr=quiet,
    )  # fmt: skip


def _worker(folder: Path) -> "subprocess.Popen[bytes]":
    options = ["--nworkers", "1", "--nthreads", "1", "--no-nanny"]
    return _dask("dask_worker", options, folder)


@click.command()
@click.option("--kills", type=click.IntRange(1), default=20, show_default=True)
@click.option("--workers", type=click.IntRange(2), default=3, show_default=True)
@click.option("--seed", type=SEED, default=1, show_default=True)
def cluster(kills: int, workers: int, seed: int) -> None:
    """Kill workers of a Dask cluster during a match, a new one in place of each.

    The result must be that of a match without a cluster. Where Dask gives up, since several
    workers died of one unit, it is one line, and the same command goes on.
    """
    faults, rng = Faults(), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="cluster-") as place:
        folder = Path(place)
        whole = start([*_MATCH.split(), "--out", str(folder / "whole")], folder / "whole-run")
        whole.process.wait()
        processes = [_dask("dask_scheduler", ["--host", "127.0.0.1", "--port", "0"], folder)]
        try:
            if not comes_true((folder / "scheduler.json").exists, 300):
                raise click.ClickException("Dask's scheduler does not begin")
            address = json.loads((folder / "scheduler.json").read_text())["address"]
            processes += [_worker(folder) for _ in range(workers)]
            done, runs, given_up = 0, 0, 0
            while done < kills or not runs:
                out = folder / f"run-{runs}"
                words = [*_MATCH.split(), "--out", str(out), "--scheduler", address]
                while True:
                    program = start(words, folder / f"{out.name}-run", GAMMON)
                    while not program.ended(rng.uniform(0.5, 6.0)):
                        if done < kills and (out / "units.jsonl").exists():
                            victim = rng.randrange(1, len(processes))
                            processes[victim].kill()
                            processes[victim].wait()
                            processes[victim] = _worker(folder)
                            done += 1
                    if program.process.returncode == 0:
                        break
                    given_up += 1
                    errors = program.errors.read_text()
                    if errors.count("Error:") != 1 or "was lost" not in errors:
                        faults.add(f"ends with {errors[-500:]!r}")
                        break
                    time.sleep(1.0)
                for each in differences(folder / "whole", out):
                    faults.add(f"{each} is not that of a match without a cluster")
                runs += 1
        finally:
            for process in processes:
                process.kill()
                process.wait()
    click.echo(f"{runs} matches, {given_up} times Dask gave up and the command went on")
    faults.end(f"{done} workers killed")
