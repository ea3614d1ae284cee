"""An engine as a player: it makes every decision of a game."""

from dataclasses import replace

from gammon.engine.analysis import Analysis, Candidate
from gammon.engine.cube import CubeAction, CubeAnswer, CubeDecision, decision_terms
from gammon.engine.engine import Engine
from gammon.eval.equity import Probabilities
from gammon.formats.met_file import met_of
from gammon.formats.play import Play, check_in_play
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import HIGHEST_CUBE, Terms
from gammon.search import Stop

#: A result is certain if its chance differs from 1 by less than this.
_CERTAIN = 1e-3
#: A resignation is accepted even if playing on is worth this much more, in points of the cube.
_GRACE = 1e-4
#: The rounding error of match winning chances: a search values leaves in 24 bits.
_ROUNDED = 1e-7
_HIGHEST_LOG2 = HIGHEST_CUBE.bit_length() - 1


class Bot:
    """A player of games with the cube that decides by an engine.

    Positions are seen from the player on roll, and their context has the terms. A cube above 64
    counts as 64: money equities do not depend on the cube, and no match is longer than 64.

    Args:
        engine: the engine that searches.
        highest_cube: nobody doubles a cube at this value or above.
    """

    def __init__(self, engine: Engine, highest_cube: int = HIGHEST_CUBE) -> None:
        self.engine, self._highest_cube = engine, highest_cube

    def analysis(self, position: Position, dice: tuple[int, int], stop: Stop | None = None) -> Analysis:
        """Return the analysis of a roll, whose first play is the best one.

        Args:
            position: seen from the player on roll.
            dice: the roll.
            stop: as for `Engine.analyze`.

        Raises:
            SettingError, IllegalPositionError: as for `Engine.analyze`.
        """
        return self.engine.analyze(_capped(position), dice, 1, stop=stop)

    def play(self, position: Position, dice: tuple[int, int], stop: Stop | None = None) -> Play:
        """Return the best play; see `analysis`."""
        return self.analysis(position, dice, stop).candidates[0].play

    def cube(self, position: Position, stop: Stop | None = None) -> tuple[bool, CubeAnswer]:
        """Return whether the player on roll doubles, before the roll, and the opponent's answer to a double.

        The player never doubles where that cannot gain, or at the highest cube. A double that
        cannot gain by the rules is taken, such as one by a player who needs no more points than
        the cube: it does no harm.

        Args:
            position: seen from the player on roll.
            stop: as for `Engine.cube`.

        Raises:
            SettingError, IllegalPositionError: as for `Engine.cube`.
        """
        check_in_play(position)
        capped = _capped(position)
        if not capped.context.terms().may_double:
            return False, CubeAnswer.TAKE
        decision = self.engine.cube(capped, stop)
        doubles = decision.action is CubeAction.DOUBLE and self._may_turn(position)
        return doubles, decision.answer or CubeAnswer.TAKE

    def doubles(self, position: Position, stop: Stop | None = None) -> bool:
        """Return whether the player on roll doubles; see `cube`."""
        return self._may_turn(position) and self.cube(position, stop)[0]

    def answer(self, position: Position, stop: Stop | None = None) -> CubeAnswer:
        """Return the opponent's answer to a double of the player on roll; see `cube`."""
        return self.cube(position, stop)[1]

    def _may_turn(self, position: Position) -> bool:
        """Return whether the cube is in play, and below the highest value."""
        return self.engine.cubeful and 1 << position.context.cube_log2 < self._highest_cube

    def resigns(self, position: Position) -> int:
        """Return how much the player on roll gives up: 1 to 3 times the cube, 0 for nothing.

        The bot resigns what it is certain to lose.

        Raises:
            SettingError, IllegalPositionError: as for `Engine.evaluate`.
        """
        return certain_loss(self.engine.evaluate(_capped(position)).probabilities)

    def accepts(self, position: Position, points: int, stop: Stop | None = None) -> bool:
        """Return whether the bot accepts a resignation of the player on roll.

        Args:
            position: seen from the player who resigns, with the roll if there is one.
            points: the resigned result, 1 to 3 times the cube.
            stop: as for `Engine.analyze`.

        Raises:
            SettingError, IllegalPositionError: as for `Engine.analyze` and `Engine.cube`.
        """
        position = _capped(position)
        terms = decision_terms(position)
        decision: Candidate | CubeDecision
        if position.dice is not None:
            decision = self.engine.analyze(position, position.dice, 1, stop=stop).candidates[0]
        else:
            decision = self.engine.cube(position, stop)
        return is_enough(terms, points, decision.equity, decision.mwc, met_of(self.engine.met))


def certain_loss(chances: Probabilities) -> int:
    """Return how much a player is certain to lose: 1 to 3 times the cube, 0 for nothing."""
    lost = 1.0 - chances.win, chances.lose_gammon, chances.lose_backgammon, 0.0
    for points in (1, 2, 3):
        if lost[points - 1] > 1.0 - _CERTAIN and lost[points] < _CERTAIN:
            return points
    return 0


def is_enough(terms: Terms, points: int, equity: float, mwc: float | None, met: MatchEquityTable) -> bool:
    """Return whether a resignation is worth at least as much to the opponent as playing on.

    Args:
        terms: what is at stake for the player who resigns.
        points: the resigned result, 1 to 3 times the cube.
        equity: of that player, in points of the cube.
        mwc: that player's chance to win the match, or None for money.
        met: the match equity table.
    """
    if mwc is None:
        return terms.counted(points) + _GRACE >= -equity
    return met.after(terms, -points * terms.cube) - _GRACE * met.point(terms) - _ROUNDED <= mwc


def _capped(position: Position) -> Position:
    context = position.context
    return replace(position, context=replace(context, cube_log2=min(context.cube_log2, _HIGHEST_LOG2)))
