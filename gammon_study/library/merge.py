"""Merge a library into another: the union of their matches, cards of drills, notes and removals."""

from collections.abc import Callable, Iterator

from gammon.base.errors import FormatError
from gammon.formats.characters import folded, one_line
from gammon_study.library.add import Added, known_part, refresh
from gammon_study.library.library import Library, Row
from gammon_study.library.record import digest_of
from gammon_study.match_files.sgf import parse_sgf


def merge(
    library: Library, other: Library, on_match: Callable[[int, int], None] = lambda done, total: None
) -> Iterator[Added]:
    """Add the matches of another library, and yield what became of each.

    A match that both libraries have stays as it is in this one; of a match and its beginning the
    longer one remains. A match that was removed here is not added. Nothing is removed here because
    it was removed there. Cards of drills come along; of a card that both have, the one with more
    answers. Notes come along; of two on a position, the one that was changed last. Names that the
    other library gave to players come along for players whom no match here has. After
    an interruption the same merge continues.

    Args:
        library: the library that is changed, a match at a time.
        other: the other library, which stays as it is; only its derived rows are brought up to date.
        on_match: called with the matches done and all matches.

    Raises:
        GammonError: a library cannot be read or written.
    """
    refresh(other)
    matches = other.ask("SELECT * FROM match ORDER BY id")
    _merge_names(library, other)
    for done, row in enumerate(matches):
        on_match(done, len(matches))
        yield _merged(library, other, row)
    with library.writing():
        for card in other.ask("SELECT * FROM card"):
            known = library.ask("SELECT answers FROM card WHERE (ask, xgid) = (:ask, :xgid)", card)
            if not known or known[0]["answers"] < card["answers"]:
                library.keep_card(card)
        for note in other.ask("SELECT * FROM note"):
            known = library.ask("SELECT changed FROM note WHERE xgid = :xgid", note)
            if not known or known[0]["changed"] < note["changed"]:
                library.keep_note(note)
        for row in other.ask("SELECT digest FROM removed"):
            if not library.has(row["digest"]):
                library.ask("INSERT OR IGNORE INTO removed VALUES (?)", [row["digest"]])


def _merge_names(library: Library, other: Library) -> None:
    """Take names of players over from another library, unless this one has the players."""
    with library.writing():
        here = {folded(row["written"]) for row in library.ask("SELECT written FROM side")}
        for row in other.ask("SELECT folded, called FROM renamed"):
            if row["folded"] not in here:
                names = [row["folded"], one_line(row["called"])]
                library.ask("INSERT OR IGNORE INTO renamed VALUES (?, ?)", names)


def _merged(library: Library, other: Library, row: Row) -> Added:
    """Add a match of another library, whose row is given, and its files that need not be read again."""
    file, digest = row["file"], row["digest"]
    if library.was_removed(digest):
        return Added(file, "removed before")
    whole, part = digest if library.has(digest) else "", None
    try:
        with library.writing():
            if not whole:
                stored = other.stored_match(row["id"])
                transcript = parse_sgf(stored.transcript)
                if digest_of(transcript) != digest:
                    raise FormatError(f"{str(other.path)!r}: match {row['id']} is damaged")
                part, whole = known_part(library, transcript, again=False) or (None, "")
                if not whole:
                    own = {name: value for name, value in row.items() if name != "id"}
                    library.add(own, stored, other.derived_rows(row["id"]), part)
            for seen in other.ask("SELECT bytes FROM seen WHERE match = ?", [row["id"]]):
                library.remember(seen["bytes"], whole or digest)
    except FormatError as error:
        return Added(file, "left out", str(error))
    if whole:
        return Added(file, "already there")
    return Added(file, "continued" if part else "merged", row["analysis"])
