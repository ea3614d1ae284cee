"""How near is a network in integers to the float network, and how large are its sums?

    python scripts/judge_integers.py leaf large probe

For each network it prints: the error of its equities, in points, in all successors of positions of
self-play; how often its best play at depth 1 is the float network's, and the loss by the float
network where it is not; by part of the network, the largest sums in these positions, and how many
units are active.
"""

import click
import numpy as np
import numpy.typing as npt
import torch

from gammon.commands.group import OneLine
from gammon.engine.engine import Engine
from gammon.eval.features import encode
from gammon.eval.integer_network import results_of_integers, sums_of
from gammon.eval.integers import Part, pack, unpack
from gammon.eval.model_file import load_model
from gammon.eval.network import network_of
from gammon.eval.plan import plan_of
from gammon.rules.board import Rows
from gammon.rules.outcome import POINTS
from gammon.rules.plays import MAX_ROWS, successors
from gammon_lab.bench.positions import self_play_positions


def siblings(count: int, seed: int) -> tuple[Rows, npt.NDArray[np.int64]]:
    """Return the successors of some decisions, and the index of each decision's first one."""
    buffer = np.empty((MAX_ROWS, 26), np.int8)
    groups, begins = [], [0]
    for points, outcome in self_play_positions(Engine(depth=1, cubeless=True), count, seed):
        n = successors(np.array(points, np.int8), outcome, buffer)
        rows = buffer[:n][(buffer[:n] < 0).any(axis=1) & (buffer[:n] > 0).any(axis=1)]
        if len(rows) > 1:
            groups.append(rows.copy())
            begins.append(begins[-1] + len(rows))
    return np.concatenate(groups), np.array(begins[:-1])


def print_part(number: int, part: Part, rows: Rows) -> None:
    """Print the largest sums of a part, and how often its units are active."""
    sums = sums_of(rows, part)
    first, second = np.split(np.maximum(sums, 0), 2, axis=1)
    used = part.weight2.transpose(0, 2, 1).any(axis=2).ravel()
    active = ((first > 0) & (second > 0))[:, used]
    pairs = active[:, : used.sum() // 2 * 2].reshape(len(rows), -1, 2).any(axis=2)
    click.echo(
        f"  part {number}: sums to {max(sums.max(), -int(sums.min()))} of 32767; of "
        f"{used.sum()} units {100 * active.mean():.1f} % active (pairs "
        f"{100 * pairs.mean():.1f} %), {(~active.any(axis=0)).sum()} never, "
        f"{(active.mean(axis=0) < 0.01).sum()} in under 1 %"
    )


@click.command(cls=OneLine)
@click.argument("names", nargs=-1, required=True)
@click.option("--count", default=3000, help="Number of decisions.")
@click.option("--seed", default=3, help="Seed of the dice.")
def main(names: tuple[str, ...], count: int, seed: int) -> None:
    """Judge the networks NAMES."""
    rows, begins = siblings(count, seed)
    for name in names:
        weights = load_model(name).weights
        packed = pack(weights)
        equities = results_of_integers(rows, packed) @ POINTS
        with torch.inference_mode():
            logits = network_of(weights).logits(torch.from_numpy(encode(rows)))
        expected = torch.softmax(logits, dim=1).numpy() @ POINTS
        error = equities - expected
        picks = [
            (int(mine.argmin()), theirs)
            for mine, theirs in zip(
                np.split(equities, begins[1:]), np.split(expected, begins[1:]), strict=True
            )
        ]
        lost = np.array([theirs[pick] - theirs.min() for pick, theirs in picks])
        click.echo(
            f"{name}: {len(rows)} positions, rms {np.sqrt(np.mean(error**2)):.5f}, worst "
            f"{np.abs(error).max():.4f}, bias {error.mean():+.5f}\n"
            f"  {len(begins)} decisions: {100 * np.mean(lost == 0):.2f} % the same, "
            f"{lost.mean():.6f} given away on average"
        )
        parts = unpack(packed)
        plans = np.array([plan_of(row, len(parts)) for row in rows])
        for number, part in enumerate(parts):
            print_part(number, part, rows[plans == number])


if __name__ == "__main__":
    main()
