"""How near is a network in integers to the float network? And how far do its sums go?

    python scripts/judge_integers.py leaf large probe

For each: the error of its equities, in points, in all successors of positions of self-play;
how often the float network's best play at depth 1 is its own, and what it gives away where
it is not, by the float network; by part, how far the bounds and these positions go, and how
many units are active.
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
from gammon_lab.experiments.sample import self_play_positions


def siblings(count: int, seed: int) -> tuple[Rows, npt.NDArray[np.int64]]:
    """Return the successors of a number of decisions, and where those of each begin."""
    room = np.empty((MAX_ROWS, 26), np.int8)
    found, begins = [], [0]
    for points, outcome in self_play_positions(Engine(depth=1, cubeless=True), count, seed):
        n = successors(np.array(points, np.int8), outcome, room)
        rows = room[:n][(room[:n] < 0).any(axis=1) & (room[:n] > 0).any(axis=1)]
        if len(rows) > 1:
            found.append(rows.copy())
            begins.append(begins[-1] + len(rows))
    return np.concatenate(found), np.array(begins[:-1])


def say_part(number: int, part: Part, rows: Rows) -> None:
    """Print what the sums and the products of a part do."""
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
@click.option("--count", default=3000, help="Decisions.")
@click.option("--seed", default=3, help="Seed of their dice.")
def main(names: tuple[str, ...], count: int, seed: int) -> None:
    """Judge the networks NAMES."""
    rows, begins = siblings(count, seed)
    for name in names:
        weights = load_model(name).weights
        packed = pack(weights)
        found = results_of_integers(rows, packed) @ POINTS
        with torch.inference_mode():
            logits = network_of(weights).logits(torch.from_numpy(encode(rows)))
        expected = torch.softmax(logits, dim=1).numpy() @ POINTS
        error = found - expected
        picks = [
            (int(mine.argmin()), theirs)
            for mine, theirs in zip(np.split(found, begins[1:]), np.split(expected, begins[1:]), strict=True)
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
            say_part(number, part, rows[plans == number])


if __name__ == "__main__":
    main()
