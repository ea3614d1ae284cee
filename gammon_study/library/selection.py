"""Selections of matches and decisions of a library.

A selection becomes the conditions of an SQL query. Texts from the user are parameters of the
query, and never part of its text.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Any

from gammon.base.checks import shown
from gammon.base.errors import FormatError, SettingError
from gammon.base.settings import Number, OneOf, Text, Whole, check_settings, setting
from gammon.engine.question import LONGEST_MATCH
from gammon.formats.characters import quoted
from gammon_study.reviews.names import KINDS, PHASES, THEMES

# `gammon.rules.board` loads numpy, so it is imported in a function: help must be fast.

#: The fields that select matches, decisions and errors.
OF_MATCHES = "player", "opponent", "since", "until", "length"
OF_DECISIONS = "theme", "phase", "kind"
OF_ERRORS = "least", "most", "score", "board"

#: The tables `side` and `match`, which the conditions of a selection are about, beside one of sums or errors.
WITH_SIDES = "JOIN side USING (match, side) JOIN match ON match.id = match"

_DAY = re.compile("[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
_AWAY = "(0?[1-9]|[1-5][0-9]|6[0-4])"
_SCORE = re.compile(f"{_AWAY}-{_AWAY}")
_PART = re.compile("([xo])?(bar|[0-9]{1,2})=([0-9]{1,2})([+-])?")


@dataclass(frozen=True)
class Selection:
    """A selection of decisions. Each field that is not None leaves out some decisions."""

    player: str | None = setting(Text(), "Decisions of this player alone.", metavar="NAME")
    opponent: str | None = setting(Text(), "Decisions against this player alone.", metavar="NAME")
    since: str | None = setting(Text(), "From this day, month or year on, such as 2026-11.", metavar="DAY")
    until: str | None = setting(Text(), "Up to the end of this day, month or year.", metavar="DAY")
    length: int | None = setting(
        Whole(0, LONGEST_MATCH), "Matches to this many points, 0 for money.", metavar="N"
    )
    theme: str | None = setting(
        OneOf(THEMES), "Decisions of a theme; docs/review.md defines them.", metavar="THEME"
    )
    phase: str | None = setting(
        OneOf(PHASES), "Decisions of a phase: opening, middle game, race, bear-off.", metavar="PHASE"
    )
    kind: str | None = setting(
        OneOf(KINDS), "Decisions of a kind: play, no double, double, take, pass, or cube.", metavar="KIND"
    )
    least: float | None = setting(
        Number("an equity, 0 or more"), "Errors that lost this much or more.", metavar="EQUITY"
    )
    most: float | None = setting(
        Number("an equity, 0 or more"), "Errors that lost this much or less.", metavar="EQUITY"
    )
    score: str | None = setting(
        Text(), "At this score: points that the player and the opponent need.", metavar="A-B"
    )
    board: str | None = setting(
        Text(), "Boards with these checkers, such as '6=2+ 20=2 o5=2+ obar=1'.", metavar="PATTERN"
    )

    def __post_init__(self) -> None:
        check_settings(self)

    def of_matches(self) -> tuple[str, dict[str, Any]]:
        """Return the SQL conditions on `match` and `side`, and their parameters.

        Raises:
            SettingError: `since` or `until` is not a day, a month or a year.
        """
        for name in ("since", "until"):
            check_day(name, getattr(self, name))
        return _joined(
            {
                "player": (self.player, "side.name = :player COLLATE any_case"),
                "opponent": (self.opponent, "side.opponent = :opponent COLLATE any_case"),
                "since": (self.since, "match.played >= :since"),
                # A month sorts before its days, so a character that sorts after them is appended.
                "until": (self.until and f"{self.until}~", "match.played <= :until"),
                "length": (self.length, "match.length = :length"),
            }
        )

    def of_errors(self) -> tuple[str, dict[str, Any]]:
        """Return the SQL conditions on `error`, `match` and `side`, and their parameters.

        Raises:
            SettingError: a day or the score is malformed.
            FormatError: the pattern of the board is malformed.
        """
        where, values = self.of_matches()
        score = _SCORE.fullmatch(self.score) if self.score is not None else None
        if self.score is not None and score is None:
            raise SettingError(f"score {shown(self.score)}: expected points away such as 3-5")
        own, their = map(int, score.groups()) if score else (None, None)
        kind = (self.kind, "error.kind = :kind")
        if self.kind == KINDS[-1]:
            kind = (KINDS[0], "error.kind != :kind")
        board = None if self.board is None else board_pattern(self.board)
        conditions, more_values = _joined(
            {
                "theme": (self.theme and f"%,{self.theme},%", "error.themes LIKE :theme"),
                "phase": (self.phase, "error.phase = :phase"),
                "kind": kind,
                "least": (self.least, "error.error >= :least"),
                "most": (self.most, "error.error <= :most"),
                "own": (own, "error.own = :own"),
                "their": (their, "error.their = :their"),
                "board": (board, "error.board GLOB :board"),
            }
        )
        return f"{where} AND {conditions}", values | more_values

    def part(self) -> tuple[str, str]:
        """Return the part and the name of the selected sums.

        Raises:
            SettingError: the selection has more than one of theme, phase and kind.
        """
        given = [(part, value) for part in OF_DECISIONS if (value := getattr(self, part)) is not None]
        if not given:
            return "all", "all"
        if len(given) > 1:
            names = " and ".join(part for part, _ in given)
            raise SettingError(f"{names}: expected one of them for statistics")
        ((part, value),) = given
        return ("all", "cube") if value == KINDS[-1] else (part, value)


def _joined(parts: dict[str, tuple[Any, str]]) -> tuple[str, dict[str, Any]]:
    """Return the conditions whose value is not None, joined by AND, and their values by name."""
    given = {name: (value, text) for name, (value, text) in parts.items() if value is not None}
    where = " AND ".join(text for _, text in given.values()) or "1"
    return where, {name: value for name, (value, _) in given.items()}


def check_day(name: str, day: str | None) -> None:
    """Raise a `SettingError` unless a text is a day, a month, a year or None."""
    try:
        if day is not None and _DAY.fullmatch(day):
            date.fromisoformat(f"{day}-01-01"[:10])
        elif day is not None:
            raise ValueError
    except ValueError:
        raise SettingError(
            f"{name} {shown(day)}: expected a day, a month or a year, such as 2026-11"
        ) from None


def board_pattern(text: str) -> str:
    """Return a user's pattern of the board as a pattern for SQLite's GLOB.

    A pattern has a part for each point that matters: `6=2+ 20=2 o5=2+ obar=1`. Points are numbered
    from the player on roll. A part counts the checkers of that player, or with an o the
    opponent's; + means at least, - at most. Several parts about a point must all hold.

    Raises:
        FormatError: a part is malformed, or contradicts an earlier part.
    """
    from gammon.rules.board import CHECKERS, OWN_BAR, SIZE, THEIR_BAR

    ours, theirs = "ABCDEFGHIJKLMNO", "abcdefghijklmno"
    every = {"-", *ours, *theirs}
    places = [every] * SIZE
    for part in text.lower().replace(",", " ").split():
        match = _PART.fullmatch(part)
        side, point, count, more = match.groups() if match else ("", "99", "99", "")
        place = int(point) if point != "bar" else THEIR_BAR if side == "o" else OWN_BAR
        number = int(count)
        if number > CHECKERS or not (point == "bar" or 1 <= place <= 24):
            raise FormatError(
                f"board {quoted(text)}: {quoted(part)} is not read; expected parts such as 6=2+, o20=1"
            )
        own_letters, other_letters = (theirs, ours) if side == "o" else (ours, theirs)
        low = 0 if more == "-" else number
        high = CHECKERS if more == "+" else number
        inside = {*own_letters[max(low - 1, 0) : high]}
        if low == 0:
            inside |= {"-", *other_letters}
        places[place] = places[place] & inside
        if not places[place]:
            raise FormatError(f"board {quoted(text)}: {quoted(part)} contradicts a part before it")
    # Sorting puts the hyphen first in the brackets, where it is literal.
    return "".join("?" if letters == every else f"[{''.join(sorted(letters))}]" for letters in places)
