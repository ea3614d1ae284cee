"""`gammon info`: versions, models and folders."""

import json

import click

from gammon.commands.shared import json_option

__all__ = ["info"]


@click.command()
@json_option("Write JSON instead of text.")
def info(as_json: bool) -> None:
    """Show versions, the models and their cards, and where compiled code is kept."""
    import importlib.metadata
    import platform

    from gammon.eval.model_file import load_model, shipped_models
    from gammon.kernel import cache_folder

    versions: dict[str, str | None] = {"python": platform.python_version()}
    for package in ("gammon", "numpy", "numba", "torch"):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = None
    models = [load_model(path) for path in shipped_models()]
    if as_json:
        cards = {str(model.path): model.card for model in models}
        click.echo(
            json.dumps({"versions": versions, "models": cards, "cache": str(cache_folder())})
        )
        return
    for package, version in versions.items():
        click.echo(f"{package:8} {version or 'not installed'}")
    click.echo(f"{'cache':8} {cache_folder()}")
    for model in models:
        click.echo(f"\nmodel {model.path.stem if model.path else ''}: {model.path}")
        for name, value in model.card.items():
            click.echo(f"  {name}: {value}")
