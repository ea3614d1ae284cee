"""The context of a position: cube, score, rules, and the side that must act.

IDs carry it beside the checkers. The analysis is cubeless, so no field changes an equity.
The fields are kept and written back.
"""

from dataclasses import dataclass, replace

from gammon.errors import FormatError
from gammon.formats.characters import quoted

__all__ = ["BOTTOM", "TOP", "Context", "check_scores", "in_range"]

#: The two seats, as in an XGID. GNU Backgammon's player 1 sits at the bottom.
BOTTOM, TOP = 1, -1


@dataclass(frozen=True)
class Context:
    """The state of a match around a position. The default is money play, before the roll.

    Attributes:
        cube_log2: the base-2 logarithm of the cube: 0 for a cube of 1, 1 for 2, 2 for 4.
        cube_owner: BOTTOM, TOP, or 0 for a centred cube.
        on_roll: BOTTOM or TOP.
        scores: points of the bottom and the top player.
        length: points of the match, 0 for money.
        crawford: whether this is the Crawford game.
        jacoby: whether gammons count only after the cube is turned (money).
        beavers: whether a double can be redoubled at once (money).
        max_cube_log2: the base-2 logarithm of the highest cube, from an XGID.
        offer: an XGID's letter in place of dice: "D" doubled, "B" beaver, "R" raccoon.
        resignation: the offered resignation in points of the cube, 0 to 3.
        to_decide: the side that must act, BOTTOM or TOP, if it is not the player on roll;
            else 0.
        game_state: GNU Backgammon's number; 1 is a game in progress.
        reserved: the last 5 bits of a Match ID, 0 in every known one.
    """

    cube_log2: int = 0
    cube_owner: int = 0
    on_roll: int = BOTTOM
    scores: tuple[int, int] = (0, 0)
    length: int = 0
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    max_cube_log2: int = 10
    offer: str = ""
    resignation: int = 0
    to_decide: int = 0
    game_state: int = 1
    reserved: int = 0

    def after_play(self) -> "Context":
        """Return the context after the player on roll has played or passed."""
        return replace(self, on_roll=-self.on_roll, offer="", resignation=0, to_decide=0)


def in_range(text: str, name: str, value: int, low: int, high: int) -> int:
    """Return `value` if it is in low..high.

    Raises:
        FormatError: the value is out of range; the message quotes `text` and `name`.
    """
    if not low <= value <= high:
        raise FormatError(f"{quoted(text)}: {name} {value}, expected {low} to {high}")
    return value


def check_scores(text: str, scores: tuple[int, int], length: int) -> tuple[int, int]:
    """Return the scores of both players if none is beyond the length of the match.

    Args:
        text: where they come from; the message quotes it.
        scores: points of the two players.
        length: points of the match; 0 for money, where any score is possible.

    Raises:
        FormatError: a score is beyond the length.
    """
    if length and max(scores) > length:
        raise FormatError(
            f"{quoted(text)}: score {max(scores)} in a match of {length}, "
            f"expected at most {length}"
        )
    return scores
