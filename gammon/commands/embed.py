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
@click.option(
    "--javascript", is_flag=True, help="For a page in a browser, or for node, in place of C."
)
@model_option()
def embed(out: Path, javascript: bool, model: str) -> None:
    """Write the engine for programs in C or JavaScript.

    For C: gammon.h, the library and an engine. The engine has the network, the bearoff tables
    and the match equity table. The library is the one that gammon itself uses, and reads no
    engine but one of its own version. docs/c.md shows a program.

    For JavaScript: gammon.js, the module of WebAssembly, one without SIMD for old browsers, and
    an engine without the bearoff tables, which the module makes. docs/javascript.md shows one.
    """
    from gammon.compiled.library import MODULES, Built, LibraryError, NoLibraryError, library
    from gammon.core.header import header
    from gammon.core.image import image
    from gammon.core.script import script

    built: list[Built]
    if javascript:
        try:
            built = [Built(MODULES / name, name) for name in ("wasm32", "wasm32-plain")]
        except NoLibraryError:
            raise LibraryError(
                "the modules of WebAssembly are missing: in a checkout, `python "
                "scripts/build_library.py --system wasm32 wasm32-plain` makes them"
            ) from None
    else:
        built = [library()]
    found = image(built[0], model, light=javascript)
    name, text = ("gammon.js", script()) if javascript else ("gammon.h", header())
    write_text(out / name, text)
    with written_whole(out / "gammon.engine") as beside:
        beside.write_bytes(found)
    for each in built:
        with written_whole(out / each.path.name) as beside:
            shutil.copyfile(each.path, beside)
    for written in (name, "gammon.engine", *(each.path.name for each in built)):
        click.echo(f"{(out / written).stat().st_size:12,} bytes  {out / written}")
