"""Errors of a library that match a selection."""

from typing import NamedTuple

from gammon.base.checks import whole
from gammon_study.library.ask import Selection
from gammon_study.library.library import Library


class Error(NamedTuple):
    """A decision that lost something.

    Attributes:
        match: the number of the match in the library.
        file: the file that the match came from.
        played: the day, or None.
        player: the player who decided.
        opponent: the opponent.
        length: points of the match, 0 for money.
        game: the number of the game, from 1 on.
        kind: the kind of the decision.
        phase: the phase of the game.
        themes: what the decision was about.
        xgid: the position.
        made: the choice that was made.
        best: the best choice.
        error: the lost equity.
        cost: the loss as a chance to win the match, or for money in points.
        why: what the choice gave away.
    """

    match: int
    file: str
    played: str | None
    player: str
    opponent: str
    length: int
    game: int
    kind: str
    phase: str
    themes: tuple[str, ...]
    xgid: str
    made: str
    best: str
    error: float
    cost: float
    why: str


class FoundErrors(NamedTuple):
    """Errors of a library.

    Attributes:
        errors: the largest errors, the largest first.
        number: how many errors the selection has.
        lost: the equity that all these errors lost.
    """

    errors: list[Error]
    number: int
    lost: float


def errors_found(library: Library, selection: Selection, most: int | None = None) -> FoundErrors:
    """Return the errors of a selection.

    Args:
        library: an open library.
        selection: the selection.
        most: how many errors to return; None: all.

    Raises:
        SettingError: the selection is malformed.
    """
    if most is not None:
        whole("most", most, 0)
    where, values = selection.of_errors()
    tables = f"""
        FROM error JOIN side USING (match, side) JOIN match ON match.id = match WHERE {where}
    """
    (all_,) = library.ask(f"SELECT COUNT(*) AS count, SUM(error.error) AS total {tables}", values)
    rows = library.ask(
        f"""
        SELECT match.id AS match, file, played, side.name AS player, opponent, length,
            game + 1 AS game, kind, phase, themes, xgid, made, best, error.error, cost, why
        {tables} ORDER BY error.error DESC, match.id, game, action LIMIT :limit
        """,
        values | {"limit": -1 if most is None else most},
    )
    for row in rows:
        row["themes"] = tuple(filter(None, row["themes"].split(",")))
    return FoundErrors([Error(**row) for row in rows], all_["count"], all_["total"] or 0.0)
