"""Positions that programs are tried on."""

from gammon.rules.board import OPENING
from tests.boards import points_of

# A position without symmetry: own and opponent's checkers on the bar, some off.
MIXED = points_of({25: 1, 6: 4, 5: 2, 2: 1}, {0: 2, 1: 2, 18: 3, 20: 1, 24: 2})
# No checker can enter.
PASS = points_of({25: 1, 6: 14}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2, 1: 3})
# With 62 the last checker must hit before it is borne off.
LAST = points_of({5: 1}, {3: 1, 20: 14})
LAST_62 = points_of({}, {0: 1, 20: 14})
# The best play of 31.
OPENING_31 = tuple({8: 2, 6: 4, 5: 2}.get(point, count) for point, count in enumerate(OPENING))
