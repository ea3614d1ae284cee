"""GNU Backgammon's SGF: the same match as its .mat, and back."""

from pathlib import Path

import pytest

from gammon.base.errors import FormatError
from gammon.formats.mat import format_mat, parse_mat
from gammon.formats.match_file import read_transcript
from gammon.formats.sgf import format_sgf, parse_sgf
from tests.matches import HAND, MATCH5, MATCH5_SGF

ROOT = "(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]"


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
    (ROOT.replace("length:5", "length:500") + ";W[31hefe])", "a match of 500 points"),
    (ROOT + ";W[31hefe])" + ROOT.replace("length:5", "length:7") + ")", "of another length"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_texts_that_are_no_match(text: str, words: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_sgf(text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
