"""The bot of OpenSpiel: against a stand-in for its states, and against OpenSpiel itself."""

import random
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import pytest

from gammon.base.errors import GammonError, MissingExtraError
from gammon.engine.engine import Engine
from gammon.formats.position import Position
from gammon.rules.board import OPENING, Points, flipped
from gammon.rules.dice import ROLLS
from gammon.rules.moves import legal_moves
from gammon.rules.terms import CUBELESS, NAMED_STAKES
from gammon_adapters.openspiel import action_of, make_bot, points_of, stakes_of
from tests.boards import points_of as board_of
from tests.conftest import Played
from tests.engine.rules.slow_plays import enumerate_plays

DMP = NAMED_STAKES["dmp"]

needs_openspiel = pytest.mark.skipif(
    find_spec("pyspiel") is None, reason="OpenSpiel (open_spiel) is not installed"
)


class Stand:
    """A state as OpenSpiel has it: a double is two actions of two moves each."""

    def __init__(self, points: Points, player: int, dice: tuple[int, int], half: int = 0):
        self.points, self.player, self.dice, self.half = points, player, dice, half
        self.double = dice[0] == dice[1]

    def board(self, player: int, place: int) -> int:
        seen = self.points if player == self.player else flipped(self.points)
        if place == 100:
            return seen[25]
        assert 0 <= place < 24
        return max(0, seen[24 - place if player == 0 else place + 1])

    def current_player(self) -> int:
        return self.player if self.half < 1 + self.double else -1

    def _ends(self) -> list[Points]:
        if not self.double:
            return sorted(enumerate_plays(self.points, self.dice))
        two: list[Points] = [self.points]
        for _ in range(2):  # a die that is played once: the other one cannot be used
            two = [end for each in two for end in _once(each, self.dice[0])]
        return sorted(set(two))

    def legal_actions(self) -> Sequence[int]:
        return range(100, 100 + len(self._ends()))

    def child(self, action: int) -> "Stand":
        return Stand(self._ends()[action - 100], self.player, self.dice, self.half + 1)

    def observation_tensor(self, player: int) -> Sequence[float]:
        return [0.0, *map(float, self.dice)]


def _once(points: Points, die: int) -> list[Points]:
    return [after for _, after in legal_moves(points, die)] or [points]


@pytest.mark.parametrize("player", [0, 1])
def test_boards(player: int, played: Played) -> None:
    for points in played(20, 5):
        state = Stand(points, player, (3, 1))
        assert points_of(state, player) == points
        assert points_of(state, 1 - player) == flipped(points)


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("player", [0, 1])
def test_it_plays_as_the_engine(depth: int, player: int, played: Played) -> None:
    """Also doubles, whose two actions together are the play."""
    engine = Engine(depth, stakes="money")
    for n, points in enumerate(played(30, 6)):
        dice = ROLLS[(7 * n) % len(ROLLS)]
        state = Stand(points, player, dice)
        while state.current_player() == player:
            state = state.child(action_of(state, engine))
        found = engine.analyze(Position(points), dice, 100).candidates
        values = {each.play.points: each.equity for each in found}
        assert values[points_of(state, player)] == pytest.approx(found[0].equity, abs=1e-6)


def test_the_last_checkers_go_off() -> None:
    state = Stand(board_of({1: 3}, {24: 5}), 0, (2, 2), half=1)
    after = state.child(action_of(state, Engine(1, stakes="dmp")))
    assert points_of(after, 0)[1] == 1
    last = Stand(board_of({1: 2, 6: 0}, {24: 5}), 1, (2, 2), half=1)
    assert points_of(last.child(action_of(last, Engine(1, stakes="dmp"))), 1)[1] == 0

    class Twice(Stand):
        """Both orders of the two moves are actions."""

        def _ends(self) -> list[Points]:
            return 2 * super()._ends()

    either = Twice(board_of({1: 2}, {24: 5}), 0, (2, 2), half=1)
    assert action_of(either, Engine(1, stakes="dmp")) == 100


def test_a_game_that_has_not_our_play_is_refused() -> None:
    class Odd(Stand):
        def child(self, action: int) -> Stand:
            return Stand(OPENING, self.player, self.dice, 1)

    with pytest.raises(GammonError, match="OpenSpiel has no action for 31"):
        action_of(Odd(OPENING, 0, (3, 1)), Engine(1, stakes="money"))


def test_scoring() -> None:
    assert stakes_of("full_scoring") == CUBELESS
    assert stakes_of("winloss_scoring") == DMP
    assert stakes_of("enable_gammons").payoffs.ascending.tolist() == [-2, -2, -1, 1, 2, 2]
    with pytest.raises(GammonError, match="scoring_type 'x'"):
        stakes_of("x")


def test_without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtraError, match="pip install open_spiel"):
        make_bot(None)


# With OpenSpiel.


@needs_openspiel
@pytest.mark.parametrize("scoring", ["winloss_scoring", "enable_gammons", "full_scoring"])
def test_games_against_chance(scoring: str) -> None:
    import pyspiel

    game: Any = pyspiel.load_game(f"backgammon(scoring_type={scoring})")
    bot, draw, won = make_bot(game), random.Random(1), 0.0
    for number in range(4):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                action = draw.choices(actions, chances)[0]
            elif state.current_player() == number % 2:
                action = bot.step(state)
            else:
                action = draw.choice(state.legal_actions())
            state.apply_action(action)
        won += state.returns()[number % 2]
    assert won > 0


@needs_openspiel
def test_another_game_is_refused() -> None:
    import pyspiel

    with pytest.raises(GammonError, match="expected OpenSpiel's backgammon"):
        make_bot(pyspiel.load_game("tic_tac_toe"))
