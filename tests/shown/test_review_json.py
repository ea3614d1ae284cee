"""Reviews as JSON."""

import json

from gammon.reviews.review import review
from gammon.shown import to_json
from tests.matches import HAND, MATCH5_SGF


def test_all_of_a_review() -> None:
    found = review(HAND, depth=1)
    plain = to_json(found)
    assert len(json.loads(json.dumps(plain))["choices"]) == len(found.choices)
    assert [player["name"] for player in plain["players"]] == ["Ann", "Bob"]
    for side, player in enumerate(plain["players"]):
        totals = found.totals(side)
        assert player["pr"] == totals.all.pr
        assert player["plays"]["error"] == totals.plays.error
        assert player["cube"]["rate"] == totals.cube.rate
        assert player["luck_adjusted_result"] == found.adjusted(side)
    shown = {each["name"]: each["values"] for each in plain["figures"]}
    assert shown["PR"] == [f"{player['pr']:.2f}" for player in plain["players"]]
    assert shown["XG's class"] == [
        str(player["pr_class"] or "-") for player in plain["players"]
    ]
    assert plain["units"] in " ".join(str(found).split())
    assert [game["winner"] for game in plain["games"]] == [0, 0]
    assert plain["details"]["Site"] == "Kitchen table"
    for choice, each in zip(found.choices, plain["choices"], strict=True):
        assert (each["error"], each["kind"]) == (choice.error, choice.kind.value)
        assert (each["values"] is None) == (choice.values is None)
        assert [play["play"] for play in each["plays"]] == [play.play for play in choice.plays]
        assert each["rollout"] is each["stored"] is None
    assert [each["equity"] for each in plain["rolls"]] == [luck.equity for luck in found.lucks]


def test_a_rollout_and_what_the_file_says_stand_apart() -> None:
    found = review(MATCH5_SGF, depth=1, rollout_over=0.4, trials=36)
    plain = json.loads(json.dumps(to_json(found)))
    assert plain["stored_by"] == "GNU Backgammon 1.07.001"
    for choice, each in zip(found.choices, plain["choices"], strict=True):
        stored = found.transcript.stored.get((choice.game, choice.action))
        assert (each["rollout"] is None) == (choice.error < 0.4)
        if choice.rollout is not None:
            names = [candidate["name"] for candidate in each["rollout"]["candidates"]]
            assert names == [candidate.name for candidate in choice.rollout.candidates]
        if stored is not None and stored.cube is not None:
            assert each["stored"]["cube"]["no_double"] == stored.cube.no_double
