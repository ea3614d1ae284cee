"""Notes and tags of the user on any position, and a search of them and of the remarks in match files.

Positions with a common tag are a collection.
"""

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple

from gammon.base.checks import shown
from gammon.base.errors import GammonError, SettingError
from gammon.formats.characters import one_line
from gammon_study.library.library import Library, Row
from gammon_study.library.selection import board_pattern

#: The most characters of a note and of a tag.
_LONGEST, _LONGEST_TAG = 10_000, 60


class Note(NamedTuple):
    """A note on a position, or a remark in a match file.

    Attributes:
        xgid: the position.
        text: the note, or the remark.
        tags: the tags of the position; none of a remark.
        themes: what the position is about; of a remark, what the decision is about.
        changed: the time of the last change in UTC; None of a remark.
        match: the number of the match whose file has the remark; None of a note.
        game: the number of the game, from 1 on; None of a note.
    """

    xgid: str
    text: str
    tags: tuple[str, ...]
    themes: tuple[str, ...]
    changed: str | None = None
    match: int | None = None
    game: int | None = None


class NoteList(NamedTuple):
    """Notes and remarks.

    Attributes:
        notes: the notes, the last changed first, then the remarks.
    """

    notes: list[Note]


def write_note(library: Library, xgid: str, text: str | None = None, tags: Iterable[str] = ()) -> Note:
    """Write a note on a position, and return what is stored.

    Args:
        library: an open library.
        xgid: the position.
        text: the note, which replaces an earlier one; None: the earlier one stays.
        tags: tags to add; a tag that begins with a hyphen is taken away.

    Raises:
        SettingError: the note or a tag is too long, or a tag is empty or has a comma.
        FormatError: the position is damaged.
    """
    # These modules are slow to load.
    from gammon.formats.position import Position
    from gammon_study.library.record import between_commas, board_of
    from gammon_study.reviews.explain import position_themes

    position = Position.parse(xgid)
    with library.writing():
        known = note_on(library, position.xgid)
        kept = dict.fromkeys(known.tags if known else ())
        for tag in map(one_line, tags):
            name = tag.removeprefix("-").strip()
            if not 0 < len(name) <= _LONGEST_TAG or "," in name:
                raise SettingError(f"tag {shown(tag)}: expected up to {_LONGEST_TAG} characters, no comma")
            if tag.startswith("-"):
                kept.pop(name, None)
            else:
                kept[name] = None
        words = one_line(text) if text is not None else known.text if known else ""
        if len(words) > _LONGEST:
            raise SettingError(f"note {shown(words)}: expected at most {_LONGEST:,} characters")
        themes, changed = position_themes(position), datetime.now(UTC).isoformat(" ", "seconds")
        row = {
            "xgid": position.xgid, "board": board_of(position), "themes": between_commas(themes),
            "tags": between_commas(kept), "text": words, "changed": changed,
        }  # fmt: skip
        if words or kept:
            library.keep_note(row)
        else:
            library.ask("DELETE FROM note WHERE xgid = ?", [position.xgid])
    return Note(position.xgid, words, tuple(kept), tuple(themes), changed)


def derive_themes(library: Library) -> None:
    """Derive the themes of all notes again, by the present rules; a damaged note stays as it is."""
    # These modules are slow to load.
    from gammon.formats.position import Position
    from gammon_study.library.record import between_commas
    from gammon_study.reviews.explain import position_themes

    with library.writing():
        for row in library.ask("SELECT xgid FROM note"):
            with suppress(GammonError):
                themes = between_commas(position_themes(Position.parse(row["xgid"])))
                library.ask("UPDATE note SET themes = ? WHERE xgid = ?", [themes, row["xgid"]])


def note_on(library: Library, xgid: str) -> Note | None:
    """Return the note on a position, or None."""
    question = "SELECT xgid, text, tags, themes, changed, 0 AS match, 0 AS game FROM note WHERE xgid = ?"
    return next((_note(row) for row in library.ask(question, [xgid])), None)


def notes_by_position(library: Library) -> dict[str, Note]:
    """Return all notes by their XGIDs."""
    return {note.xgid: note for note in find_notes(library, remarks=False).notes}


def find_notes(
    library: Library,
    text: str | None = None,
    tag: str | None = None,
    theme: str | None = None,
    board: str | None = None,
    place: str | None = None,
    remarks: bool = True,
) -> NoteList:
    """Return the notes and remarks that answer to all conditions that are given.

    Args:
        library: an open library.
        text: words that occur in the note or in a tag, in any case of the letters A to Z.
        tag: a tag; remarks have none.
        theme: a theme.
        board: a pattern, as for `selection.board_pattern`.
        place: the board, as `record.board_of` returns it, at any score and with any roll.
        remarks: whether remarks in match files are searched, too.

    Raises:
        FormatError: the pattern is malformed.
    """
    values = {
        "text": text and f"%{_literal(text)}%",
        "tag": tag and f"%,{_literal(tag)},%",
        "theme": theme and f"%,{theme},%",
        "board": None if board is None else board_pattern(board),
        "place": place,
    }
    conditions = {
        "text": "(text LIKE :text ESCAPE '!' OR tags LIKE :text ESCAPE '!')",
        "tag": "tags LIKE :tag ESCAPE '!'",
        "theme": "themes LIKE :theme",
        "board": "board GLOB :board",
        "place": "board = :place",
    }
    where = " AND ".join(conditions[name] for name, value in values.items() if value is not None) or "1"
    of_files = "UNION ALL SELECT xgid, board, text, ',,', themes, '', match, game + 1 FROM remark"
    rows = library.ask(
        f"""
        SELECT xgid, text, tags, themes, changed, match, game FROM (
            SELECT xgid, board, text, tags, themes, changed, 0 AS match, 0 AS game FROM note
            {of_files if remarks else ""}
        ) WHERE {where} ORDER BY changed DESC, match, game
        """,
        values,
    )
    return NoteList([_note(row) for row in rows])


def _literal(text: str) -> str:
    """Return a text as a pattern of LIKE whose escape character is `!`."""
    return "".join(f"!{character}" if character in "!%_" else character for character in text)


def _note(row: Row) -> Note:
    tags, themes = (tuple(filter(None, row[name].split(","))) for name in ("tags", "themes"))
    changed, match, game = (row[name] or None for name in ("changed", "match", "game"))
    return Note(row["xgid"], row["text"], tags, themes, changed, match, game)
