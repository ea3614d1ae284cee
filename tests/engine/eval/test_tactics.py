"""The numbers of `gammon.eval.tactics` against a slow twin that moves checkers one by one."""

import numpy as np
import pytest

from gammon.engine.engine import Engine
from gammon.eval.planes import AT_ONCE
from gammon.eval.tactics import (
    N_TACTICS,
    SETS,
    UNITS,
    SideNumbers,
    tactics,
    tactics_of,
)
from gammon.rules.board import OPENING, flipped
from gammon_lab.experiments.sample import self_play_positions
from tests.engine.eval.planes import planes_of


def moved(points, place, die):
    """Return where a checker gets, or None."""
    target = place - die
    return target if target >= 1 and points[target] > -2 else None


def landings(points, dice, start):
    """Return all the points where one checker from `start` can end or stop over."""
    found = set()
    for order in {tuple(dice), tuple(reversed(dice))}:
        place = start
        for die in order:
            place = moved(points, place, die)
            if place is None:
                break
            found.add(place)
    return found


def reached(points, dice):
    """Return the points that one checker can touch; those on the bar come in first."""
    own = [p for p in range(1, 25) if points[p] > 0]
    bar = points[25]
    if bar == 0:
        return set().union(*(landings(points, dice, p) for p in own))
    found = set()
    for order in {tuple(dice), tuple(reversed(dice))}:
        entered = moved(points, 25, order[0])
        if entered is None:
            continue
        found.add(entered)
        rest = order[bar:]
        if bar < len(order) and len(order) == 2:
            second = [moved(points, p, rest[0]) for p in [*own, entered]]
            found |= {p for p in second if p is not None}
        elif rest:
            found |= set().union(*(landings(points, rest, p) for p in [*own, entered]))
        elif len(order) == 2:
            second = moved(points, 25, order[1])
            found |= {second} - {None}
    if bar > 1 and len(dice) == 2:
        found |= {moved(points, 25, die) for die in dice} - {None}
    return found


def twin(points):
    """Return the numbers of the side on roll by name, whole ones."""
    own = [p for p in range(26) if points[p] > 0]
    their = [p for p in range(26) if points[p] < 0]
    rear, their_rear = max(own), 25 - min(their)
    contact = max(rear + their_rear - 25, 0)
    shots = loss = escapes = 0
    for a in range(1, 7):
        for b in range(1, 7):
            dice = [a, b] if a != b else [a] * 4
            hits = [p for p in reached(points, dice) if points[p] == -1]
            shots += bool(hits)
            loss += max(hits, default=0)
            escapes += any(rear - p > 6 for p in landings(points, dice, rear))
    made = [p for p in range(1, 25) if points[p] >= 2]
    runs = [n for n in range(1, 16) for p in made if all(p + k in made for k in range(n))]
    places = [25] if points[25] else own
    return {
        "shots": shots,
        "loss": loss,
        "escape": escapes if contact else 36,
        "prime": max(runs, default=0),
        "block": sum(25 - their_rear < p <= 31 - their_rear for p in made),
        "contact": contact,
        "behind": sum(points[p] for p in own if p > 25 - their_rear),
        "mobility": len(
            {(p - d, d) for p in places for d in range(1, 7) if moved(points, p, d)}
        ),
        "anchor": int(any(p >= 19 for p in made)),
    }


def random_positions(count):
    """Yield boards with checkers anywhere, the bar included."""
    random = np.random.default_rng(7)
    for _ in range(count):
        points = [0] * 26
        for _ in range(random.integers(1, 16)):
            points[random.choice([25, *range(1, 25)])] += 1
        for _ in range(random.integers(1, 16)):
            places = [p for p in range(25) if points[p] <= 0]
            points[random.choice(places)] -= 1
        yield tuple(points)


def numbers_of(boards):
    """Return the whole numbers of positions, int16 [N, 2, T / 2]."""
    found = []
    for begin in range(0, len(boards), AT_ONCE):
        numbers, block = np.empty(N_TACTICS * AT_ONCE, np.int16), boards[begin:][:AT_ONCE]
        tactics(planes_of(block, SETS), numbers)
        found.append(numbers.reshape(N_TACTICS, AT_ONCE).T[: len(block)])
    return np.concatenate(found).reshape(-1, 2, N_TACTICS // 2)


def test_tactics_against_the_twin():
    played = [points for points, _ in self_play_positions(Engine(depth=1), 100, 1)]
    positions = [OPENING, *played, *random_positions(1000)]
    boards = np.array(positions, np.int8)
    found = numbers_of(boards)
    for points, sides in zip(positions, found, strict=True):
        for numbers, seen in zip(sides, (points, flipped(points)), strict=True):
            expected = twin(seen)
            assert tuple(expected) == SideNumbers._fields
            assert numbers.tolist() == list(expected.values()), seen
    shares = (np.float32(1) / np.array(UNITS)).astype(np.float32)
    features = found.astype(np.float32) * shares
    assert np.array_equal(tactics_of(boards).reshape(features.shape), features)


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 33])
def test_neighbours_do_not_matter(count):
    boards = np.array([*random_positions(count)], np.int8)
    one_by_one = np.concatenate([numbers_of(board[None]) for board in boards])
    assert np.array_equal(numbers_of(boards), one_by_one)
    assert np.array_equal(numbers_of(boards[::-1].copy()), one_by_one[::-1])


def test_no_positions():
    assert tactics_of(np.empty((0, 26), np.int8)).shape == (0, N_TACTICS)
