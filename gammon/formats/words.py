"""Shared phrases: the players' letters, the score, the cube, and counts."""

from gammon.formats.context import BOTTOM, TOP, Context

#: The players' letters, as in eXtreme Gammon and GNU Backgammon.
SEATS = {BOTTOM: "X", TOP: "O"}


def several(count: int, noun: str, ending: str = "s") -> str:
    """Return a count with its noun: `1 error`, `2 errors`."""
    return f"{count} {noun}{'' if count == 1 else ending}"


def score_words(context: Context) -> str:
    """Return the score of a match in words."""
    bottom, top = context.scores
    game = ", Crawford game" if context.crawford else ""
    if not game and bottom != top and max(bottom, top) == context.length - 1:
        game = ", post-Crawford"
    return f"X {bottom}, O {top} in a match to {context.length}{game}"


def cube_words(value: int, owner: int) -> str:
    """Return a phrase about the cube; `owner` is a seat, or 0."""
    if owner:
        return f"{SEATS[owner]}'s cube at {value}"
    return "centred cube" if value == 1 else f"centred cube at {value}"


def doubling_words(words: str, owner: int) -> str:
    """Return words about a double, with "redouble" if the player on roll owns the cube.

    Args:
        words: a phrase such as "Double, take"; other words stay unchanged.
        owner: the owner of the cube, 1 for the player on roll.
    """
    if owner <= 0:
        return words
    return words.replace("doubl", "redoubl").replace("Doubl", "Redoubl")
