"""Compare the bearoff tables with GNU Backgammon's tables, which have 16 bits a number.

    python scripts/compare_bearoff.py --positions 1000 --seed 3

It first compares the chances that both programs report, then the numbers that GNU Backgammon's
`bearoffdump` prints: the mean rolls of a side to bear off, and to bear off its first checker, by the
database that comes with the program; and equities by a two-sided database that its `makebearoff`
makes here. For the equities we also make a table with 16-bit arithmetic, to see whether rounding
explains all differences.
"""

import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from gammon.base.errors import GammonError
from gammon.commands.group import OneLine
from gammon.commands.options import SEED
from gammon.eval.bearoff import ROLLS_KEPT
from gammon.eval.bearoff_build import sides, two_sided_plays
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import probabilities
from gammon.formats.gnubg_id import format_position_id
from gammon.rules.board import Rows, State
from gammon.rules.dice import PROBABILITIES
from gammon.rules.home import FIRST_WHOLE, N_SIDES, N_TWO_SIDED
from gammon_lab.programs.gnubg import GnuBackgammon, installed_program

_KINDS = {
    "up to 6 checkers": (1, N_TWO_SIDED),
    "up to 15 checkers": (N_TWO_SIDED, N_SIDES),
    "15 checkers": (FIRST_WHOLE, N_SIDES),
}
_DATABASE = Path("/usr/share/gnubg/gnubg_os0.bd")


def dumped(database: Path, row: State, pattern: str) -> str:
    """Return the group of a pattern in the text that `bearoffdump` prints for a position."""
    name = format_position_id(tuple(row.tolist()))
    command = [installed_program("bearoffdump"), "-p", name, str(database)]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    match = re.search(pattern, text, re.MULTILINE)
    if match is None:
        raise GammonError(f"{str(database)!r}: no numbers of {name!r}, expected a database")
    return match[1]


def rounded_equities() -> npt.NDArray[np.float32]:
    """Return two-sided equities [924, 924] in 16-bit arithmetic.

    An equity is an integer from -32,768 to 32,767. The opponent's equity is its complement, one
    less than its negative, and means over the rolls are truncated toward 0.
    """
    ranks, many = two_sided_plays()
    plays = np.arange(many.max())
    ranks = np.where(plays < many[:, :, None], ranks, ranks[:, :, :1])
    weights = np.rint(36 * np.asarray(PROBABILITIES)).astype(np.int64)
    pips = sides()[:N_TWO_SIDED] @ np.arange(1, 7)
    totals = np.where(pips * pips[:, None] > 0, pips + pips[:, None], 0)
    equities = np.zeros(totals.shape, np.int64)
    for total in range(2, totals.max() + 1):
        own, their = np.nonzero(totals == total)
        means = np.zeros(len(own), np.int64)
        for roll, weight in enumerate(weights):
            after = ranks[own, roll]
            worth = np.where(after == 0, 32_767, ~equities[their[:, None], after])
            means += weight * worth.max(axis=1)
        equities[own, their] = np.sign(means) * (np.abs(means) // 36)
    return (equities + 32_768).astype(np.float32) / np.float32(32_767.5) - np.float32(1.0)


def report(name: str, ours: list[float], theirs: list[str]) -> None:
    """Print how often we would print the same digits, and the largest difference."""
    digits = len(theirs[0].partition(".")[2])
    same = sum(round(a, digits) == float(b) for a, b in zip(ours, theirs, strict=True))
    largest = max(abs(a - float(b)) for a, b in zip(ours, theirs, strict=True))
    click.echo(
        f"  {name:20} the same {digits} digits in {same} of {len(ours)}, largest difference {largest:.5f}"
    )


def compare_printed(draw: Callable[[str], Rows]) -> None:
    """Compare with the printed numbers of the drawn positions."""
    flat = bearoff_tables().astype(np.float64)
    rolls = np.arange(1, ROLLS_KEPT + 1)
    one_off, two_sided = N_SIDES, 2 * N_SIDES - FIRST_WHOLE
    means = flat[: two_sided * ROLLS_KEPT].reshape(two_sided, ROLLS_KEPT) @ rolls
    ranks = {side.tobytes(): rank for rank, side in enumerate(sides())}
    for kind, at, column, name in (
        ("up to 15 checkers", 0, 0, "mean rolls"),
        ("15 checkers", one_off - FIRST_WHOLE, 2, "mean rolls, first off"),
    ):
        rows = draw(kind)
        ours = [float(means[at + ranks[row[1:7].tobytes()]]) for row in rows]
        theirs = [dumped(_DATABASE, row, r"^Mean\s+(.*)$").split()[column] for row in rows]
        report(name, ours, theirs)
    weights = load_evaluator("leaf").weights
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "two_sided.bd"
        command = [installed_program("makebearoff"), "-t", "6x6", "-f", str(database)]
        subprocess.run(command, capture_output=True, check=False)
        rows = draw("up to 6 checkers")
        equities = 2.0 * probabilities(rows, weights)[:, 0] - 1.0
        theirs = [dumped(database, row, r"^Cubeless equity\s*:\s*(\S+)") for row in rows]
        report("two-sided equity", equities.tolist(), theirs)
        own, their = ([ranks[s.tobytes()] for s in x] for x in (rows[:, 1:7], -rows[:, 24:18:-1]))
        report("  with 16 bits", rounded_equities()[own, their].tolist(), theirs)


@click.command(cls=OneLine)
@click.option(
    "--positions",
    "count",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Positions of each kind.",
)
@click.option("--seed", type=SEED, default=3, show_default=True)
def main(count: int, seed: int) -> None:
    """Print the differences between our tables and GNU Backgammon's, by kind of position."""
    random = np.random.default_rng(seed)
    all_sides = sides()

    def draw(kind: str) -> Rows:
        rows = np.zeros((count, 26), np.int8)
        rows[:, 1:7] = all_sides[random.integers(*_KINDS[kind], len(rows))]
        rows[:, 24:18:-1] = -all_sides[random.integers(*_KINDS[kind], len(rows))]
        return rows

    weights = load_evaluator("leaf").weights
    with GnuBackgammon() as gnubg:
        for kind in _KINDS:
            rows = draw(kind)
            ours = probabilities(rows, weights)
            theirs = np.array(gnubg.evaluations([row.tolist() for row in rows]))
            apart = np.abs(ours - theirs)
            click.echo(f"{kind}: {len(rows)} positions")
            for name, column in (("win", 0), ("win gammon", 1), ("lose gammon", 3)):
                largest, mean = apart[:, column].max(), apart[:, column].mean()
                click.echo(f"  {name:12} largest difference {largest:.1e}, mean {mean:.1e}")
    click.echo("as printed by bearoffdump")
    compare_printed(draw)


if __name__ == "__main__":
    main()
