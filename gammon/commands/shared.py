"""Options, checks, positions read from arguments, and output that commands share."""

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from gammon.base.checks import shown
from gammon.base.errors import SettingError
from gammon.base.files import is_same_file
from gammon.base.settings import settings_of
from gammon.base.showing import view_module
from gammon.commands.options import MODEL, PLACE, SEED, SEVERAL, THREADS, option_of, with_default
from gammon.engine.question import Question
from gammon.formats.characters import folded
from gammon.view import SCHEMA_VERSION, to_json

if TYPE_CHECKING:
    from gammon.formats.position import Position

F = TypeVar("F", bound=Callable[..., Any])
#: The most players that an error about an unknown player lists.
_MOST_NAMES = 4
#: An XGID without its prefix that begins with a hyphen. No option looks like this.
_BARE_XGID = re.compile(r"-[A-Pa-p\s-]{19,}:")

_ROLL = re.compile("[1-6]{2}")
#: A word that is hardly an ID: a short one, or one with a dot, like a file name.
_NO_ID = re.compile(r"[^:=\s]{1,9}|[^:=\s]*\.[^:=\s]*")


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def is_given(name: str) -> bool:
    """Return whether a parameter stands in the command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def check_used(option: str, given: bool, *names: str) -> None:
    """Raise a usage error if options are given that have an effect only with another option.

    Args:
        option: the other option, as the error names it.
        given: whether the other option is given.
        names: the parameters of the options to check.
    """
    command = click.get_current_context().command
    words = {parameter.name: parameter.opts[0] for parameter in command.params}
    for name in names:
        if not given and is_given(name):
            raise click.UsageError(f"{words[name]} without {option}: it has no effect")


def check_apart(option: str, written: Path | None, what: str, other: Path | None) -> None:
    """Raise a usage error if an output file would overwrite another file.

    Args:
        option: the option that names the output file.
        written: the output file.
        what: the argument or option that names the other file.
        other: the other file.
    """
    if written is not None and other is not None and is_same_file(written, other):
        raise click.UsageError(f"{option} {str(written)!r}: expected another file than {what}")


def check_not_read(option: str, written: Path | None, *names: str) -> None:
    """Raise a usage error if an output file would overwrite one that the command reads.

    Args:
        option: the option that names the output file.
        written: the output file.
        names: the options that may name a file to read.
    """
    given = click.get_current_context().params
    for name in names:
        check_apart(option, written, f"--{name}", given[name] and Path(given[name]))


def check_seeds(asked: Question) -> None:
    """Raise a usage error if a seed is given that has no effect."""
    check_used("a level that plays games", asked.rolls_out is not None, "seed")
    check_used("--noise or --strength", bool(asked.noise_note), "noise_seed")


def check_rules(asked: Question, *more: str) -> None:
    """Raise a usage error if a rule about the cube is given but the answer is cubeless.

    Args:
        asked: the question.
        more: names of other options that have an effect only with the cube.
    """
    has_cube = asked.stakes is None and not asked.cubeless
    check_used("the cube", has_cube, "jacoby", "beavers", *more)


def player_named(name: str, players: Sequence[str]) -> str:
    """Return the player of a name.

    If no player has exactly this name, upper and lower case are not distinguished; if there is
    still none, the beginning of a name is enough.

    Raises:
        SettingError: no player fits, or more than one.
    """
    exact = [player for player in players if player == name]
    start = folded(name)
    same = [player for player in players if folded(player) == start]
    alike = [player for player in players if start and folded(player).startswith(start)]
    for matching in (exact, same, alike):
        if len(matching) == 1:
            return matching[0]
    known = alike or players
    if len(known) > 1 and len(set(known)) == 1:
        raise SettingError(f"player {shown(name)}: both players are called {shown(known[0])}")
    more = " ..." if len(known) > _MOST_NAMES else ""
    names = ", ".join(map(shown, known[:_MOST_NAMES]))
    raise SettingError(f"player {shown(name)}: expected one of {names}{more}")


def json_option(text: str = "Write JSON instead of tables.") -> Callable[[F], F]:
    """Return the option `--json`, the parameter `as_json`, with its help text."""
    return click.option("--json", "as_json", is_flag=True, help=text)


def out_option(text: str = "The folder for the results.", required: bool = True) -> Callable[[F], F]:
    """Return the option `--out`, a path to a folder, with its help text."""
    return click.option("--out", required=required, type=PLACE, metavar="FOLDER", help=text)


def resume_option() -> Callable[[F], F]:
    """Return the option `--out` of a command that does not require it."""
    text = "A folder for the results. After an interruption, the same command continues there."
    return out_option(text, required=False)


def model_option(what: str = "The network that evaluates positions") -> Callable[[F], F]:
    """Return the option `--model`; `what` describes the network in the help text."""
    return click.option(
        "--model",
        default="leaf",
        show_default=True,
        type=MODEL,
        metavar="NAME|FILE",
        help=f"{what}: leaf, probe, large, or a file.",
    )


def stakes_option(whose: str) -> Callable[[F], F]:
    """Return the option `--stakes` of games; `whose` names the player who gets the payoffs."""
    text = settings_of(Question)["stakes"].text.replace("the player on roll", whose)
    return option_of(with_default("stakes", "money", text))


def seed_option(what: str) -> Callable[[F], F]:
    """Return the option `--seed`; `what` names the random things in the help text."""
    return click.option(
        "--seed",
        default=1,
        show_default=True,
        type=SEED,
        metavar="N",
        help=f"A number; {what} follow from it. The same number repeats them.",
    )


def threads_option(what: str) -> Callable[[F], F]:
    """Return the option `--threads`; `what` names the work that they share."""
    return click.option(
        "--threads",
        default=1,
        show_default=True,
        type=THREADS,
        metavar="N",
        help=f"Processors that share {what}. The answer is the same.",
    )


def workers_option(command: F) -> F:
    """Add the option `--workers`: all processors unless given."""
    return click.option(
        "--workers",
        default=lambda: processors(),  # noqa: PLW0108 - looked up when a command runs
        type=SEVERAL,
        metavar="N",
        help="Processes that share the work; as many as there are processors unless given.",
    )(command)


def pool_options(command: F) -> F:
    """Add the options `--workers` and `--scheduler` to a command."""
    scheduler = click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="A Dask scheduler, such as tcp://10.0.0.1:8786. Its workers do the work instead.",
    )
    return workers_option(scheduler(command))


def print_view(view: Any) -> None:
    """Print a table or a group of tables on stdout, with colours on a terminal."""
    from rich.console import Console

    from gammon.view.tables import plain_text

    # No markup, because the name of a player may be `[link=...]` or `:x:`.
    console = Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        console.print(view, crop=False)
    else:
        print(plain_text(view))


def print_answer(answer: Any, as_json: bool, *how: Any) -> None:
    """Print an answer as a table, or as a line of JSON."""
    if as_json:
        echo_json(to_json(answer))
    else:
        print_view(view_module(answer).view_of(answer, *how))


def echo_json(values: Mapping[str, Any]) -> None:
    """Print an object as a line of JSON, beginning with the schema version."""
    print(json.dumps({"schema_version": SCHEMA_VERSION, **values}))


class TakesPosition(click.Command):
    """A command that takes a bare XGID as a position, even if it begins with a hyphen."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments of the command line."""
        prefixed = [f"XGID={word}" if _BARE_XGID.match(word) else word for word in args]
        return super().parse_args(ctx, prefixed)


def read_position(words: Sequence[str], hints: bool = False) -> "Position":
    """Read a position from one argument, or from several that contain nothing else.

    Args:
        words: the arguments, for instance a Position ID and a Match ID.
        hints: whether errors may mention --dice, --play and standard input.

    Raises:
        FormatError: there is no ID, a damaged ID, two different IDs, or a superfluous word.
        IllegalPositionError: the checkers are not a possible position.
    """
    from gammon.base.errors import FormatError
    from gammon.formats.characters import quoted
    from gammon.formats.pasted import read_pasted
    from gammon.formats.position import Position

    if tuple(words) == ("-",):
        raise FormatError("'-': expected a position, standard input is not read")
    try:
        return Position(*read_pasted(" ".join(words), alone=len(words) > 1))
    except FormatError as error:
        # `Path` would raise an error for a name that is too long.
        if len(words) == 1 and os.path.isfile(words[0]):  # noqa: PTH113
            raise FormatError(
                f"{quoted(words[0])} is a file: expected a position; "
                "`gammon analyze - < FILE` reads the positions of a file"
            ) from None
        raise FormatError(_with_hint(str(error), words) if hints else str(error)) from None


def _with_hint(error: str, words: Sequence[str]) -> str:
    """Return an error message, or a better one if a word was probably meant as an option."""
    from gammon.formats.characters import quoted

    for word in words[1:]:
        if _ROLL.fullmatch(word):
            return f"{quoted(word)}: for a roll, use --dice {word}"
        if _is_move(word):
            return f'{quoted(word)}: a play of several moves is put in quotes, such as --play "8/5 6/5"'
    if len(words) == 1 and _NO_ID.fullmatch(words[0]):
        return f"{error}; `gammon analyze - < FILE` reads the positions of a file"
    return error


def _is_move(word: str) -> bool:
    from gammon.base.errors import FormatError
    from gammon.formats.notation import parse_play

    try:
        return "/" in word and bool(parse_play(word))
    except FormatError:
        return False
