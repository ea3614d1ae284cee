"""Backgammon as an environment for learning agents, and as OpenSpiel's bot."""

import random
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from gammon.base.errors import GammonError, MissingExtraError, SettingError
from gammon.engine.engine import Engine
from gammon.formats.context import BOTTOM, TOP
from gammon.formats.play import legal_plays
from gammon.formats.position import Position
from gammon.rules.board import OPENING, Points, flipped, legal_moves
from gammon.rules.dice import ROLLS
from gammon.rules.terms import CUBELESS, NAMED_STAKES
from gammon_adapters.environment import ACTIONS, Backgammon, pettingzoo_environment
from gammon_adapters.openspiel import action_of, make_bot, points_of, stakes_of
from tests.boards import points_of as board_of
from tests.conftest import Played
from tests.naive.plays import enumerate_plays

# Backgammon as an environment for learning agents.

needs_pettingzoo = pytest.mark.skipif(find_spec("pettingzoo") is None, reason="PettingZoo is not installed")


def play_out(env: Backgammon, draw: np.random.Generator) -> tuple[list[Any], dict[str, float]]:
    """Play a game at random: what each agent saw in turn, and got in all."""
    seen: list[Any] = []
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        assert observation is not None
        assert (truncation, info) == (False, {})
        got[agent] += reward
        if termination:
            assert not observation["action_mask"].any()
            env.step(None)
            continue
        seen.append((agent, *observation["observation"].tolist()))
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(draw.choice(legal)))
    return seen, got


def test_the_beginning() -> None:
    env = Backgammon()
    env.reset(seed=3)
    assert env.agents == env.possible_agents
    observation, reward, termination, _, _ = env.last()
    assert observation is not None
    assert tuple(observation["observation"][:26]) == OPENING
    assert tuple(observation["observation"][26:]) == env.dice
    assert env.dice[0] != env.dice[1], "an opening roll"
    assert (reward, termination) == (0.0, False)
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    assert not env.observe(other)["action_mask"].any()
    assert env.last(observe=False)[0] is None
    assert (env.num_agents, env.max_num_agents, env.unwrapped) == (2, 2, env)


def test_its_plays_are_the_legal_ones() -> None:
    """The twin enumerates the moves in plain Python; the order is that of the positions."""
    env, draw = Backgammon(), np.random.default_rng(4)
    for seed in range(3):
        env.reset(seed=seed)
        while not env.terminations[env.agent_selection]:
            found = [tuple(row) for row in env.plays().tolist()]
            position = env.position
            assert found == sorted(play.points for play in legal_plays(position, env.dice))
            seat = BOTTOM if env.agent_selection == "player_0" else TOP
            assert position.context.on_roll == seat
            observation = env.observe(env.agent_selection)
            assert observation["action_mask"].sum() == len(found)
            assert observation["action_mask"].shape == (ACTIONS,)
            action = int(draw.integers(len(found)))
            agent = env.agent_selection
            env.step(action)
            if not env.terminations[agent]:
                assert env.agent_selection != agent
                after = env.observe(agent)["observation"][:26]
                assert tuple(after.tolist()) == found[action]


def test_the_winner_gets_what_the_loser_loses() -> None:
    env, draw = Backgammon(), np.random.default_rng(1)
    results = set()
    for seed in range(12):
        env.reset(seed=seed)
        _, got = play_out(env, draw)
        assert got["player_0"] == -got["player_1"]
        results.add(abs(got["player_0"]))
        assert env.agents == []
    assert {1.0, 2.0} <= results <= {1.0, 2.0, 3.0}


def test_other_stakes() -> None:
    env, draw = Backgammon("dmp"), np.random.default_rng(1)
    for seed in range(5):
        env.reset(seed=seed)
        _, got = play_out(env, draw)
        assert abs(got["player_0"]) == 1.0
    assert Backgammon("1,3,3,-1,-3,-3")._worth.tolist() == [-3, -3, -1, 1, 3, 3]
    with pytest.raises(SettingError, match="the same payoffs for both"):
        Backgammon("gammon-go")
    for wrong in (None, 5):
        with pytest.raises(SettingError, match=f"stakes {wrong}: expected gammon.Payoffs"):
            Backgammon(wrong)  # type: ignore[arg-type]


def test_the_same_seed_gives_the_same_games() -> None:
    def games(seed: int | None, env: Backgammon) -> list[Any]:
        found = []
        for begin in (seed, None, None):
            env.reset(seed=begin)
            found.append(play_out(env, np.random.default_rng(9)))
        return found

    env = Backgammon()
    first = games(5, env)
    assert games(5, env) == games(5, Backgammon()) == first
    assert first[0] != first[1] != first[2], "other dice in each game"
    assert games(6, Backgammon()) != first
    assert games(None, Backgammon()) != games(None, Backgammon()), "a drawn seed"


def test_both_begin() -> None:
    env, began = Backgammon(), set()
    for seed in range(10):
        env.reset(seed=seed)
        began.add(env.agent_selection)
    assert began == {"player_0", "player_1"}


@pytest.mark.parametrize("action", [-1, 5000, None, 1.0, True, "0"])
def test_an_action_that_is_none(action: Any) -> None:
    env = Backgammon()
    env.reset(seed=1)
    before = env.plays()
    with pytest.raises(SettingError, match="one of the legal plays"):
        env.step(action)
    assert (env.plays() == before).all()


def test_out_of_turn() -> None:
    env = Backgammon()
    for call in (
        env.last,
        env.plays,
        lambda: env.step(0),
        lambda: env.position,
        lambda: env.dice,
        lambda: env.observe("player_0"),
    ):
        with pytest.raises(SettingError, match="call of reset"):
            call()  # type: ignore[operator]
    env.reset(seed=1)
    draw = np.random.default_rng(2)
    while not env.terminations[env.agent_selection]:
        env.step(int(draw.integers(len(env.plays()))))
    with pytest.raises(SettingError, match="the game is over"):
        env.step(0)
    for _ in env.possible_agents:
        env.step(None)
    last = env.observe("player_0")
    assert tuple(last["observation"][26:].tolist()) == env.dice, "the last roll is still seen"
    assert not last["action_mask"].any()


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.5, True])
def test_a_seed_that_is_none(seed: Any) -> None:
    with pytest.raises(GammonError, match="seed"):
        Backgammon().reset(seed=seed)


def test_pictures() -> None:
    env = Backgammon(render_mode="ansi")
    env.reset(seed=1)
    drawn = env.render()
    assert drawn is not None
    assert "13-14-15-16-17-18" in drawn
    silent = Backgammon()
    silent.reset(seed=1)
    assert silent.render() is None
    silent.close()
    with pytest.raises(SettingError, match="render_mode 'human'"):
        Backgammon(render_mode="human")  # type: ignore[arg-type]


def test_without_pettingzoo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(MissingExtraError, match="pip install pettingzoo"):
        pettingzoo_environment()


# With PettingZoo.


@needs_pettingzoo
@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo_s_own_tests() -> None:
    from pettingzoo.test import api_test, seed_test

    api_test(pettingzoo_environment(), num_cycles=300)
    seed_test(pettingzoo_environment, num_cycles=50)


# The bot of OpenSpiel: against a stand-in for its states, and against OpenSpiel itself.

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
