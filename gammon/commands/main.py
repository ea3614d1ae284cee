"""The program `gammon`: a group of commands.

Each command is imported when it is used, and imports what it needs when it runs, so that help
is instant.
"""

import os

import click

import gammon
from gammon.commands.group import Program

# numpy's BLAS starts a thread for each processor when it is imported. Nothing here needs them,
# and they cost each command, and each worker of one, a part of its start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

#: The commands, with the first sentence of the help of each: that of the program must not
#: import them. A test compares both.
_LINES = {
    "analyze": "Find the best plays of POSITION and their exact values.",
    "bearoff": "Show chances and rolls of a race or a bearoff.",
    "bench": "Measure the speed of this machine.",
    "completion": "Print the script that completes commands in a shell.",
    "demo": "Analyze three positions, as a first look.",
    "drill": "Train with positions, and show what answers lose.",
    "embed": "Write the engine for programs in C or JavaScript.",
    "external": "Play for GNU Backgammon as its external player.",
    "grade": "Measure how much the plays of PLAYERS give away.",
    "info": "Show versions, models and folders.",
    "match": "Play a match of player A against player B.",
    "met": "Show the match equity table.",
    "noise": "Study how much depth matters when the network errs in one way.",
    "reproduce": "Repeat an experiment of the papers and compare the figures.",
    "review": "Analyze a match: what each decision cost.",
    "rollout": "Play games from a position to judge plays, or a double.",
    "schema": "Print the JSON Schema of all answers in JSON.",
    "serve": "Show a board in the browser, and answer other programs by HTTP.",
    "site": "Write the board as a page that needs no server.",
    "show": "Show POSITION: the board, its IDs, the pips and the score.",
    "study": "Keep matches, and show what their players get wrong.",
    "train": "Train a network on games against itself.",
    "ubgi": "Answer a controller by the Universal Backgammon Interface.",
}
#: The parts of the help, and the commands of each: those first with which people begin.
_PARTS = {
    "Play and study": "demo serve analyze review study drill rollout match show bearoff met",
    "Laboratory": "bench grade noise reproduce train",
    "Programs": "ubgi external embed site schema info completion",
}


#: Commands with which a player may begin, for those who type none, and what they do.
_FIRST = (
    ("gammon serve --open", "the board in a browser"),
    ("gammon demo", "three positions, as a first look"),
    ("gammon analyze POSITION", "the best plays of a position"),
    ("gammon review FILE", "what each decision of a match cost"),
    ("gammon --help", "all commands"),
)


@click.group(
    cls=Program, lines=_LINES, parts=_PARTS, invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip
@click.version_option(gammon.__version__, package_name="gammon")
@click.pass_context
def main(context: click.Context) -> None:
    """Analyze backgammon: plays, the cube, races and whole matches."""
    if context.invoked_subcommand is None:
        formatter = context.make_formatter()
        with formatter.section("gammon analyzes backgammon. Begin with"):
            formatter.write_dl(_FIRST)
        click.echo(formatter.getvalue(), nl=False)
