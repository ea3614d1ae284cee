"""GNU Backgammon's analysis in its SGF: plays (A), decisions about the cube (DA), luck (LU).

Only what it evaluated is read; what it rolled out is left out. The file does not name the match
equity table by which its program found a chance to win: Kazaross-XG2 is the usual one there.
"""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite

from gammon.base.errors import FormatError
from gammon.formats.met_file import read_met
from gammon.rules.terms import Terms
from gammon_study.match_files.stored import StoredAnalysis, StoredCube, StoredPlay

#: The properties that hold an analysis.
ANALYSIS = {"A", "DA", "LU"}
#: An evaluation; the other kind is a rollout.
_EVALUATED = "E"
#: The plays of a roll that are read, the best ones; and the one that was made.
_MOST = 8
#: Numbers of either position of a decision about the cube: five chances, the equity without
#: the cube and with it.
_POSITION = 7


def stored_of(
    values: Mapping[str, Sequence[str]], terms: Terms, named: Callable[[str], str]
) -> StoredAnalysis | None:
    """Return the analysis of a node, or None where there is nothing to read.

    Args:
        values: the properties of the node.
        terms: what is at stake for the player on roll.
        named: returns the notation of a play from its letters, or raises a FormatError.
    """
    made, *listed = values.get("A", []) or [""]
    read = [
        _play(text, named)
        for number, text in enumerate(listed)
        if number < _MOST or made == str(number)
    ]
    plays = [play for play in read if play is not None]
    cube = _cube("".join(values.get("DA", [])[:1]), terms)
    luck = _numbers(values.get("LU", [])[:1])
    if not (plays or cube or luck):
        return None
    plays.sort(key=lambda play: -play.equity)
    return StoredAnalysis(tuple(plays), cube, luck[0] if luck else None)


def _play(text: str, named: Callable[[str], str]) -> StoredPlay | None:
    """Return a play such as `lnab E ver 3 0.49 0.13 0.01 0.14 0.01 -0.008 0C ...`."""
    words = text.split()
    if words[1:2] != [_EVALUATED]:
        return None
    numbers = _numbers(words[4:10])
    if len(numbers) != 6 or len(words) < 11:
        return None
    try:
        play = named(words[0])
    except FormatError:
        return None
    return StoredPlay(play, numbers[5], _level(words[10]), tuple(numbers[:5]))


def _cube(text: str, terms: Terms) -> StoredCube | None:
    """Return a decision such as `E ver 3 0C 1 0.000000 1` with the numbers of two positions."""
    words = text.split()
    numbers = _numbers(words[7:])
    if words[:1] != [_EVALUATED] or len(numbers) != 2 * _POSITION:
        return None
    stay, taken = numbers[_POSITION - 1], numbers[-1]
    if terms.length:  # there they are chances to win the match
        stay, taken = (read_met().emg(mwc, terms) for mwc in (stay, taken))
    return StoredCube(stay, taken, _level(words[3]), tuple(numbers[:5]))


def _level(text: str) -> str:
    """Return a level in words, from one such as `2C`: the plies, and whether it is cubeful."""
    plies = text.rstrip("C")
    return f"{plies}-ply" + ("" if text.endswith("C") else ", cubeless")


def _numbers(words: Sequence[str]) -> list[float]:
    """Return words as numbers, or nothing where a word is not a number."""
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return []
    return numbers if all(map(isfinite, numbers)) else []
