"""Signals to every long command: it must end with the right code, and leave no process."""

import os
import random
import signal
import tempfile
from pathlib import Path

import click

from attacks.faults import Faults
from attacks.programs import start
from gammon.commands.options import SEED
from tests.processes import ROOT, comes_true

#: Arguments of commands that take minutes, by name; `OUT` stands for a folder of the command.
LONG = {
    "analyze": "analyze 4HPwATDgc/ABMA --dice 66 --depth 7",
    "analyze lines": "analyze - --depth 7 --workers 2",
    "bench": "bench",
    "grade": "grade depth=5",
    "match": "match depth=5 depth=3 --games 1000 --workers 2 --out OUT",
    "noise": "noise --workers 2 --out OUT",
    "reproduce": "reproduce hauk --workers 2 --out OUT",
    "review": "review match5.mat --depth 7 --workers 2 --out OUT",
    "rollout": "rollout 4HPwATDgc/ABMA --dice 31 --depth 5 --workers 2 --out OUT",
    "serve": "serve --port 0",
    "train": "train learn leaf --out OUT",
    "ubgi": "ubgi",
    "external": "external OUT.socket",
}
#: Seconds in which a program must end.
_PATIENCE = 10.0


def _attack(name: str, how: signal.Signals, rng: random.Random, faults: Faults) -> bool:
    """Send a signal to a program, and return whether the program was still at work."""
    with tempfile.TemporaryDirectory(prefix="signals-") as temporary:
        folder = Path(temporary)
        folder.joinpath("match5.mat").write_bytes((ROOT / "tests/golden/matches/match5.mat").read_bytes())
        arguments = LONG[name].replace("OUT", str(folder / "out")).split()
        reading = name in ("ubgi", "analyze lines")
        program = start(arguments, folder / "program", waits=reading)
        if reading:
            assert program.process.stdin is not None
            line = b"4HPwATDgc/ABMA\n" if name != "ubgi" else b"isready\n"
            program.process.stdin.write(line)
            program.process.stdin.flush()
        if program.ended(rng.uniform(0.0, 8.0)):
            return False
        to_all = rng.random() < 0.5
        (os.killpg if to_all else os.kill)(program.process.pid, how)
        label = f"{name}, {how.name} to {'all' if to_all else 'the first'}"
        if not comes_true(lambda: not program.left(), _PATIENCE):
            faults.add(f"{label}: after {_PATIENCE:.0f} s there are {program.left()}")
            os.killpg(program.process.pid, signal.SIGKILL)
        program.process.wait()
        code, errors = program.process.returncode, program.errors.read_text()
        # A signal that comes before the program's own code runs has its usual effect in Python, even
        # while Python starts. A server that gets a signal ends with code 0.
        if "<frozen site>" in errors:
            return True
        if code not in (128 + how, -how) and not (name == "serve" and code == 0):
            faults.add(f"{label}: exit code {code}, {errors[-300:]!r}")
        if code != -how and "Traceback" in errors:
            faults.add(f"{label}: {errors[-300:]!r}")
        return True


@click.command()
@click.option("--times", type=click.IntRange(1), default=5, show_default=True)
@click.option("--command", "names", type=click.Choice(list(LONG)), multiple=True)
@click.option("--seed", type=SEED, default=1, show_default=True)
def signals(times: int, names: tuple[str, ...], seed: int) -> None:
    """Send SIGINT and SIGTERM to each long command, at random moments of its first seconds."""
    faults, sent = Faults(), 0
    for name in names or LONG:
        at_work = 0
        for how in (signal.SIGINT, signal.SIGTERM):
            for number in range(times):
                rng = random.Random(f"{seed} {name} {how} {number}")
                at_work += _attack(name, how, rng, faults)
        sent += at_work
        click.echo(f"{name:14} {at_work} signals; {2 * times - at_work} had ended before")
    faults.end(f"{sent} signals to {len(names or LONG)} commands")
