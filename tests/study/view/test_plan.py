"""Plans and progress for the terminal."""

from gammon.base.mean import Interval
from gammon.view.tables import plain_text
from gammon_study.library.plan import Bias, DrillProgress, Period, Plan, PlannedTheme
from gammon_study.view import view_of

THEMES = [PlannedTheme("prime", 29, 12, Interval(0.0624, 0.0138, 0.1294)), PlannedTheme("run", 9, 4, None)]
BIASES = [
    Bias("takes", 34, Interval(0.0125, 0.0021, 0.0301), "takes too much"),
    Bias("blots", 3, None, "not enough yet"),
]


def rows(answer: object) -> dict[str, str]:
    lines = plain_text(view_of(answer), 160).splitlines()
    return {name: " ".join(line.split()) for line in lines for name in [" ".join(line.split()[:1])]}


def test_a_plan_is_in_per_cent_or_points() -> None:
    lines = rows(Plan("An\x1bn", 14, "match", THEMES, BIASES))
    assert lines["Ann,"] == "Ann, 14 matches"
    assert lines["Theme"] == "Theme to win back, % 95 % interval errors decisions"
    assert lines["prime"] == "prime +6.24 +1.38 to +12.94 12 29"
    assert lines["run"] == "run - not enough yet 4 9"
    assert lines["takes"] == "takes +0.0125 +0.0021 to +0.0301 34 takes too much"
    assert lines["blots"] == "blots - not enough yet 3 not enough yet"
    money = rows(Plan("Ann", 1, "money", THEMES, []))
    assert money["Ann,"] == "Ann, 1 session"
    assert money["prime"] == "prime +0.062 +0.014 to +0.129 12 29"
    assert "points that a session would bring" in plain_text(view_of(Plan("Ann", 1, "money", [], [])))


def test_progress_says_what_regression_to_the_mean_does() -> None:
    before, after = Period(20, 80, Interval(9.5, 4.25, 14.75)), Period(2, 9, None)
    progress = DrillProgress("Ann", "prime", "2026-11-22", before, after, None, Interval(-1.0, -3.0, 0.5))
    text = plain_text(view_of(progress))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines[0] == "Ann: prime"
    assert "before 2026-11-22 9.50 4.25 to 14.75 80 20" in lines
    assert "since then - not enough yet 9 2" in lines
    assert "change in prime - not enough yet" in lines
    assert "change elsewhere -1.00 -3.00 to +0.50" in lines
    assert "regression to the mean" in " ".join(lines)
