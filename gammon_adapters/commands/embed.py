"""`gammon embed`: all that a program in C, or another language, needs to have the engine."""

from pathlib import Path

import click

from gammon.base.files import write_bytes
from gammon.commands.shared import model_option, out_option


@click.command()
@out_option("Where the files go; the folder is made if there is none.")
@click.option("--javascript", is_flag=True, help="For a page in a browser, or for node, in place of C.")
@model_option()
def embed(out: Path, javascript: bool, model: str) -> None:
    """Write the engine for programs in C or JavaScript.

    For C: gammon.h, the library and an engine. The engine has the network, the bearoff tables
    and the match equity table. The library is the one that gammon itself uses, and reads no
    engine but one of its own version. docs/c.md shows a program.

    For JavaScript: gammon.js, the module of WebAssembly, one without SIMD for old browsers, and
    an engine without the bearoff tables, which the module makes. docs/javascript.md shows one.
    """
    from gammon.compiled.library import library
    from gammon_adapters.embed.header import header
    from gammon_adapters.embed.image import TERMS, image
    from gammon_adapters.embed.script import script_files

    if javascript:
        files = script_files(model)
    else:
        built = library()
        files = {"gammon.h": header().encode(), "gammon.engine": image(built, model)}
        files[built.path.name] = built.path.read_bytes()
    files |= {each.name: each.read_bytes() for each in TERMS}
    for name, data in files.items():
        write_bytes(out / name, data)
        click.echo(f"{len(data):12,} bytes  {out / name}")
