"""The stakes of a game, as JSON."""

from gammon.rules.terms import Terms
from gammon.views.stakes import stakes_json


def test_all_that_counts_is_there():
    found = stakes_json(Terms(7, (3, 5), cube=2, owner=-1))
    assert found == {
        "length": 7, "away": [3, 5], "crawford": False, "cube": 2, "owner": -1,
        "jacoby": False, "beavers": False,
    }  # fmt: skip
    assert set(found) == set(Terms._fields) - {"live"}
