"""The errors of a library, found by what they are about."""

from typing import NamedTuple

from gammon.base.checks import whole
from gammon_study.library.ask import Selection
from gammon_study.library.library import Library


class Error(NamedTuple):
    """A decision that lost something.

    Attributes:
        match: the number of the match in the library.
        file: that it came from.
        played: the day, or None.
        player: who decided.
        opponent: the other one.
        length: points of the match, 0 for money.
        game: from 1 on.
        kind: what was decided.
        phase: of the game.
        themes: what it was about.
        xgid: the position.
        made: the choice.
        best: the best one.
        error: the equity that was lost.
        cost: the same as a chance to win the match, or for money in points.
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
        errors: the largest ones, in this order.
        number: how many there are like that.
        lost: equity, by all of them.
    """

    errors: list[Error]
    number: int
    lost: float


def errors_found(library: Library, asked: Selection, most: int | None = None) -> FoundErrors:
    """Return the errors of a question.

    Args:
        library: an open one.
        asked: which ones.
        most: how many are returned; None: all.

    Raises:
        SettingError: a part of the question is not one.
    """
    if most is not None:
        whole("most", most, 0)
    where, values = asked.of_errors()
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
