"""The figures of a review, by own sums of the choices and rolls that its JSON lists.

Other tests have how many choices there are, count and are marked, with PR
(tests/study/view/test_review_json.py), and the report's data (tests/web/test_report.py).
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gammon import Position
from gammon.formats.met_file import read_met
from gammon.view import to_json
from gammon_study.match_files.transcript import Transcript
from gammon_study.reviews.review import Review, review
from tests.matches import HAND, MATCH5, SAMPLE, random_match

PARTS = {
    "all": ("play", "no double", "double", "take", "pass"),
    "plays": ("play",),
    "cube": ("no double", "double", "take", "pass"),
    "doubles": ("no double", "double"),
    "takes": ("take", "pass"),
}
MATCHES = [MATCH5, HAND, SAMPLE, "money"]


@cache
def reviewed(match: Path | str) -> Review:
    source: Path | Transcript = random_match(0, 86) if match == "money" else Path(match)
    return review(source, depth=1)


@cache
def plain(match: Path | str) -> dict[str, Any]:
    return to_json(reviewed(match))


def before(score: tuple[int, int], length: int, crawford: bool) -> float:
    """The first player's chance before a game, by the numbers of the table as they are."""
    table = read_met()
    own, their = (length - points for points in score)
    if own <= 0 or their <= 0:
        return float(own <= 0)
    if crawford or 1 not in (own, their):
        return float(table.main[own - 1, their - 1])
    if own == 1:
        return 0.5 if their == 1 else 1.0 - float(table.post_crawford[their - 1])
    return float(table.post_crawford[own - 1])


def swing(xgid: str) -> float:
    """Half of what a single game won is worth more than one lost: the cost of 1 EMG."""
    terms, table = Position.parse(xgid).context.terms(), read_met()
    if not terms.length:
        return float(terms.cube)
    chances = []
    for won, lost in ((terms.cube, 0), (0, terms.cube)):
        own, their = terms.away[0] - won, terms.away[1] - lost
        if own <= 0 or their <= 0:
            chances.append(float(own <= 0))
        elif 1 not in terms.away:
            chances.append(float(table.main[own - 1, their - 1]))
        else:
            points = terms.length - own, terms.length - their
            chances.append(before(points, terms.length, False))
    return 0.5 * (chances[0] - chances[1])


def total(entries: Iterable[dict[str, Any]], name: str) -> Any:
    return pytest.approx(sum(entry[name] for entry in entries), abs=1e-12)


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: Path(match).stem)
def test_costs_rates_and_luck(match: Path | str) -> None:
    found = plain(match)
    games = [(number, each["players"]) for number, each in enumerate(found["games"])]
    for game, players in [(None, found["players"]), *games]:
        rolls = [each for each in found["rolls"] if game in (None, each["game"])]
        for player, figures in enumerate(players):
            mine = [
                each
                for each in found["choices"]
                if each["player"] == player and game in (None, each["game"])
            ]
            sums = {name: (figures[name], kinds) for name, kinds in PARTS.items()}
            sums |= {kind: (each, (kind,)) for kind, each in figures["kinds"].items()}
            for shown, kinds in sums.values():
                some = [each for each in mine if each["kind"] in kinds]
                active = sum(each["active"] for each in some)
                assert shown["error"] == total(some, "error")
                assert shown["cost"] == total(some, "cost")
                assert shown["active"] == active
                rate = 1000.0 * shown["error"] / active if active else None
                assert shown["rate"] == (None if rate is None else pytest.approx(rate))
            error = figures["all"]["error"]
            snowie = pytest.approx(1000.0 * error / len(rolls)) if rolls else None
            assert figures["snowie_rate"] == snowie
            own = [each for each in rolls if each["player"] == player]
            assert figures["luck"] == total(own, "equity")
            assert figures["luck_worth"] == total(own, "worth")


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: Path(match).stem)
def test_an_error_costs_half_a_swing(match: Path | str) -> None:
    for each in plain(match)["choices"]:
        assert each["cost"] == pytest.approx(each["error"] * swing(each["xgid"]), abs=1e-12)


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: Path(match).stem)
def test_errors_are_those_of_the_values_beside_them(match: Path | str) -> None:
    for each in plain(match)["choices"]:
        if each["kind"] == "play":
            equities = {play["play"]: play["equity"] for play in each["plays"]}
            lost = max(equities.values()) - equities[each["made"]]
        else:
            stay, taken, passed = each["values"].values()
            doubled = min(taken, passed)
            lost = {
                "no double": doubled - stay, "double": stay - doubled,
                "take": taken - passed, "pass": passed - taken,
            }[each["kind"]]  # fmt: skip
        assert each["error"] == pytest.approx(max(lost, 0.0), abs=2e-9)


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: Path(match).stem)
def test_results_and_what_the_luck_leaves_of_them(match: Path | str) -> None:
    found = plain(match)
    games, length = found["games"], found["length"]
    one, other = found["players"]
    won = [each["points"] * (1 if each["winner"] == 0 else -1) for each in games]
    if length:
        first, last = games[0], games[-1]
        score = [
            points + max(won[-1] if side == 0 else -won[-1], 0)
            for side, points in enumerate(last["score"])
        ]
        begun = before(tuple(first["score"]), length, first["crawford"])
        crawford = length - 1 in score and length - 1 not in last["score"]
        result = before((score[0], score[1]), length, crawford) - begun
    else:
        result = float(sum(won))
    assert one["result"] == pytest.approx(result)
    assert other["result"] == pytest.approx(-result)
    luck = sum(
        each["worth"] if each["player"] == 0 else -each["worth"] for each in found["rolls"]
    )
    assert one["luck_adjusted_result"] == pytest.approx(result - luck)
    assert other["luck_adjusted_result"] == pytest.approx(luck - result)


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: Path(match).stem)
def test_the_table_has_the_figures_of_the_json(match: Path | str) -> None:
    """Each figure that people read is a rounded number of the JSON."""
    found = plain(match)
    scale, unit = (100.0, " %") if found["length"] else (1.0, "")
    digits = 2 if found["length"] else 3

    def pair(equity: float, worth: float) -> str:
        return f"{equity:+z.3f} ({scale * worth:+z.{digits}f}{unit})"

    def lost(sums: dict[str, Any]) -> str:
        return pair(-sums["error"], -sums["cost"])

    rows = {each["name"]: each["values"] for each in found["figures"]}
    text = str(reviewed(match))
    for side, figures in enumerate(found["players"]):
        shown = {name: values[side] for name, values in rows.items()}
        wrong = figures["plays"]["wrong"]
        assert shown["PR"] == f"{figures['pr']:.2f}"
        assert shown["decisions"] == str(figures["all"]["counted"])
        assert shown["errors"] == lost(figures["all"])
        assert shown["Plays"] == (f"{wrong}: {lost(figures['plays'])}" if wrong else "0")
        assert shown["Cube"] == lost(figures["cube"])
        assert shown["GNU rate: all"] == f"{figures['all']['rate']:.1f}"
        assert shown["Snowie rate"] == f"{figures['snowie_rate']:.1f}"
        assert shown["Luck"] == pair(figures["luck"], figures["luck_worth"])
        for name in ("PR", "errors", "Plays", "Cube", "Luck"):
            assert shown[name] in text
