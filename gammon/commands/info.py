"""`gammon info`: versions, models and folders."""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

import click

import gammon
from gammon.commands.shared import echo_json, json_option

#: Explanations of entries of model cards whose names need one.
_MEANINGS = {
    "against_baseline": "against gammon/eval/baseline.py",
    "learned": "positions of the last step",
    "said": "of these, with targets from the previous network",
    "before": "of these, from games of the previous network",
    "own": "of these, from games of the large network with its new parts",
    "kept": "parts that stayed unchanged",
    "start": "the previous network; models/README.md has its commit",
    "opening": "where the other games began",
    "families": "share of games that began in random back games and similar positions",
    "starts": "share of games that began in other random positions",
    "blunders": "share of plays drawn from all legal ones",
    "trace": "lambda of the targets",
    "average": "updates over which weights are averaged",
}


@click.command()
@json_option("Write JSON instead of text.")
def info(as_json: bool) -> None:
    """Show versions, models and folders.

    Kernels are gammon's compiled functions: a variant of the library such as x86-64-v3, or numba,
    which compiles them at their first call. A model is a network that evaluates positions; its
    card describes its training and its strength. The cache is the folder for compiled code,
    packed networks and bearoff tables, which can be deleted at any time.
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
        echo_json({"versions": versions, "kernels": variant(), "models": cards, "cache": str(user_cache())})
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
    """Yield the entries of a card as lines, with nested entries indented."""
    for name, value in card.items():
        inner = value if isinstance(value, list) else [value]
        if inner and all(isinstance(entry, Mapping) for entry in inner):
            for entry in inner:
                yield f"{margin}{name}:"
                yield from _lines(entry, margin + "  ")
        else:
            text, meaning = ", ".join(map(str, inner)), _MEANINGS.get(name, "")
            note = f" ({meaning})" if text and meaning and meaning not in text else ""
            line = f"{margin}{name}: {text}{note}".rstrip()
            yield from wrap(line, 99, subsequent_indent=margin + "  ", break_long_words=False)
