"""Matches that came analyzed: what their file says of each decision, as results of a review.

A match counts as analyzed if its file has an analysis of every decision about the cube and of
every roll that leaves a choice, with the play that was made. Then nothing is searched.
"""

from typing import Any, NamedTuple

from gammon.engine.cube import CubeAction
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.ways import plays_of
from gammon_study.match_files.stored import StoredAnalysis
from gammon_study.match_files.transcript import Transcript
from gammon_study.reviews.choice import CubeValues, unit_cost
from gammon_study.reviews.task import items_of


class Came(NamedTuple):
    """The analysis that came with a match.

    Attributes:
        settings: who made it, in the shape of a review's; and `lucky`, whether the luck of
            every roll is known.
        results: of each item of all games, in their order.
    """

    settings: dict[str, Any]
    results: list[dict[str, Any]]


def came_results(transcript: Transcript, met: MatchEquityTable) -> Came | None:
    """Return the analysis that came with a match; None where it lacks a decision.

    Raises:
        FormatError: an action is against the rules.
    """
    if not transcript.stored:
        return None
    results = []
    for number, game in enumerate(transcript.games):
        for item in items_of(game):
            stored = transcript.stored.get((number, item["action"]), StoredAnalysis())
            found = _cube(stored) if "cube" in item else _play(item, stored, met)
            if found is None:
                return None
            results.append(found)
    lucky = all(each.get("luck", 0.0) is not None for each in results)
    for each in results:
        if each.get("luck", 0.0) is None:
            each["luck"] = 0.0
    settings = {"by": transcript.stored_by, "depth": 0, "met": None, "lucky": lucky}
    return Came(settings, results)


def _cube(stored: StoredAnalysis) -> dict[str, Any] | None:
    if stored.cube is None:
        return None
    values = CubeValues(stored.cube.no_double, stored.cube.double_take, 1.0)
    best = CubeAction.DOUBLE
    if values.no_double >= values.doubled:
        good = min(values.no_double, values.double_take) > values.double_pass
        best = CubeAction.TOO_GOOD if good else CubeAction.NO_DOUBLE
    return {
        "values": list(values), "best": best.value, "depth": 0,
        "chances": list(stored.cube.probabilities),
    }  # fmt: skip


def _play(
    item: dict[str, Any], stored: StoredAnalysis, met: MatchEquityTable
) -> dict[str, Any] | None:
    position, made = Position.parse(item["roll"]), item["play"]
    assert position.dice is not None, "a roll has dice"
    count = len(plays_of(position.points, position.dice))
    plays: list[list[Any]] = [[*each[:2], list(each.probabilities)] for each in stored.plays]
    plays.sort(key=lambda each: -each[1])
    if count == 1 and not plays:
        plays = [[made, 0.0, [0.0] * 5]]  # nobody asks for the chances
    values = {play: value for play, value, _ in plays}
    if made not in values:
        return None
    best = max(values.values())
    loss = best - values[made]
    unit = unit_cost(position.context.terms(), met)
    return {
        "count": count, "plays": plays, "loss": loss, "depth": 0,
        "best": made if not loss else plays[0][0],
        "spread": best - min(values.values()),
        "luck": None if stored.luck is None else stored.luck * unit,
    }  # fmt: skip
