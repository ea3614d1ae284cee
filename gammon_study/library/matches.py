"""The matches of a library: list them, remove them, rename their players.

Outside of a library a match is known by its digest (`record.digest_of`); its number belongs to one
library.
"""

import zlib
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from gammon.base.checks import shown
from gammon.base.errors import FormatError, SettingError
from gammon.formats.characters import folded, one_line, visible
from gammon_study.library.library import Library, Row
from gammon_study.library.selection import Selection
from gammon_study.match_files.sgf_text import details_of
from gammon_study.reviews.rates import performance_rating

if TYPE_CHECKING:
    from gammon_study.reviews.difficulty import PlayerIntervals
    from gammon_study.reviews.review import Review

#: The bytes of a match's text that have its details, unless they are very long.
_BEGINNING = 4000
#: The most characters of a player's name.
_LONGEST = 100


class ListedMatch(NamedTuple):
    """A match of a list.

    Attributes:
        match: the number of the match in the library.
        digest: the digest that identifies the match in all libraries.
        played: the day, such as 2026-11-22, or None.
        event: the event, or an empty text.
        length: points of the match, 0 for money.
        games: the number of games.
        players: the names of both players; the selected player comes first, else side 0.
        prs: the PR of both players; None without decisions that count.
        decisions: the numbers of decisions of both players that count.
        won: whether the first player won, or for money gained; None if the end is not known.
        analysis: who analyzed the match, and how deep.
        file: the file that the match came from.
        added: the time at which the match was added, in UTC.
    """

    match: int
    digest: str
    played: str | None
    event: str
    length: int
    games: int
    players: tuple[str, str]
    prs: tuple[float | None, float | None]
    decisions: tuple[int, int]
    won: bool | None
    analysis: str
    file: str
    added: str


class MatchList(NamedTuple):
    """Matches of a library, in the order of their days, then as they were added.

    Attributes:
        matches: the last matches; matches without a day come first.
        number: how many matches the selection has.
    """

    matches: list[ListedMatch]
    number: int


def match_list(
    library: Library, selection: Selection | None = None, most: int | None = None, number: int | None = None
) -> MatchList:
    """Return the last matches of a selection.

    Args:
        library: an open library.
        selection: of the matches; None: all. Its decisions do not matter.
        most: how many matches to return; None: all.
        number: the number of the only match to return; None: all.

    Raises:
        SettingError: the selection is malformed.
    """
    where, values = (selection or Selection()).of_matches()
    if number is not None:
        where, values = f"{where} AND match.id = :number", values | {"number": number}
    rows = library.ask(
        f"""
        SELECT match.id AS match, transcript, digest, played, length, games, MIN(side.side) AS side,
            side.name AS name, opponent, result, own.error AS error, own.counted AS counted,
            other.error AS their_error, other.counted AS their_counted, analysis, file, added
        FROM match JOIN side ON side.match = match.id JOIN kept ON kept.match = match.id
        JOIN sums AS own ON (own.part, own.name, own.match, own.side)
            = ('all', 'all', match.id, side.side)
        JOIN sums AS other ON (other.part, other.name, other.match, other.side)
            = ('all', 'all', match.id, 1 - side.side)
        WHERE {where} GROUP BY match.id ORDER BY played, match.id
        """,
        values,
    )
    first = 0 if most is None else max(len(rows) - most, 0)
    return MatchList([_listed(row) for row in rows[first:]], len(rows))


def _listed(row: Row) -> ListedMatch:
    prs = [performance_rating(row[f"{of}error"], row[f"{of}counted"]) for of in ("", "their_")]
    given = {name: row[name] for name in ListedMatch._fields if name in row}
    return ListedMatch(
        **given,
        event=_event(row["transcript"]),
        players=(row["name"], row["opponent"]),
        prs=(prs[0], prs[1]),
        decisions=(row["counted"], row["their_counted"]),
        won=None if row["result"] is None else row["result"] > 0,
    )


def _event(transcript: bytes) -> str:
    """Return the event of a match from its compressed text, or an empty text."""
    try:
        beginning = zlib.decompressobj().decompress(transcript, _BEGINNING)
        return visible(details_of(beginning.decode(errors="replace")).get("Event", ""))
    except (zlib.error, FormatError):  # whoever opens the match learns that it is damaged
        return ""


def match_number(library: Library, digest: str) -> int:
    """Return the number of the match with a digest.

    Raises:
        SettingError: the library has no such match.
    """
    for row in library.ask("SELECT id FROM match WHERE digest = ?", [digest]):
        return int(row["id"])
    raise SettingError(f"match {shown(digest)}: the library has no such match")


def check_numbers(library: Library, numbers: Iterable[int]) -> None:
    """Check that the library has matches.

    Raises:
        SettingError: a number is of no match.
    """
    for number in numbers:
        if not library.ask("SELECT 1 FROM match WHERE id = ?", [number]):
            raise SettingError(f"match {number}: the library has no such match; `gammon study list` has all")


class StoredReview(NamedTuple):
    """A match of a library with its review.

    Attributes:
        match: the match in the list of the library.
        intervals: the PRs of both players with intervals, and the decisions to look at.
        review: the review, with the players as the user calls them.
    """

    match: ListedMatch
    intervals: "tuple[PlayerIntervals, PlayerIntervals]"
    review: "Review"


def stored_review(library: Library, number: int) -> StoredReview:
    """Return a match with its review, without analyzing anything.

    Raises:
        SettingError: the library has no such match.
        FormatError: the match is damaged.
    """
    # These modules are slow to load.
    from gammon_study.library.add import read_review
    from gammon_study.reviews.difficulty import intervals_of

    check_numbers(library, [number])
    (match,) = match_list(library, number=number).matches
    review = read_review(library, number)
    review = replace(review, transcript=replace(review.transcript, players=match.players))
    return StoredReview(match, (intervals_of(review, 0), intervals_of(review, 1)), review)


def remove_matches(library: Library, numbers: Iterable[int]) -> int:
    """Remove matches in one transaction, and return how many.

    The library remembers their digests: `merge` and `add_matches` leave these matches out, until
    `add_matches` is told to add them `again`.

    Raises:
        SettingError: a number is of no match; nothing is removed.
    """
    removed = set(numbers)
    with library.writing():
        check_numbers(library, removed)
        for number in removed:
            library.remove(number)
    return len(removed)


def rename_player(library: Library, name: str, called: str | None) -> int:
    """Give a player another name in all matches, and return the number of matches.

    If another player has that name, both become one. Matches that are added later get the new
    name, too. Digests and the stored match files keep the names that were written.

    Args:
        library: an open library.
        name: the present name, in any case.
        called: the new name; None: the names in the match files.

    Raises:
        SettingError: no match has the player, or the new name is empty or too long.
    """
    if called is not None:
        called = one_line(called)
        if not 0 < len(called) <= _LONGEST:
            raise SettingError(f"name {shown(called)}: expected 1 to {_LONGEST} characters")
    with library.writing():
        rows = library.ask(
            "SELECT match, side, written, opponent FROM side WHERE name = ? COLLATE any_case", [name]
        )
        if not rows:
            raise SettingError(f"player {shown(name)}: no match has this player")
        for row in rows:
            if called is not None and folded(row["opponent"]) == folded(called) != folded(name):
                raise SettingError(f"name {shown(called)}: it is the opponent in match {row['match']}")
        for written in {folded(row["written"]) for row in rows}:
            library.ask("DELETE FROM renamed WHERE folded = ?", [written])
            if called is not None:
                library.ask("INSERT INTO renamed VALUES (?, ?)", [written, called])
        for row in rows:
            new, place = called or row["written"], (row["match"], row["side"])
            library.ask("UPDATE side SET name = ? WHERE (match, side) = (?, ?)", [new, *place])
            library.ask("UPDATE side SET opponent = ? WHERE (match, 1 - side) = (?, ?)", [new, *place])
        own = called or rows[0]["written"]
        library.ask("UPDATE own SET name = ? WHERE name = ? COLLATE any_case", [own, name])
    return len({row["match"] for row in rows})


def own_name(library: Library) -> str | None:
    """Return the name under which the user plays, or None."""
    return next((str(row["name"]) for row in library.ask("SELECT name FROM own")), None)


def set_own_name(library: Library, name: str) -> None:
    """Remember the name under which the user plays, one that a match has."""
    with library.writing():
        library.ask("DELETE FROM own")
        library.ask("INSERT INTO own VALUES (?)", [name])
