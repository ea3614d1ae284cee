"""Words for what is at stake: a score, a cube, or what results are worth without one."""

from gammon.formats.context import BOTTOM, TOP, Context
from gammon.rules.stakes import MONEY, Stakes
from gammon.rules.terms import Terms

__all__ = ["SEATS", "cube_words", "score_words", "stakes_words", "terms_words"]

#: The players' letters, as eXtreme Gammon and GNU Backgammon have them.
SEATS = {BOTTOM: "X", TOP: "O"}


def stakes_words(stakes: Stakes) -> str:
    """Return cubeless stakes in words."""
    return "money" if stakes == MONEY else f"stakes {stakes}"


def score_words(context: Context) -> str:
    """Return the score of a match in words."""
    bottom, top = context.scores
    crawford = ", Crawford game" if context.crawford else ""
    return f"X {bottom}, O {top} in a match to {context.length}{crawford}"


def cube_words(value: int, owner: int) -> str:
    """Return a cube in words; its owner is a seat, or 0."""
    return f"{SEATS[owner]}'s cube at {value}" if owner else _centred(value)


def _centred(value: int) -> str:
    return "centred cube" if value == 1 else f"centred cube at {value}"


def terms_words(terms: Terms, context: Context) -> str:
    """Return in words what is at stake, with the cube.

    Args:
        terms: of the player on roll.
        context: of the position; it names the seats and the score.
    """
    if terms.length:
        own, their = terms.away
        game = f"{score_words(context)} ({own}-away {their}-away)"
    else:
        rules = ("Jacoby rule", terms.jacoby), ("beavers", terms.beavers)
        game = ", ".join(["money", *(name for name, holds in rules if holds)])
    cube = cube_words(terms.cube, terms.owner * context.on_roll)
    dead = ", dead" if terms.dead and not terms.crawford else ""
    return f"{game}, {cube}{dead}"
