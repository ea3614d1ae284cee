"""Files for other programs: errors as CSV or XGIDs, their decisions, and matches as .mat."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gammon.base.checks import shown
from gammon.base.errors import FormatError
from gammon.base.files import unwritable
from gammon_study.library.add import read_review
from gammon_study.library.library import Library
from gammon_study.library.selection import OF_DECISIONS, OF_ERRORS, Selection
from gammon_study.library.stats import Error
from gammon_study.match_files.match_file import write_transcript
from gammon_study.reviews.choice import Choice, ChoiceKind

#: The most bytes of the day and the players in a file's name, which may have 255 bytes.
_MOST_BYTES = 200
#: A spreadsheet takes a text that begins with one of these for a formula, and runs it.
_FORMULA = ("=", "+", "-", "@")


def _csv(errors: Sequence[Error]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Error._fields)
    for error in errors:
        row = error._asdict() | {"themes": ", ".join(error.themes)}
        writer.writerow(map(_cell, row.values()))
    return text.getvalue()


def _cell(value: object) -> object:
    """Return a value as a cell that a spreadsheet does not take for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


#: Functions that make a text of errors, by the ending of the file's name.
FORMATS: dict[str, Callable[[Sequence[Error]], str]] = {
    ".csv": _csv,
    ".txt": lambda errors: "".join(f"{e.xgid}\n" for e in errors),
}


class StudiedChoice(NamedTuple):
    """A decision of a library, with the analysis of its review.

    Attributes:
        choice: the decision.
        explanation: what an error gave away.
        themes: what the decision is about.
        names: the names of the players, side 0 first.
        source: the match and the game, in words.
        remark: the mark and the comment in the match file.
    """

    choice: Choice
    explanation: str
    themes: tuple[str, ...]
    names: tuple[str, str]
    source: str
    remark: str = ""


def choices_of(library: Library, errors: Sequence[Error], most: int | None = None) -> list[StudiedChoice]:
    """Return the decisions of errors, in the order of the errors.

    Args:
        library: an open library.
        errors: errors of the library.
        most: the most matches whose reviews are read, which takes a tenth of a second each; decisions of
            other matches have neither values nor plays. None: all.

    Raises:
        FormatError: a match is damaged.
    """
    decisions: dict[tuple[Any, ...], Choice] = {}
    read = list(dict.fromkeys(error.match for error in errors))[:most]
    for match in read:
        for choice in read_review(library, match).choices:
            decisions[match, choice.game + 1, choice.kind, choice.xgid] = choice
    try:
        return [
            _studied(error, decisions[error.match, error.game, error.kind, error.xgid])
            if error.match in read
            else _studied(error, _choice_without_review(library, error))
            for error in errors
        ]
    except KeyError:
        path = shown(str(library.path))
        raise FormatError(f"{path}: an error of a match is not in its review") from None


def _choice_without_review(library: Library, error: Error) -> Choice:
    row, *_ = library.ask(
        "SELECT action, side FROM error WHERE (match, game, kind, xgid) = (?, ?, ?, ?)",
        [error.match, error.game - 1, error.kind, error.xgid],
    )
    return Choice(
        error.game - 1, row["action"], row["side"], ChoiceKind(error.kind), error.xgid, error.made,
        error.best, error.error, error.cost, counted=True, active=True, depth=0,
    )  # fmt: skip


def _studied(error: Error, choice: Choice) -> StudiedChoice:
    day = f"{error.played}, " if error.played else ""
    what = f"to {error.length}" if error.length else "money"
    names = error.player, error.opponent
    if choice.player:
        names = error.opponent, error.player
    source = f"{day}{error.player} against {error.opponent}, {what}, game {error.game}"
    return StudiedChoice(choice, error.explanation, error.themes, names, source, error.remark)


def write_matches(library: Library, selection: Selection, folder: Path) -> Iterator[Path]:
    """Write the matches of a selection into a folder, one .mat file each, and yield their paths.

    If the selection is about decisions or errors, only matches with such errors are written.

    Raises:
        SettingError: the selection is malformed.
        FormatError: a match is damaged.
        GammonError: the folder or a file cannot be written.
    """
    of_errors = any(getattr(selection, name) is not None for name in OF_DECISIONS + OF_ERRORS)
    where, values = selection.of_errors() if of_errors else selection.of_matches()
    errors = "JOIN error USING (match, side)" if of_errors else ""
    rows = library.ask(
        f"SELECT DISTINCT match.id AS id, played FROM side {errors} "
        f"JOIN match ON match.id = side.match WHERE {where} ORDER BY id",
        values,
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from None
    for row in rows:
        transcript = read_review(library, row["id"]).transcript
        parts = [row["played"]] if row["played"] else []
        name = re.sub(r"[^\w-]+", "_", "-".join([*parts, *transcript.players]))
        name = name.encode()[:_MOST_BYTES].decode(errors="ignore")
        path = folder / f"{row['id']:05}-{name}.mat"
        write_transcript(transcript, path)
        yield path
