"""A context in words: the players' letters, the score, and the cube."""

from gammon.formats.context import BOTTOM, TOP, Context

#: The players' letters, as eXtreme Gammon and GNU Backgammon have them.
SEATS = {BOTTOM: "X", TOP: "O"}


def score_words(context: Context) -> str:
    """Return the score of a match in words."""
    bottom, top = context.scores
    crawford = ", Crawford game" if context.crawford else ""
    return f"X {bottom}, O {top} in a match to {context.length}{crawford}"


def cube_words(value: int, owner: int) -> str:
    """Return a cube in words; its owner is a seat, or 0."""
    if owner:
        return f"{SEATS[owner]}'s cube at {value}"
    return "centred cube" if value == 1 else f"centred cube at {value}"
