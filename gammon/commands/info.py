"""`gammon info`: versions, models and folders."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

import gammon
from gammon.commands.shared import json_option
from gammon.shown.console import echo_json


@click.command()
@json_option("Write JSON instead of text.")
def info(as_json: bool) -> None:
    """Show versions, models and folders.

    The kernels are compiled code: a variant of the library, or what numba makes. A model is a
    network that judges positions. Its card says how it was made and how strong it is. The cache
    is the folder for compiled code, packed networks and bearoff tables; it can be deleted at
    any time.
    """
    import importlib.metadata
    import platform

    from gammon.base.files import user_cache
    from gammon.compiled.kernel import no_library, variant
    from gammon.eval.model_file import load_model, shipped_models
    from gammon.formats.characters import visible

    versions: dict[str, str | None] = {"python": platform.python_version()}
    versions["gammon"] = gammon.__version__
    for package in ("numpy", "numba", "torch"):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = None
    models = [load_model(path) for path in shipped_models()]
    if as_json:
        cards = {str(model.path): model.card for model in models}
        echo_json(
            {
                "versions": versions, "kernels": variant(), "models": cards,
                "cache": str(user_cache()),
            }
        )  # fmt: skip
        return
    for package, version in versions.items():
        click.echo(f"{package:8} {version or 'not installed'}")
    click.echo(f"{'kernels':8} {variant()}{f' ({no_library()})' if no_library() else ''}")
    click.echo(f"{'cache':8} {user_cache()}")
    for model in models:
        click.echo(f"\nmodel {model.path.stem if model.path else ''}: {model.path}")
        for line in _lines(model.card):
            click.echo(visible(line))


def _lines(card: Mapping[str, Any], margin: str = "  ") -> Iterator[str]:
    """Yield the entries of a card, those within others indented."""
    for name, value in card.items():
        inner = value if isinstance(value, list) else [value]
        if inner and all(isinstance(each, Mapping) for each in inner):
            for each in inner:
                yield f"{margin}{name}:"
                yield from _lines(each, margin + "  ")
        else:
            yield f"{margin}{name}: {', '.join(map(str, inner))}".rstrip()
