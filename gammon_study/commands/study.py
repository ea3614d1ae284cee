"""`gammon study`: a library of matches, and what their players get wrong."""

import functools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gammon.base.errors import SettingError
from gammon.commands.group import Commands
from gammon.commands.options import question_options, record_options, with_default
from gammon.commands.shared import (
    check_apart,
    check_seeds,
    check_used,
    json_option,
    model_option,
    player_named,
    processors,
)
from gammon.commands.types import PLACE, SEVERAL, Integer
from gammon.engine.question import Question
from gammon.formats.words import several
from gammon.view.console import print_answer
from gammon_study.library.ask import OF_DECISIONS, OF_ERRORS, OF_MATCHES, Selection
from gammon_study.reviews.names import GROUPS, RULES

if TYPE_CHECKING:
    from gammon_study.library.library import Library

F = TypeVar("F", bound=Callable[..., Any])
_NO_MATCHES = "no matches yet: `gammon study add FOLDER`"


def asking(*chosen: str, make: bool = False) -> Callable[[F], F]:
    """Return a decorator: a command gets its open library, and what is asked as `Selection`.

    Args:
        chosen: the parts of the question that are options.
        make: whether a library that is not there is made.
    """

    def decorate(command: F) -> F:
        @functools.wraps(command)
        def wrapped(library: Path, asked: Selection, **given: Any) -> Any:
            with opened_library(library, make) as opened:
                if not make and not opened.ask("SELECT 1 FROM match LIMIT 1"):
                    raise SettingError(_NO_MATCHES)
                return command(opened, _named(opened, asked), **given)

        found: Any = _LIBRARY(record_options(Selection, "asked", *chosen)(wrapped))
        return found  # type: ignore[no-any-return]

    return decorate


@contextmanager
def opened_library(path: Path, make: bool = False) -> "Iterator[Library]":
    """Open a library, and make the rows again that other rules have made.

    Args:
        path: of its file.
        make: whether one that is not there is made.
    """
    from gammon_study.library.library import Library

    with Library(path, make) as opened:
        if opened.ask("SELECT 1 FROM match WHERE ABS(rules) != ? LIMIT 1", [RULES]):
            from gammon_study.library.add import refresh  # its modules are slow to load

            refresh(opened)
        yield opened


def _named(library: "Library", asked: Selection) -> Selection:
    """Return the question with the players' names as the matches have them.

    Raises:
        SettingError: no match has a player of that name.
    """
    given = asked.player, asked.opponent
    if given == (None, None):
        return asked
    rows = library.ask("SELECT name FROM side GROUP BY name COLLATE any_case ORDER BY COUNT(*) DESC")
    if not rows:
        raise SettingError(_NO_MATCHES)
    players = [row["name"] for row in rows]
    player, opponent = (None if name is None else player_named(name, players) for name in given)
    return replace(asked, player=player, opponent=opponent)


def _at_home(context: click.Context, option: click.Parameter, path: Path) -> Path:
    """Return a path whose first part is a home that `~` names."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise click.BadParameter(f"{str(path)!r}: there is no such home") from None


_LIBRARY = click.option(
    "--library",
    type=PLACE,
    metavar="FILE",
    default="~/gammon-study.db",
    show_default=True,
    callback=_at_home,
    help="The file of the library.",
)


@click.group(cls=Commands)
def study() -> None:
    """Keep matches, and show what their players get wrong.

    A library is one file. `add` reviews matches and puts them there; `stats` shows what kinds
    of decisions cost most, `errors` which ones they were and why, and `export` writes them
    into files.

    \b
    gammon study add matches/ --workers 2
    gammon study stats --player Ann --by theme
    gammon study errors --player Ann --theme "back game" --least 0.05
    """


@study.command()
@click.argument("places", nargs=-1, required=True, type=PLACE, metavar="FILE|FOLDER...")
@_LIBRARY
@question_options(
    with_default("depth", 5, "Plies to search: 5 takes half a minute or so a match, 3 takes seconds."),
    "level",
    "seed",
    "met",
)
@model_option()
@click.option(
    "--workers",
    default=processors,
    type=SEVERAL,
    metavar="N",
    help="Processes that share the work; as many as there are processors unless given.",
)
@click.option("--again", is_flag=True, help="Review matches that came analyzed, too.")
def add(
    places: tuple[Path, ...], library: Path, asked: Question, model: str, workers: int, again: bool
) -> None:
    """Review matches, and add them to the library.

    Of a folder, and of folders in it, all files in .mat, .sgf, .bgf and .xg are read. A match
    that is there is not added again, also from a file of another name or format. One that was
    saved before its end is replaced when the rest comes. One with an analysis of all its
    decisions, by eXtreme Gammon or GNU Backgammon, keeps it. After an interrupt the same
    command goes on: only the matches that were under way start over.
    """
    check_seeds(asked)
    from collections import Counter

    from gammon.view.progress import counted
    from gammon_study.library.add import add_matches, match_files

    files = match_files(places)
    if not files:
        raise SettingError("no match files there: expected names in .mat, .sgf, .bgf or .xg")
    found: Counter[str] = Counter()
    with opened_library(library, make=True) as opened, counted(len(files)) as show:
        for added in add_matches(
            opened,
            files,
            asked.depth,
            workers,
            model,
            asked.met,
            again,
            on_file=lambda done, total, text: show(done, f"{int(done)} of {total} {text}"),
            level=asked.level,
            seed=asked.seed,
        ):
            found[added.what] += 1
            if added.what == "left out":
                click.echo(f"left out: {added.detail}", err=True)
        (total,) = opened.ask("SELECT COUNT(*) AS matches FROM match")
    said = ", ".join(f"{count} {what}" for what, count in found.items())
    click.echo(f"{said}; matches in the library {library}: {total['matches']}")
    if set(found) == {"left out"}:
        raise SystemExit(1)


@study.command()
@asking(*OF_MATCHES, *OF_DECISIONS)
@click.option(
    "--by",
    type=click.Choice(GROUPS),
    metavar="GROUP",
    help="A row for each player, opponent, day, month, year, length, analysis or match; or "
    "kind, phase or theme. Player unless one is given, else kind.",
)
@click.option(
    "--plot",
    type=PLACE,
    metavar="FILE",
    help="Draw the PR from match to match into an SVG file, with the extra plots.",
)
@json_option("Write JSON instead of a table.")
def stats(library: "Library", asked: Selection, by: str | None, plot: Path | None, as_json: bool) -> None:
    """Show PR and luck, by player, theme, month and more."""
    from gammon.base.files import write_text
    from gammon_study.library.stats import statistics, trend_of

    check_apart("--plot", plot, "--library", library.path)
    named = asked.player is not None
    by = by or ("kind" if named and asked.part() == ("all", "all") else "player")
    found = statistics(library, asked, by)
    trend = [] if plot is None else trend_of(library, asked)
    print_answer(found, as_json)
    if plot is not None:
        from gammon_study.view.study import trend_svg

        write_text(plot, trend_svg(trend))


@study.command()
@asking(*OF_MATCHES, *OF_DECISIONS, *OF_ERRORS)
@click.option(
    "--count",
    default=10,
    show_default=True,
    type=Integer(0, 100_000),
    metavar="N",
    help="How many of them to show, the largest first.",
)
@json_option("Write JSON instead of a list.")
def errors(library: "Library", asked: Selection, count: int, as_json: bool) -> None:
    """Show errors, the largest first, and why they are errors.

    The options say which ones. A PATTERN of the board has a part for each point that matters:
    6=2+ is a point of the player on roll with two checkers or more, o20=1 a blot of the
    opponent on the point that the player on roll numbers 20, bar=1 and obar=1 are checkers on
    the bar, and 24=0 says that none is there.
    """
    from gammon_study.library.errors import errors_found

    found = errors_found(library, asked, count)
    print_answer(found, as_json)


@study.command()
@click.argument("out", type=PLACE)
@asking(*OF_MATCHES, *OF_DECISIONS, *OF_ERRORS)
@click.option(
    "--count",
    default=1000,
    show_default=True,
    type=Integer(0, 1_000_000),
    metavar="N",
    help="How many errors to write at most, the largest first.",
)
@click.option("--anki", is_flag=True, help="Write a package for Anki, whatever its name.")
def export(library: "Library", asked: Selection, out: Path, count: int, anki: bool) -> None:
    """Write errors, or matches, into OUT.

    The end of its name says what is written: the errors as .csv, .json, .txt (an XGID a line),
    .html (a sheet with boards) or .apkg (cards for Anki); a name without an ending is a folder,
    which gets the matches as .mat: with options that say which errors, those that have such
    errors.
    """
    from gammon.base.files import write_text
    from gammon_study.library.errors import errors_found
    from gammon_study.library.export import FORMATS, choices_of, write_matches

    check_apart("OUT", out, "--library", library.path)
    kind, endings = out.suffix.lower(), (*FORMATS, ".apkg", ".html", ".json")
    if anki:
        kind = ".apkg"
    check_used("a file of errors", bool(kind), "count")
    if kind not in ("", *endings) or out.name.lower() in endings:
        raise SettingError(
            f"file {str(out)!r}: expected a name in .csv, .json, .txt, .html or .apkg, or a folder"
        )
    if not kind:
        number = sum(1 for _ in write_matches(library, asked, out))
        click.echo(f"wrote {several(number, 'match', 'es')} into {out}")
        return
    found = errors_found(library, asked, count)
    wrote = several(len(found.errors), "error")
    if kind == ".apkg":
        from gammon_study.view.anki import write_anki

        cards = write_anki(out, found.errors, choices_of(library, found.errors))
        wrote = several(cards, "card")
    elif kind == ".html":
        from gammon.base import plugins

        page = plugins.plugin(plugins.FORMATS, "page")
        write_text(out, page(choices_of(library, found.errors)))
    elif kind == ".json":
        from gammon.view import to_json

        write_text(out, json.dumps(to_json(found), indent=1) + "\n")
    else:
        write_text(out, FORMATS[kind](found.errors))
    click.echo(f"wrote {wrote} into {out}")
