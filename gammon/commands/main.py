"""The program `gammon`: a group of commands, and `gammon completion`, by which shells complete them.

Each other command is imported when it is used, and imports its own needs when it runs, so that help
is instant.
"""

import os
from pathlib import Path

import click

import gammon
from gammon.base.errors import SettingError
from gammon.commands.group import CommandSet, MainGroup

# numpy's BLAS starts a thread for each processor on import. Nothing here needs these threads, and
# they would slow the start of every command and worker.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", required=False, metavar="[SHELL]", type=click.Choice(_SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str | None) -> None:
    """Print the script that completes commands in a shell.

    SHELL is bash, zsh or fish; your own unless given. Once the shell has read the script, the
    Tab key completes the commands of gammon, their options, and the options' values. Add the
    line for your shell to its startup file:

    \b
    bash   ~/.bashrc                    eval "$(gammon completion bash)"
    zsh    ~/.zshrc                     eval "$(gammon completion zsh)"
    fish   ~/.config/fish/config.fish   gammon completion fish | source
    """
    from click.shell_completion import get_completion_class

    if shell is None:
        named = os.environ.get("SHELL", "")
        shell = Path(named).name
        if shell not in _SHELLS:
            raise SettingError(
                f"the environment's SHELL {named!r}: expected {', '.join(_SHELLS)}; "
                "name one, as in `gammon completion bash`"
            )
    script = get_completion_class(shell)
    assert script is not None, "click supports all three shells"
    program = context.find_root().command
    click.echo(script(program, {}, "gammon", "_GAMMON_COMPLETE").source())


def _load(name: str) -> click.Command:
    match name:
        case "analyze":
            from gammon.commands.analyze import analyze

            return analyze
        case "bearoff":
            from gammon.commands.show import bearoff

            return bearoff
        case "completion":
            return completion
        case "demo":
            from gammon.commands.analyze import demo

            return demo
        case "info":
            from gammon.commands.info import info

            return info
        case "match":
            from gammon.commands.match import match

            return match
        case "met":
            from gammon.commands.met import met

            return met
        case "rollout":
            from gammon.commands.rollout import rollout

            return rollout
        case "show":
            from gammon.commands.show import show

            return show
    raise KeyError(name)


#: The commands of the engine with the first sentence of their help; a test compares both.
_OWN = CommandSet(
    {
        "analyze": "Find the best plays of POSITION and their values.",
        "bearoff": "Show the chances and the rolls of a race or a bearoff.",
        "completion": "Print the script that completes commands in a shell.",
        "demo": "Analyze three positions, as a first look.",
        "info": "Show versions, models and folders.",
        "match": "Play a match of player A against player B.",
        "met": "Show the match equity table.",
        "rollout": "Play games from a position to judge plays, or a double.",
        "show": "Show POSITION: the board, its IDs, the pips and the score.",
    },
    _load,
)
#: The sections of the help with their commands, from any package; the commands for beginners
#: come first. Other commands follow in a last section.
_PARTS = {
    "Play and study": "play serve demo analyze review study drill anki rollout match show bearoff met",
    "Laboratory": "bench grade hypergammon noise reproduce train",
    "Programs": "ubgi external embed site schema info completion",
}


#: First commands for a player, with what they do; printed if no command is given.
_FIRST = (
    ("gammon play", "a game on a board in the browser"),
    ("gammon serve --open", "the same board, to analyze positions"),
    ("gammon demo", "three positions, as a first look"),
    ("gammon analyze POSITION", "the best plays of a position"),
    ("gammon review FILE", "what each decision of a match cost"),
    ("gammon --help", "all commands"),
)


@click.group(
    cls=MainGroup,
    own=_OWN,
    parts=_PARTS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(gammon.__version__, package_name="gammon")
@click.pass_context
def main(context: click.Context) -> None:
    """Analyze backgammon: plays, the cube, races and whole matches.

    docs/glossary.md explains the words, such as equity and PR; docs/first_hour.md shows how to begin.
    """
    if context.invoked_subcommand is None:
        formatter = context.make_formatter()
        with formatter.section("gammon analyzes backgammon. Begin with"):
            formatter.write_dl(_FIRST)
        click.echo(formatter.getvalue(), nl=False)
