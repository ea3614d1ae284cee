"""The twin of the loop of matches: one match, played slowly by the rules."""

import numpy as np
import pytest

from gammon.engine.scale import Scale
from gammon.eval.cubeful import evaluator_at
from gammon.eval.evaluators import load_evaluator
from gammon.formats.gnubg_id import format_position_id
from gammon.formats.play import legal_plays
from gammon.formats.position import Position
from gammon.match.pairs import noise_seed, roll_at, starter_of
from gammon.rules.board import OPENING, flipped, is_over
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon.rules.outcome import points_of
from gammon.rules.terms import Terms
from tests.naive.search import leaf_values, replies

JUDGE = load_evaluator("probe")


def worths(game, judge, state):
    """What each roll is worth to the player on roll after the best play by static values."""
    unbounded = -np.inf, np.inf
    return np.array(
        [
            -min(leaf_values(game, judge, rows, -game.stake, lambda _: 0.0, unbounded, on_turn=True))
            for rows in (replies(game, state, outcome) for outcome in range(21))
        ]
    )


def slow_match(players, number, seed, start, opening=OPENING):
    """Play a match by the rules, and return the records of its games."""
    length, _, _, jacoby, live, _ = start
    points, games, crawford_was = [0, 0], [], False
    while max(points) < max(length, 1) and not (not length and games):
        side = (starter_of(seed, number // 2, len(games)) + number) % 2
        away = [length - points[0], length - points[1]]
        crawford = length > 1 and 1 in away and not crawford_was
        crawford_was = crawford_was or crawford
        first, rolls, positions = side, "", []
        board, cube, owner, doubles, luck, won = opening, 1, None, [], 0.0, None
        for turn in range(1000):
            mine = 0 if owner is None else (1 if owner == side else -1)
            sides = (away[side], away[1 - side]) if length else (0, 0)
            at = Terms(length, sides, crawford, jacoby, cube=cube, owner=mine, live=live and cube < 64)
            state = np.array([board], np.int8)
            sign = 1 if side == 0 else -1
            seeds = [noise_seed(seed, number, each, len(games)) for each in (0, 1)]
            own, other = seeds[side : side + 1], seeds[1 - side :][:1]
            asked = turn > 0 and at.may_double
            if asked and players[side].cubes(state, [at], own).doubles[0]:
                doubles.append(turn)
                if not players[1 - side].cubes(state, [at], other).takes[0]:
                    won = sign * cube
                    break
                cube, owner = 2 * cube, 1 - side
                at = at._replace(cube=cube, owner=-1, live=cube < 64)
            roll = roll_at(seed, number // 2, turn, len(games))
            unit = 0.5 if length else cube
            known = at if length else at._replace(cube=2 if owner is not None else 1)
            if not live:
                at = known = start.terms(side)
            values = worths(Scale.at(known).game, evaluator_at(JUDGE, known), state[0])
            weights = [float(high != low) for high, low in ROLLS] if turn == 0 else WEIGHTS
            luck += sign * unit * (values[roll] - np.average(values, weights=weights))
            (after,) = players[side].plays(state, [roll], [at], [0]).tolist()
            assert tuple(after) in [play.points for play in legal_plays(Position(board), ROLLS[roll])]
            board, side = flipped(after), 1 - side
            rolls += "{}{}".format(*ROLLS[roll])
            positions.append(format_position_id(board))
            if is_over(board):
                result = abs(points_of(np.array(board, np.int8)))
                if jacoby and cube == 1:
                    result = 1
                won = sign * result * cube
                break
        games.append(
            {
                "match": number,
                "game": len(games),
                "score": list(points),
                "crawford": crawford,
                "first": first,
                "rolls": rolls,
                "positions": positions,
                "doubles": doubles,
                "cube": cube,
                "points": won,
                "luck": pytest.approx(luck, abs=2e-6 * cube),
            }
        )
        points[0 if won > 0 else 1] += abs(won)
    return games
