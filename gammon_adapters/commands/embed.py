"""`gammon embed`: the files with which a program in C or JavaScript uses the engine."""

from pathlib import Path

import click

from gammon.base.files import write_bytes
from gammon.commands.shared import model_option, out_option


@click.command()
@out_option("The folder for the files; it is created if it is missing.")
@click.option("--javascript", is_flag=True, help="For a page in a browser, or for node, in place of C.")
@model_option()
def embed(out: Path, javascript: bool, model: str) -> None:
    """Write the engine for programs in C or JavaScript.

    For C: gammon.h, the library and an engine. The engine has the network, the bearoff tables and
    the match equity table. The library is the one that gammon itself uses, and reads only engines
    of its own version. Where gammon was installed from its sources, the library is for this
    processor and better ones. docs/embed.md has an example.

    For JavaScript: gammon.js with its types, the WebAssembly module, and an engine without the
    bearoff tables, which the module computes. docs/embed.md has an example.
    """
    from gammon.compiled.library import library
    from gammon_adapters.embed.header import header
    from gammon_adapters.embed.packed_engine import TERMS, packed_engine
    from gammon_adapters.embed.script import README, script_files

    if javascript:
        files = script_files(model) | {"README.md": README.read_bytes()}
    else:
        core_library = library()
        files = {"gammon.h": header().encode(), "gammon.engine": packed_engine(core_library, model)}
        files[core_library.path.name] = core_library.path.read_bytes()
    files |= {notice.name: notice.read_bytes() for notice in TERMS}
    for name, data in files.items():
        write_bytes(out / name, data)
        click.echo(f"{len(data):12,} bytes  {out / name}")
