"""The reference decisions."""

from collections import Counter

from gammon.match.reference import reference_decisions
from gammon.rules.phase import PHASES


def test_reference_file():
    decisions = reference_decisions()
    counts = Counter(each.phase for each in decisions)
    assert counts == dict(zip(PHASES, (1200, 300, 300, 300), strict=True))
    assert all(len(each.equities) > 1 for each in decisions)
    assert all(-3.0 <= value <= 3.0 for each in decisions for value in each.equities.values())
