"""Matches and grades as text."""

from gammon.match.game import Effort
from gammon.match.player import Player
from gammon.match.result import MatchResult, Mean
from gammon.rules.terms import parse_stakes
from gammon.view.match import match_view
from gammon.view.plain import plain_text
from gammon_lab.experiments.grade import ALL, Grade
from gammon_lab.view import grade_view
from tests.engine.view.text import text_of

A, B = Player(depth=3), Player(noise=0.5)
RESULT = MatchResult(
    length=0, live=False, matches=200, games=200, points=Mean(0.5, 0.25, 0.0, 1.0),
    adjusted=Mean(0.125, 0.0625, 0.0, 0.25), wins=Mean(0.625, 0.03125, 0.5, 0.75),
    fair_wins=Mean(0.625, 0.03125, 0.5, 0.75), gammons=(0.25, 0.125),
    backgammons=(0.0625, 0.0), doubles=(0.0, 0.0), takes=(0.0, 0.0), passes=(0.0, 0.0),
    cube=1.0, turns=56.25,
)  # fmt: skip
EFFORT = Effort([4000, 0], [2.0, 0.0])


def squeezed(view: object) -> list[str]:
    return [" ".join(line.split()) for line in text_of(view)]


def test_a_match() -> None:
    assert squeezed(match_view(A, B, RESULT, EFFORT)) == [
        "A: depth=3 against B: depth=1,noise=0.5, 200 games of 56.2 turns",
        "",
        "mean s.e. 95 % interval",
        "points a game, luck taken out 0.1250 0.0625 0.0000 to 0.2500",
        "points a game, as played 0.5000 0.2500 0.0000 to 1.0000",
        "games won 62.50 % 3.12 50.00 to 75.00",
        "",
        "player gammons backgammons decisions CPU ms a decision",
        "A 25.0 % 6.2 % 4,000 0.500",
        "B 12.5 % 0.0 % 0 0.000",
    ]


def test_no_time_is_shown_that_is_not_known() -> None:
    half, none = (Effort([4000, 10], [first, None]) for first in (2.0, None))
    assert squeezed(match_view(A, B, RESULT, half))[-3:] == [
        "player gammons backgammons decisions CPU ms a decision",
        "A 25.0 % 6.2 % 4,000 0.500",
        "B 12.5 % 0.0 % 10 -",
    ]
    assert squeezed(match_view(A, B, RESULT, none))[-3:] == [
        "player gammons backgammons decisions",
        "A 25.0 % 6.2 % 4,000",
        "B 12.5 % 0.0 % 10",
    ]


WITH_CUBE = RESULT._replace(
    length=7, live=True, games=1000, adjusted=Mean(0.5625, 0.015625, 0.5, 0.625),
    doubles=(0.75, 0.5), takes=(0.25, 0.5), passes=(0.25, 0.25), cube=2.125, turns=44.0,
)  # fmt: skip


def test_matches_with_the_cube() -> None:
    assert squeezed(match_view(A, B, WITH_CUBE, EFFORT)) == [
        "A: depth=3 against B: depth=1,noise=0.5, 200 matches to 7, 1000 games of 44.0 turns",
        "The last cube is 2.12 on average; doubles, takes and passes are means a game",
        "",
        "mean s.e. 95 % interval",
        "matches won, luck taken out 56.25 % 1.56 50.00 to 62.50",
        "matches won, as played 62.50 % 3.12 50.00 to 75.00",
        "points a game, as played 0.5000 0.2500 0.0000 to 1.0000",
        "",
        "player gammons backgammons doubles takes passes decisions CPU ms a decision",
        "A 25.0 % 6.2 % 0.750 0.250 0.250 4,000 0.500",
        "B 12.5 % 0.0 % 0.500 0.500 0.250 0 0.000",
    ]
    lines = squeezed(match_view(A, B, WITH_CUBE._replace(length=0), EFFORT))
    assert "points a game, luck taken out 0.5625 0.0156 0.5000 to 0.6250" in lines
    assert "games won 62.50 % 3.12 50.00 to 75.00" in lines


def test_luck_that_is_left_in_is_not_called_taken_out() -> None:
    for result in (RESULT, WITH_CUBE, WITH_CUBE._replace(length=0)):
        left_in, taken_out = (
            squeezed(match_view(A, B, result, EFFORT, judged=judged))
            for judged in (False, True)
        )
        (row,) = (line for line in taken_out if "luck" in line)
        taken_out.remove(row)
        assert left_in == taken_out


def test_no_number_is_cut_where_the_terminal_is_narrow() -> None:
    view = match_view(A, B, WITH_CUBE, EFFORT)
    for width, gone in (
        (40, "passes, decisions, CPU ms a decision"), (60, "CPU ms a decision"), (80, ""),
    ):  # fmt: skip
        lines = [" ".join(line.split()) for line in plain_text(view, width).splitlines()]
        assert "…" not in "".join(lines)
        found = " ".join(lines).partition("too narrow for more columns: ")[2]
        assert found == (gone and f"{gone}.")
        assert any(line.startswith("A 25.0 % 6.2 % 0.750 0.250") for line in lines)


def test_other_stakes_than_money_are_named() -> None:
    stakes = parse_stakes("dmp")
    lines = squeezed(match_view(A, B, RESULT, EFFORT, stakes))
    assert lines[1] == f"Points are in the unit of A's stakes: {stakes.payoffs}"


def test_grades() -> None:
    grades = {
        A: {"race": Grade(30, 1.25, 0.5, 0.75, 0.0), ALL: Grade(40, 2.5, 0.25, 0.5, 0.125)},
        B: {ALL: Grade(40, 12.0, 1.0, 0.25, 0.375)},
    }
    assert squeezed(grade_view(grades)) == [
        "decisions PR s.e. best play blunders",
        "depth=3",
        "race 30 1.25 0.50 75.0 % 0.0 %",
        "all 40 2.50 0.25 50.0 % 12.5 %",
        "depth=1,noise=0.5",
        "all 40 12.00 1.00 25.0 % 37.5 %",
    ]


def test_no_word_of_grades_is_broken_where_the_terminal_is_narrow() -> None:
    view = grade_view({A: {"back game or crashed": Grade(360, 12.0, 0.5, 0.75, 0.0)}})
    lines = [" ".join(line.split()) for line in plain_text(view, 40).splitlines()]
    assert lines[2] == "back game or crashed 360 12.00"
    said = " ".join(lines[3:])
    assert said == "The terminal is too narrow for more columns: s.e., best play, blunders."
