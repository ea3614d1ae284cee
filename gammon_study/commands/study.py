"""`gammon study`: a library of matches, and what their players get wrong."""

import functools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gammon.base.errors import SettingError
from gammon.commands.group import Commands
from gammon.commands.options import PLACE, Integer, question_options, record_options, with_default
from gammon.commands.shared import (
    TakesPosition,
    check_apart,
    check_seeds,
    check_used,
    json_option,
    model_option,
    player_named,
    print_answer,
    read_position,
    workers_option,
)
from gammon.engine.question import TERMS, Question
from gammon.formats.context import several
from gammon_study.library.selection import OF_DECISIONS, OF_ERRORS, OF_MATCHES, Selection
from gammon_study.reviews.names import GROUPS, RULES, THEMES

if TYPE_CHECKING:
    from gammon_study.library.add import Added
    from gammon_study.library.library import Library

F = TypeVar("F", bound=Callable[..., Any])
#: In place of a player's name: all players.
_ALL = "all"
_NO_MATCHES = "no matches yet: `gammon study add FOLDER`"


def selecting(*chosen: str, make: bool = False, own: bool = False) -> Callable[[F], F]:
    """Return a decorator that opens the library, and passes it to a command with its `Selection`.

    Args:
        chosen: the fields of `Selection` that become options.
        make: whether a missing library is created.
        own: whether the decisions of the user are selected unless a player is named.
    """

    def decorate(command: F) -> F:
        @functools.wraps(command)
        def wrapped(library: Path, selection: Selection, **given: Any) -> Any:
            with opened_library(library, make) as opened:
                if not make and not opened.ask("SELECT 1 FROM match LIMIT 1"):
                    raise SettingError(_NO_MATCHES)
                return command(opened, _named(opened, selection, own), **given)

        decorated: Any = LIBRARY(record_options(Selection, "selection", *chosen)(wrapped))
        return decorated  # type: ignore[no-any-return]

    return decorate


@contextmanager
def opened_library(path: Path, make: bool = False) -> "Iterator[Library]":
    """Open a library, and derive rows again that were derived by other rules.

    Args:
        path: the library's file.
        make: whether a missing library is created.
    """
    from gammon_study.library.library import Library

    with Library(path, make) as opened:
        if opened.ask("SELECT 1 FROM match WHERE ABS(rules) != ? LIMIT 1", [RULES]):
            # These modules are slow to load.
            from gammon.view.progress import counted
            from gammon_study.library.add import refresh

            with counted(1) as show:
                refresh(
                    opened,
                    lambda done, total: show(
                        done / total, f"{done} of {total}: figures by the present rules"
                    ),
                )
        yield opened


def _named(library: "Library", selection: Selection, own: bool = False) -> Selection:
    """Return the selection with the players' names as the matches spell them.

    Args:
        library: an open library.
        selection: the selection; the player `all` means all players.
        own: whether the user is the player unless one is named, or no match has the user.

    Raises:
        SettingError: no match has a player of that name.
    """
    given = selection.player, selection.opponent
    if own and given[0] is None:
        from gammon_study.library.matches import own_name

        name = own_name(library)
        played = library.ask("SELECT 1 FROM side WHERE name = ? COLLATE any_case LIMIT 1", [name])
        given = name if played else None, given[1]
    elif own and given[0] == _ALL:
        given = None, given[1]
    if given == (None, None):
        return replace(selection, player=None)
    rows = library.ask("SELECT name FROM side GROUP BY name COLLATE any_case ORDER BY COUNT(*) DESC")
    if not rows:
        raise SettingError(_NO_MATCHES)
    players = [row["name"] for row in rows]
    player, opponent = (None if name is None else player_named(name, players) for name in given)
    return replace(selection, player=player, opponent=opponent)


def _at_home(context: click.Context, option: click.Parameter, path: Path) -> Path:
    """Return a path with `~` replaced by the home directory."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise click.BadParameter(f"{str(path)!r}: there is no such home") from None


#: The library's file unless another one is named.
USUAL_LIBRARY = "~/gammon-study.db"
LIBRARY = click.option(
    "--library",
    type=PLACE,
    metavar="FILE",
    default=USUAL_LIBRARY,
    show_default=True,
    callback=_at_home,
    help="The file of the library.",
)


def number_option(name: str, default: int, text: str) -> Callable[[F], F]:
    """Return a decorator that adds an option for a number of things to show or to write."""
    most = Integer(0, 1_000_000)
    return click.option(f"--{name}", default=default, show_default=True, type=most, metavar="N", help=text)


@click.group(cls=Commands)
def study() -> None:
    """Keep matches, and show what their players get wrong.

    A library is one file. `add` reviews matches and stores them there; `list`, `show`, `remove`,
    `rename`, `me` and `merge` manage them; `note` and `find` keep notes on positions. `stats`
    shows which kinds of decisions cost most, `plan` what to work on, `progress` what a drill has
    changed, `errors` the errors and the reasons; `export` writes them into files. docs/review.md
    explains themes and reasons, docs/glossary.md the words.

    \b
    gammon study add matches/ --workers 2
    gammon study stats --player Ann --by theme
    gammon study errors --player Ann --theme "back game" --least 0.05
    """


@study.command()
@click.argument("places", nargs=-1, required=True, type=PLACE, metavar="FILE|FOLDER...")
@LIBRARY
@question_options(
    with_default("depth", 5, "Plies to search: 5 takes half a minute or so a match, 3 takes seconds."),
    "level",
    "seed",
    "met",
)
@model_option()
@workers_option
@click.option(
    "--again",
    is_flag=True,
    help="Review also decisions that their file has an analysis of, and add matches that were removed.",
)
def add(
    places: tuple[Path, ...], library: Path, asked: Question, model: str, workers: int, again: bool
) -> None:
    """Review matches, and add them to the library.

    In a folder and its subfolders, all files in .mat, .sgf, .bgf, .xg, .ogxm and .gvab are read; of a
    library that the page without a server saved (.json.gz), all matches. A match that is in the
    library is not added again, even from a file of another name or format. A match that was saved
    before its end is replaced by the longer one. Where a file has an analysis that is as deep as
    asked, it is kept. After an interruption the same command continues: only the matches that were
    under way start over.
    """
    check_seeds(asked)
    from gammon.view.progress import counted
    from gammon_study.library.add import add_matches, match_files

    files = match_files(places)
    if not files:
        raise SettingError("no match files there: expected names in .mat, .sgf, .bgf, .xg, .ogxm or .gvab")
    with opened_library(library, make=True) as opened, counted(len(files)) as show:
        _report(
            add_matches(
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
            ),
            opened,
        )


def _report(results: "Iterable[Added]", library: "Library") -> None:
    """Print a line for each match that is left out, then how many became what.

    Raises:
        SystemExit: all are left out.
    """
    counts: Counter[str] = Counter()
    for added in results:
        counts[added.what] += 1
        if added.what == "left out":
            click.echo(f"left out: {added.detail}", err=True)
    (total,) = library.ask("SELECT COUNT(*) AS matches FROM match")
    summary = ", ".join(f"{count} {what}" for what, count in counts.items()) or "nothing to add"
    click.echo(f"{summary}; matches in the library {library.path}: {total['matches']}")
    if set(counts) == {"left out"}:
        raise SystemExit(1)


@study.command("list")
@selecting(*OF_MATCHES)
@number_option("count", 100, "How many matches to list at most, the last ones.")
@json_option("Write JSON instead of a table.")
def list_(library: "Library", selection: Selection, count: int, as_json: bool) -> None:
    """List the matches, the latest last.

    The other commands take the number of a match from this list. A selected player comes first.
    """
    from gammon_study.library.matches import match_list

    print_answer(match_list(library, selection, count), as_json)


_NUMBER = Integer(1, 2**31)


@study.command()
@click.argument("match", type=_NUMBER)
@selecting()
@click.option("--player", metavar="NAME", help="Show this player alone; the name's beginning will do.")
@number_option("worst", 10, "How many of the worst decisions to show.")
@json_option()
def show(
    library: "Library", selection: Selection, match: int, player: str | None, worst: int, as_json: bool
) -> None:
    """Show the review of a match, and what to look at.

    MATCH is a number of `gammon study list`. Nothing is analyzed again. After the review come each
    player's three decisions with the largest loss beyond their difficulty, and PR with its interval.
    """
    from gammon_study.library.matches import stored_review

    check_used("tables (--json leaves them out)", not as_json, "worst", "player")
    stored = stored_review(library, match)
    players = stored.match.players
    side = None if player is None else players.index(player_named(player, players))
    print_answer(stored, as_json, side, worst)


@study.command()
@click.argument("matches", nargs=-1, required=True, type=_NUMBER, metavar="MATCH...")
@selecting()
@click.option("--yes", is_flag=True, help="Remove the matches without asking first.")
def remove(library: "Library", selection: Selection, matches: tuple[int, ...], yes: bool) -> None:
    """Remove matches from the library.

    MATCH is a number of `gammon study list`. The library remembers what was removed: `add`
    and `merge` do not bring these matches back, but `add --again` does. The files stay where they
    are.
    """
    from gammon_study.library.matches import MatchList, check_numbers, match_list, remove_matches

    check_numbers(library, matches)
    if not yes:
        meant = [match for match in match_list(library).matches if match.match in matches]
        print_answer(MatchList(meant, len(meant)), False)
        click.confirm(f"Remove {several(len(set(matches)), 'match', 'es')}?", abort=True)
    click.echo(f"removed {several(remove_matches(library, matches), 'match', 'es')}")


@study.command()
@click.argument("name")
@click.argument("called", required=False, metavar="[NEW NAME]")
@selecting()
def rename(library: "Library", selection: Selection, name: str, called: str | None) -> None:
    """Give the player NAME a new name.

    All matches get the new name, also those that are added later. If another player has the new
    name, both become one player. Without a new name, the player's matches have the names in their
    files again.
    """
    from gammon_study.library.matches import rename_player

    present = _named(library, Selection(player=name)).player or name
    count = rename_player(library, present, called)
    done = (
        f"restored the names in the files of {present}" if called is None else f"renamed {present} {called}"
    )
    click.echo(f"{done}, in {several(count, 'match', 'es')}")


@study.command()
@click.argument("name", required=False)
@selecting()
def me(library: "Library", selection: Selection, name: str | None) -> None:
    """Say that NAME is you, or show who you are.

    Your decisions are then meant wherever decisions are selected without --player; --player all means
    all players.
    """
    from gammon_study.library.matches import own_name, set_own_name

    if name is not None:
        set_own_name(library, _named(library, Selection(player=name)).player or name)
    click.echo(own_name(library) or "nobody yet: `gammon study me NAME`")


@study.command(cls=TakesPosition)
@click.argument("position", nargs=-1, required=True)
@LIBRARY
@question_options("dice", *TERMS)
@click.option("--text", metavar="NOTE", help="The note; an empty one takes the note away.")
@click.option(
    "--tag", "tags", multiple=True, metavar="TAG", help="A tag; -TAG takes it away; may be repeated."
)
def note(
    position: tuple[str, ...], library: Path, asked: Question, text: str | None, tags: tuple[str, ...]
) -> None:
    """Keep a note and tags on POSITION, or show them.

    POSITION is written as for `gammon analyze`. Positions with a common tag are a collection:
    `gammon study find --tag` lists them, `gammon anki --tag` makes cards of them, and the deck notes
    of `gammon drill` asks about them.

    \b
    gammon study note 4HPwATDgc/ABMA --dice 31 --text "5 point" --tag book
    """
    from gammon_study.library.notes import NoteList, note_on, write_note

    xgid = replace(asked, position=read_position(position)).placed().xgid
    with opened_library(library, make=True) as opened:
        if text is not None or tags:
            write_note(opened, xgid, text, tags)
        kept = note_on(opened, xgid)
        print_answer(NoteList([kept] if kept else []), False)


@study.command()
@click.argument("text", required=False, metavar="[WORDS]")
@LIBRARY
@click.option("--tag", metavar="TAG", help="Only notes with this tag.")
@click.option("--theme", type=click.Choice(THEMES), metavar="THEME", help="Positions of this theme.")
@click.option("--board", metavar="PATTERN", help="Boards with these checkers, as for `study errors`.")
@click.option("--position", metavar="ID", help="This position, at any score and with any roll.")
@json_option("Write JSON instead of a list.")
def find(
    text: str | None,
    library: Path,
    tag: str | None,
    theme: str | None,
    board: str | None,
    position: str | None,
    as_json: bool,
) -> None:
    """Find notes, and remarks in match files, that contain WORDS.

    Without WORDS and options all are listed. `gammon study errors` finds errors.
    """
    from gammon_study.library.notes import find_notes

    place = None
    if position is not None:
        from gammon_study.library.record import board_of

        place = board_of(read_position([position]))
    with opened_library(library) as opened:
        print_answer(find_notes(opened, text, tag, theme, board, place), as_json)


@study.command()
@click.argument("other", type=PLACE, metavar="FILE")
@LIBRARY
def merge(other: Path, library: Path) -> None:
    """Add the matches of another library, FILE.

    Matches that this library has stay as they are; matches that were removed here stay out. Cards of
    drills and notes come along. Nothing is analyzed, and the other library stays as it is.
    """
    from gammon.view.progress import counted
    from gammon_study.library.add import merge as merged

    check_apart("FILE", other, "--library", library)
    with opened_library(other) as source, opened_library(library, make=True) as opened, counted(1) as show:
        _report(merged(opened, source, lambda done, total: show(done / total, f"{done} of {total}")), opened)


@study.command()
@selecting(*OF_MATCHES, *OF_DECISIONS)
@click.option(
    "--by",
    type=click.Choice(GROUPS),
    metavar="GROUP",
    help="A row for each player, opponent, day, month, year, length, analysis or match; or "
    "kind, phase or theme. Unless given: player; with --player, kind.",
)
@click.option(
    "--plot",
    type=PLACE,
    metavar="FILE",
    help="Draw the PR from match to match into an SVG file, with the extra plots.",
)
@json_option("Write JSON instead of a table.")
def stats(library: "Library", selection: Selection, by: str | None, plot: Path | None, as_json: bool) -> None:
    """Show PR and luck, by player, theme, month and more."""
    from gammon.base.files import write_text
    from gammon_study.library.stats import statistics, trend_of

    check_apart("--plot", plot, "--library", library.path)
    named = selection.player is not None
    by = by or ("kind" if named and selection.part() == ("all", "all") else "player")
    table = statistics(library, selection, by)
    trend = [] if plot is None else trend_of(library, selection)
    print_answer(table, as_json)
    if plot is not None:
        from gammon_study.view.study import trend_svg

        write_text(plot, trend_svg(trend))


@study.command()
@selecting(*OF_MATCHES, own=True)
@json_option("Write JSON instead of tables.")
def plan(library: "Library", selection: Selection, as_json: bool) -> None:
    """Show which themes to work on, and biases.

    --player names the player, unless `study me` did. For each theme the table shows how much more the
    player lost than a player of PR 5 loses there on average, as a chance to win the match.
    """
    from gammon_study.library.plan import plan_of

    print_answer(plan_of(library, selection), as_json)


@study.command()
@selecting(*OF_MATCHES, *OF_DECISIONS, own=True)
@click.option(
    "--day",
    metavar="DAY",
    help="The first day of the second period; the day of the first drill unless given.",
)
@json_option("Write JSON instead of a table.")
def progress(library: "Library", selection: Selection, day: str | None, as_json: bool) -> None:
    """Compare a player before and after a theme was drilled.

    --player names the player, unless `study me` did; --theme, --phase or --kind selects the decisions.
    """
    from gammon_study.library.plan import progress_of

    print_answer(progress_of(library, selection, day), as_json)


@study.command()
@selecting(*OF_MATCHES, *OF_DECISIONS, *OF_ERRORS, own=True)
@number_option("count", 10, "How many errors to show, the largest first.")
@json_option("Write JSON instead of a list.")
def errors(library: "Library", selection: Selection, count: int, as_json: bool) -> None:
    """Show errors, the largest first, and why they are errors.

    The options select errors; without --player, yours (`study me`). A PATTERN of the board has a part
    for each point that matters:
    6=2+ means two or more checkers of the player on roll on that player's 6-point, o20=1 a blot of
    the opponent on the point that the player on roll numbers 20, bar=1 and obar=1 a checker on the
    bar, and 24=0 no checker of the player on roll on the 24-point.
    """
    from gammon_study.library.stats import largest_errors

    selected = largest_errors(library, selection, count)
    print_answer(selected, as_json)


@study.command()
@selecting(*OF_MATCHES, *OF_DECISIONS, *OF_ERRORS, own=True)
@number_option("count", 10, "How many positions to show at most.")
@json_option("Write JSON instead of a list.")
def reference(library: "Library", selection: Selection, count: int, as_json: bool) -> None:
    """Show a few errors that stand for all, the most costly first.

    Two errors of one kind stand for each other if their positions differ by at most 12 pips of
    checker moves, both sides together. The options select errors, as for `errors`.
    """
    from gammon_study.library.decks import reference_positions

    print_answer(reference_positions(library, selection, count), as_json)


@study.command()
@click.argument("out", type=PLACE)
@selecting(*OF_MATCHES, *OF_DECISIONS, *OF_ERRORS, own=True)
@number_option("count", 1000, "How many errors to write at most, the largest first.")
@click.option("--anki", is_flag=True, help="Write a package for Anki, whatever its name.")
@click.option("--reference", is_flag=True, help="Write errors that stand for all: see `study reference`.")
def export(
    library: "Library", selection: Selection, out: Path, count: int, anki: bool, reference: bool
) -> None:
    """Write errors, or matches, into OUT.

    The ending of its name gives the format: the errors as .csv, .json, .txt (one XGID per line),
    .html (a sheet with boards) or .apkg (cards for Anki). A name without an ending is a folder
    for the matches as .mat. If options select errors, only matches with such errors are written.
    """
    from gammon.base.files import write_text
    from gammon_study.library.export import FORMATS, choices_of, write_matches
    from gammon_study.library.stats import LargestErrors, largest_errors

    check_apart("OUT", out, "--library", library.path)
    kind, endings = out.suffix.lower(), (*FORMATS, ".apkg", ".html", ".json")
    if anki:
        kind = ".apkg"
    check_used("a file of errors", bool(kind), "count", "reference")
    if kind not in ("", *endings) or out.name.lower() in endings:
        raise SettingError(
            f"file {str(out)!r}: expected a name in .csv, .json, .txt, .html or .apkg, or a folder"
        )
    if not kind:
        number = sum(1 for _ in write_matches(library, selection, out))
        click.echo(f"wrote {several(number, 'match', 'es')} into {out}")
        return
    if reference:
        from gammon_study.library.decks import reference_positions

        positions, number, total = reference_positions(library, selection, count)
        selected = LargestErrors([position.error for position in positions], number, total)
    else:
        selected = largest_errors(library, selection, count)
    wrote = several(len(selected.errors), "error")
    if kind == ".apkg":
        from gammon_study.library.notes import notes_by_position
        from gammon_study.view.anki import write_anki

        choices = choices_of(library, selected.errors)
        cards = write_anki(out, selected.errors, choices, notes_by_position(library))
        wrote = several(cards, "card")
    elif kind == ".html":
        from gammon.base import plugins

        page = plugins.plugin(plugins.FORMATS, "page")
        write_text(out, page(choices_of(library, selected.errors)))
    elif kind == ".json":
        from gammon.view import to_json

        write_text(out, json.dumps(to_json(selected), indent=1) + "\n")
    else:
        write_text(out, FORMATS[kind](selected.errors))
    click.echo(f"wrote {wrote} into {out}")
