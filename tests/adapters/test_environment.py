"""Backgammon as an environment for learning agents."""

import sys
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from gammon.base.errors import GammonError, MissingExtraError, SettingError
from gammon.formats.context import BOTTOM, TOP
from gammon.formats.play import legal_plays
from gammon.rules.board import OPENING
from gammon_adapters.environment import ACTIONS, Backgammon, pettingzoo_environment

needs_pettingzoo = pytest.mark.skipif(
    find_spec("pettingzoo") is None, reason="PettingZoo is not installed"
)


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
    with pytest.raises(SettingError, match="the same for both"):
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
        env.last, env.plays, lambda: env.step(0), lambda: env.position, lambda: env.dice,
        lambda: env.observe("player_0"),
    ):  # fmt: skip
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
