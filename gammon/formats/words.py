"""Words that many places say: the players' letters, the score, the cube, and counts."""

from gammon.formats.context import BOTTOM, TOP, Context

#: The players' letters, as eXtreme Gammon and GNU Backgammon have them.
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
    """Return a cube in words; its owner is a seat, or 0."""
    if owner:
        return f"{SEATS[owner]}'s cube at {value}"
    return "centred cube" if value == 1 else f"centred cube at {value}"


def doubling_words(words: str, owner: int) -> str:
    """Return words about a double as they are where a player redoubles.

    Args:
        words: such as "Double, take"; others stay as they are.
        owner: of the cube, 1 for the player on roll.
    """
    if owner <= 0:
        return words
    return words.replace("doubl", "redoubl").replace("Doubl", "Redoubl")
