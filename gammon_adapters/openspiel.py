"""gammon as a bot of OpenSpiel, for its game `backgammon`.

A bot takes a step in a state of the game::

    import pyspiel
    from gammon_adapters.openspiel import make_bot

    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    bot = make_bot(game, depth=1)
    action = bot.step(state)

OpenSpiel (https://github.com/google-deepmind/open_spiel) plays without the cube. It divides the
play of a double roll into two actions of two moves each; player 0 is X. Only `make_bot` imports
it: `pip install open_spiel` installs it.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from gammon.base.errors import GammonError, MissingExtraError
from gammon.engine.engine import Engine
from gammon.formats.position import Position
from gammon.rules.board import OWN_BAR, SIZE, THEIR_BAR, Points, flipped, is_over
from gammon.rules.terms import Terms, parse_stakes

#: The place of a player's bar.
_BAR = 100


class State(Protocol):
    """A state of OpenSpiel's backgammon, as far as a bot needs it."""

    def board(self, player: int, place: int) -> int:
        """Return how many checkers a player has at a place: 0 to 23, or 100 for the bar."""

    def current_player(self) -> int:
        """Return the player who acts, 0 or 1; negative at a chance node or after the game."""

    def legal_actions(self) -> Sequence[int]:
        """Return the actions of the player who acts."""

    def child(self, action: int) -> "State":
        """Return the state after an action."""

    def observation_tensor(self, player: int) -> Sequence[float]:
        """Return an observation, whose last two numbers are the dice."""


def points_of(state: State, player: int) -> Points:
    """Return the 26 counts of a state, seen from a player; see `gammon.rules.board`."""
    points = [0] * SIZE
    for place in range(24):
        own = state.board(player, place) - state.board(1 - player, place)
        points[24 - place if player == 0 else place + 1] = own
    points[OWN_BAR] = state.board(player, _BAR)
    points[THEIR_BAR] = -state.board(1 - player, _BAR)
    return tuple(points)


def stakes_of(scoring: str) -> Terms:
    """Return the stakes of OpenSpiel's parameter `scoring_type`.

    Raises:
        GammonError: there is no such scoring.
    """
    known = {"winloss_scoring": "dmp", "enable_gammons": "1,2,2,-1,-2,-2", "full_scoring": "money"}
    if scoring not in known:
        raise GammonError(f"scoring_type {scoring!r}: expected one of {', '.join(known)}")
    return parse_stakes(known[scoring])


def action_of(state: State, engine: Engine) -> int:
    """Return the action of the best play.

    Args:
        state: a state in which a player acts.
        engine: a cubeless engine.

    Raises:
        GammonError: no action leads to the play that is best by our rules.
    """
    player, actions = state.current_player(), list(state.legal_actions())
    if len(actions) == 1:
        return actions[0]
    children = [state.child(action) for action in actions]
    high, low = (int(die) for die in state.observation_tensor(player)[-2:])
    if high == low and all(child.current_player() != player for child in children):
        return actions[_best_of([points_of(child, player) for child in children], engine)]
    before = points_of(state, player)
    best = engine.analyze(Position(before), (high, low), 1).candidates[0].play.points
    for action, child in zip(actions, children, strict=True):
        ends = [child]
        if child.current_player() == player:  # the first half of a double
            ends = [child.child(second) for second in child.legal_actions()]
        if any(points_of(end, player) == best for end in ends):
            return action
    raise GammonError(f"OpenSpiel has no action for {high}{low} from {list(before)} to {list(best)}")


def _best_of(boards: Sequence[Points], engine: Engine) -> int:
    """Return the index of the best of some positions, seen from the player who has moved."""
    for place, points in enumerate(boards):
        if is_over(points):
            return place
    turned = np.array([flipped(points) for points in boards], np.int8)
    return int(np.argmin(engine.evaluate_many(turned).equities))


def make_bot(game: Any, depth: int = 1, model: str | None = None) -> Any:
    """Return a `pyspiel.Bot` that plays either side of a game by our engine.

    Args:
        game: OpenSpiel's backgammon. Its scoring gives the payoffs of the results.
        depth: plies of the search.
        model: the network; `leaf` unless given.

    Raises:
        MissingExtraError: OpenSpiel is not installed.
        GammonError: the game is not OpenSpiel's backgammon.
    """
    try:
        import pyspiel
    except ModuleNotFoundError:
        raise MissingExtraError("gammon_adapters.openspiel needs pyspiel: pip install open_spiel") from None
    name, given = game.get_type().short_name, game.get_parameters()
    if name != "backgammon" or given.get("hyper_backgammon"):
        raise GammonError(f"game {str(game)!r}: expected OpenSpiel's backgammon")
    scoring = given.get("scoring_type", "winloss_scoring")
    engine = Engine(depth, model=model, stakes=stakes_of(scoring))

    class OpenSpielBot(pyspiel.Bot):  # type: ignore[misc]
        """The engine as a bot."""

        def __init__(self) -> None:
            pyspiel.Bot.__init__(self)

        def step(self, state: State) -> int:
            """Return the action of the best play."""
            return action_of(state, engine)

        def restart_at(self, state: State) -> None:
            """Restart at another state; the bot has no memory to change."""

    return OpenSpielBot()
