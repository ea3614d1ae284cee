"""The context of a position: cube, score, rules, and the side that must act.

IDs contain it beside the checkers. All fields are stored, so that an ID can be written back
unchanged. `Context.terms` returns what is at stake. Phrases about a context, such as the score in
words, are the same in all texts.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from gammon.base.checks import shown
from gammon.base.errors import FormatError, SettingError
from gammon.formats.characters import quoted

if TYPE_CHECKING:
    from gammon.rules.terms import Terms  # imports numpy, which help must not wait for

#: The two seats, as in an XGID. GNU Backgammon's player 1 sits at the bottom.
BOTTOM, TOP = 1, -1
#: The most points of a score or a match length: a Match ID has 15 bits for them.
MOST_POINTS = 2**15 - 1
#: The players' letters, as in eXtreme Gammon and GNU Backgammon.
SEATS = {BOTTOM: "X", TOP: "O"}


@dataclass(frozen=True)
class Context:
    """The state of a match around a position. The default is money play, before the roll.

    Attributes:
        cube_log2: the base-2 logarithm of the cube: 0 for a cube of 1, 1 for 2, 2 for 4.
        cube_owner: BOTTOM, TOP, or 0 for a centred cube.
        on_roll: BOTTOM or TOP.
        scores: points of the bottom and the top player.
        length: points of the match, 0 for money.
        crawford: the mark of the Crawford game in an ID; see `is_crawford`.
        jacoby: whether gammons count only after the cube is turned (money).
        beavers: whether a double can be redoubled at once (money).
        max_cube_log2: the base-2 logarithm of the highest cube, from an XGID.
        offer: an XGID's letter in place of dice: "D" doubled, "B" beaver, "R" raccoon.
        resignation: the offered resignation in points of the cube, 0 to 3.
        to_decide: the side that must act, BOTTOM or TOP, if it is not the player on roll;
            else 0.
        game_state: GNU Backgammon's code; 1 is a game in progress.
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

    @property
    def is_crawford(self) -> bool:
        """Whether this is the Crawford game; at double match point a mark of it has no meaning."""
        return self.crawford and self.length > 0 and min(self.scores) < self.length - 1

    def terms(self) -> "Terms":
        """Return what is at stake for the player on roll.

        If a double is on offer, the cube has its value before the double, as in GNU Backgammon.
        A cube at its highest allowed value is not live. The Jacoby rule and beavers apply only
        to money.

        Raises:
            SettingError: no game has such terms, or the match or the cube is above 64.
        """
        return self._terms

    @cached_property
    def _terms(self) -> "Terms":
        from gammon.rules.terms import Terms

        away, jacoby, beavers = (0, 0), self.jacoby, self.beavers
        if self.length:
            bottom, top = (self.length - score for score in self.scores)
            away = (bottom, top) if self.on_roll == BOTTOM else (top, bottom)
            jacoby = beavers = False
        return Terms(
            length=self.length,
            away=away,
            crawford=self.is_crawford,
            jacoby=jacoby,
            beavers=beavers,
            cube=1 << self.cube_log2,
            owner=self.cube_owner * self.on_roll,
            live=self.cube_log2 < self.max_cube_log2,
        ).checked()

    def with_terms(self, terms: "Terms") -> "Context":
        """Return the context with other terms, as the player on roll sees them.

        Raises:
            SettingError: no game has such terms, see `Terms.checked`; or they are terms without
                the cube, which a position cannot have.
        """
        from gammon.rules.terms import Terms

        if not isinstance(terms, Terms):
            raise SettingError(f"terms {shown(terms)}: expected gammon.Terms")
        if terms.cubeless:
            raise SettingError("terms without the cube: expected an engine with such stakes")
        terms = terms.checked()
        own, their = (terms.length - away for away in terms.away)
        cube_log2 = terms.cube.bit_length() - 1
        limit = self.max_cube_log2 if self.max_cube_log2 > cube_log2 else Context.max_cube_log2
        return replace(
            self,
            cube_log2=cube_log2,
            cube_owner=terms.owner * self.on_roll,
            scores=(own, their) if self.on_roll == BOTTOM else (their, own),
            length=terms.length,
            crawford=terms.crawford,
            jacoby=terms.jacoby,
            beavers=terms.beavers,
            max_cube_log2=limit if terms.live else cube_log2,
            offer="",
            resignation=0,
            to_decide=0,
        )

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


def checked(text: str, context: Context) -> Context:
    """Return a context unchanged, after a check that such a game is possible.

    Money play is not checked: any score is possible, and automatic doubles raise a centred cube.
    In a match a centred cube may be above 1 only while a double is on offer.

    Args:
        text: the source of the context; the message quotes it.
        context: the context.

    Raises:
        FormatError: the match is over, or a score exceeds its length; it is the Crawford game,
            and nobody is 1-away; or the cube of a match is turned but centred.
    """
    length, (bottom, top) = context.length, context.scores
    most, cube = max(bottom, top), 1 << context.cube_log2
    wrong = ""
    if length and most > length:
        wrong = f"score {most} in a match of {length}, expected at most {length - 1}"
    elif length and most == length:
        wrong = f"score {most} in a match of {length}, which is over"
    elif length and context.crawford and most != length - 1:
        wrong = f"Crawford game at {bottom} to {top} in a match of {length}, expected a score of {length - 1}"
    elif length and cube > 1 and not context.cube_owner and not context.offer:
        wrong = f"centred cube at {cube} in a match, expected an owner"
    if wrong:
        raise FormatError(f"{quoted(text)}: {wrong}")
    return context


def several(count: int, noun: str, ending: str = "s") -> str:
    """Return a count with its noun: `1 error`, `2 errors`."""
    return f"{count} {noun}{'' if count == 1 else ending}"


def score_words(context: Context) -> str:
    """Return the score of a match in words."""
    bottom, top = context.scores
    game = ", Crawford game" if context.is_crawford else ""
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
