"""Runs that are killed at random moments, and must resume to the same files."""

import json
import os
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import click

from attacks.faults import Faults
from attacks.programs import GAMMON, Program, start
from attacks.same import differences, timeless
from gammon.commands.options import PLACE, SEED
from tests.lab.train.small import SMALL
from tests.processes import ROOT, comes_true

#: The program `gammon`, whose training writes a checkpoint after each round.
_EAGER = f"from gammon_lab.train import training\ntraining._SAVE_SECONDS = 0.0\n{GAMMON}"
RECIPE = SMALL.replace("960", "8000")
#: The longest time that a worker may outlive its parent, in seconds.
_PATIENCE = 10.0


class Case(NamedTuple):
    """A run that is killed.

    Attributes:
        arguments: the arguments of the program, without its folder.
        small: the arguments of a run that takes a second or two.
        code: the program.
    """

    arguments: str
    small: str
    code: str = GAMMON


CASES = {
    "match": Case(
        "match depth=1 depth=1 --games 400 --seed 5 --workers 2 --mat",
        "match depth=1 depth=1 --games 40 --seed 5 --workers 2 --mat",
    ),
    "noise": Case(
        "noise --sigma 0,0.03 --depth 1,3 --games 40 --workers 2",
        "noise --sigma 0.03 --depth 1 --games 8 --workers 2",
    ),
    "reproduce": Case("reproduce ballard --quick --workers 2", "reproduce nim --quick --workers 2"),
    "train": Case("train learn recipe.toml --threads 1", "train learn recipe.toml --threads 1", _EAGER),
    "rollout": Case(
        "rollout 4HPwATDgc/ABMA --dice 31 --trials 648 --workers 2 --json",
        "rollout 4HPwATDgc/ABMA --dice 31 --trials 72 --truncate 4 --workers 2 --json",
    ),
    "review": Case("review match5.mat --workers 2 --json", "review match5.mat --depth 1 --workers 2 --json"),
}


def _begun(case: Case, out: Path) -> Program:
    return start([*case.arguments.split(), "--out", out.name], out, case.code)


def _undisturbed(case: Case, out: Path) -> float:
    """Run a case to the end, and return the seconds that it took."""
    begun = time.monotonic()
    program = _begun(case, out)
    program.process.wait()
    if program.process.returncode:
        raise click.ClickException(f"{case.arguments} fails: {program.last_error()}")
    return time.monotonic() - begun


def _printed(out: Path) -> object:
    """Return the JSON that a run printed, without times."""
    return timeless(json.loads(out.with_name(f"{out.name}.out").read_text()))


def _results(out: Path) -> list[tuple[int, int]]:
    """Return the sizes and times of the files of results that a run has stored so far."""
    stored = [*out.rglob("*.jsonl"), *out.glob("checkpoint.safetensors")]
    return [(status.st_size, status.st_mtime_ns) for path in stored if (status := path.stat()).st_size]


def _spared(program: Program, out: Path, rng: random.Random, seconds: float) -> bool:
    """Wait for the moment to kill a run, and return whether it ended before.

    The moment is drawn from the time of an undisturbed run or, just as often, from the time
    soon after the run has stored a result.
    """
    if rng.random() < 0.5:
        return program.ended(rng.uniform(0.0, seconds))
    before = _results(out)
    comes_true(lambda: program.ended(0.0) or _results(out) != before, 10 * seconds)
    return program.ended(rng.uniform(0.0, 0.3 * seconds))


def _attack(name: str, case: Case, kills: int, folder: Path, rng: random.Random, faults: Faults) -> None:
    shutil.copy(ROOT / "tests/golden/matches/match5.mat", folder)
    folder.joinpath("recipe.toml").write_text(RECIPE)
    whole, again = folder / "whole", folder / "again"
    _undisturbed(case, whole)  # may compile
    seconds = _undisturbed(case, again)

    def check(out: Path, what: str) -> None:
        for difference in differences(whole, out):
            faults.add(f"{name}: {difference} of {what} differs from an undisturbed run")
        if "--json" in case.arguments and _printed(out) != _printed(whole):
            faults.add(f"{name}: {what} prints something else")
        if "Traceback" in out.with_name(f"{out.name}.err").read_text():
            faults.add(f"{name}: a traceback of {what}")

    check(again, "a second run")
    done, runs, moments = 0, 0, Counter[str]()
    while done < kills:
        out = folder / f"killed-{runs}"
        runs += 1
        while True:
            program = _begun(case, out)
            if program.ended(None if done == kills else 0.0) or _spared(program, out, rng, seconds):
                break
            alone = rng.random() < 0.5
            moments["with results" if _results(out) else "before any result"] += 1
            (os.kill if alone else os.killpg)(program.process.pid, signal.SIGKILL)
            program.process.wait()
            done += 1
            if not comes_true(lambda p=program: not p.left(), _PATIENCE):  # type: ignore[misc]
                faults.add(f"{name}: left alive: {program.left()}")
                os.killpg(program.process.pid, signal.SIGKILL)
            if program.last_error():
                faults.add(f"{name}: prints after a kill {program.last_error()}")
        if program.process.returncode:
            faults.add(f"{name}: ends with {program.process.returncode}: {program.last_error()}")
        check(out, f"run {runs}, killed")
        shutil.rmtree(out)
    counts = ", ".join(f"{count} {what}" for what, count in sorted(moments.items()))
    click.echo(f"{name}: {done} kills in {runs} runs of {seconds:.1f} s ({counts})")


@click.command()
@click.option("--kills", type=click.IntRange(1), default=50, show_default=True)
@click.option("--run", "names", type=click.Choice(list(CASES)), multiple=True)
@click.option("--small", is_flag=True, help="Kill runs of a second or two.")
@click.option("--folder", type=PLACE, help="The folder for the runs; a temporary one unless given.")
@click.option("--seed", type=SEED, default=1, show_default=True)
def kills(kills: int, names: tuple[str, ...], small: bool, folder: Path | None, seed: int) -> None:
    """Kill runs at random moments: each must resume and end with the files of an undisturbed run.

    Half of the kills hit all processes of the run, as a power failure does, and half only the first
    process: then its workers must end by themselves.
    """
    faults = Faults()
    for name in names or CASES:
        case = CASES[name]
        case = case._replace(arguments=case.small if small else case.arguments)
        rng = random.Random(f"{seed} {name}")
        with tempfile.TemporaryDirectory(prefix=f"kills-{name}-", dir=folder) as place:
            _attack(name, case, kills, Path(place), rng, faults)
    faults.end(f"{kills} kills of each of {', '.join(names or CASES)}")
