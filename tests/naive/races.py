"""The twin of races: sides one roll ahead, their network in numpy, what two sides make."""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from gammon.eval import race_network
from gammon.eval.power import power_of_two
from gammon.eval.race_network import H1, H2
from gammon.eval.race_tables import build_back, build_few
from gammon.rules.board import flipped
from gammon.rules.dice import PROBABILITIES, ROLLS, WEIGHTS
from tests.naive.bearoff import rank_of_side, tables
from tests.naive.plays import enumerate_plays

BLOCK = race_network.race_block()


def numbers(name, *shape):
    at = getattr(race_network.BLOCK, name)
    return BLOCK[at : at + int(np.prod(shape))].reshape(shape)


def first_sums(counts):
    """Return the sums of the first layer by the block's rows, float32 [128], in their order."""
    sums = numbers("bias1", H1).copy()
    for group, home in enumerate(numbers("home", 2, 5, 5, 5, H1)):
        a, b, c = (min(count, 4) for count in counts[3 * group : 3 * group + 3])
        sums += home[c, b, a]
    for p, count in enumerate(counts):
        if count > (0 if p > 5 else 4):
            sums += numbers("steps", 24, 15, H1)[p, count - 1]
    return sums


#: The points of up to three checkers, 0 for one that is off, by rank: the highest counts first.
RANKED = sorted(combinations_with_replacement(range(25), 3), key=lambda each: each[::-1])


def rank_of_points(counts):
    """Return the rank of a side of up to three checkers, from its counts on points 1 to 24."""
    points = [p for p, count in enumerate(counts, 1) for _ in range(count)]
    return RANKED.index((*[0] * (3 - len(points)), *points))


def one_roll_ahead(table, counts, rank):
    means = table @ np.arange(1, 33)
    expected = np.zeros(32)
    for chance, roll in zip(PROBABILITIES, ROLLS, strict=True):
        after = {rank(play[1:25]) for play in enumerate_plays((0, *counts, 0), roll)}
        best = min(after, key=lambda each: means[each])
        expected += chance * (np.roll(table[best], 1) if best else np.eye(32)[0])
    return expected


@cache
def fewest(points):
    """The mean number of rolls of a side that plays for the fewest, by the slow generator."""
    if not any(points):
        return 0.0
    return 1.0 + sum(
        chance * min(map(fewest, enumerate_plays(points, roll)))
        for roll, chance in zip(ROLLS, PROBABILITIES, strict=True)
    )


def summed(bias, units, weights):
    sums = bias.copy()
    for unit, row in zip(units, weights, strict=True):
        if unit > 0:
            sums += row * unit
    return sums


def said(counts, purpose):
    """Return the chances that the network says of a side: the definition, in plain numpy."""
    one = first_sums(counts)
    two = summed(numbers("bias2", H2), one, numbers("weight2", H1, H2))
    weight3 = numbers("weight3", H2, 2, 32)[:, purpose]
    logits = summed(numbers("bias3", 2, 32)[purpose], two, weight3)
    powers = power_of_two(logits - logits.max())
    total = np.float32(0)
    for k in range(8):
        total += (powers[k] + powers[16 + k]) + (powers[8 + k] + powers[24 + k])
    return powers * (np.float32(1) / total)


def shortened(counts):
    """Return a side with 200 pips at most, and the pips that its last checkers have moved."""
    counts, beyond = list(counts), 0
    while sum(p * count for p, count in enumerate(counts, 1)) > 200:
        rear = max(p for p, count in enumerate(counts) if count)
        counts[rear] -= 1
        counts[rear - 1] += 1
        beyond += 1
    return tuple(counts), beyond


def longer(chances, beyond):
    """Return the chances [32] of a side with so many pips more, of 49/6 a roll."""
    more = np.float32(beyond) * np.float32(6 / 49)
    whole, before = int(more), np.concatenate([np.zeros(33, np.float32), chances])
    near, far = before[33 - whole : 65 - whole], before[32 - whole : 64 - whole]
    share, last = more - np.float32(whole), np.float32(1)
    for chance in chances[: 31 - whole]:
        last -= chance
    found = near + share * (far - near)
    found[-1] = last + share * chances[30 - whole]
    return found if beyond else chances


def written(counts):
    """Return the three chances [32] of a side, and whether the last two count."""
    home, whole, back = not any(counts[6:]), sum(counts) == 15, sum(counts[18:])
    last, first, out = np.zeros((3, 32), np.float32)
    if home:
        rank = rank_of_side(*counts[:6])
        last = tables()[0][rank]
        first = tables()[1][rank - 38_760] if whole else first
    elif sum(counts) <= 3:
        last = build_few()[rank_of_points(counts)]
    else:
        near, beyond = shortened(counts)
        last = longer(said(near, 0), beyond)
        first = longer(said(near, 1), beyond) if whole else first
        out = build_back()[rank_of_side(*counts[18:])] if back else out
    return (last, first, out), (whole, whole and back > 0)


def by_hand(points):
    """Return the chances of the six results, with tails of sums instead of running ones."""
    own = written([max(c, 0) for c in points[1:25]])
    their = written([max(-c, 0) for c in points[24:0:-1]])

    def beats(winner, loser, rolls_less):
        (last, _, _), _ = winner
        chances, counted = loser
        found = []
        for chance, counts in zip(chances, (True, *counted), strict=True):
            still = 1 - np.concatenate([np.zeros(rolls_less), np.cumsum(chance, dtype=float)])
            found.append(float(last.astype(float) @ still[:32]) if counts else 0.0)
        win, gammon, back = found
        gammon = min(max(gammon, 0), win)
        back = min(max(back, 0), gammon)
        return [win - gammon, gammon - back, back]

    return [*beats(their, own, 0)[::-1], *beats(own, their, 1)]


Board = tuple[int, ...]


@cache
def _sides_after(side: Board, dice: tuple[int, int]) -> list[Board]:
    """The sides that a side of a race can be after a roll: no play depends on the other side."""
    return list(enumerate_plays(side, dice))


@cache
def _chance(own: Board, their: Board) -> float:
    """The chance of the side on roll; each side is seen from its own player."""
    total = 0.0
    for dice, weight in zip(ROLLS, WEIGHTS, strict=True):
        best = 0.0
        for after in _sides_after(own, dice):
            best = max(best, 1.0 - _chance(their, after) if any(after) else 1.0)
        total += weight / 36 * best
    return total


def chance_to_win(points: Board) -> float:
    """The chance of the player on roll to win a race, by enumeration: no cube, best plays."""
    own, their = (tuple(max(count, 0) for count in side) for side in (points, flipped(points)))
    return _chance(own, their)
