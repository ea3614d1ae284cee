"""The benchmark as tables for people."""

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from gammon.text.tables import new_table

__all__ = ["bench_view"]


def bench_view(found: dict[str, Any]) -> RenderableType:
    """Show what `run_bench` returns."""
    yardstick = found["yardstick"]
    speeds = new_table("In a second", "millions", "per 1000 hashes")
    for name, speed in {"hashes (the yardstick)": yardstick, **found["per_second"]}.items():
        speeds.add_row(name, f"{speed / 1e6:.2f}", f"{1000 * speed / yardstick:.2f}")
    costs = new_table("A decision", "number", "median ms", "mean ms", "95 % ms")
    work = new_table("A decision", "leaves", "of all", "probes cut")
    for cost in found["decisions"]:
        times = [f"{cost[key]:.2f}" for key in ("median_ms", "mean_ms", "p95_ms")]
        leaves = f"{cost['leaves']:,}" if cost["leaves"] else ""
        shares = [
            f"{100 * cost[key]:.2f} %" if cost[key] else "" for key in ("share", "probes_cut")
        ]
        costs.add_row(cost["name"], str(cost["decisions"]), *times)
        if leaves:
            work.add_row(cost["name"], leaves, *shares)
    whole = new_table("A whole command", "seconds")
    for name, seconds in found["start_up_seconds"].items():
        whole.add_row(name, f"{seconds:.2f}")
    parts: list[RenderableType] = [speeds, "", costs, "", work, "", whole]
    if found["peak_mb"] is not None:
        parts += ["", Text(f"peak memory at depth 5: {found['peak_mb']:.0f} MB")]
    return Group(*parts)
