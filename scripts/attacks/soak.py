"""Soaks: a server under load and `best_plays` in a loop, for minutes; memory must stay flat."""

import asyncio
import time
from pathlib import Path

import click
import numpy as np
from try_server import API, crowd, positions, served

from attacks.faults import Faults
from gammon.commands.types import SEED

#: How much more memory the last third of a soak may take than the second, as a share.
_GROWTH = 0.03
_SAMPLES = 60


def _megabytes() -> float:
    status = Path("/proc/self/status").read_text().split("VmRSS:")[1]
    return int(status.split()[0]) / 1024


def _judge(what: str, memory: list[float], faults: Faults) -> None:
    """Tell the memory of a soak, and whether it grew."""
    third = max(1, len(memory) // 3)
    begun, middle, end = (
        max(part) for part in (memory[:third], memory[third:-third], memory[-third:])
    )
    click.echo(f"{what}: at most {begun:.0f}, {middle:.0f}, {end:.0f} MB in its three thirds")
    if end > middle * (1 + _GROWTH):
        faults.add(f"{what}: memory grows from {middle:.1f} to {end:.1f} MB")


def _soak_plays(seconds: float, seed: int, faults: Faults) -> None:
    import gammon

    engine = gammon.Engine(depth=1)
    rng = np.random.default_rng(seed)
    found = [gammon.Position.parse(text).points for text in positions(1000, seed)]
    boards = np.array(found, np.int8)
    memory, calls, late = [], 0, time.monotonic() + seconds
    following = time.monotonic()
    while time.monotonic() < late:
        rows = rng.integers(0, len(boards), 200)
        dice = rng.integers(1, 7, (200, 2))
        engine.best_plays(boards[rows], dice)
        engine.values_of_plays(boards[rows[:20]], dice[:20])
        calls += 1
        if time.monotonic() >= following:
            memory.append(_megabytes())
            following += seconds / _SAMPLES
    click.echo(f"best_plays: {calls * 200:,} positions, values_of_plays: {calls * 20:,}")
    _judge("best_plays", memory, faults)


async def _soak_server(seconds: float, clients: int, seed: int, faults: Faults) -> None:
    targets = [f"{API}/position?id=", f"{API}/analyze?depth=1&id=", f"{API}/turn?depth=1&id="]
    targets += [f"{API}/analyze?depth=3&id=", f"{API}/analyze/stream?depth=3&id="]
    async with served("--depth", "3") as server:
        statuses, memory = await crowd(
            server, targets, clients, seconds, seed, samples=_SAMPLES, whole=0.5
        )
    click.echo(
        f"serve: {sum(statuses.values()):,} answers, statuses {dict(sorted(statuses.items()))}"
    )
    if set(statuses) - {200, 503}:
        faults.add(f"serve: statuses {dict(statuses)}")
    _judge("serve", memory, faults)


@click.command()
@click.option("--minutes", type=click.FloatRange(0.1), default=60.0, show_default=True)
@click.option("--clients", type=click.IntRange(1), default=8, show_default=True)
@click.option("--only", type=click.Choice(["serve", "best_plays"]))
@click.option("--seed", type=SEED, default=1, show_default=True)
def soak(minutes: float, clients: int, only: str | None, seed: int) -> None:
    """Keep a server and `best_plays` at work for a time each, and watch their memory."""
    faults = Faults()
    if only != "serve":
        _soak_plays(60 * minutes, seed, faults)
    if only != "best_plays":
        asyncio.run(_soak_server(60 * minutes, clients, seed, faults))
    faults.end(f"{minutes:g} minutes of {only or 'each'}")
