"""`gammon embed`: all that a program in C, or another language, needs to have the engine."""

import shutil
from pathlib import Path

import click

from gammon.base.files import write_text, written_whole
from gammon.commands.shared import model_option

__all__ = ["embed"]


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", required=True,
    help="Where the files go; the folder is made if there is none.",
)  # fmt: skip
@model_option()
def embed(out: Path, model: str) -> None:
    """Write gammon.h, the library and an engine, for programs in C.

    The engine has the network, the bearoff tables and the match equity table. The library is
    the one that gammon itself uses, and reads no engine but one of its own version.
    docs/c.md shows a program.
    """
    from gammon.compiled.library import library
    from gammon.core.header import header
    from gammon.core.image import image

    code = library()
    found = image(code, model)
    write_text(out / "gammon.h", header())
    with written_whole(out / "gammon.engine") as beside:
        beside.write_bytes(found)
    with written_whole(out / code.path.name) as beside:
        shutil.copyfile(code.path, beside)
    for name in ("gammon.h", "gammon.engine", code.path.name):
        click.echo(f"{(out / name).stat().st_size:12,} bytes  {out / name}")
