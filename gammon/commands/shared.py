"""Options and checks that commands share."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from gammon.base.checks import shown
from gammon.base.errors import SettingError
from gammon.base.files import is_same_file
from gammon.base.settings import settings_of
from gammon.commands.options import option_of, with_default
from gammon.commands.types import MODEL, PLACE, SEED, SEVERAL, THREADS
from gammon.engine.question import Question
from gammon.formats.characters import folded

F = TypeVar("F", bound=Callable[..., Any])
#: The most players that an error about an unknown player lists.
_MOST_NAMES = 4


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_used(option: str, given: bool, *names: str) -> None:
    """Raise a usage error if options are given that have an effect only with another option.

    Args:
        option: the other option, as the error names it.
        given: whether the other option is given.
        names: the parameters of the options to check.
    """
    context = click.get_current_context()
    words = {parameter.name: parameter.opts[0] for parameter in context.command.params}
    for name in names:
        if not given and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
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
        help=f"Any number; {what} follow from it. The same number repeats them.",
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


def pool_options(command: F) -> F:
    """Add the options `--workers` and `--scheduler` to a command."""
    workers = click.option(
        "--workers",
        default=1,
        show_default=True,
        type=SEVERAL,
        metavar="N",
        help="Processes that share the work.",
    )
    scheduler = click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="A Dask scheduler, such as tcp://10.0.0.1:8786. Its workers do the work instead.",
    )
    return workers(scheduler(command))
