"""GNU Backgammon's SGF and eXtreme Gammon's files: the same match as its .mat, and back."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from gammon.base.errors import FormatError
from gammon.formats.met_file import read_met
from gammon.rules.terms import Terms
from gammon_study.match_files.mat import format_mat, parse_mat
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.sgf import format_sgf, parse_sgf, stored_of
from gammon_study.match_files.transcript import ActionKind, StoredAnalysis
from tests.matches import HAND, MATCH5, MATCH5_SGF
from tests.study.reviews.stored import cube_choices, lucks, match5

# GNU Backgammon's SGF: the same match as its .mat, and back.

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
    ("RE[W+2];W[31hefe];B[double];W[drop])", "its result in the file is not the result by the rules"),
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
    ("(;GM[1];B[aa])", "expected GM[6]"),
    ("()", "expected GM[6]"),
    (ROOT + ";W[31hefe]", "the last game has no end"),
    (ROOT + "(;W[31hefe])", "a variation"),
    (ROOT + ";W[31hefe]%)", "is not SGF"),
    (ROOT + "])", "is not SGF"),
    (ROOT + ";[31hefe])", "'[31hefe]' is out of place"),
    (ROOT + ";W)", "line 1: W has no value"),
    (ROOT + ";DI;W[31hefe])", "DI has no value"),
    (ROOT + ")", "nothing else can be read"),
    (ROOT.replace("ws:0", "ws:x") + ";W[31hefe])", "expected whole numbers"),
    (ROOT.replace("ws:0", "ws:5") + ";W[31hefe])", "a score of 5"),
    (ROOT.replace("ws:0", "ws:-1") + ";W[31hefe])", "line 1: a score of -1"),
    (MONEY.replace("bs:0", "bs:32768") + ";W[31hefe])", "line 1: a score of 32768 for money"),
    (ROOT.replace("length:5", "length:500") + ";W[31hefe])", "a match of 500 points"),
    (
        ROOT.replace("Crawford]", "Crawford:NackGammon]") + ";W[31hefe])",
        "line 1: a match of 'NackGammon': only backgammon is read",
    ),
    (ROOT.replace("Crawford]", "Hypergammon3]") + ";W[31hefe])", "a match of 'Hypergammon3'"),
    (ROOT + ";W[31hefe])" + ROOT.replace("length:5", "length:7") + ")", "of another length"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_texts_that_are_no_match(text: str, words: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_sgf(text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


FIRST = "lnab E ver 3 0.498605 0.137005 0.007681 0.141408 0.006638 -0.008188 0C 0 1 0.000000 1"
SECOND = "accd E ver 3 0.495860 0.124797 0.005664 0.134831 0.004531 -0.022688 2 0 1 0.000000 1"
HEAD = "(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:5][game:0][ws:0][bs:0]PW[A]PB[B]"


def named(letters: str) -> str:
    if letters == "zzzz":
        raise FormatError("no play")
    return letters


def of(**values: list[str]) -> StoredAnalysis | None:
    return stored_of(values, Terms(), named)


def test_plays() -> None:
    found = of(A=["1", SECOND, FIRST])
    assert found is not None
    assert [(play.play, play.equity, play.level) for play in found.plays] == [
        ("lnab", -0.008188, "0-ply"),
        ("accd", -0.022688, "2-ply, cubeless"),
    ]
    assert found.plays[0].probabilities == (0.498605, 0.137005, 0.007681, 0.141408, 0.006638)
    assert (found.cube, found.luck) == (None, None)


def test_the_best_ones_and_the_one_that_was_made() -> None:
    plays = [SECOND.replace("accd", 2 * letter + 2 * letter) for letter in "abcdefghijklmn"]
    found = of(A=["12", *plays])
    assert found is not None
    assert [play.play for play in found.plays] == [4 * letter for letter in "abcdefghm"]


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"A": []},
        {"A": ["0"]},
        {"A": ["0", "lnab R ver 3 Eq 0.1"]},
        {"A": ["0", "lnab E"]},
        {"A": ["0", FIRST.replace("0.137005", "x")]},
        {"A": ["0", FIRST.replace("lnab", "zzzz")]},
        {"A": ["0", FIRST.replace("-0.008188", "nan")]},
        {"DA": []},
        {"DA": ["E ver 3 0C 1 0 1"]},
        {"DA": ["R ver 3 0C 1 0 1" + " 0.5" * 14]},
        {"LU": ["x"]},
        {"LU": []},
        {"BM": ["2"]},
    ],
)
def test_what_cannot_be_read_is_left_out(values: dict[str, list[str]]) -> None:
    assert of(**values) is None


@pytest.mark.parametrize("letters", ["lna{", "lnA1", "lné~", "lna", "lnabcdefgh"])
def test_a_play_whose_letters_are_none_is_left_out(letters: str) -> None:
    plays = [FIRST.replace("lnab", each) for each in (letters, "hefe")]
    text = f"{HEAD};W[31hefe]A[0][{plays[0]}][{plays[1]}])"
    (stored,) = parse_sgf(text).stored.values()
    assert [play.play for play in stored.plays] == ["8/5 6/5"]


def test_a_decision_about_the_cube_for_money() -> None:
    numbers = "0.6 0.2 0.01 0.1 0.005 0.36 0.44 0.6 0.2 0.01 0.1 0.005 0.36 0.45"
    found = of(DA=[f"E ver 3 2C 1 0.000000 1 {numbers}"], LU=["0.05"])
    assert found is not None
    assert found.cube == (0.44, 0.45, "2-ply", (0.6, 0.2, 0.01, 0.1, 0.005))
    assert found.luck == 0.05


@pytest.mark.parametrize(
    ("old", "new", "plays", "luck"),
    [
        ("-0.008188", "1e308", ["24/21"], -0.1),
        ("-0.008188", "-101", ["24/21"], -0.1),
        ("0.498605", "7.5", ["24/21"], -0.1),
        ("0.498605", "-0.5", ["24/21"], -0.1),
        ("0.498605", "1.0004", ["24/23 13/11", "24/21"], -0.1),
        ("LU[-0.1]", "LU[1e308]", ["24/23 13/11", "24/21"], None),
        ("-0.008188", "25.0", ["24/23 13/11", "24/21"], -0.1),
    ],
)
def test_numbers_that_cannot_be_are_left_out(
    old: str, new: str, plays: list[str], luck: float | None
) -> None:
    text = f"{HEAD};B[21lnab]A[0][{FIRST}][{SECOND}]LU[-0.1])"
    assert old in text
    (found,) = parse_sgf(text.replace(old, new)).stored.values()
    assert ([play.play for play in found.plays], found.luck) == (plays, luck)


@pytest.mark.parametrize("number", ["1e308", "-5e5"])
def test_so_it_is_for_the_cube(number: str) -> None:
    """Also where nothing else is stored: then nobody is said to have analyzed it."""
    numbers = "0.6 0.2 0.01 0.1 0.005 0.36 0.44 0.6 0.2 0.01 0.1 0.005 0.36 0.45"
    text = f"{HEAD};B[21lnab];W[31hefe]DA[E ver 3 2C 1 0.000000 1 {numbers}])"
    for given in ("0.44", "0.45"):
        match = parse_sgf(text.replace(given, number))
        assert (match.stored, match.stored_by) == ({}, "")
    assert parse_sgf(text).stored_by == "GNU Backgammon 1.07.001"


def test_a_program_that_is_not_named() -> None:
    text = f"{HEAD};B[21lnab]A[0][{FIRST}])".replace("AP[GNU Backgammon:1.07.001]", "")
    assert parse_sgf(text).stored_by == "another program"


def test_all_of_a_match() -> None:
    """Read by another, plain reader of the file: chances to win the match are EMG."""
    match = match5()
    cubes = {(choice.game, choice.action): choice.values for choice in cube_choices()}
    said = {place: each.cube for place, each in match.stored.items() if each.cube}
    assert said.keys() == cubes.keys()
    for place, values in cubes.items():
        assert values is not None
        assert said[place][:2] == pytest.approx(values[:2])
    luck = {(each.game, each.action): each.equity for each in lucks()}
    assert luck == {p: each.luck for p, each in match.stored.items() if each.luck is not None}
    assert read_met().mwc(5, 5) == 0.5


def test_plays_in_a_file() -> None:
    """Letters are points of W; a play that is not legal here is left out."""
    text = f"{HEAD};B[21lnab]A[0][{FIRST}][{SECOND}][{SECOND.replace('accd', 'bbcc')}]LU[-0.1])"
    match = parse_sgf(text)
    assert match.warnings == ("line 1: game 1 has no end",)
    (found,) = match.stored.values()
    assert [play.play for play in found.plays] == ["24/23 13/11", "24/21"]
    assert [*match.stored] == [(0, 0)]
    assert match.stored_by == "GNU Backgammon 1.07.001"
    assert match == parse_sgf(re.sub(r"A\[0\].*", ")", text)), "an analysis is not a part of it"
