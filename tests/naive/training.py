"""The twin of self-play: replies by the slow generator, and what a player sees of a family."""

import numpy as np

from gammon.eval.features import encode
from gammon.eval.network import Network
from gammon.eval.plan import plan_of
from gammon.rules.board import Points, flipped, pip_counts
from gammon.rules.dice import ROLLS
from gammon.rules.outcome import IN_PLAY, result_of
from gammon.search import Evaluator
from tests.naive.plays import enumerate_plays
from tests.naive.search import outputs


def longest_row(points: Points) -> int:
    """The most points in a row that the player on roll has made."""
    made = "".join("x" if count >= 2 else " " for count in points[1:25])
    return max(map(len, made.split()), default=0)


def anchors(points: Points) -> list[int]:
    """Return the points of the other's home, by its numbers, that the player on roll holds."""
    return [25 - point for point in range(24, 18, -1) if points[point] >= 2]


def own(points: Points) -> int:
    return sum(count for count in points if count > 0)


def is_seen(family: str, points: Points) -> bool:
    """Tell what a player would see in it, as the holder; a slow twin of the rules."""
    behind = pip_counts(points)[0] - pip_counts(points)[1]
    other = flipped(points)
    if family.startswith("back game"):
        first, second = map(int, family.rsplit(maxsplit=1)[-1].split("-"))
        return anchors(points) == [first, second] and behind >= 50
    if family == "massive back game":
        back = sum(count for count in points[19:] if count > 0)
        return len(anchors(points)) >= 3 and back >= 7 and behind >= 50
    if family == "containment":
        caught = sum(count for count in other[13:] if count > 0)
        return own(other) <= 11 and 1 <= caught <= 3 and own(points) >= 13
    if family == "snake":
        far = sum(count for count in points[10:] if count > 0)
        return own(other) <= 6 and far >= 11 and longest_row(points) >= 4
    return longest_row(points) >= 4 and longest_row(other) >= 4


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


#: The units of a layer of these networks.
UNITS = 12


def slow_activity(made: Network, samples: np.ndarray) -> np.ndarray:
    active, judged = np.zeros((len(made.parts), UNITS)), np.zeros((len(made.parts), 1))
    for row in samples:
        number = int(plan_of(row, len(made.parts)))
        part = {key: value.detach().numpy() for key, value in made.parts[number].named_parameters()}
        first, second = (
            part[f"{factor}.weight"] @ encode(row)[0] + part[f"{factor}.bias"]
            for factor in ("hidden1", "gate")
        )
        judged[number] += 1
        active[number] += (first > 0) & (second > 0)
    return active / judged
