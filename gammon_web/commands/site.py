"""`gammon site`: the board as a page that needs no server."""

from pathlib import Path

import click

from gammon.commands.shared import model_option, out_option


@click.command()
@out_option("The folder for the files; it is created if it is missing.")
@model_option()
def site(out: Path, model: str) -> None:
    """Write the board as a page that needs no server.

    The engine is in the page, as WebAssembly. Any web server can serve the files, from any folder,
    and after the first visit the page works offline. See docs/first_hour.md.
    """
    from gammon_web.site import write_site

    sizes = write_site(out, model)
    total = sum(sizes.values())
    click.echo(f"{len(sizes)} files, {total:,} bytes, in {out}")
    click.echo(f"To try it: python -m http.server --bind 127.0.0.1 --directory {out}")
