"""Files for other programs: errors as CSV, JSON or XGIDs, and matches as .mat."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from gammon.base.checks import shown
from gammon.base.errors import FormatError
from gammon.formats.match_file import write_transcript
from gammon.reviews.choice import Choice
from gammon.study.add import review_again
from gammon.study.ask import Asked
from gammon.study.errors import Error
from gammon.study.library import Library

__all__ = ["FORMATS", "VERSION", "choices_of", "plain_errors", "write_matches"]

#: Changes where a program that reads an older file would misread it.
VERSION = 1
#: A spreadsheet takes a text that begins so for a formula, and runs it.
_FORMULA = ("=", "+", "-", "@")


def _csv(errors: Sequence[Error]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Error._fields)
    for error in errors:
        row = error._replace(themes=(", ".join(error.themes),))
        writer.writerow([_cell(each[0] if isinstance(each, tuple) else each) for each in row])
    return text.getvalue()


def _cell(value: object) -> object:
    """Return a value as a cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def plain_errors(errors: Sequence[Error]) -> dict[str, Any]:
    """Return errors as plain JSON values."""
    return {"study_version": VERSION, "errors": [error._asdict() for error in errors]}


def _json(errors: Sequence[Error]) -> str:
    return json.dumps(plain_errors(errors), indent=1) + "\n"


#: Functions that make a text of errors, by the ending of the file's name.
FORMATS: dict[str, Callable[[Sequence[Error]], str]] = {
    ".csv": _csv, ".json": _json, ".txt": lambda errors: "".join(f"{e.xgid}\n" for e in errors),
}  # fmt: skip


def choices_of(library: Library, errors: Sequence[Error]) -> list[Choice]:
    """Return the decisions that were errors, with all that their reviews say of them.

    Raises:
        FormatError: a match is damaged.
    """
    found: dict[tuple[Any, ...], Choice] = {}
    for match in {error.match for error in errors}:
        for choice in review_again(library, match).choices:
            found[match, choice.game + 1, choice.kind, choice.xgid] = choice
    try:
        return [found[each.match, each.game, each.kind, each.xgid] for each in errors]
    except KeyError:
        path = shown(str(library.path))
        raise FormatError(f"{path}: errors of a match that are not its own") from None


def write_matches(library: Library, asked: Asked, folder: Path) -> Iterator[Path]:
    """Write the matches of a question into a folder, a .mat file each, and yield their paths.

    Raises:
        SettingError: a part of the question is not one.
        FormatError: a match is damaged.
        GammonError: a file cannot be written.
    """
    where, values = asked.of_matches()
    rows = library.ask(
        "SELECT DISTINCT match.id AS id, played FROM match JOIN side ON side.match = match.id "
        f"WHERE {where} ORDER BY id",
        values,
    )
    for row in rows:
        transcript = review_again(library, row["id"]).transcript
        names = re.sub(r"[^\w-]+", "_", "-".join(transcript.players))
        day = f"{row['played']}-" if row["played"] else ""
        path = folder / f"{row['id']:05}-{day}{names}.mat"
        write_transcript(transcript, path)
        yield path
