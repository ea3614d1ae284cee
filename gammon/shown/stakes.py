"""The stakes in words: a score and a cube, or what results are worth."""

from typing import TYPE_CHECKING

from gammon.formats.context import Context
from gammon.formats.words import cube_words, score_words
from gammon.rules.terms import Terms

if TYPE_CHECKING:
    from gammon.rules.stakes import Stakes


def stakes_words(stakes: "Stakes") -> str:
    """Return cubeless stakes in words."""
    from gammon.rules.stakes import MONEY  # the page is shown before numba is loaded

    return "money" if stakes == MONEY else f"stakes {stakes}"


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
