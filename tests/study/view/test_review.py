"""Reviews and libraries as tables for people."""

import json
import math
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import RenderableType

from gammon.base.mean import Interval
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.view import to_json
from gammon.view.tables import plain_text
from gammon_study.library.stats import Error, Group, GroupPart, LargestErrors, Statistics, Trend
from gammon_study.match_files.transcript import Transcript
from gammon_study.reviews.choice import Choice, ChoiceKind
from gammon_study.reviews.explain import themes_of, why
from gammon_study.reviews.review import Review, review
from gammon_study.view.review import cost_format, match_words, review_html, review_view, stored_words
from gammon_study.view.study import error_lines, errors_view, statistics_view, trend_svg
from tests.engine.view.shown import text_of
from tests.matches import HAND, MATCH5, MATCH5_SGF, SAMPLE, SAMPLE_XG, random_match, reviewed_file
from tests.pages import inside

# Reviews as tables for people.


def test_the_best_play_in_a_file_is_the_one_that_a_review_takes_from_it() -> None:
    taken = review(SAMPLE_XG, depth=3, imported=True)
    for choice, each in zip(taken.choices, to_json(taken)["choices"], strict=True):
        if choice.level and choice.kind is ChoiceKind.PLAY:
            stored = taken.transcript.stored[choice.game, choice.action]
            said = stored_words(choice, stored, taken.transcript.stored_by)
            assert said.startswith(f"{-choice.error:+z.4f}, best {choice.plays[0].play} (")
            assert [play["play"] for play in each["stored"]["plays"]] == [play.play for play in choice.plays]


@pytest.fixture(scope="module")
def found() -> Review:
    return reviewed_file(HAND)


@pytest.fixture(scope="module")
def long() -> Review:
    """Of players with enough decisions for a class."""
    return reviewed_file(MATCH5)


def test_estimates_of_both_players(found: Review) -> None:
    lines = text_of(review_view(found))
    assert lines[0] == "Ann against Bob, a match to 3: 2 games, 3 to 0"
    rows = {line[2:28].strip(): line[28:].split() for line in lines[2:]}
    totals = [found.totals(player) for player in (0, 1)]
    assert rows["PR"] == [f"{each.all.pr:.2f}" for each in totals]
    assert rows["Snowie rate"] == [f"{each.snowie:.1f}" for each in totals]
    assert rows["unforced, of all"][:3] == [str(totals[0].plays.active), "of", "14"]
    for words in ("doubtful, bad, very bad", "missed doubles", "Result, luck taken out", "GNU rate: all"):
        assert words in "\n".join(lines)


def test_the_worst_choices_have_their_xgid(found: Review) -> None:
    lines = text_of(review_view(found, most=3))
    for rank, choice in enumerate(found.worst(most=3), 1):
        at = lines.index(f"     {choice.xgid}")
        assert lines[at - 1].startswith(f"{rank:3}. {-choice.error:+.4f}")
        assert lines[at - 1].endswith(f"{choice.made}, best {choice.best}")
    assert "The worst choices" not in text_of(review_view(found, most=0))


def test_a_choice_goes_on_below_its_first_word(found: Review) -> None:
    lines = plain_text(review_view(found, most=2), 40).splitlines()
    entries = lines[lines.index("The worst choices") + 1 :]
    entries = entries[: entries.index("")]
    begun = [line for line in entries if line[:5].strip()]
    assert [line[:5] for line in begun] == ["  1. ", "  2. "]
    assert all(line[5] != " " for line in entries)
    assert len(entries) > 6


def test_the_word_of_each_rate_stands_beneath_it(long: Review) -> None:
    lines = [line.strip() for line in text_of(review_view(long, 0))]
    totals = long.totals(0)
    assert totals.all.pr_class is not None
    assert lines[[line.split()[:1] for line in lines].index(["PR"]) + 1].split() == [
        "XG's",
        "class",
        *str(totals.all.pr_class).split(),
    ]
    (gnu,) = (n for n, line in enumerate(lines) if line.startswith("GNU rate: all"))
    assert lines[gnu + 1].startswith("GNU's word for it")
    assert lines[gnu + 1].endswith(str(totals.rating))


def test_few_decisions_have_no_class(found: Review) -> None:
    assert found.totals(0).all.counted < 30
    for name in ("XG's class", "GNU's word"):
        (row,) = (line for line in text_of(review_view(found)) if line.strip().startswith(name))
        assert row.split()[-2:] == ["-", "-"]


def test_plays_doubles_and_takes_stand_apart(long: Review) -> None:
    """Errors and marks, too: 500 times the errors of the choices, by those that count."""
    rows = {line[2:34].strip(): line[34:].split() for line in text_of(review_view(long, 0), 200)}
    for name, kinds in (
        ("plays", ["play"]),
        ("doubles", ["no double", "double"]),
        ("takes", ["take", "pass"]),
    ):
        some = [c for c in long.choices if c.player == 0 and c.kind in kinds]
        counted = sum(c.counted for c in some)
        pr = 500.0 * sum(c.error for c in some) / counted
        assert rows[f"PR: {name}"] == [f"{pr:.2f}", "in", str(counted)]
        assert rows[name.capitalize()][0] == f"{sum(c.error >= 0.001 for c in some)}:"


def test_a_score_is_at_most_the_length(long: Review) -> None:
    """The last game of this match to 5 is worth 4 points to who needs one."""
    match = long
    assert match.transcript.final_score == (1, 8)
    assert match_words(match) == "gnubg against root, a match to 5: 4 games, 1 to 5"


def test_games_are_counted(found: Review) -> None:
    games = found.transcript.games
    for count, words in ((0, "0 games, 0 to 0"), (1, "1 game, 1 to 0"), (2, "2 games, 3 to 0")):
        cut = replace(found, transcript=replace(found.transcript, games=games[:count]))
        assert match_words(cut).endswith(f": {words}")


def test_figures_have_their_units(found: Review) -> None:
    lines = text_of(review_view(found))
    assert "in EMG, and in brackets as a chance to win the match" in " ".join(lines)
    for name in ("Luck", "errors", "Result"):
        (row,) = (line for line in lines if line.split()[:1] == [name] and "%" in line)
        assert row.count("%") == 2
    assert cost_format(found)(-0.0) == "+0.00 %", "no zero is below 0"


def test_a_review_as_deep_as_the_player_says_that_pr_says_nothing(long: Review) -> None:
    """One side made the review's own choices: its PR of 0.00 says nothing of its play."""
    choices = tuple(
        each._replace(error=0.0, made=each.best) if each.player == 0 else each for each in long.choices
    )
    own = replace(long, choices=choices)
    (note,) = own.notes
    assert note.startswith("gnubg made the review's own choices (")
    assert long.notes == []
    lines = text_of(review_view(own), 400)
    assert f"Note: {note}" in lines
    (words,) = (line for line in lines if "XG's class" in line)
    assert words.split()[2] == "-"
    assert inside(own.page())["notes"] == [note]
    assert to_json(own)["notes"] == [note]
    assert [player["pr_class"] is None for player in to_json(own)["players"]] == [True, False]


def test_an_unfinished_match_has_no_result(found: Review) -> None:
    """Neither in the terminal, nor in the report, nor in JSON."""
    first, last = found.transcript.games
    games = (first, replace(last, winner=None, points=0))
    cut = replace(found, transcript=replace(found.transcript, games=games))
    lines = text_of(review_view(cut))
    for name in ("Result ", "Result, luck taken out"):
        (row,) = (line for line in lines if line.strip().startswith(name))
        assert row.split()[-2:] == ["-", "-"]
    figures = {each["name"]: each["values"] for each in inside(cut.page())["figures"]}
    assert figures["Result"] == figures["Result, luck taken out"] == ["-", "-"]
    for player in to_json(cut)["players"]:
        assert player["result"] is player["luck_adjusted_result"] is None


def test_one_player_alone(found: Review) -> None:
    lines = text_of(review_view(found, 1, 100))
    shown = "\n".join(lines[2:])
    assert "Bob: " in shown
    assert "Ann: " not in shown
    assert max(map(len, text_of(review_view(found), 60)[4:20])) <= 60


def test_a_notebook_shows_the_tables_and_the_worst_choices(found: Review) -> None:
    drawn = found._repr_html_()
    assert drawn == review_html(found)
    page = ElementTree.fromstring(drawn)
    text = " ".join(page.itertext())
    assert len(list(page.iter("table"))) == 2
    for player in (0, 1):
        assert f"{found.totals(player).all.pr:.2f}" in text
    for choice in found.worst(most=5):
        assert choice.xgid in text
        assert f"{-choice.error:+.4f}" in text
    assert drawn.count('class="gammon-board"') == 5
    assert not re.search(r"<script|<style|href|src=| on[a-z]+=| id=", drawn)


def test_all_of_a_review() -> None:
    found = reviewed_file(HAND)
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
    assert shown["XG's class"] == [str(player["pr_class"] or "-") for player in plain["players"]]
    assert plain["units"] in " ".join(str(found).split())
    assert [game["winner"] for game in plain["games"]] == [0, 0]
    assert plain["details"]["Site"] == "Kitchen table"
    lines = replace(found.transcript, details=(("Comment", "first"), ("Site", "here"), ("Comment", "last")))
    details = to_json(replace(found, transcript=lines))["details"]
    assert details == {"Comment": "first\nlast", "Site": "here"}
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
    found, met = reviewed_file(MATCH5_SGF), read_met()
    for choice, each in zip(found.choices, to_json(found)["choices"], strict=True):
        terms = Position.parse(choice.xgid).context.terms()
        win, lose = met.after(terms, terms.cube), met.after(terms, -terms.cube)
        mine = 0.5 * (win + lose) + 0.5 * (win - lose) * _after(choice)
        assert each["game_value"] == pytest.approx(mine if _on_roll(choice) == 0 else 1.0 - mine)


def test_what_positions_are_worth_for_money() -> None:
    match = random_match(0, 3)
    found = review(Transcript(match.players, 0, match.games[:2]), depth=1)
    for choice, each in zip(found.choices, to_json(found)["choices"], strict=True):
        points = Position.parse(choice.xgid).context.terms().cube * _after(choice)
        assert each["game_value"] == pytest.approx(points if _on_roll(choice) == 0 else -points)


def _on_roll(choice: Choice) -> int:
    return choice.player ^ (choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS))


def _after(choice: Choice) -> float:
    """The equity of what happened, to the player on roll."""
    if choice.values is None:
        return choice.plays[0].equity - choice.error
    stay, taken, passed = choice.values
    return {"no double": stay, "double": min(taken, passed), "take": taken, "pass": passed}[choice.kind]


def test_why_and_themes() -> None:
    found = reviewed_file(HAND)
    for choice, each in zip(found.choices, to_json(found)["choices"], strict=True):
        position = Position.parse(choice.xgid)
        assert each["explanation"] == why(choice, position)
        assert list(each["themes"]) == themes_of(choice, position)
    assert any(each["explanation"] for each in to_json(found)["choices"])


@pytest.mark.parametrize("match", [MATCH5, HAND, SAMPLE], ids=lambda path: path.stem)
def test_totals_are_the_sums_of_the_choices_listed(match: Path) -> None:
    """Of all, plays, doubles and takes, of the match and of each game: by the JSON alone."""
    plain = to_json(review(match, depth=1))
    doubles, takes = ("no double", "double"), ("take", "pass")
    parts = {
        "all": ("play", *doubles, *takes),
        "plays": ("play",),
        "cube": (*doubles, *takes),
        "doubles": doubles,
        "takes": takes,
    }
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
                    sum(low <= error < high for error in errors) for low, high in pairwise(least)
                ]
                pr = 500.0 * sum(errors) / counted if counted else None
                assert found["pr"] == (None if pr is None else pytest.approx(pr))
            assert totals["pr"] == totals["all"]["pr"]
            assert (totals["pr_class"] is None) == (totals["all"]["counted"] < 30 or totals["pr"] < 0.005)
    rows = {each["name"]: each["values"] for each in plain["figures"]}
    for part in ("plays", "doubles", "takes"):
        for player, text in zip(plain["players"], rows[f"PR: {part}"], strict=True):
            found = player[part]
            said = "-" if found["pr"] is None else f"{found['pr']:.2f} in {found['counted']}"
            assert text == said


# Tables of a library: every figure stands there, at any width.

GROUP = Group("Ann", 4, 5.0, None, "expert", 100, 80, 90, 12, 3, 0.8, 0.05, -0.25, 3)
ERROR = Error(
    7, "a.mat", "2026-11-22", "Ann", "Bob", 5, 2, "play", "race", ("prime", "run"),
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "24/20", "8/5 6/5", 0.125, 0.01,
    "Wins 3.0 % less.",
)  # fmt: skip


def figures(*groups: Group, by: str = "player") -> RenderableType:
    return statistics_view(Statistics(by, [*groups], [GROUP, GROUP._replace(name="Bob, depth 1")]))


def test_groups() -> None:
    text = plain_text(figures(GROUP, GROUP._replace(name="")), 200)
    assert "Analyzed by Ann: 4 matches; Bob, depth 1: 4 matches" in text
    assert "Player" in text
    (row,) = (line.split() for line in text.splitlines() if line.startswith("  Ann "))
    assert row == ["Ann", "5.00", "-", "expert", "80", "-0.800", "12", "3", "4", "3", "-0.250"]
    assert "\n  all " in text
    flawless = plain_text(figures(GROUP._replace(error=0.0, luck=-0.0)))
    assert "-0.000" not in flawless


def test_study_plays_doubles_and_takes_stand_apart() -> None:
    plays = GroupPart(5.0, Interval(5.0, 3.25, 8.0), 60, 9, 2, 0.6)
    parts = plays, GroupPart(50 / 9, None, 18, 3, 1, 0.2), GroupPart(None, None, 0, 0, 0, 0.0)
    text = plain_text(figures(GROUP._replace(plays=parts[0], doubles=parts[1], takes=parts[2])))
    rows = [line.split() for line in text.splitlines() if line.startswith("  Ann ")]
    assert " ".join(rows[1]) == "Ann 5.00 (3.25 to 8.00) 5.56 - 60 18 0 9 3 0 2 1 0"
    assert "PR doubles" in text


def test_errors_alone_have_no_pr() -> None:
    text = plain_text(
        figures(GROUP._replace(name="wrong double", pr=None, pr_class=None, decisions=41), by="theme"), 200
    )
    (row,) = (line.split() for line in text.splitlines() if line.startswith("  wrong double "))
    assert row[2:] == ["-", "-", "-", "80", "-0.800", "12", "of", "41", "3", "4", "3", "-0.250"]
    assert "have no PR" in " ".join(text.split())
    assert "have no PR" not in " ".join(plain_text(figures(GROUP)).split())


def test_a_part_has_no_luck() -> None:
    text = plain_text(figures(GROUP._replace(luck=None, won=None), by="theme"))
    assert "luck" not in text


@pytest.mark.parametrize("width", [20, 40, 60, 200])
def test_groups_fit(width: int) -> None:
    text = plain_text(figures(GROUP), width)
    assert max(map(len, text.splitlines())) <= width
    assert "5.00" in text


def test_nothing() -> None:
    assert plain_text(figures()) == "No decision of 8 matches answers to that."
    empty = statistics_view(Statistics("player", [], []))
    assert plain_text(empty) == "No decision of the library answers to that."
    assert plain_text(errors_view(LargestErrors([], 0, 0.0))) == "0 errors, +0.000 in all"


def test_errors() -> None:
    text = plain_text(errors_view(LargestErrors([ERROR], 1, 0.125)), 200)
    assert text.splitlines() == [
        "1 error, -0.125 in all",
        "  1. -0.1250 (-1.00 %)  24/20, best 8/5 6/5; 2026-11-22, Ann against Bob, to 5, match 7, game 2",
        f"     {ERROR.xgid}",
        "     Themes: prime, run",
        "     Wins 3.0 % less.",
    ]
    money = error_lines(ERROR._replace(length=0, played=None, themes=(), explanation=""))
    assert money == [
        "-0.1250 (-0.010)  24/20, best 8/5 6/5; Ann against Bob, for money, match 7, game 2",
        ERROR.xgid,
    ]


def test_an_error_goes_on_below_its_first_word() -> None:
    error = ERROR._replace(explanation="It wins less. " * 9)
    _, *lines = plain_text(errors_view(LargestErrors([error] * 2, 2, 0.25)), 60).splitlines()
    assert len(lines) == 2 * (2 + 1 + 1 + 3)
    assert [at for at, line in enumerate(lines) if line[:5].strip()] == [0, 7]
    assert (lines[0][:5], lines[7][:5]) == ("  1. ", "  2. ")
    assert all(line[5] != " " for line in lines)
    assert f"     {ERROR.xgid}" in lines


def test_names_of_strangers_steer_no_terminal() -> None:
    bad = "\x1b]52;c;ZXZpbA==\x07"
    view = errors_view(
        LargestErrors([ERROR._replace(player=bad, explanation=bad, made=bad, xgid=bad)], 1, 0.1)
    )
    groups = statistics_view(Statistics("player", [GROUP._replace(name=bad)], [GROUP._replace(name=bad)]))
    for each in (view, groups):
        assert "\x1b" not in plain_text(each)
        assert "\x07" not in plain_text(each)


def test_who_came_to_no_end_has_won_nothing_that_is_known() -> None:
    text = plain_text(figures(GROUP, GROUP._replace(name="Bob", won=None)), 200)
    (row,) = (line.split() for line in text.splitlines() if line.startswith("  Bob "))
    assert row[-3:] == ["4", "-", "-0.250"]


def test_a_plot() -> None:
    pytest.importorskip("matplotlib")
    trend = [Trend(1, None, 5.0, 5.0), Trend(2, "2026-11-22", None, 5.0), Trend(3, None, 3.0, 4.0)]
    svg = trend_svg(trend)
    assert svg.startswith("<?xml")
    assert svg == trend_svg(trend)
    assert svg != trend_svg(trend[:2])
    assert "<svg" in trend_svg([])
