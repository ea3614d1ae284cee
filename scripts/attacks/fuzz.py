"""Damaged inputs for all parsers and readers: only gammon's own errors may result."""

import random
import resource
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click

from attacks.faults import Faults
from gammon.base.errors import GammonError
from gammon.commands.options import SEED

#: The longest acceptable processor time of one input, in seconds.
_LONG = 2.0
#: The attack on a reader ends after this many faults.
_MOST_FAULTS = 20


def _attack(
    name: str, read: Callable[[random.Random], object], inputs: int, seed: int, faults: Faults
) -> None:
    """Give a reader a number of inputs, each with its own random generator."""
    begun, refused, slowest, wrong = time.process_time(), 0, 0.0, 0
    kinds = Counter[str]()
    for number in range(inputs):
        rng = random.Random(f"{seed} {name} {number}")
        since = time.process_time()
        try:
            read(rng)
        except GammonError as error:
            refused += 1
            kinds[type(error).__name__] += 1
            if "\n" in str(error):
                faults.add(f"{name} {number}: an error of several lines: {error!r}")
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            line = f"{Path(where.filename).name}:{where.lineno}"
            faults.add(f"{name} {number}: {type(error).__name__} at {line}: {error}")
            wrong += 1
        seconds = time.process_time() - since
        slowest = max(slowest, seconds)
        if seconds > _LONG:
            faults.add(f"{name} {number}: {seconds:.1f} s")
        if wrong == _MOST_FAULTS:
            break
    words = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common(4))
    click.echo(
        f"{name:24} {number + 1:8,} inputs, {refused:8,} refused ({words}), the slowest "
        f"{1e3 * slowest:.0f} ms, {time.process_time() - begun:.0f} s"
    )


@click.command()
@click.option("--inputs", type=click.IntRange(100), default=900_000, show_default=True)
@click.option("--only", multiple=True, help="The name of a reader.")
@click.option("--seed", type=SEED, default=1, show_default=True)
def fuzz(inputs: int, only: tuple[str, ...], seed: int) -> None:
    """Damage good inputs for parsers, for the Python interface, and for the protocols.

    Only gammon's own errors may result, each in one line. Requests to the server are in another
    program: `scripts/try_server.py fuzz`.
    """
    from attacks.fuzz_arrays import array_readers
    from attacks.fuzz_lines import line_readers
    from attacks.fuzz_texts import readers

    faults = Faults()
    warnings.simplefilter("error")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        shares = {name: (reader.share, reader.read) for name, reader in readers(Path(folder)).items()}
        shares |= {name: (2.0, read) for name, read in array_readers().items()}
        shares["Engine"] = 0.2, shares["Engine"][1]  # it loads networks, so fewer inputs
        shares |= {name: (2.0, read) for name, read in line_readers().items()}
        if only:
            shares = {name: entry for name, entry in shares.items() if name in only}
        whole = sum(share for share, _ in shares.values())
        total = 0
        for name, (share, read) in shares.items():
            count = max(1, round(inputs * share / whole))
            _attack(name, read, count, seed, faults)
            total += count
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        click.echo(f"at most {peak:,} MB of memory")
    faults.end(f"{total:,} inputs")
