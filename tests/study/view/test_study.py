"""Tables of a library: every figure stands there, at any width."""

import pytest
from rich.console import RenderableType

from gammon.view.plain import plain_text
from gammon_study.library.errors import Error, FoundErrors
from gammon_study.library.stats import Group, Part, Statistics, Trend
from gammon_study.reviews.totals import ErrorSums
from gammon_study.view.study import error_lines, errors_view, statistics_view, trend_svg

SUMS = ErrorSums(100, 80, 90, 12, 0.8, 0.05, (0, 3, 0))
GROUP = Group("Ann", 4, SUMS, -0.25, 3)
ERROR = Error(
    7, "a.mat", "2026-11-22", "Ann", "Bob", 5, 2, "play", "race", ("prime", "run"),
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "24/20", "8/5 6/5", 0.125, 0.01,
    "Wins 3.0 % less.",
)  # fmt: skip


def figures(*groups: Group, by: str = "player") -> RenderableType:
    return statistics_view(Statistics(by, [*groups], [GROUP]))


def test_groups() -> None:
    text = plain_text(figures(GROUP, GROUP._replace(name="")), 200)
    assert "Analyzed by Ann: 4 matches" in text
    assert "Player" in text
    (row,) = (line.split() for line in text.splitlines() if line.startswith("  Ann "))
    assert row == ["Ann", "5.00", "expert", "80", "-0.800", "12", "3", "4", "3", "-0.250"]
    assert "\n  all " in text
    flawless = plain_text(figures(GROUP._replace(sums=SUMS._replace(error=0.0), luck=-0.0)))
    assert "-0.000" not in flawless


def test_plays_doubles_and_takes_stand_apart() -> None:
    parts = Part(60, 9, 2, 0.6), Part(18, 3, 1, 0.2), Part(0, 0, 0, 0.0)
    text = plain_text(figures(GROUP._replace(plays=parts[0], doubles=parts[1], takes=parts[2])))
    rows = [line.split() for line in text.splitlines() if line.startswith("  Ann ")]
    assert " ".join(rows[1]) == "Ann 5.00 60 9 2 5.56 18 3 1 - 0 0 0"
    assert "PR doubles" in text


def test_errors_alone_have_no_pr() -> None:
    text = plain_text(figures(GROUP._replace(name="wrong double", of=41), by="theme"), 200)
    (row,) = (line.split() for line in text.splitlines() if line.startswith("  wrong double "))
    assert row[2:] == ["-", "-", "80", "-0.800", "12", "of", "41", "3", "4", "3", "-0.250"]
    assert "have no PR" in text
    assert "have no PR" not in plain_text(figures(GROUP))


def test_a_part_has_no_luck() -> None:
    text = plain_text(figures(GROUP._replace(luck=None, won=None), by="theme"))
    assert "luck" not in text


@pytest.mark.parametrize("width", [20, 40, 60, 200])
def test_groups_fit(width: int) -> None:
    text = plain_text(figures(GROUP), width)
    assert max(map(len, text.splitlines())) <= width
    assert "5.00" in text


def test_nothing() -> None:
    assert plain_text(figures()) == "No decision of 4 matches answers to that."
    empty = statistics_view(Statistics("player", [], []))
    assert plain_text(empty) == "No decision of the library answers to that."
    assert plain_text(errors_view(FoundErrors([], 0, 0.0))) == "0 errors, +0.000 in all"


def test_errors() -> None:
    text = plain_text(errors_view(FoundErrors([ERROR], 1, 0.125)), 200)
    assert text.splitlines() == [
        "1 error, -0.125 in all",
        "  1. -0.1250 (-1.00 %)  24/20, best 8/5 6/5; 2026-11-22, Ann against Bob, to 5, "
        "match 7, game 2",
        f"     {ERROR.xgid}", "     Themes: prime, run", "     Wins 3.0 % less.",
    ]  # fmt: skip
    money = error_lines(ERROR._replace(length=0, played=None, themes=(), why=""))
    assert money == [
        "-0.1250 (-0.010)  24/20, best 8/5 6/5; Ann against Bob, for money, match 7, game 2",
        ERROR.xgid,
    ]


def test_an_error_goes_on_below_its_first_word() -> None:
    error = ERROR._replace(why="It wins less. " * 9)
    _, *lines = plain_text(errors_view(FoundErrors([error] * 2, 2, 0.25)), 60).splitlines()
    assert len(lines) == 2 * (2 + 1 + 1 + 3)
    assert [at for at, line in enumerate(lines) if line[:5].strip()] == [0, 7]
    assert (lines[0][:5], lines[7][:5]) == ("  1. ", "  2. ")
    assert all(line[5] != " " for line in lines)
    assert f"     {ERROR.xgid}" in lines


def test_names_of_strangers_steer_no_terminal() -> None:
    bad = "\x1b]52;c;ZXZpbA==\x07"
    view = errors_view(
        FoundErrors([ERROR._replace(player=bad, why=bad, made=bad, xgid=bad)], 1, 0.1)
    )
    groups = statistics_view(
        Statistics("player", [GROUP._replace(name=bad)], [GROUP._replace(name=bad)])
    )
    for each in (view, groups):
        assert "\x1b" not in plain_text(each)
        assert "\x07" not in plain_text(each)


def test_who_came_to_no_end_has_won_nothing_that_is_known() -> None:
    text = plain_text(figures(GROUP, GROUP._replace(name="Bob", won=None)), 200)
    (row,) = (line.split() for line in text.splitlines() if line.startswith("  Bob "))
    assert row[-3:] == ["4", "-", "-0.250"]


def test_a_plot() -> None:
    pytest.importorskip("matplotlib")
    trend = [
        Trend(1, None, 5.0, 5.0),
        Trend(2, "2026-11-22", None, 5.0),
        Trend(3, None, 3.0, 4.0),
    ]
    svg = trend_svg(trend)
    assert svg.startswith("<?xml")
    assert svg == trend_svg(trend)
    assert svg != trend_svg(trend[:2])
    assert "<svg" in trend_svg([])
