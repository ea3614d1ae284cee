"""Self-play: the targets of training, against a slow twin."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from gammon.compiled.hashing import mix
from gammon.eval.evaluators import evaluator_of, load_evaluator
from gammon.eval.network import Network, tensors
from gammon.eval.plan import N_PLANS, N_USUAL, plan_of
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import OPENING, flipped, is_over
from gammon.rules.dice import PROBABILITIES, ROLLS, throw
from gammon.rules.outcome import IN_PLAY, result_of
from gammon.search import Evaluator, problem_of
from gammon.search.workspace import Workspace
from gammon.train.selfplay import (
    EXACT,
    SAMPLED,
    Aim,
    Turns,
    first_states,
    play_turns,
    played_positions,
    start_turns,
)
from tests.engine.rules.slow_plays import enumerate_plays
from tests.twins import outputs

#: Games begin here.
STARTS = np.array([OPENING], np.int8)


def play(
    evaluator: Evaluator,
    states: np.ndarray,
    numbers: np.ndarray,
    turns: np.ndarray,
    seed: int,
    aim: Aim,
    length: int,
    starts: np.ndarray = STARTS,
) -> Turns:
    """Play turns of all games by an evaluator."""
    problem = problem_of(BACKGAMMON, evaluator)
    games = len(states)
    played = Turns.allocate(length, games)
    play_turns(
        problem, Workspace.allocate(problem, 26, 0, False, None), states, numbers, turns, 0,
        games, np.uint64(seed), starts, aim, played,
    )  # fmt: skip
    return played


#: The player on roll holds two points of the other's home.
BACK_GAME = (
    0, 0, 0, 2, 2, 2, 3, 0, 2, 0, 0, 0, 0, 0, -1, 0, 0, -3, -3, -3, 0, 2, 2, -3, -2, 0,
)  # fmt: skip


def slow_start(starts: np.ndarray, seed: int, number: int) -> tuple[int, ...]:
    """Where a game begins."""
    hashed = mix(np.uint64(mix(np.uint64(seed))) ^ np.uint64(2**64 - 1 - number))
    return tuple(starts[int(hashed) % len(starts)].tolist())


def slow_reply(
    points: tuple[int, ...], outcome: int, evaluator: Evaluator
) -> tuple[np.ndarray, tuple[int, ...]]:
    """The chances of the six results after the best play, and what it leads to, slowly."""
    best: np.ndarray | None = None
    following: tuple[int, ...] = ()
    for after in enumerate_plays(points, ROLLS[outcome]):
        row = np.array([flipped(after)], np.int8)
        result = result_of(row[0])
        if result != IN_PLAY:
            chances = np.eye(6)[result]
        else:
            parent = np.array(points, np.int8)
            chances = outputs(evaluator, parent, row)[0].astype(float)
        mine = chances[::-1]
        values = np.array([-3, -2, -1, 1, 2, 3])
        if best is None or mine @ values > best @ values:
            best, following = mine, flipped(after)
    assert best is not None
    return best, following


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("target", "trace", "kept"),
    [(SAMPLED, 0.0, 0), (SAMPLED, 0.7, 0), (EXACT, 0.9, 0), (EXACT, 0.9, N_USUAL)],
)
def test_targets(target: int, trace: float, kept: int) -> None:
    torch.manual_seed(1)
    evaluator = evaluator_of(tensors(Network(16, 4)), bearoff=False)
    games, length, seed = 8, 5, np.uint64(9)
    starts = np.array([OPENING, flipped(BACK_GAME), BACK_GAME], np.int8)
    nearly_over = (0, 2, 1, *[0] * 21, -1, 0)
    states = np.array([OPENING] * 4 + [nearly_over] * 4, np.int8)
    before = states.copy()
    numbers, turns = np.arange(games, dtype=np.uint64), np.zeros(games, np.uint64)
    aim = Aim(target, trace, kept)
    played = play(evaluator, states, numbers, turns, seed, aim, length, starts)
    new, learned = set(), 0
    for g in range(games):
        points, number, turn, exact = tuple(before[g].tolist()), g, 0, False
        expected, believed, ends = [], [], []
        for t in range(length):
            assert tuple(played.samples[t, g].tolist()) == points
            of_part = kept == 0 or plan_of(np.array(points, np.int8), N_PLANS) >= kept
            assert played.learned[t, g] == of_part
            learned += of_part
            exact = exact or of_part
            thrown = throw(seed, np.uint64(number), np.uint64(turn))
            replies = [slow_reply(points, k, evaluator) for k in range(21)]
            believed.append(replies[thrown][0])
            mean = sum(p * reply for p, (reply, _) in zip(PROBABILITIES, replies, strict=True))
            expected.append(mean if target == EXACT and exact else believed[-1])
            points, turn = replies[thrown][1], turn + 1
            ends.append(is_over(points))
            if ends[-1]:
                number, turn, exact = number + games, 0, False
                points = slow_start(starts, seed, number)
                new.add(points)
        assert played.ends[:, g].tolist() == ends
        assert (tuple(states[g].tolist()), numbers[g], turns[g]) == (points, number, turn)
        for t in reversed(range(length)):
            if t + 1 < length and not ends[t]:
                surprise = expected[t + 1][::-1] - believed[t]
                expected[t] = expected[t] + trace * surprise
            assert played.targets[t, g] == pytest.approx(expected[t], abs=1e-5)
    assert 0 < learned <= games * length
    assert (learned < games * length) == (kept > 0)
    assert len(new) > 1, "new games begin in several positions"


def test_pieces_of_the_games_are_the_whole() -> None:
    problem = problem_of(BACKGAMMON, load_evaluator("probe", bearoff=False))
    found = []
    for pieces in (1, 3):
        states = np.tile(np.array(OPENING, np.int8), (7, 1))
        numbers, turns = np.arange(7, dtype=np.uint64), np.zeros(7, np.uint64)
        with ThreadPoolExecutor(2) as pool:
            wait = start_turns(
                pool, pieces, problem, states, numbers, turns, 4, 5, STARTS, Aim(SAMPLED, 0.5)
            )
            played = wait()
        assert played.samples.shape == (4, 7, 26)
        assert played.targets.sum(axis=2) == pytest.approx(1)
        found.append((*played, states, numbers, turns))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)


def test_the_first_games_begin_as_those_that_follow() -> None:
    starts = np.array([OPENING, BACK_GAME, flipped(BACK_GAME)], np.int8)
    numbers = np.arange(40, dtype=np.uint64) + np.uint64(1 << 40)
    states = first_states(starts, 7, numbers)
    expected = [slow_start(starts, 7, number) for number in numbers.tolist()]
    assert [tuple(row) for row in states.tolist()] == expected
    assert len(set(expected)) == 3


def test_played_positions() -> None:
    torch.manual_seed(1)
    evaluator = evaluator_of(tensors(Network(16, 4)), bearoff=False)
    rows = played_positions(evaluator, 5)
    games = 1024
    assert rows.shape == (64 * games, 26)
    assert (rows[:games] == np.array(OPENING, np.int8)).all()
    # The second turn is a reply to the first, seen from the other side.
    for game in range(20):
        replies = {flipped(after) for roll in ROLLS for after in enumerate_plays(OPENING, roll)}
        assert tuple(rows[games + game].tolist()) in replies
    assert np.array_equal(rows, played_positions(evaluator, 5))
    assert not np.array_equal(rows, played_positions(evaluator, 6))
