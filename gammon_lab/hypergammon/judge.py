"""Games against perfect play, in which the table judges every decision of a player."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from gammon.base.errors import SettingError
from gammon.base.mean import mean_and_error, ratio_and_error
from gammon.compiled.records import Float64Vector
from gammon.eval.evaluators import leaf_and_probe
from gammon.formats.play import legal_plays
from gammon.formats.position import Position
from gammon.games.backgammon import filter_named
from gammon.match.player import Player
from gammon.rules.board import SIZE, Rows, flipped
from gammon.rules.dice import N_ROLLS, PROBABILITIES, ROLLS
from gammon.rules.plays import MAX_ROWS, successors
from gammon.search import NOT_OVER, TreeSearch
from gammon_lab.games.hypergammon import game, opening
from gammon_lab.hypergammon.solve import CUBELESS
from gammon_lab.hypergammon.table import Exact, ExactTable
from gammon_study.reviews.rates import RATING

#: The rolls that can begin a game.
OPENING_ROLLS = tuple(k for k, (high, low) in enumerate(ROLLS) if high != low)


class Judged(NamedTuple):
    """The games of one player against perfect play, without a cube.

    Attributes:
        games: how many games were played; the player had the first turn in every second game.
        decisions: the player's decisions in them, none of them forced.
        points: the player's mean points a game.
        points_error: its standard error.
        given: what the player's decisions gave away in a game, on average, in points.
        given_error: its standard error.
        rating: 500 times the mean loss of a decision.
        rating_error: its standard error, by pairs of games.
        best: the share of decisions without a loss.
    """

    games: int
    decisions: int
    points: float
    points_error: float
    given: float
    given_error: float
    rating: float
    rating_error: float
    best: float


#: Returns a player's play: the index of one of the successors. Its arguments are the position, the
#: roll (0..20) and the successors, int8 [n, 26].
Chooser = Callable[[Rows, int, Rows], int]


def chooser_of(player: Player, checkers: int) -> Chooser:
    """Return how a player of gammon chooses plays in hypergammon.

    Args:
        player: its depth, model, algorithm, filter, noise and noise seed count.
        checkers: the checkers of a side.

    Raises:
        SettingError: the player is another program, or has a level, a strength or errors of a
            kind that needs the engine.
    """
    unlike = player.level or player.strength is not None or player.errors != "equity"
    if player.program is not None or unlike:
        raise SettingError(
            f"player {str(player)!r}: expected a depth, and perhaps a model, a filter or noise"
        )
    leaf, probe = leaf_and_probe(player.model)
    search = TreeSearch(
        game(checkers), leaf, player.algorithm, probe, sigma=player.noise,
        noise_seed=player.noise_seed or 0, filter=filter_named(player.filter or None),
        max_evaluations=player.max_evaluations,
    )  # fmt: skip

    def choose(state: Rows, roll: int, rows: Rows) -> int:
        (best,) = search.best(state[None], [roll], player.depth)
        return int((rows == best).all(axis=1).argmax())

    return choose


def successors_of(state: Rows, roll: int) -> Rows:
    """Return the successors of a position and a roll, int8 [n, 26], seen from the opponent."""
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    return rows[: successors(state, roll, rows)].copy()


def valued_plays(table: ExactTable, position: Position, dice: tuple[int, int]) -> list[tuple[str, Exact]]:
    """Return the plays of a roll with their values to the player who moves, best first without a cube."""
    plays = legal_plays(position, dice)
    valued = [(play.notation, table.exact(flipped(play.points)).for_opponent()) for play in plays]
    return sorted(valued, key=lambda pair: -pair[1].equity)


def judge(
    table: ExactTable,
    choose: Chooser,
    games: int,
    seed: int,
    on_done: Callable[[int, int], None] = lambda done, total: None,
) -> Judged:
    """Let a player play games against perfect play, and judge its decisions.

    Args:
        table: the exact values.
        choose: the player.
        games: how many games, an even number.
        seed: of the dice. Both games of a pair have the same dice while they last.
        on_done: called with the games played and all games.
    """
    rules = game(table.checkers)
    points, given, decisions, losses = np.empty(games), np.zeros(games), np.zeros(games), []
    for number in range(games):
        dice = np.random.default_rng([seed, number // 2])
        state, turn = np.array(opening(table.checkers), np.int8), number % 2
        roll = int(dice.choice(OPENING_ROLLS))
        while True:
            rows = successors_of(state, roll)
            values = -table.numbers(rows)[:, CUBELESS]
            chosen = int(values.argmax())
            if turn == 0 and len(rows) > 1:
                chosen = choose(state, roll, rows)
                losses.append(float(values.max() - values[chosen]))
                given[number] += losses[-1]
                decisions[number] += 1
            state, turn = rows[chosen], 1 - turn
            payoff = float(rules.terminal(state, 0, rules.params))
            if payoff != NOT_OVER:
                points[number] = payoff if turn == 0 else -payoff
                break
            roll = int(dice.choice(N_ROLLS, p=PROBABILITIES))
        on_done(number + 1, games)
    return _judged(points, given, decisions, losses)


def _judged(
    points: Float64Vector, given: Float64Vector, decisions: Float64Vector, losses: Sequence[float]
) -> Judged:
    """Return the figures of games.

    Args:
        points: float64 [N], the player's points in each game; pairs are neighbours.
        given: float64 [N], what its decisions gave away in each game.
        decisions: float64 [N], how many it made in each game.
        losses: of its decisions.
    """
    won, lost, made = (of_games.reshape(-1, 2).mean(axis=1) for of_games in (points, given, decisions))
    loss, loss_error = ratio_and_error(lost, made)
    return Judged(
        len(points), len(losses), *mean_and_error(won), *mean_and_error(lost), RATING * loss,
        RATING * loss_error, float((np.array(losses) <= 1e-9).mean()),
    )  # fmt: skip
