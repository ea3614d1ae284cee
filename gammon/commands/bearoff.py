"""`gammon bearoff`: the exact tables."""

from pathlib import Path

import click

__all__ = ["bearoff"]


@click.group()
def bearoff() -> None:
    """Exact chances of positions in which all checkers are at home."""


@bearoff.command()
@click.option("--out", type=click.Path(path_type=Path), help="A file; the cache by default.")
def build(out: Path | None) -> None:
    """Build the tables anew. Without this, the first use builds them."""
    import time

    from gammon.eval.bearoff_file import build_file, default_path

    begun = time.perf_counter()
    path = build_file(out or default_path())
    megabytes = path.stat().st_size / 1e6
    click.echo(f"wrote {path}: {megabytes:.1f} MB in {time.perf_counter() - begun:.1f} s")
