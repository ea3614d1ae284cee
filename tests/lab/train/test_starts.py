"""Positions that training begins with, drawn or of a family, and the targets of self-play."""

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

import numpy as np
import pytest
import torch

from gammon.compiled.hashing import mix
from gammon.eval.evaluators import evaluator_of, load_evaluator
from gammon.eval.network import Network, tensors
from gammon.formats.position import parse_start
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import (
    CHECKERS,
    OPENING,
    Points,
    check_points,
    flipped,
    has_contact,
    is_over,
    off_counts,
    pip_counts,
)
from gammon.rules.dice import PROBABILITIES, ROLLS, throw
from gammon.search import Evaluator, problem_of
from gammon.search.workspace import Workspace
from gammon_lab.train.selfplay import (
    EXACT,
    SAMPLED,
    Aim,
    Turns,
    first_states,
    play_turns,
    played_positions,
    start_turns,
)
from gammon_lab.train.starts import (
    FAMILIES,
    Sketch,
    draw_families,
    draw_starts,
    family_starts,
    holder_of,
    mixed_starts,
)
from tests.naive.plays import enumerate_plays
from tests.naive.training import is_seen, longest_row, slow_reply

# Drawn positions: they can be, they are what their kind says, and both sides have them.


def plays_back_game(points: Points) -> bool:
    own, their = pip_counts(points)
    held = sum(points[point] >= 2 for point in range(20, 25))
    return held >= 2 and sum(c for c in points[19:] if c > 0) >= 4 and own > their


def is_between_primes(points: Points) -> bool:
    return longest_row(points) >= 4 and max(p for p in range(26) if points[p] > 0) > 18


def has_shut_out(points: Points) -> bool:
    return points[0] < 0 and sum(count >= 2 for count in points[1:7]) >= 5


def bears_off_in_contact(points: Points) -> bool:
    outside = sum(count for count in points[7:] if count > 0)
    return outside <= 2 and any(count < 0 for count in points[:7])


#: What at least one of the sides does in a position of each kind; in the second, both.
SIGNS = (plays_back_game, is_between_primes, has_shut_out, bears_off_in_contact)


@pytest.mark.smoke
def test_positions_can_be_and_are_of_their_kind() -> None:
    rows = draw_starts(800, 5)
    turned = [0] * len(SIGNS)
    for row, kind in zip(rows.tolist(), cycle(range(len(SIGNS))), strict=False):
        points = check_points(row, "drawn")
        assert max(off_counts(points)) < CHECKERS
        assert not is_over(points)
        assert has_contact(points)
        signs = [SIGNS[kind](side) for side in (points, flipped(points))]
        assert all(signs) if kind == 1 else any(signs), (SIGNS[kind], points)
        turned[kind] += signs[0] - signs[1]
    assert rows.shape == (800, 26)
    assert np.abs(turned).max() < 50, "either side has the drawn one, as often as the other"
    assert len({tuple(row) for row in rows.tolist()}) > 790


def test_the_seed_decides_and_a_larger_number_adds_to_the_same_ones() -> None:
    rows, more = draw_starts(40, 7), draw_starts(90, 7)
    assert np.array_equal(more[:40], rows)
    assert not np.array_equal(draw_starts(40, 8), rows)
    assert rows.dtype == np.int8


def test_a_share_of_drawn_positions_among_openings() -> None:
    assert mixed_starts(0.0, 1).tolist() == [list(OPENING)]
    rows = mixed_starts(0.02, 1)
    drawn = ~(rows == np.array(OPENING, np.int8)).all(axis=1)
    assert drawn.mean() == pytest.approx(0.02, abs=1e-4)
    assert np.array_equal(rows[drawn], draw_starts(int(drawn.sum()), 1))
    nackgammon = parse_start("nackgammon")
    assert mixed_starts(0.0, 1, 0.0, nackgammon).tolist() == [list(nackgammon)]
    others = mixed_starts(0.02, 1, 0.0, nackgammon)
    assert np.array_equal(others[drawn], rows[drawn])
    assert (others[~drawn] == np.array(nackgammon, np.int8)).all()


# Positions that are being drawn: checkers stand where they may.


def test_checkers_are_scattered_on_free_points() -> None:
    sketch = Sketch(np.random.default_rng(1))
    sketch.make(1, [20, 21])
    sketch.scatter(0, [4, 5, 6, 6], 9)
    assert sketch.sides[0, 6] == 9, "the other side holds points 4 and 5"
    assert sketch.left(0) == CHECKERS - 9
    sketch.scatter(0, [4, 5], 3)
    assert sketch.left(0) == CHECKERS - 9, "nothing is free"
    board = sketch.board()
    assert board[6] == 9 or board[19] == -9
    assert np.abs(board).sum() == 13


def test_numbers_come_as_often_as_their_shares() -> None:
    sketch = Sketch(np.random.default_rng(2))
    drawn = np.bincount([sketch.draw(0.5, 0.3) for _ in range(2000)]) / 2000
    assert np.allclose(drawn, [0.5, 0.3, 0.2], atol=0.04)
    assert sorted(sketch.choose(range(20, 25), 5)) == [20, 21, 22, 23, 24]


# Families of positions: they can be, they are of their family, and both sides are holders.


@pytest.mark.smoke
def test_positions_can_be_and_are_of_their_family() -> None:
    rows, numbers = draw_families(20 * len(FAMILIES), 5)
    turned = 0
    for row, number in zip(rows, numbers.tolist(), strict=True):
        points = check_points(row.tolist(), "drawn")
        assert not is_over(points)
        assert has_contact(points)
        holder = holder_of(FAMILIES[number], row)
        seen = [is_seen(FAMILIES[number], side) for side in (points, flipped(points))]
        assert seen[0 if holder == 1 else 1], (FAMILIES[number], points)
        turned += holder
    assert np.bincount(numbers).tolist() == [20] * len(FAMILIES)
    assert abs(turned) < 80, "either side is the holder"
    assert len({row.tobytes() for row in rows}) > 270


def test_a_position_of_no_family() -> None:
    row = np.zeros(26, np.int8)
    row[3], row[22] = CHECKERS, -CHECKERS
    assert not any(holder_of(family, row) for family in FAMILIES), "a race"
    row[3], row[22], row[24], row[6] = 13, -13, 2, -2
    assert not any(holder_of(family, row) for family in FAMILIES)


def test_families_the_seed_decides_and_a_larger_number_adds_to_the_same_ones() -> None:
    rows, _ = draw_families(30, 7)
    more, _ = draw_families(50, 7)
    assert np.array_equal(more[:30], rows)
    assert not np.array_equal(draw_families(30, 8)[0], rows)
    found = family_starts(30, 7)
    assert found.dtype == np.int8
    assert np.array_equal(found, family_starts(30, 7))


def test_half_of_the_starts_are_one_play_on() -> None:
    names = [*FAMILIES[:10], *["containment"] * 3, *["massive back game"] * 2]
    names += [*["snake"] * 3, *["prime against prime"] * 2]
    drawn, _ = draw_families(40, 3, names)
    on = 0
    for before, after in zip(drawn.tolist(), family_starts(40, 3).tolist(), strict=True):
        if before == after:
            continue
        on += 1
        back = flipped(tuple(after))
        assert any(back in enumerate_plays(tuple(before), roll) for roll in ROLLS)
    assert 10 < on < 30


# Self-play: the targets of training, against a slow twin.

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
BACK_GAME = (0, 0, 0, 2, 2, 2, 3, 0, 2, 0, 0, 0, 0, 0, -1, 0, 0, -3, -3, -3, 0, 2, 2, -3, -2, 0)


def slow_start(starts: np.ndarray, seed: int, number: int) -> tuple[int, ...]:
    """Where a game begins."""
    hashed = mix(np.uint64(mix(np.uint64(seed))) ^ np.uint64(2**64 - 1 - number))
    return tuple(starts[int(hashed) % len(starts)].tolist())


@pytest.mark.smoke
@pytest.mark.parametrize(("target", "trace"), [(SAMPLED, 0.0), (SAMPLED, 0.7), (EXACT, 0.9)])
def test_targets(target: int, trace: float) -> None:
    torch.manual_seed(1)
    evaluator = evaluator_of(tensors(Network(16, 4)), bearoff=False)
    games, length, seed = 8, 5, np.uint64(9)
    starts = np.array([OPENING, flipped(BACK_GAME), BACK_GAME], np.int8)
    nearly_over = (0, 2, 1, *[0] * 21, -1, 0)
    states = np.array([OPENING] * 4 + [nearly_over] * 4, np.int8)
    before = states.copy()
    numbers, turns = np.arange(games, dtype=np.uint64), np.zeros(games, np.uint64)
    aim = Aim(target, trace)
    played = play(evaluator, states, numbers, turns, seed, aim, length, starts)
    new = set()
    for g in range(games):
        points, number, turn = tuple(before[g].tolist()), g, 0
        expected, believed, ends = [], [], []
        for t in range(length):
            assert tuple(played.samples[t, g].tolist()) == points
            thrown = throw(seed, np.uint64(number), np.uint64(turn))
            replies = [slow_reply(points, k, evaluator) for k in range(21)]
            believed.append(replies[thrown][0])
            mean = sum(p * reply for p, (reply, _) in zip(PROBABILITIES, replies, strict=True))
            expected.append(mean if target == EXACT else believed[-1])
            points, turn = replies[thrown][1], turn + 1
            ends.append(is_over(points))
            if ends[-1]:
                number, turn = number + games, 0
                points = slow_start(starts, seed, number)
                new.add(points)
        assert played.ends[:, g].tolist() == ends
        assert (tuple(states[g].tolist()), numbers[g], turns[g]) == (points, number, turn)
        for t in reversed(range(length)):
            if t + 1 < length and not ends[t]:
                surprise = expected[t + 1][::-1] - believed[t]
                expected[t] = expected[t] + trace * surprise
            assert played.targets[t, g] == pytest.approx(expected[t], abs=1e-5)
    assert len(new) > 1, "new games begin in several positions"


def test_a_share_of_the_plays_is_drawn_from_all() -> None:
    evaluator = evaluator_of(tensors(Network(16, 4)), bearoff=False)
    games, length, share = 40, 8, 0.3
    numbers = np.arange(games, dtype=np.uint64)
    states, turns = np.array([OPENING] * games, np.int8), np.zeros(games, np.uint64)
    aim = Aim(EXACT, blunders=share)
    played = play(evaluator, states.copy(), numbers.copy(), turns.copy(), 9, aim, length)
    best = play(evaluator, states.copy(), numbers.copy(), turns.copy(), 9, Aim(EXACT), length)
    assert np.array_equal(played.targets[0], best.targets[0]), "targets are those of the best plays"
    blunders, places = 0.0, []
    for g in range(games):
        for t in range(length - 1):
            points, after = (tuple(played.samples[t + step, g].tolist()) for step in (0, 1))
            thrown = throw(np.uint64(9), np.uint64(g), np.uint64(t))
            plays = [flipped(board) for board in enumerate_plays(points, ROLLS[thrown])]
            assert after in plays
            if after != slow_reply(points, thrown, evaluator)[1]:
                blunders += 1
                places.append(sorted(plays).index(after) / len(plays))
    assert 0.2 < blunders / (games * (length - 1)) < 0.35
    assert 0.4 < np.mean(places) < 0.6, "no place is preferred"


def test_pieces_of_the_games_are_the_whole() -> None:
    problem = problem_of(BACKGAMMON, load_evaluator("probe", bearoff=False))
    found = []
    for pieces in (1, 3):
        states = np.tile(np.array(OPENING, np.int8), (7, 1))
        numbers, turns = np.arange(7, dtype=np.uint64), np.zeros(7, np.uint64)
        with ThreadPoolExecutor(2) as pool:
            wait = start_turns(pool, pieces, problem, states, numbers, turns, 4, 5, STARTS, Aim(SAMPLED, 0.5))
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
