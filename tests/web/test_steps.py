"""The steps of a roll lead to each legal play, and to nothing else."""

import pytest

from gammon.rules.board import OPENING, Points
from gammon.rules.dice import ROLLS
from gammon.rules.moves import enumerate_plays, legal_moves
from gammon.web.steps import Steps, steps_of


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


@pytest.mark.parametrize("dice", ROLLS)
def test_all_ways_of_the_rules_and_no_other(played, dice):
    positions = [OPENING, *played(60, seed=5)[::6]]
    for points in positions:
        steps = steps_of(points, dice)
        assert walked(steps) == by_the_rules(points, dice), (points, dice)


@pytest.mark.parametrize("dice", ROLLS)
def test_ends_are_the_legal_plays(played, dice):
    for points in played(300, seed=6)[::5]:
        steps = steps_of(points, dice)
        assert set(steps.ends.values()) == set(enumerate_plays(points, dice)), (points, dice)
        assert set(steps.ends) == {node for node, after in enumerate(steps.nodes) if not after}


def test_the_order_of_the_dice_says_nothing():
    assert steps_of(OPENING, (3, 1)) == steps_of(OPENING, (1, 3))


def test_where_either_die_can_be_played_but_not_both_it_is_the_higher():
    points = [0] * 26
    points[12] = 1
    points[1], points[20] = -2, -1  # 12/6 and 12/7 are open, and nothing goes on from there
    assert walked(steps_of(tuple(points), (6, 5))) == {((12, 6, 6),)}


def test_a_dance_is_one_node():
    points = [0] * 26
    points[25] = 1
    for point in range(19, 25):
        points[point] = -2
    assert steps_of(tuple(points), (6, 1)) == ([[]], {0: tuple(points)})
