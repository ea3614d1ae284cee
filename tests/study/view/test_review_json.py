"""Reviews as JSON."""

import json
import math
from itertools import pairwise
from pathlib import Path

import pytest

from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.view import to_json
from gammon_study.match_files.transcript import Transcript
from gammon_study.reviews.choice import Choice, ChoiceKind
from gammon_study.reviews.explain import why
from gammon_study.reviews.review import review
from gammon_study.reviews.themes import themes_of
from tests.matches import HAND, MATCH5, MATCH5_SGF, SAMPLE, random_match


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


@pytest.mark.parametrize("match", [MATCH5, HAND, SAMPLE], ids=lambda path: path.stem)
def test_totals_are_the_sums_of_the_choices_listed(match: Path) -> None:
    """Of all, plays, doubles and takes, of the match and of each game: by the JSON alone."""
    plain = to_json(review(match, depth=1))
    doubles, takes = ("no double", "double"), ("take", "pass")
    parts = {
        "all": ("play", *doubles, *takes), "plays": ("play",), "cube": (*doubles, *takes),
        "doubles": doubles, "takes": takes,
    }  # fmt: skip
    games = [(number, each["players"]) for number, each in enumerate(plain["games"])]
    for game, players in [(None, plain["players"]), *games]:
        for player, totals in enumerate(players):
            for name, kinds in parts.items():
                mine = [c for c in plain["choices"] if c["player"] == player]
                some = [c for c in mine if c["kind"] in kinds and game in (None, c["game"])]
                errors = [c["error"] for c in some]
                counted = sum(c["counted"] for c in some)
                found = totals[name]
                assert found["choices"] == len(some)
                assert found["counted"] == counted
                assert found["wrong"] == sum(error >= 0.001 for error in errors)
                assert found["error"] == pytest.approx(sum(errors))
                least = (0.03, 0.06, 0.12, math.inf)
                assert found["marks"] == [
                    sum(low <= error < high for error in errors)
                    for low, high in pairwise(least)
                ]
                pr = 500.0 * sum(errors) / counted if counted else None
                assert found["pr"] == (None if pr is None else pytest.approx(pr))
            assert totals["pr"] == totals["all"]["pr"]
            assert (totals["pr_class"] is None) == (
                totals["all"]["counted"] < 30 or totals["pr"] < 0.005
            )
    rows = {each["name"]: each["values"] for each in plain["figures"]}
    for part in ("plays", "doubles", "takes"):
        for player, text in zip(plain["players"], rows[f"PR: {part}"], strict=True):
            found = player[part]
            said = "-" if found["pr"] is None else f"{found['pr']:.2f} in {found['counted']}"
            assert text == said
