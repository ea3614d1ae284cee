"""A question about a position: its settings, their checks and their help texts.

The options of the command line, the parameters of a request and the entries of a line of JSON
are all made from these settings. `Engine.answer` answers a question. The settings of a rollout are
a record of their own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gammon.base.checks import is_whole, shown
from gammon.base.errors import SettingError
from gammon.base.settings import (
    Flag,
    Number,
    OneOf,
    SettingKind,
    Text,
    Whole,
    check_settings,
    setting,
    settings_of,
)
from gammon.core.level import BLOCK, ROLLERS, Level

if TYPE_CHECKING:
    from gammon.base.settings import Read
    from gammon.formats.play import Play
    from gammon.formats.position import Position
    from gammon.rules.match_equity import MatchEquityTable
    from gammon.rules.terms import Payoffs, Terms
    from gammon.search import Algorithm

# Help texts must not wait for numpy and compiled code, so functions below import them when called,
# and the names of algorithms and filters are repeated here. A test compares them.
#: The depths that an engine can search, in plies.
DEPTHS = (1, 3, 5, 7, 9)
#: The levels of play: searches to a depth, and searches with rollouts of close plays.
LEVELS = (*map(str, DEPTHS), *ROLLERS)
#: The algorithms of a search.
ALGORITHMS = ("bounded", "star2", "star2.5", "star1", "expectimax")
#: The names of move filters.
FILTERS = ("tiny", "narrow", "normal", "large", "huge")
#: The most points that a side may need in answers by score.
MOST_AWAY = 25
#: Points of the longest match; equals `gammon.rules.terms.LONGEST_MATCH`.
LONGEST_MATCH = 64
#: The settings for the quality of play; a question has one of them.
HOW_WELL = ("depth", "level", "strength")
_SCORE = re.compile(r"([0-9]{1,2})[-:]([0-9]{1,2})")
_OWNERS = {"roller": 1, "centre": 0, "opponent": -1}
_N_ROLLS = 21
#: The number of named scores beside the grid.
_NAMED_SCORES = 4
_N_OWNERS = 3


class _Algorithm(OneOf):
    """The name of an algorithm, or an `Algorithm`."""

    def checked(self, name: str, value: Any) -> Any:
        """Return the name, or an `Algorithm` whose values are exact."""
        if isinstance(value, tuple):
            from gammon.search import Algorithm

            if isinstance(value, Algorithm) and value.exact:
                return value
        return super().checked(name, value)


class _PositionSetting(SettingKind):
    """A `Position`."""

    def checked(self, name: str, value: Any) -> "Position":
        from gammon.formats.position import Position

        if not isinstance(value, Position):
            raise SettingError(f"{name} {shown(value)}: expected a gammon.Position")
        return value


class _Roll(SettingKind):
    """Two dice."""

    def checked(self, name: str, value: Any) -> tuple[int, int]:
        from gammon.rules.dice import checked_dice

        return checked_dice(value)

    def read(self, name: str, text: str) -> tuple[int, int]:
        from gammon.rules.dice import parse_dice

        return parse_dice(text[:20])

    def decoded(self, name: str, value: Any) -> tuple[int, int]:
        return self.read(name, value) if isinstance(value, str) else self.checked(name, value)


class _Level(OneOf):
    """A level; a depth may be an integer."""

    def checked(self, name: str, value: Any) -> str:
        level: str = super().checked(name, str(value) if is_whole(value) else value)
        return level


class _Plays(SettingKind):
    """Plays, in notation or from `legal_plays`."""

    repeated: ClassVar[bool] = True

    @property
    def schema(self) -> Mapping[str, Any]:
        return {"type": "array", "items": {"type": "string"}}

    def checked(self, name: str, value: Any) -> tuple[str, ...]:
        from gammon.formats.play import Play, listed_plays

        plays = listed_plays(value)
        if not all(isinstance(play, str | Play) for play in plays):
            raise SettingError(f"{name} {shown(value)}: expected a list of texts")
        return tuple(map(str, plays))

    def read(self, name: str, text: str) -> tuple[str, ...]:
        return (text,)


class _Stakes(SettingKind):
    """Terms without the cube, from `Payoffs` or a text that `parse_stakes` reads."""

    def checked(self, name: str, value: Any) -> "Terms":
        from gammon.rules.terms import stakes_of

        return stakes_of(value)


class _Equities(SettingKind):
    """A match equity table, or the path of one."""

    def checked(self, name: str, value: Any) -> "MatchEquityTable":
        from gammon.formats.met_file import met_of

        return met_of(value, name)


def check_question(value: object) -> None:
    """Raise a `SettingError` if something is not a question."""
    if not isinstance(value, Question):
        raise SettingError(f"question {shown(value)}: expected a gammon.Question")


def check_depths(named: Mapping[str, Any]) -> None:
    """Check that at most one of the settings in `HOW_WELL` is given.

    Args:
        named: values of settings by their names; None means not given.

    Raises:
        SettingError: two are given.
    """
    given = [name for name in HOW_WELL if named.get(name) is not None]
    if len(given) > 1:
        raise SettingError(f"{given[0]} with {given[1]}: expected one of them")


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """The settings of a question that a search depends on.

    An engine keeps one search for each combination of these settings and the terms. A search
    gets no other settings, so questions that differ in one of these never share a search.

    Attributes: see `Question`. `noise_seed` is 0 without noise.
    """

    depth: int
    algorithm: "str | Algorithm"
    noise: float
    noise_seed: int
    move_filter: str | None
    met: "MatchEquityTable | None"
    plain: bool

    @property
    def frees(self) -> bool:
        """Whether no width bounds a value: with noise, a filter or the plain design."""
        return self.noise > 0.0 or self.move_filter is not None or self.plain


_SEARCH_SETTINGS = tuple(field.name for field in fields(SearchSettings))


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question about a position.

    With a roll it asks for the best plays. Without a roll it asks for the decision about the
    cube; with `rolls`, or without a cube, for the best play of each roll. `scores` asks the same
    at all scores of a match, and `owners` with each owner of the cube.

    The position has the terms (what is at stake); the settings from `match` to `owner` replace
    parts of them.

    Attributes:
        position: seen from the player on roll.
        dice: the roll, in place of the position's own.
        depth: plies of a decision: 1, 3, 5, 7 or 9.
        level: one of `LEVELS`, in place of the depth. A level that is a number sets `depth`, and
            becomes None. A level of `ROLLERS` searches to its own depth, and then rolls out
            close plays or close decisions about the cube.
        seed: the seed of the dice of these rollouts.
        strength: in place of depth and level, a performance rating (PR). The answer then has
            values of depth 1 with the errors that a player of this PR makes.
        algorithm: one of `ALGORITHMS`; all but "bounded" differ in time only. Or your own exact
            `search.Algorithm`.
        top: how many plays need values of the full depth; the others get values of a search two
            plies less deep.
        plays: more plays that need values of the full depth.
        noise: standard deviation of an error added to each leaf's equity.
        noise_seed: selects the errors of the noise or of the strength; with the same seed, a
            position always has the same error.
        max_seconds: the time limit for each roll, or each decision about the cube; the answer
            is from the last depth that is complete by then.
        move_filter: one of `FILTERS`, to search fewer plays.
        plain: whether to search by the plain design, without what makes gammon fast: each probe
            picks one successor by the small network, and PyTorch evaluates leaves, cubeless.
        match: points of the match, 0 for money.
        score: the points of the player on roll and of the opponent, such as "3-5".
        crawford: whether this is the Crawford game; False leaves it to the position.
        jacoby: whether gammons count only after the cube is turned; False leaves it to the
            position.
        beavers: whether a double may be redoubled at once; False leaves it to the position.
        cube: the value of the cube.
        owner: "roller", "centre" or "opponent".
        cubeless: whether to leave out the cube and the score. None: leave them out with
            `stakes`, or where the algorithm or the network does not support them.
        stakes: terms without the cube, for the player on roll; from `Payoffs` or a text.
        met: the match equity table, or its file; Kazaross-XG2 unless given.
        rolls: whether to find the best play of each roll.
        scores: answer at all scores at which neither side needs more points than this.
        owners: whether to answer with the cube in the centre, and owned by each side.

    Raises:
        SettingError: a setting is out of range, or two contradict each other.
        FormatError: there are no such stakes, or the file holds no match equity table.
        GammonError: the file of a table cannot be read.
    """

    position: "Position | None" = setting(_PositionSetting(), "The position, by its ID.")
    dice: tuple[int, int] | None = setting(
        _Roll(), "The roll, such as 31; POSITION's roll unless given.", metavar="ROLL"
    )
    depth: int = setting(
        OneOf(DEPTHS), "Plies to search: 3 and 5 take an instant, 7 takes seconds, and 9 takes minutes.", 5
    )
    level: "Read[str | int | None, str | None]" = setting(
        _Level(LEVELS),
        "In place of a depth: 1, 3, 5, 7 or 9; or roller or roller+, which search to depth 5 and then "
        "roll out close plays. Each is stronger and slower than the one before.",
    )
    seed: int = setting(
        Whole(0, 2**64 - 1),
        "The seed of the dice of a level's rollouts; any number.",
        1,
        metavar="N",
        served=False,
    )
    strength: float | None = setting(
        Number("a performance rating (PR), 2 to 30", 2.0, 30.0),
        "In place of a depth, err like a person of this performance rating (PR): 25 is a "
        "beginner, 15 intermediate, 10 advanced, 5 an expert, 3 world class.",
        metavar="PR",
    )
    algorithm: "str | Algorithm" = setting(
        _Algorithm(ALGORITHMS),
        "The algorithm of the search. From --depth 5 on, bounded limits how far a look ahead may move a "
        "value, and so takes less time; the others are exact, and star2 is the fastest of these.",
        "bounded",
        served=False,
    )
    top: int = setting(
        Whole(1),
        "How many of the best plays get values of the full depth; the others get values of a search two "
        "plies less deep.",
        10,
        metavar="N",
    )
    plays: "Read[Iterable[str | Play], tuple[str, ...]]" = setting(
        _Plays(),
        'A play that gets a value of the full depth too, such as "13/7 8/7"; may be repeated.',
        (),
        word="play",
        metavar="PLAY",
    )
    noise: float = setting(
        Number("a standard deviation, 0 or more"),
        "Make the network worse, to see what that changes: add errors of this standard deviation "
        "to its equities.",
        0.0,
        metavar="POINTS",
        served=False,
    )
    noise_seed: int = setting(
        Whole(0, 2**64 - 1),
        "Any number; it selects the errors of --noise or --strength. The same number gives the same errors.",
        0,
        metavar="N",
    )
    max_seconds: float | None = setting(
        Number("a number of seconds above 0", 5e-324),
        "The time limit for a roll: the answer is from the last depth that is complete.",
        metavar="SECONDS",
    )
    move_filter: str | None = setting(
        OneOf(FILTERS),
        "Search fewer plays, as GNU Backgammon's move filters do; all unless given.",
        word="filter",
    )
    plain: bool = setting(
        Flag(),
        "Search cubeless and without what makes gammon fast: the small network picks each probe, and "
        "PyTorch evaluates the leaves. This is slow, and gives the same values up to rounding.",
        False,
        served=False,
    )
    match: int | None = setting(
        Whole(0, LONGEST_MATCH),
        "Points of the match, 0 for money; POSITION's unless given. A change resets the score, not the cube.",
        metavar="N",
    )
    score: str | None = setting(Text(), "Points of the player on roll, then of the opponent.", metavar="A-B")
    crawford: bool = setting(Flag(), "It is the Crawford game.", False)
    jacoby: bool = setting(Flag(), "For money: gammons count only after the cube is turned.", False)
    beavers: bool = setting(Flag(), "For money: a double may be redoubled at once.", False)
    cube: int | None = setting(Whole(1), "The value of the cube: 1, 2, 4, ... 64.", metavar="N")
    owner: str | None = setting(OneOf(tuple(_OWNERS)), "The owner of the cube.")
    cubeless: bool | None = setting(Flag(), "Leave out the cube and the score.")
    stakes: "Read[Payoffs | Terms | str | None, Terms | None]" = setting(
        _Stakes(),
        "Cubeless, with these payoffs to the player on roll: money, dmp (double match point), "
        "gammon-go, gammon-save, or six numbers for a game, a gammon and a backgammon won, "
        "then for each lost; money is 1,2,3,-1,-2,-3.",
        metavar="STAKES",
    )
    met: "Read[MatchEquityTable | str | Path | None, MatchEquityTable | None]" = setting(
        _Equities(),
        "A match equity table in place of Kazaross-XG2; `gammon met FILE` shows it.",
        metavar="FILE",
        served=False,
    )
    rolls: bool = setting(Flag(), "Without a roll: show the best play of each of the 21 rolls.", False)
    scores: int | None = setting(
        Whole(1, MOST_AWAY),
        "Show the best play, or without a roll the cube decision, at all scores to N away.",
        metavar="N",
    )
    owners: bool = setting(Flag(), "Answer for each owner of the cube: nobody, you, the opponent.", False)

    def __post_init__(self) -> None:
        check_settings(self)
        check_depths({"level": self.level, "strength": self.strength})
        grid = "scores" if self.scores is not None else "owners" if self.owners else None
        if self.rolls and grid:
            raise SettingError(f"rolls with {grid}: expected one of them")
        if self.strength is not None:
            object.__setattr__(self, "depth", 1)
        if self.level is not None:
            depth = self.rolls_out.depth if self.rolls_out else int(self.level)
            object.__setattr__(self, "depth", depth)
            object.__setattr__(self, "level", self.level if self.rolls_out else None)
        if self.level is not None and self.noise > 0.0:
            raise SettingError(f"noise {self.noise} with a level: expected a depth")

    def search_settings(self) -> SearchSettings:
        """Return the settings that the search depends on."""
        settings = {name: getattr(self, name) for name in _SEARCH_SETTINGS}
        return SearchSettings(**settings | {"noise_seed": self.noise_seed * bool(self.noise)})

    @property
    def rolls_out(self) -> Level | None:
        """The level if it rolls out, else None."""
        return ROLLERS.get(self.level or "")

    @property
    def noise_note(self) -> str:
        """Sentences about the errors that the values have on purpose; empty without errors."""
        sentences = []
        if self.strength is not None:
            sentences.append(f"Values are as a player of PR {self.strength:g} misjudges them.")
        if self.noise:
            sentences.append(f"The network errs on purpose, by {self.noise:g}.")
        return " ".join(sentences)

    def shallower(self) -> "Iterator[Question]":
        """Yield the question at all lower depths; for a roller level also at its own depth."""
        for depth in DEPTHS:
            if depth < self.depth or (self.level is not None and depth == self.depth):
                yield replace(self, depth=depth, level=None)

    @property
    def searches(self) -> int:
        """The most rolls, or decisions about the cube, that are searched."""
        if self.scores is not None or self.owners:
            away = self.scores or 0
            return away**2 + _NAMED_SCORES * bool(away) + _N_OWNERS * self.owners
        rolled = self.dice or (self.position and self.position.dice)
        all_rolls = self.rolls or self.cubeless or self.stakes
        return _N_ROLLS if all_rolls and not rolled else 1

    def placed(self) -> "Position":
        """Return the position with the question's roll and terms.

        Raises:
            SettingError: there is no position, or no game has such terms.
        """
        position = self.position
        if position is None:
            raise SettingError("position None: expected a gammon.Position")
        if any(getattr(self, name) != usual for name, usual in _NO_TERMS.items()):
            terms, offered = position.context.terms(), position.context.offer == "D"
            position = position.with_terms(terms := self._terms(terms))
            if offered and self.dice is None:
                if not terms.may_offer:
                    raise SettingError("a double on offer: the player on roll may not double at these stakes")
                position = position.with_offer(True)
        return position if self.dice is None else position.with_dice(self.dice)

    def settled(self) -> "Question":
        """Return the same question with roll and terms moved into the position."""
        return replace(self, position=self.placed(), dice=None, **_NO_TERMS)

    def _terms(self, terms: "Terms") -> "Terms":
        """Return the terms of a position after the changes that the settings ask for."""
        if self.match is not None and self.match != terms.length:
            terms = terms._replace(
                length=self.match, away=(self.match, self.match), crawford=False, jacoby=False, beavers=False
            )
        if self.score is not None:
            away = self._away(terms.length)
            terms = terms._replace(away=away, crawford=terms.crawford and away == terms.away)
        if self.cube is not None:
            terms = terms._replace(cube=self.cube, owner=0 if self.cube == 1 else terms.owner)
        if self.owner is not None:
            terms = terms._replace(owner=_OWNERS[self.owner])
        if terms.length and terms.cube > 1 and not terms.owner and not terms.cube & (terms.cube - 1):
            raise SettingError(f"cube {terms.cube} in a match: expected owner too", "cube")
        if self.crawford and not terms.length:
            raise SettingError("crawford without a match: expected match too", "crawford")
        return terms._replace(
            crawford=self.crawford or terms.crawford,
            jacoby=self.jacoby or terms.jacoby,
            beavers=self.beavers or terms.beavers,
        ).checked()

    def _away(self, length: int) -> tuple[int, int]:
        score = _SCORE.fullmatch(self.score or "")
        if not length:
            wanted = "the length of a match"
            raise SettingError(f"score {self.score} for money: expected {wanted}", "score")
        if score is None:
            wanted = "two numbers, such as 3-5"
            raise SettingError(f"score {shown(self.score)}: expected {wanted}", "score")
        own, their = map(int, score.groups())
        if max(own, their) >= length:
            raise SettingError(
                f"score {self.score}: expected less than {length}, the match's length", "score"
            )
        return length - own, length - their


#: The settings that change the terms.
TERMS = ("match", "score", "crawford", "jacoby", "beavers", "cube", "owner")
_NO_TERMS: dict[str, Any] = {name: settings_of(Question)[name].default for name in TERMS}


#: Plies of a decision in a rollout.
ROLLOUT_DEPTHS = (1, 3, 5)
#: The most games of a candidate; they take days.
MOST_TRIALS = 36_000_000
_ABOVE_0 = Number("a number above 0", 5e-324)


@dataclass(frozen=True)
class RolloutSettings:
    """The number of games, and the way they are played.

    The attributes have the names of the arguments of `gammon.rollout`, which explains them.

    Raises:
        SettingError: a setting is out of range.
    """

    trials: int = setting(
        Whole(BLOCK, MOST_TRIALS, BLOCK),
        "Games of each candidate, rounded up to a multiple of 36.",
        1296,
        metavar="N",
    )
    depth: int = setting(
        OneOf(ROLLOUT_DEPTHS), "Plies of each play: 3 takes six times as long as 1, 5 hundreds of times.", 1
    )
    cube_depth: int | None = setting(
        OneOf(ROLLOUT_DEPTHS), "Plies of each decision about the cube; as --depth unless given."
    )
    truncate: int | None = setting(
        Whole(1, 1000),
        "End games after this many turns, with the network's value; whole games unless given.",
        metavar="N",
    )
    seed: int = setting(Whole(0, 2**64 - 1), "Any number; all dice follow from it.", 1, metavar="N")
    model: str | Path = "leaf"
    move_filter: str | None = setting(
        OneOf(FILTERS),
        "At --depth 3 and 5: search fewer plays, as GNU Backgammon's move filters do.",
        word="filter",
    )
    exact: bool = setting(Flag(), "End games when exact bearoff tables have their value.", True)
    until_se: float | None = setting(
        _ABOVE_0, "End early, once no standard error is larger than this, such as 0.005.", metavar="NUMBER"
    )
    until_jsd: float | None = setting(
        _ABOVE_0,
        "End early, once the best candidate leads every other one by this many standard errors "
        "of their difference, such as 3.",
        metavar="NUMBER",
    )
    max_seconds: float | None = setting(
        _ABOVE_0,
        "End after this time, with whole blocks of 36 trials; the result then depends on the machine.",
        metavar="SECONDS",
    )
    drop: bool = setting(Flag(), "Give up candidates that are far behind.", True)

    def __post_init__(self) -> None:
        check_settings(self)
        if not isinstance(self.model, str | Path) or not str(self.model):
            raise SettingError(f"model {shown(self.model)}: expected the name of a shipped model, or a file")

    @property
    def plies_of_cube(self) -> int:
        """The plies of a decision about the cube."""
        return self.depth if self.cube_depth is None else self.cube_depth
