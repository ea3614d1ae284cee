"""Backgammon as an environment for learning agents, after the AEC interface of PettingZoo.

Two agents that always make the first legal play::

    from gammon_adapters.environment import Backgammon

    env = Backgammon()
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination else int(observation["action_mask"].argmax())
        env.step(action)

Two agents play a game without the cube, in turn; the environment throws the dice. An action is the
number of a legal play of the roll: `plays()` returns the positions after the plays, in an order
that depends only on the positions. If no checker can move, the only action is 0.

The class needs nothing but gammon. `pettingzoo_environment` returns an environment of PettingZoo's
own class with Gymnasium's spaces, if they are installed: `pip install pettingzoo`.
(https://pettingzoo.farama.org/api/aec)
"""

import secrets
from collections.abc import Iterator
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from gammon.base.checks import is_whole, one_of, shown, whole
from gammon.base.errors import MissingExtraError, SettingError
from gammon.compiled.hashing import mix
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.position import Position
from gammon.match.pairs import roll_at
from gammon.rules.board import CHECKERS, OPENING, SIZE
from gammon.rules.dice import ROLLS
from gammon.rules.outcome import IN_PLAY, result_of
from gammon.rules.plays import MAX_ROWS, MAX_SUCCESSORS, successors
from gammon.rules.terms import CUBELESS, Payoffs, Terms, stakes_of
from gammon.view.heading import board_text

#: The most plays of a roll.
ACTIONS = MAX_SUCCESSORS
#: `observation`: int8 [28], the 26 counts and the two dice; `action_mask`: int8 [3060].
Observation = dict[str, npt.NDArray[np.int8]]
Boards = npt.NDArray[np.int8]
Agent = str

_AGENTS = ["player_0", "player_1"]


class Backgammon:
    """Games of backgammon, each begun by `reset`.

    Observations are seen from the agent: 26 counts as in `gammon.rules.board`, then the dice of
    the agent on roll, the larger one first. The mask is all 0 for the other agent.

    Args:
        stakes: the payoffs of the results: "money" (1, 2 or 3 points for a game, a gammon, a
            backgammon), "dmp" (1), or six numbers that are the same for both agents.
        render_mode: "ansi": `render` returns the board as text. None: `render` returns None.

    Attributes:
        agents: the agents in the game, in the order of their turns.
        agent_selection: the agent whose turn it is.
        rewards: the reward of the last step for each agent.
        terminations: whether the game is over, for each agent.
        truncations: False for each agent: games end by themselves.
        infos: an empty dictionary for each agent.

    Raises:
        FormatError, SettingError: the stakes are invalid, or differ between the agents.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "gammon_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, stakes: str | Payoffs | Terms = CUBELESS, render_mode: Literal["ansi"] | None = None
    ) -> None:
        terms = stakes_of(stakes)
        assert terms.payoffs is not None, "stakes without the cube have payoffs"
        if terms != terms.for_opponent():
            raise SettingError(f"stakes {terms.payoffs}: expected the same payoffs for both agents")
        if render_mode not in (None, "ansi"):
            raise SettingError(f"render_mode {shown(render_mode)}: expected 'ansi' or None")
        self.render_mode, self._worth = render_mode, terms.payoffs.ascending
        self.possible_agents = list(_AGENTS)
        self.agent_selection: Agent = _AGENTS[0]
        self._seed: int | None = None
        self._game = self._turn = self._side = 0
        self._state = np.array(OPENING, np.int8)
        self._rows = np.empty((MAX_ROWS, SIZE), np.int8)
        self._plays: Boards = np.empty((0, SIZE), np.int8)
        self._sit_down([])

    def _sit_down(self, agents: list[Agent]) -> None:
        """Put agents into the game, without rewards so far."""
        self.agents = agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in agents}

    @property
    def num_agents(self) -> int:
        """The number of agents in the game."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """The largest number of agents."""
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> "Backgammon":
        """The environment itself."""
        return self

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game, and throw the first roll.

        Args:
            seed: the seed of all dice from here on, also in later games; the same seed gives the
                same dice. None: keep the present seed, or draw one for the first game.
            options: ignored, as there are none.

        Raises:
            SettingError: the seed is not a whole number from 0 to 2**64 - 1.
        """
        if seed is not None:
            self._seed, self._game = whole("seed", seed, 0, 2**64 - 1), 0
        elif self._seed is None:
            self._seed = secrets.randbits(64)
        else:
            self._game += 1
        self._sit_down(list(_AGENTS))
        number = mix(mix(np.uint64(self._seed)) ^ np.uint64(self._game))
        self._side, self._turn = int(number & np.uint64(1)), 0
        self._state = np.array(OPENING, np.int8)
        self._begin_turn()

    def _begin_turn(self) -> None:
        """Throw the dice, and list the plays in the order of their positions."""
        self.agent_selection = _AGENTS[self._side]
        assert self._seed is not None, "reset comes first"
        self._outcome = roll_at(self._seed, self._game, self._turn)
        count = successors(self._state, self._outcome, self._rows)
        plays = -self._rows[:count, ::-1]
        self._plays = np.ascontiguousarray(plays[np.lexsort(plays.T[::-1])])

    @property
    def dice(self) -> tuple[int, int]:
        """The roll of the agent on roll, the larger die first; after a game the last one.

        Raises:
            SettingError: no game has begun.
        """
        if self._seed is None:
            self._check_begun()
        return ROLLS[self._outcome]

    @property
    def position(self) -> Position:
        """The position with its roll, seen from the agent on roll.

        Raises:
            SettingError: no game is under way.
        """
        self._check_begun()
        seat = BOTTOM if self._side == 0 else TOP
        return Position(tuple(self._state.tolist()), Context(on_roll=seat), self.dice)

    def plays(self) -> Boards:
        """Return the position after each legal play, int8 [N, 26], seen from the agent on roll.

        The number of a row is the number of its action.

        Raises:
            SettingError: no game is under way.
        """
        self._check_begun()
        return self._plays.copy()

    def observe(self, agent: Agent) -> Observation:
        """Return the observation of an agent, also after a game: see the class.

        Raises:
            SettingError: no game has begun, or there is no such agent.
        """
        one_of("agent", agent, _AGENTS)
        dice = np.array(self.dice, np.int8)
        own = agent == _AGENTS[self._side]
        points = self._state if own else -self._state[::-1]
        mask = np.zeros(ACTIONS, np.int8)
        if own and not self.terminations.get(agent, True):
            mask[: len(self._plays)] = 1
        seen = np.concatenate([points, dice])
        return {"observation": seen, "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return the observation and the rewards of the agent whose turn it is.

        Args:
            observe: whether the observation is wanted; else it is None.

        Returns:
            The observation, the sum of rewards since the agent's last step, termination,
            truncation, and infos.

        Raises:
            SettingError: no game is under way.
        """
        self._check_begun()
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[Agent]:
        """Yield the agent whose turn it is, until both agents have taken a step after the game.

        Args:
            max_iter: the most turns.
        """
        for _ in range(max_iter):
            if not self.agents:
                return
            yield self.agent_selection

    def step(self, action: int | None) -> None:
        """Make the play of the agent whose turn it is, and pass the turn to the other agent.

        Args:
            action: the number of a legal play. Once the game is over, each agent takes one more
                step, None.

        Raises:
            SettingError: the action is not legal, or no game is under way.
        """
        self._check_begun()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._leave(agent, action)
            return
        last = len(self._plays) - 1
        if action is None or not is_whole(action, 0, last):
            raise SettingError(
                f"action {shown(action)}: expected a whole number from 0 to {last}, one of the legal plays"
            )
        self._cumulative_rewards[agent] = 0.0
        self._state = np.ascontiguousarray(-self._plays[int(action), ::-1])
        self._side, self._turn = 1 - self._side, self._turn + 1
        self.rewards = dict.fromkeys(self.agents, 0.0)
        result = int(result_of(self._state))  # seen from the agent who is on roll now
        if result == IN_PLAY:
            self._begin_turn()
            return
        self.agent_selection = _AGENTS[self._side]
        lost = float(self._worth[result])
        self.rewards |= {self.agent_selection: lost, agent: -lost}
        for player, reward in self.rewards.items():
            self._cumulative_rewards[player] += reward
        self.terminations = dict.fromkeys(self.agents, True)

    def _leave(self, agent: Agent, action: int | None) -> None:
        """Remove an agent from a game that is over."""
        if action is not None:
            raise SettingError(f"action {shown(action)}: expected None, since the game is over")
        self.agents.remove(agent)
        for entries in (self.terminations, self.truncations, self.infos, self._cumulative_rewards):
            del entries[agent]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """Return the board as text, seen from the agent on roll, if `render_mode` is "ansi"."""
        return None if self.render_mode is None else board_text(self.position).plain

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _check_begun(self) -> None:
        """Raise a `SettingError` if no game is under way."""
        if not self.agents:
            raise SettingError("no game is under way: expected a call of reset before")


def pettingzoo_environment(
    stakes: str | Payoffs | Terms = CUBELESS, render_mode: Literal["ansi"] | None = None
) -> Any:
    """Return the environment as a `pettingzoo.AECEnv`, with Gymnasium's spaces.

    Args:
        stakes: as for `Backgammon`.
        render_mode: as for `Backgammon`.

    Raises:
        MissingExtraError: PettingZoo is not installed.
        FormatError, SettingError: as for `Backgammon`.
    """
    try:
        from gymnasium import spaces
        from pettingzoo import AECEnv
    except ModuleNotFoundError:
        raise MissingExtraError("pettingzoo_environment needs pettingzoo: pip install pettingzoo") from None
    low, high = np.array([[-CHECKERS] * SIZE + [1] * 2, [CHECKERS] * SIZE + [6] * 2], np.int8)
    mask = spaces.Box(0, 1, (ACTIONS,), np.int8)
    seen = spaces.Dict(observation=spaces.Box(low, high, dtype=np.int8), action_mask=mask)
    actions = {agent: spaces.Discrete(ACTIONS) for agent in _AGENTS}

    class Environment(Backgammon, AECEnv):  # type: ignore[misc]
        """The same environment, as a subclass of PettingZoo's."""

        def observation_space(self, agent: Agent) -> Any:
            """Return the space of an agent's observations."""
            return seen

        def action_space(self, agent: Agent) -> Any:
            """Return the space of actions; `action_mask` marks the legal ones."""
            return actions[agent]

    return Environment(stakes, render_mode)
