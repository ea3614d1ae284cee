"""Reviews as JSON."""

import json

import pytest

from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.formats.transcript import Transcript
from gammon.reviews.choice import Choice, ChoiceKind
from gammon.reviews.explain import why
from gammon.reviews.review import review
from gammon.reviews.themes import themes_of
from gammon.shown import to_json
from tests.matches import HAND, MATCH5_SGF, random_match


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


def test_what_positions_are_worth_to_the_first_player() -> None:
    """Chances of the player on roll come from EMG by the two ends of its scale."""
    found, met = review(MATCH5_SGF, depth=1), read_met()
    for choice, each in zip(found.choices, to_json(found)["choices"], strict=True):
        terms = Position.parse(choice.xgid).context.terms()
        win, lose = met.after(terms, terms.cube), met.after(terms, -terms.cube)
        mine = 0.5 * (win + lose) + 0.5 * (win - lose) * _after(choice)
        assert each["worth"] == pytest.approx(mine if _on_roll(choice) == 0 else 1.0 - mine)


def test_what_positions_are_worth_for_money() -> None:
    match = random_match(0, 3)
    found = review(Transcript(match.players, 0, match.games[:2]), depth=1)
    for choice, each in zip(found.choices, to_json(found)["choices"], strict=True):
        points = Position.parse(choice.xgid).context.terms().cube * _after(choice)
        assert each["worth"] == pytest.approx(points if _on_roll(choice) == 0 else -points)


def _on_roll(choice: Choice) -> int:
    return choice.player ^ (choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS))


def _after(choice: Choice) -> float:
    """The equity of what happened, to the player on roll."""
    if choice.values is None:
        return choice.plays[0].equity - choice.error
    stay, taken, passed = choice.values
    return {
        "no double": stay, "double": min(taken, passed), "take": taken, "pass": passed,
    }[choice.kind]  # fmt: skip


def test_why_and_themes() -> None:
    found = review(HAND, depth=1)
    for choice, each in zip(found.choices, to_json(found)["choices"], strict=True):
        position = Position.parse(choice.xgid)
        assert each["why"] == why(choice, position)
        assert list(each["themes"]) == themes_of(choice, position)
    assert any(each["why"] for each in to_json(found)["choices"])
