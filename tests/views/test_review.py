"""Reviews as JSON."""

import json

from gammon.reviews.review import review
from gammon.views.review import review_json
from tests.matches import HAND


def test_all_of_a_review() -> None:
    found = review(HAND, depth=1)
    plain = review_json(found)
    assert json.loads(json.dumps(plain)) == plain
    assert [player["name"] for player in plain["players"]] == ["Ann", "Bob"]
    for side, player in enumerate(plain["players"]):
        totals = found.totals(side)
        assert player["pr"] == totals.all.pr
        assert player["plays"]["error"] == totals.plays.error
        assert player["cube"]["rate"] == totals.cube.rate
        assert player["luck_adjusted_result"] == found.adjusted(side)
    assert [game["winner"] for game in plain["games"]] == [0, 0]
    assert plain["details"]["Site"] == "Kitchen table"
    for choice, each in zip(found.choices, plain["choices"], strict=True):
        assert (each["error"], each["kind"]) == (choice.error, choice.kind.value)
        assert (each["values"] is None) == (choice.values is None)
    assert [each["equity"] for each in plain["rolls"]] == [luck.equity for luck in found.lucks]
