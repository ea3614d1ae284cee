"""Positions that both halves of the client are tried on."""

from gammon.rules.board import Points


def points_of(own: dict[int, int], their: dict[int, int]) -> Points:
    points = [0] * 26
    for point, count in own.items():
        points[point] = count
    for point, count in their.items():
        points[point] = -count
    return tuple(points)


# A position without symmetry: own and opponent's checkers on the bar, some off.
MIXED = points_of({25: 1, 6: 4, 5: 2, 2: 1}, {0: 2, 1: 2, 18: 3, 20: 1, 24: 2})
