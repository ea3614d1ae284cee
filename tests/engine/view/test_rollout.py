"""Rollouts, their progress, matches and grades as text."""

import io
import threading
from dataclasses import replace

import pytest

import gammon
from gammon.base.errors import FormatError
from gammon.match.game import Effort
from gammon.match.player import Player
from gammon.match.result import MatchResult, Mean
from gammon.rules.terms import parse_stakes
from gammon.view import progress
from gammon.view import rollout as shown
from gammon.view.match import match_view
from gammon.view.rollout import forum_text, rollout_view, under_way, watched
from gammon.view.tables import plain_text
from gammon_lab.experiments.grade import ALL, Grade
from gammon_lab.view import grade_view
from tests.engine.view.shown import text_of
from tests.engine.view.test_html import lines as paragraphs
from tests.engine.view.test_html import tables

# Rollouts as text: a table with the board, what a terminal sees meanwhile, and for a forum.

CUBE = gammon.Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10")
RACE = gammon.Position.parse("XGID=-BBBB---------------bbb---:0:0:1:00:0:0:0:0:10")


@pytest.fixture(scope="module")
def plays():
    return gammon.rollout(gammon.Position.opening(), (3, 1), ["8/5 6/5", "6/5 6/3"], trials=360)


@pytest.fixture(scope="module")
def cube():
    return gammon.rollout(CUBE, trials=36, truncate=6, cube_depth=3)


def test_plays(plays):
    text = str(plays)
    assert text == plain_text(rollout_view(plays))
    lines = text.splitlines()
    best = next(line for line in lines if "8/5 6/5" in line)
    assert best.split()[0] == "1."
    assert f"{plays.candidates[0].equity:+.4f}" in best
    assert f"{plays.candidates[0].error:.4f}" in best
    other = next(line for line in lines if "6/5 6/3" in line)
    assert other.endswith("324, out")
    assert "X to play 31, rolled out, with the cube" in text
    assert "360 trials, whole games, seed 1." in text
    assert "684 games" in text
    for depth in (1, 3):
        settings = replace(plays.settings, depth=depth, move_filter="tiny")
        assert ("filter tiny" in str(replace(plays, settings=settings))) == (depth == 3)


def test_a_short_rollout_says_that_its_errors_are_rough(plays, cube):
    """Of 324 trials and more, differences are as far off as their errors say."""
    assert "Fewer than 324 trials: each s.e. is rough" in " ".join(str(cube).split())
    assert "Fewer than" not in str(plays)


def test_a_decision_about_the_cube(cube):
    text = str(cube)
    assert "Verdict: " + cube.cube.verdict in text
    assert "Double, pass  +1.0000" in text
    assert f"{100 * cube.candidates[0].mwc:.2f}" in text
    assert "games of 6 turns, then the static value" in text
    assert "the cube at depth 3" in text
    assert "3-away 4-away" in text
    assert "X loses" in text.partition("Verdict: ")[2]
    (passed,) = (line.split() for line in text.splitlines() if "Double, pass" in line)
    assert passed[-1] == f"{100 * cube.cube.double_pass.mwc:.2f}"


@pytest.mark.parametrize(
    ("rest", "lines"),
    [
        ("1:1:1:00:0:0:0:0:10", [
            "X on roll, rolled out, with the cube", "  No redouble ", "  Redouble, take ",
            "  Redouble, pass ", "Verdict: no redouble, take", "by a redouble, O ",
        ]),
        ("0:0:1:D:0:0:2:0:10", [
            "X has doubled, rolled out, with the cube", "Beaver  +0.6667    best", "Take ",
            "Pass    -1.0000  1.6667", "X's double loses 0.5000: no double ",
            "  No double ", "  Double, take ", "  Double, beaver  -0.6667 ", "  Double, pass ",
            "Verdict: beaver by O (no double, beaver)",
        ]),
    ],
)  # fmt: skip
def test_a_decision_has_the_words_of_an_analysis(rest, lines):
    found = gammon.rollout(gammon.Position.parse(f"XGID=-A----A-----------------a-:{rest}"), trials=36)
    text = forum_text(found)
    at = [text.index(line) for line in lines]
    assert at == sorted(at)


@pytest.mark.parametrize(
    "xgid",
    [
        "XGID=-BBBCCB-----------bbccb-c-:0:0:1:00:0:0:0:0:10",  # double, pass
        "XGID=-CEBa-B--a-----bbb-cbBb-A-:0:0:-1:D:0:0:0:5:10",  # too good to double, pass
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",  # no double, take
    ],
)
def test_an_action_has_the_difference_from_the_best_one(xgid: str) -> None:
    found = gammon.rollout(gammon.Position.parse(xgid), trials=36, truncate=4)
    cube = found.cube
    assert cube is not None and cube.double_take is not None
    assert "Difference" in str(found)
    stay, taken = cube.no_double.equity, cube.double_take.equity
    right = max(stay, min(taken, 1.0))
    names = {"No double": stay, "Double, take": taken, "Double, pass": 1.0}
    for name, equity in names.items():
        (cells,) = (
            line.split(name)[1].split()
            for line in forum_text(found).splitlines()
            if line.strip().startswith(name)
        )
        assert f"{equity - right:+z.4f}" in cells[1:]


@pytest.mark.parametrize(("jsd", "known"), [(1.9, False), (2.0, True), (float("inf"), True)])
def test_what_chance_may_explain_is_no_loss(plays, jsd, known):
    """A difference within 1.96 standard errors leaves open which play is the best."""
    best, other = plays.candidates
    found = replace(plays, candidates=[best, replace(other, jsd=jsd)])
    assert best.may_be_best
    assert found.candidates[1].may_be_best is not known
    words = "Not distinguished from the best play: 6/5 6/3."
    for text in (str(found), forum_text(found), found._repr_html_()):
        assert (words in text) is not known


@pytest.mark.parametrize(("loss", "told"), [(4.9e-5, False), (5.1e-5, True)])
def test_a_loss_that_is_shown_as_none_has_no_jsd(plays, loss, told):
    best, other = plays.candidates
    text = str(replace(plays, candidates=[best, replace(other, loss=loss, jsd=2.75)]))
    assert ("2.75" in text) == told


def test_only_a_candidate_that_plays_is_the_best(plays):
    """One that was given up may lose nothing by the trials that both had."""
    best, other = plays.candidates
    rows = shown._table(replace(plays, candidates=[best, replace(other, loss=0.0)])).rows
    assert [row.style for row in rows] == ["bold", ""]


@pytest.mark.parametrize(("turns", "words"), [(1, "1 turn"), (2, "2 turns")])
def test_how_long_games_are(plays, turns, words):
    short = replace(plays, settings=replace(plays.settings, truncate=turns))
    assert f"games of {words}, then" in str(short)


@pytest.mark.parametrize(("error", "told"), [(0.0, 0), (4.9e-5, 1), (5.1e-5, 2)])
def test_an_error_that_is_shown_as_none_is_no_measure(plays, error, told):
    """Of the games as they came the table tells the mean, and the ratio of the variances."""
    best, other = plays.candidates
    text = str(replace(plays, candidates=[replace(best, error=error), other]))
    assert ("as they came" in text) == (told > 0)
    assert ("times the variance" in text) == (told > 1)


def test_cubeless_answers_say_so():
    text = str(gammon.rollout(CUBE, trials=36, cubeless=True))
    assert "rolled out, cubeless, money" in text
    assert "shown is what rolling is worth" in text


def test_lines_for_a_forum(plays, cube):
    for found in (plays, cube):
        lines = forum_text(found).splitlines()
        assert lines[0] == found.position.xgid
        assert max(map(len, lines)) <= 132
        assert not any("too narrow" in line for line in lines)
        assert "rolled out, " in lines[1]
        assert "BAR" not in "".join(lines)
        assert any(found.candidates[0].name in line for line in lines)


@pytest.mark.parametrize("name", ["plays", "cube"])
def test_in_a_notebook(name, request):
    """The words of the table in letters, and the board with the best play."""
    rollout = request.getfixturevalue(name)
    html = rollout._repr_html_()
    text = [line.split() for line in plain_text(rollout_view(rollout), 200).splitlines()]
    for table in tables(html):
        for row in table:
            assert " ".join(row).split() in text
    said = paragraphs(html)
    assert said[0] == rollout.position.xgid
    assert any("trials" in line for line in said)
    best = rollout.candidates[0].play
    assert html.count('class="arrow"') == (len(best.moves) if best else 0)
    assert ("Verdict: " in html) == (rollout.cube is not None)


def test_what_is_done_and_what_is_left() -> None:
    found: list[gammon.Rollout] = []
    gammon.rollout(RACE, (6, 5), top=2, trials=108, on_result=found.append)
    assert [each.trials for each in found] == [36, 72, 108]
    text = plain_text(under_way(found[0]))
    assert str(found[0].candidates[0].play) in text
    assert "36 of 108 trials" in text
    assert "at most 0 s more" in plain_text(under_way(found[-1]))
    for limit, left in ((None, 20), (12.0, 2), (90.0, 20)):
        settings = replace(found[0].settings, max_seconds=limit)
        late = replace(found[0], seconds=10.0, settings=settings)
        assert f"10 s, at most {left} s more" in plain_text(under_way(late))


def test_a_terminal_sees_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with watched() as show:
        gammon.rollout(RACE, trials=36, on_result=show)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(shown, "_REFRESH", 0.0)
    with watched() as show:
        gammon.rollout(RACE, trials=36, on_result=show)
    assert "36 of 36 trials" in capsys.readouterr().err


# Work in a thread, with a bar that only terminals see.


def test_result_and_errors_come_through(capsys: pytest.CaptureFixture[str]) -> None:
    assert progress.with_bar(lambda bar: bar.tolist()) == [0, 0]

    def fails(bar: progress.Bar) -> None:
        raise FormatError("no")

    with pytest.raises(FormatError, match="no"):
        progress.with_bar(fails)
    assert capsys.readouterr().err == ""


def test_a_bar_is_drawn_for_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = threading.Event()

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            if "searching" in text:
                drawn.set()
            return len(text)

    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr("sys.stderr", Terminal())

    def work(bar: progress.Bar) -> str:
        bar[:] = 3, 6
        return "done" if drawn.wait(60) else "no bar"

    assert progress.with_bar(work) == "done"


def test_a_terminal_alone_sees_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    for stream, seen in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        with progress.counted(2) as show:
            show(1, "game 1")
        assert ("game 1" in stream.getvalue()) == seen


# Matches and grades as text.

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
    length=7,
    live=True,
    games=1000,
    adjusted=Mean(0.5625, 0.015625, 0.5, 0.625),
    doubles=(0.75, 0.5),
    takes=(0.25, 0.5),
    passes=(0.25, 0.25),
    cube=2.125,
    turns=44.0,
)


def test_money_games_with_the_cube() -> None:
    lines = squeezed(match_view(A, B, WITH_CUBE._replace(length=0), EFFORT))
    assert "points a game, luck taken out +0.5625 0.0156 +0.5000 to +0.6250" in lines
    assert "games won 62.50 % 3.12 50.00 to 75.00" in lines


def test_luck_that_is_left_in_is_not_called_taken_out() -> None:
    for result in (RESULT, WITH_CUBE, WITH_CUBE._replace(length=0)):
        left_in, taken_out = (
            squeezed(match_view(A, B, result, EFFORT, judged=judged)) for judged in (False, True)
        )
        (row,) = (line for line in taken_out if "luck" in line)
        taken_out.remove(row)
        assert left_in == taken_out


def test_no_number_is_cut_where_the_terminal_is_narrow() -> None:
    view = match_view(A, B, WITH_CUBE, EFFORT)
    for width, gone in ((40, "passes, decisions, CPU ms a decision"), (60, "CPU ms a decision"), (80, "")):
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
