"""The texts of plays in protocols: move by move, and checked before they are sent."""

from gammon.base.errors import GammonError
from gammon.formats.play import Play, find_play


def checked_text(play: Play, dice: tuple[int, int], text: str) -> str:
    """Return the text of a play, after a check that it means this play.

    Args:
        play: the play.
        dice: its roll.
        text: the text to be sent.

    Raises:
        GammonError: the text means another play or none, which is a bug in gammon.
    """
    meant = find_play(play.before, dice, text) if play.moves else play
    if meant.points != play.points or (meant.moves and not text):
        raise GammonError(f"{text!r} for {play}: expected a text that means this play")
    return text


def single_moves(play: Play) -> list[str]:
    """Return the moves of a play one by one, as `bar/22` and `6/off`, in the order of play."""
    names = {25: "bar", 0: "off"}
    return [
        f"{names.get(move.source, move.source)}/{names.get(move.target, move.target)}" for move in play.moves
    ]
