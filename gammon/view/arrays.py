"""Arrays of values as JSON, as long as lists of them may be."""

from gammon.engine.boards import Evaluations, PlayValues
from gammon.view.entries import Entries


def _equities(values: Evaluations | PlayValues) -> list[float]:
    """Return the equity of each position."""
    found: list[float] = values.equities.tolist()
    return found


def _chances(values: Evaluations | PlayValues) -> list[list[float]]:
    """Return win, win_gammon, win_backgammon, lose_gammon and lose_backgammon of each."""
    found: list[list[float]] = values.chances.tolist()
    return found


def _offsets(values: PlayValues) -> list[int]:
    """Return where the plays of each position begin, and where the last ones end."""
    found: list[int] = values.offsets.tolist()
    return found


def _rows(values: PlayValues) -> list[list[int]]:
    """Return the 26 counts after each play, seen from the mover."""
    found: list[list[int]] = values.rows.tolist()
    return found


def _exact(values: PlayValues) -> list[bool]:
    """Return False for each play that the engine's move filter left out."""
    found: list[bool] = values.exact.tolist()
    return found


EVALUATIONS: Entries = (("equities", _equities), ("chances", _chances))
PLAY_VALUES: Entries = (
    ("offsets", _offsets), ("rows", _rows), *EVALUATIONS, ("exact", _exact),
)  # fmt: skip
