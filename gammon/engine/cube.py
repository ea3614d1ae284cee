"""Cube decisions: whether to double, whether to take, and what each is worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from gammon.base.checks import number, shown
from gammon.base.errors import SettingError
from gammon.base.showing import Rendered
from gammon.core.estimate import EQUAL
from gammon.engine.analysis import Kind
from gammon.eval.equity import Probabilities, results_of_cumulative
from gammon.eval.janowski import static_value
from gammon.formats.met_file import met_of
from gammon.formats.play import check_in_play
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms
from gammon.search.stats import Stats

#: Values that differ by no more than this count as equal.
_ROUNDING = 1e-9
#: A decision is close if the wrong choice loses less than this.
_CLOSE = 0.02
#: Chances may contradict each other by this much because of rounding.
_TOLERANCE = 1e-5


class CubeAction(StrEnum):
    """The right action of the player on roll."""

    NO_DOUBLE = "no double"
    DOUBLE = "double"
    #: Playing on for a gammon is worth more than a double that the opponent passes.
    TOO_GOOD = "too good to double"


class CubeAnswer(StrEnum):
    """The right answer of the opponent to a double."""

    TAKE = "take"
    PASS = "pass"
    #: To turn the cube again at once, and keep it.
    BEAVER = "beaver"


@dataclass(frozen=True)
class CubeValue:
    """The value of a cube action to the player on roll.

    Attributes:
        equity: for money, in points of the cube before a double. In a match EMG: losing the game
            at that cube is -1, winning it +1.
        mwc: the chance to win the match, None for money.
        kind: the source of `equity`.
        error: the standard error of a rollout's equity, else None.
    """

    equity: float
    mwc: float | None
    kind: Kind
    error: float | None = None


@dataclass(frozen=True, repr=False)
class CubeDecision(Rendered):
    """A decision about the cube, before the roll of the player on roll.

    Its `str` is a table for people.

    Attributes:
        position: the position before the roll.
        terms: what is at stake.
        probabilities: of the player on roll, without the cube.
        no_double: the value of rolling with the cube as it is.
        double_take: the value of a double that is taken, before any beaver; None where the
            player may not double, or cannot gain by it.
        double_pass: the value of a double that is passed, or None.
        depth: plies as an `Engine` counts them: one more than were searched; 1 without a search.
        stats: the work of the search; None if the values are static or from exact tables.
        seconds: wall time of the search.
        filtered: whether a move filter left out plays of the search; values are then exact for
            the plays that are left.
        algorithm: of the search, or None.
        level: the level that rolls out a close decision, or None.
        confidence: the confidence, by the rollout, that the decision to double and the answer to the
            double are both right: the smaller of the two. None without a rollout.
        noise_note: see `Question.noise_note`.
    """

    position: Position
    terms: Terms
    probabilities: Probabilities
    no_double: CubeValue
    double_take: CubeValue | None
    double_pass: CubeValue | None
    depth: int = 1
    stats: Stats | None = None
    seconds: float = 0.0
    filtered: bool = False
    algorithm: str | None = None
    level: str | None = None
    confidence: float | None = None
    noise_note: str = ""

    @property
    def answer(self) -> CubeAnswer | None:
        """The opponent's right answer to a double; None if no double is possible.

        A double that cannot gain may be on offer; the answer is then a take, as a pass would
        lose the match.
        """
        if self.double_take is None or self.double_pass is None:
            return CubeAnswer.TAKE if self.position.context.offer else None
        if self.double_take.equity >= self.double_pass.equity:
            return CubeAnswer.PASS
        beaver = self.terms.beavers and self.double_take.equity < 0.0
        return CubeAnswer.BEAVER if beaver else CubeAnswer.TAKE

    @property
    def doubled(self) -> float | None:
        """The equity of a double with the right answer to it, or None."""
        if self.double_take is None or self.double_pass is None:
            return None
        taken = self.double_take.equity
        if self.answer is CubeAnswer.BEAVER:
            taken *= 2.0
        return min(taken, self.double_pass.equity)

    @property
    def equity(self) -> float:
        """The equity of the position with the right decisions of both players."""
        doubled = self.doubled
        return self.no_double.equity if doubled is None else max(self.no_double.equity, doubled)

    @property
    def mwc(self) -> float | None:
        """The chance to win the match with the right decisions of both; None for money."""
        stay, doubles = self.no_double.mwc, (self.double_take, self.double_pass)
        answers = [value.mwc for value in doubles if value is not None and value.mwc is not None]
        return stay if stay is None or not answers else max(stay, min(answers))

    @property
    def action(self) -> CubeAction:
        """The right action of the player on roll."""
        stay, doubled, chances = self.no_double.equity, self.doubled, self.probabilities
        if doubled is None or self.double_pass is None:
            return CubeAction.NO_DOUBLE
        if doubled >= stay - _ROUNDING:
            return CubeAction.DOUBLE if chances.win > 0.0 else CubeAction.NO_DOUBLE
        if stay > self.double_pass.equity:
            if chances.win_gammon > 0.0:
                return CubeAction.TOO_GOOD
            if self.answer is CubeAnswer.PASS:  # the difference is due to rounding
                return CubeAction.DOUBLE
        return CubeAction.NO_DOUBLE

    @property
    def gain(self) -> float | None:
        """The equity of doubling less the equity of rolling; None if no double is possible."""
        return None if self.doubled is None else self.doubled - self.no_double.equity

    @property
    def answer_gain(self) -> float | None:
        """The equity that the opponent loses by the wrong answer to a double; or None.

        The wrong answer is a pass in place of a take or beaver, or a take in place of a pass.
        """
        if self.double_take is None or self.double_pass is None:
            return None
        taken, passed = self.double_take.equity, self.double_pass.equity
        return abs(passed - (2.0 * taken if self.answer is CubeAnswer.BEAVER else taken))

    @property
    def margin(self) -> float | None:
        """The loss by a wrong double or by a wrong answer, whichever is smaller; or None."""
        if self.gain is None or self.answer_gain is None:
            return None
        return min(abs(self.gain), self.answer_gain)

    @property
    def optional(self) -> bool:
        """Whether doubling and rolling have the same equity."""
        return self.gain is not None and abs(self.gain) < EQUAL

    @property
    def close(self) -> bool:
        """Whether the wrong choice between doubling and rolling loses less than 0.02."""
        return self.gain is not None and abs(self.gain) < _CLOSE

    @property
    def answer_close(self) -> bool:
        """Whether the wrong answer to a double loses less than 0.02."""
        return self.answer_gain is not None and self.answer_gain < _CLOSE

    @property
    def verdict(self) -> str:
        """The right decisions of both players, such as "redouble, take"."""
        double = "redouble" if self.terms.owner > 0 else "double"
        if self.doubled is None:
            if self.terms.crawford:
                return "no double, Crawford game"
            if self.terms.owner < 0 and self.terms.for_opponent().may_double:
                return "no double, the opponent owns the cube"
            if not self.terms.owner and self.terms.for_opponent().may_double:
                return "no double, a single win wins the match"
            return f"no {double}, dead cube"
        words = self.action.replace("double", double)
        if self.optional and self.probabilities.win > 0.0:
            words = f"optional {double}"
        return f"{words}, {self.answer}"

    def __repr__(self) -> str:
        values = f"no double {self.no_double.equity:+.4f}"
        if self.double_take and self.double_pass:
            values += f", double/take {self.double_take.equity:+.4f}"
            values += f", double/pass {self.double_pass.equity:+.4f}"
        return f"<CubeDecision {self.verdict}: {values}>"


def decision_terms(position: Position) -> Terms:
    """Return the terms of a position in which a player decides about the cube.

    Raises:
        SettingError: no game has such terms, or the cube or match length is above 64; or a beaver
            is on offer, or a double that the rules forbid.
    """
    offer, terms, wrong = position.context.offer, position.context.terms(), ""
    if offer not in ("", "D"):
        wrong = "a beaver or a raccoon is on offer, expected at most a double"
    elif offer and terms.crawford:
        wrong = "a double in the Crawford game, expected none"
    elif offer and terms.owner < 0:
        wrong = "a double of a cube that the other side owns, expected none"
    elif offer and not terms.live:
        wrong = f"a double of a cube at {terms.cube}, expected a lower one"
    if wrong:
        raise SettingError(f"{position.xgid!r}: {wrong}")
    return terms


def cube_from_chances(
    position: Position,
    probabilities: Sequence[float],
    *,
    met: MatchEquityTable | str | Path | None = None,
    pips: str = "roller",
) -> CubeDecision:
    """Return the cube decision that follows from five chances without a search.

    The values come from Janowski's formula (docs/leaf_values.md), with a cube efficiency for the
    kind of position. For money they are exact in bearoffs with at most 6 checkers on each side,
    whatever the chances. With GNU Backgammon's chances they equal its values at 0-ply, except
    where a double costs nothing.

    Args:
        position: seen from the player on roll, before the roll. Its context has the terms. If a
            double is on offer, `CubeDecision.answer` is the answer to it.
        probabilities: of the player on roll, without the cube; see `Probabilities`.
        met: the match equity table, or its file; Kazaross-XG2 unless given.
        pips: "roller" or "mean": the pip count that sets the efficiency in a race.

    Raises:
        SettingError: a chance is not from 0 to 1, or chances contradict each other; no game has
            the context, its cube or match length is above 64, or a beaver is on offer; or a
            setting has a wrong type.
        IllegalPositionError: the game is over.
        GammonError: there is too little memory for the tables of bearoffs; or the file of a
            match equity table cannot be read.
        FormatError: the file holds no match equity table.
    """
    check_in_play(position)
    terms = decision_terms(position)
    chances = _checked(probabilities)
    results = np.maximum(results_of_cumulative(np.array(chances)), 0.0).tolist()
    table = met_of(met)

    def rolled(at: Terms) -> CubeValue:
        value = static_value(position.points, results, at, table, pips)
        if not terms.length:
            return CubeValue(value * at.cube / terms.cube, None, Kind.STATIC)
        return CubeValue(table.emg(value, terms), value, Kind.STATIC)

    taken = passed = None
    if terms.may_double:
        taken, passed = rolled(terms.doubled()), CubeValue(1.0, None, Kind.EXACT)
        if terms.length:
            mwc = table.after(terms, terms.cube)
            passed = CubeValue(table.emg(mwc, terms), mwc, Kind.EXACT)
    return CubeDecision(position, terms, chances, rolled(terms), taken, passed)


def _checked(probabilities: Sequence[float]) -> Probabilities:
    """Return five chances unchanged, after a check.

    Raises:
        SettingError: there are not five, one is not from 0 to 1, or they contradict each other.
    """
    try:
        given = list(probabilities)
    except TypeError:
        given = []
    names = Probabilities._fields
    if len(given) != len(names):
        raise SettingError(f"probabilities {shown(probabilities)}: expected five, {', '.join(names)}")
    chances = Probabilities(
        *(
            number(name, value, "a chance from 0 to 1", 0.0, 1.0)
            for name, value in zip(names, given, strict=True)
        )
    )
    for part, whole in (
        ("win_gammon", "win"),
        ("win_backgammon", "win_gammon"),
        ("lose_gammon", ""),
        ("lose_backgammon", "lose_gammon"),
    ):
        most = getattr(chances, whole) if whole else 1.0 - chances.win
        if getattr(chances, part) > most + _TOLERANCE:
            raise SettingError(
                f"{part} {getattr(chances, part):g}: expected at most {whole or '1 - win'}, which is {most:g}"
            )
    return chances
