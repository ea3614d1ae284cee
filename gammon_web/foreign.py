"""What the APIs of other programs have in common: names for chances, and what they send."""

from collections.abc import Sequence

from gammon.base.errors import GammonError
from gammon.eval.equity import Probabilities
from gammon.formats.play import check_in_play
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from gammon_web.refusal import refusal_of

#: The names of the chances to win and to lose, each with those of a gammon and of a backgammon.
CHANCES = {
    "nodots": (
        "win", "winGammon", "winBackgammon", None, "loseGammon", "loseBackgammon",
    ),
    "bgweb": ("win", "winG", "winBG", "lose", "loseG", "loseBG"),
    "wildbg": ("win", "winG", "winBg", None, "loseG", "loseBg"),
}  # fmt: skip


def chances_json(api: str, chances: Probabilities) -> dict[str, float]:
    """Return chances by the names that an API has for them."""
    values = *chances[:3], 1.0 - chances.win, *chances[3:]
    named = zip(CHANCES[api], values, strict=True)
    return {name: value for name, value in named if name is not None}


def placed(
    points: Sequence[int], terms: Terms | None, fields: tuple[str | None, str]
) -> Position:
    """Return a position that is in play.

    Args:
        points: 26 counts, seen from the player on decision.
        terms: what is at stake; None for money with a centred cube.
        fields: the names of the points and of the stakes in the request.

    Raises:
        Refusal: there is no such position, or no game has such stakes.
    """
    field = fields[0]
    try:
        position = Position(tuple(points))
        check_in_play(position)
        field = fields[1]
        return position if terms is None else position.with_terms(terms)
    except GammonError as error:
        raise refusal_of(error, field) from None
