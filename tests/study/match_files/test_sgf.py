"""GNU Backgammon's SGF: the same match as its .mat, and back."""

from dataclasses import replace
from pathlib import Path

import pytest

from gammon.base.errors import FormatError
from gammon_study.match_files.mat import format_mat, parse_mat
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.sgf import format_sgf, parse_sgf
from gammon_study.match_files.transcript import ActionKind
from tests.matches import HAND, MATCH5, MATCH5_SGF

ROOT = "(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]"
MONEY = ROOT.replace("length:5", "length:0")


@pytest.mark.smoke
def test_the_same_match_in_both_formats() -> None:
    mat, sgf = read_transcript(MATCH5), read_transcript(MATCH5_SGF)
    assert mat == sgf
    assert sgf.warnings == ()
    assert sgf.stored_by == "GNU Backgammon 1.07.001"
    for ours, theirs in zip(mat.games, sgf.games, strict=True):
        pairs = zip(ours.moments(), theirs.moments(), strict=True)
        assert all(a.position.xgid == b.position.xgid for a, b in pairs)


@pytest.mark.parametrize("path", [MATCH5, HAND], ids=["match5", "hand"])
def test_nothing_is_lost_on_the_way_and_back(path: Path) -> None:
    match = read_transcript(path)
    there = parse_sgf(format_sgf(match))
    assert format_mat(parse_mat(format_mat(there))) == format_mat(match)
    assert (there, there.warnings) == (match, ())


def test_rules_and_odd_names() -> None:
    text = r"(;GM[6]MI[length:0][ws:3][bs:1]PW[A\]\\B]PB[]RU[Jacoby]GC[[Elo Ann \"1600\"\]"
    match = parse_sgf(text.replace(r"\"", '"') + "\nnice];W[31hefe])")
    assert match.players == ("A]\\B", "player 2")
    assert match.games[0].score.jacoby
    assert match.games[0].score.points == (3, 1)
    assert match.details == (("Elo Ann", "1600"), ("Comment", "nice"))
    assert parse_sgf(format_sgf(match)) == match


REPAIRED = [
    (";W[31hefe];W[42hdfd])", "line 1: W[42hdfd]: the other side is to act"),
    (";W[31hefe];B[42hdfd])", "is not a legal play of 42"),
    (";W[31hefe];B[trible])", "B[trible] is not understood"),
    (";W[31hefe];AE[a:z])", "a position that was set up"),
    (";W[31hefe];PL[B])", "a position that was set up"),
    (";W[31hefe];PL[]DI[65])", "a position that was set up"),
    (";W[31hefe];PL[B]DI[65]AE[a:z])", "a position that was set up"),
    (";W[31hefe];PL[B]DI[65])", "line 1: the play of 65 is not recorded; the rest of game 1"),
    (";W[31hefe];PL[W]DI[65])", "the other side is to act"),
    (";W[31hefe];B[65])", "the play of 65 is not recorded"),
    (";W[31hefe])", "game 1 has no end"),
    ("RE[W+5R];W[31hefe])", "a resignation of 5"),
    (
        "RE[W+2];W[31hefe];B[double];W[drop])",
        "its result in the file is not what the rules say",
    ),
]


@pytest.mark.parametrize(("nodes", "words"), REPAIRED)
def test_repairs_are_told(nodes: str, words: str) -> None:
    match = parse_sgf(ROOT + nodes)
    assert any(words in warning for warning in match.warnings), match.warnings
    assert len(match.games[0].actions) >= 1


def test_a_roll_without_its_play_is_read_as_in_a_text() -> None:
    """GNU Backgammon ends so a game that was resigned, or saved, after the roll."""
    sgf = parse_sgf(f"{ROOT}RE[W+1R];W[31hefe];PL[B]DI[65])")
    head = " 5 point match\n\n Game 1\n Ann : 0            Bob : 0\n"
    mat = parse_mat(f"{head}1) 31: 8/5 6/5                  65: \n      Wins 1 point\n")
    assert (sgf.games, len(sgf.games[0].actions)) == (mat.games, 1)
    (one,), (other,) = sgf.warnings, mat.warnings
    assert one.partition(": ")[2] == other.partition(": ")[2]


def test_the_only_play_of_a_roll_need_not_be_told() -> None:
    match = read_transcript(HAND)
    first = match.games[0]
    assert (first.actions[9].kind, first.actions[9].moves) == (ActionKind.ROLL, ())
    game = replace(first, actions=first.actions[:9], winner=None, points=0)
    text = format_sgf(replace(match, games=(game,))).rstrip().removesuffix(")")
    (one, two), color = first.actions[9].dice or (0, 0), "WB"[first.actions[9].side]
    for roll in (f"{color}[{one}{two}]", f"PL[{color}]DI[{one}{two}]"):
        assert parse_sgf(f"{text};{roll})").games[0].actions == first.actions[:10]


REFUSED = [
    ("(;GM[1];B[aa])", "expected GM[6]"), ("()", "expected GM[6]"),
    (ROOT + ";W[31hefe]", "the last game has no end"),
    (ROOT + "(;W[31hefe])", "a variation"),
    (ROOT + ";W[31hefe]%)", "is not SGF"),
    (ROOT + "])", "is not SGF"),
    (ROOT + ";[31hefe])", "'[31hefe]' is out of place"),
    (ROOT + ";W)", "line 1: W has no value"), (ROOT + ";DI;W[31hefe])", "DI has no value"),
    (ROOT + ")", "nothing else can be read"),
    (ROOT.replace("ws:0", "ws:x") + ";W[31hefe])", "expected whole numbers"),
    (ROOT.replace("ws:0", "ws:5") + ";W[31hefe])", "a score of 5"),
    (ROOT.replace("ws:0", "ws:-1") + ";W[31hefe])", "line 1: a score of -1"),
    (MONEY.replace("bs:0", "bs:32768") + ";W[31hefe])", "line 1: a score of 32768 for money"),
    (ROOT.replace("length:5", "length:500") + ";W[31hefe])", "a match of 500 points"),
    (ROOT.replace("Crawford]", "Crawford:NackGammon]") + ";W[31hefe])",
     "line 1: a match of 'NackGammon': only backgammon is read"),
    (ROOT.replace("Crawford]", "Hypergammon3]") + ";W[31hefe])", "a match of 'Hypergammon3'"),
    (ROOT + ";W[31hefe])" + ROOT.replace("length:5", "length:7") + ")", "of another length"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_texts_that_are_no_match(text: str, words: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_sgf(text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
