"""The program `gammon`: a group of commands.

Each command imports what it needs when it runs, so that help is instant.
"""

import click

import gammon
from gammon.commands.analyze import analyze
from gammon.commands.bearoff import bearoff
from gammon.commands.bench import bench
from gammon.commands.completion import completion
from gammon.commands.demo import demo
from gammon.commands.external import external
from gammon.commands.grade import grade
from gammon.commands.info import info
from gammon.commands.match import match
from gammon.commands.met import met
from gammon.commands.noise import noise
from gammon.commands.reproduce import reproduce
from gammon.commands.review import review
from gammon.commands.rollout import rollout
from gammon.commands.schema import schema
from gammon.commands.serve import serve
from gammon.commands.shared import Commands
from gammon.commands.show import show
from gammon.commands.train import train
from gammon.commands.ubgi import ubgi

__all__ = ["main"]


@click.group(
    cls=Commands,
    commands=(
        analyze, bearoff, bench, completion, demo, external, grade, info, match, met, noise,
        reproduce, review, rollout, schema, serve, show, train, ubgi,
    ),
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip
@click.version_option(gammon.__version__, package_name="gammon")
def main() -> None:
    """Backgammon analysis by exact full-width *-minimax search."""
