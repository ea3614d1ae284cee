"""The steps of a roll lead to each legal play, and to nothing else."""

import pytest

from gammon.rules.board import OPENING, Points
from gammon.rules.dice import ROLLS
from gammon.rules.moves import legal_moves
from gammon_web.steps import Steps, steps_of
from tests.boards import points_of
from tests.engine.rules.slow_plays import enumerate_plays


def sequences(points: Points, dice: list[int]) -> set[tuple[tuple[int, int, int], ...]]:
    """All ways to play these dice in this order, as far as they go: the obvious way."""
    if not dice:
        return {()}
    found = {
        ((move.source, move.target, dice[0]), *rest)
        for move, after in legal_moves(points, dice[0])
        for rest in sequences(after, dice[1:])
    }
    return found or {()}


def by_the_rules(
    points: Points, dice: tuple[int, int]
) -> set[tuple[tuple[int, int, int], ...]]:
    """All full plays as steps, by the words of the rules."""
    high, low = dice
    orders = [[high] * 4] if high == low else [[high, low], [low, high]]
    ways = set().union(*(sequences(points, order) for order in orders))
    # A die that cannot be played first may be played second.
    ways |= set().union(*(sequences(points, [die]) for die in set(dice)))
    most = max(map(len, ways))
    ways = {way for way in ways if len(way) == most}
    if most == 1 and high != low and any(way[0][2] == high for way in ways):
        ways = {way for way in ways if way[0][2] == high}
    return ways


def walked(steps: Steps, node: int = 0) -> set[tuple[tuple[int, int, int], ...]]:
    if not steps.nodes[node]:
        return {()}
    return {
        (step[:3], *rest) for step in steps.nodes[node] for rest in walked(steps, step.node)
    }


#: With 65 either die can be played but not both; on the second board nothing can.
RARE = [points_of({12: 1}, {1: 2, 20: 1}), points_of({25: 1}, dict.fromkeys(range(19, 25), 2))]


@pytest.mark.parametrize("dice", ROLLS)
def test_all_ways_of_the_rules_and_no_other(played, dice):
    for points in [OPENING, *RARE, *played(300, seed=6)[::10]]:
        steps = steps_of(points, dice)
        assert steps == steps_of(points, dice[::-1])
        assert walked(steps) == by_the_rules(points, dice), (points, dice)
        assert set(steps.ends.values()) == set(enumerate_plays(points, dice)), (points, dice)
        assert set(steps.ends) == {node for node, after in enumerate(steps.nodes) if not after}
