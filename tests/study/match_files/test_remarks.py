"""Comments and marks of match files: read, written, and read again."""

import re
import struct
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gammon.base.errors import FormatError
from gammon_study.match_files.mat import format_mat, parse_mat
from gammon_study.match_files.match_file import parse_transcript, read_transcript
from gammon_study.match_files.sgf import format_sgf, parse_sgf
from gammon_study.match_files.transcript import MARKS, ActionKind, Remark, Transcript
from gammon_study.match_files.xg import _comments
from gammon_study.reviews.review import review
from tests.damage import damages
from tests.matches import HAND, MATCH5_SGF, SAMPLE_XG
from tests.study.match_files.test_match_file import assert_nothing_wrong

#: The size of the picture in the sample, and of a record.
_PICTURE, _RECORD = 12204, 2560
RTF = (
    rb"{\rtf1\ansi{\fonttbl{\f0\fnil Tahoma;}}{\*\generator Riched20;}\viewkind4\pard\f0\fs16 "
    rb"Caf\'E9 \u8364? and \{x\}\par a\\b\par }"
)
COMMENTS = b"two\x01\x02lines\r\n" + RTF + b"\r\n[third]: 1) ; x"


def with_comments(comments: bytes, places: dict[int, int], flagged: int, plain: bool = False) -> bytes:
    """Return the sample with comments, as its maker's description of the format has them.

    Args:
        comments: the file of comments.
        places: the numbers of comments by the numbers of records.
        flagged: the number of a record that is flagged.
        plain: whether the file of comments is not compressed.
    """
    data = SAMPLE_XG.read_bytes()
    begin = 8232 + _PICTURE
    records = bytearray(zlib.decompressobj().decompress(data[begin:]))
    for number, comment in places.items():
        place = {1: 56, 2: 292, 3: 2524}[records[number * _RECORD + 8]]
        struct.pack_into("<i", records, number * _RECORD + place, comment)
    records[flagged * _RECORD + {2: 288, 3: 2520}[records[flagged * _RECORD + 8]]] = 1
    body = entries = b""
    for name, content, raw in ((b"temp.xg", bytes(records), False), (b"temp.xgc", comments, plain)):
        part = content if raw else zlib.compress(content)
        sizes = struct.pack("<4I4B", len(content), len(part), len(body), zlib.crc32(content), raw, 2, 0, 0)
        entries += bytes([len(name)]) + name.ljust(511, b"\0") + sizes
        body += part
    listed = zlib.compress(entries)
    return data[:begin] + body + listed + struct.pack("<6I12x", 0, 2, 1, len(listed), len(body), 1)


@pytest.mark.parametrize("plain", [False, True])
def test_comments_of_extreme_gammon_stay_with_their_actions(plain: bool) -> None:
    match = parse_transcript(with_comments(COMMENTS, {1: 2, 3: 0, 4: 1, 5: 1}, 3, plain))
    written_as = "Café € and {x}\na\\b"
    assert match.remarks == {
        (0, 0): Remark("[third]: 1) ; x\ntwo\nlines", "flagged"),
        (0, 1): Remark(f"{written_as}\n{written_as}"),  # of the cube and of the roll
    }
    assert match == read_transcript(SAMPLE_XG)
    assert not read_transcript(SAMPLE_XG).remarks
    text = format_sgf(match)
    assert parse_sgf(text).remarks == match.remarks
    assert parse_mat(format_mat(match)).remarks == match.remarks


@pytest.mark.parametrize("times", [200, pytest.param(10_000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("written", [format_mat, format_sgf])
def test_a_damaged_file_with_remarks_is_refused_or_told(
    written: Callable[[Transcript], str], times: int
) -> None:
    """A bit of a remark changes this remark alone, or a warning tells it; nothing ends in another error."""
    match = read_transcript(HAND)
    actions = [(n, k) for n, game in enumerate(match.games) for k in range(len(game.actions))]
    remarks = {place: Remark(f"text {n}", "bad" if n % 2 else "") for n, place in enumerate(actions[::5])}
    data = written(replace(match, remarks=remarks)).encode()
    of_remarks = set[int]()
    for found in re.finditer(rb"^; [^\[].*|C\[[^]]*\]|BM\[\d\]", data, re.MULTILINE):
        of_remarks.update(range(*found.span()))
    results = Counter[str]()
    for damage in damages(data, times):
        try:
            again = parse_transcript(damage.data)
        except FormatError as error:
            assert "\n" not in str(error)
            results["refused"] += 1
            continue
        results["told" if again.warnings else "silent"] += 1
        if not again.warnings and damage.flipped and damage.place in of_remarks:
            assert_nothing_wrong(again, match)  # but perhaps the last action of a game
            different = dict(again.remarks.items() ^ remarks.items())
            assert len(different) <= 2  # a remark, or one that went to another action
    assert min(results["refused"], results["told"], results["silent"]) > 0


@pytest.mark.parametrize("times", [500, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_a_damaged_archive_has_the_right_comments_or_none(times: int) -> None:
    archive = with_comments(COMMENTS, {}, 3)[8232 + _PICTURE :]
    right = _comments(archive)
    assert right
    assert len(right) == 3
    for damage in damages(archive[-500:], times):
        assert _comments(archive[:-500] + damage.data) in (right, [], None)


def test_comments_that_are_damaged_are_told() -> None:
    data = with_comments(COMMENTS, {3: 0}, 3)
    whole, sizes = parse_transcript(data), Counter[bool]()
    for end in range(14, 200, 3):
        match = parse_transcript(data[:-end] + bytes(end))
        assert match == whole
        same = match.remarks == whole.remarks
        assert same or (match.remarks == {(0, 0): Remark("", "flagged")} and len(match.warnings) == 1)
        sizes[same] += 1
    assert sizes[False] > 50, sizes
    assert len(parse_transcript(with_comments(COMMENTS, {3: 7}, 3)).warnings) == 1
    assert not parse_transcript(with_comments(COMMENTS, {3: -7}, 3)).warnings


@pytest.mark.parametrize("path", [HAND, MATCH5_SGF])
def test_each_mark_and_text_is_read_as_it_was_written(path: Path) -> None:
    match = read_transcript(path)
    texts = [
        "a",
        "",
        "61: x Game 1 \\",
        "two\nlines",
        "]\\[:;)(",
        '[Site "x"]',
        "; x",
        "Set Pos",
        "é" * 10_000,
    ]
    remarks, marks = {}, ["", *MARKS]
    for number, game in enumerate(match.games):
        for place, action in enumerate(game.actions):
            remark = Remark(texts[(place + number) % len(texts)], marks[place % len(marks)])
            if any(remark) and action.kind is not ActionKind.RESIGN:
                remarks[number, place] = remark
    assert len(remarks) > 30
    marked = replace(match, remarks=remarks)
    for written, parse in ((format_sgf(marked), parse_sgf), (format_mat(marked), parse_mat)):
        again = parse(written)
        assert (again, again.remarks, again.warnings) == (match, remarks, ())


def test_comments_of_people() -> None:
    """A comment without a name is about the last cell; of one at the beginning the first action."""
    names = read_transcript(HAND).players
    text = HAND.read_text()
    head, game, rest = text.partition("Game 1")
    names_line, first, second, *more = rest.splitlines()[1:]
    lines = [head + game, names_line, "; before", first, "# last", f"; {names[1]}: second", second, *more]
    remarks = parse_mat("\n".join(lines)).remarks
    assert remarks[0, 0].text == "before"
    assert remarks[0, len(remarks) - 1].text == "last\nsecond"
    assert parse_mat("\n".join(lines)) == read_transcript(HAND)


def test_gnu_backgammon_marks_its_errors() -> None:
    """Its marks of errors follow from its thresholds, 0.03, 0.06 and 0.12, which are ours."""
    match = read_transcript(MATCH5_SGF)
    assert {remark.mark for remark in match.remarks.values()} == {"doubtful", "bad", "very bad"}


def test_milder_values_of_a_mark() -> None:
    game = "(;GM[6]MI[length:1]PW[A]PB[B];B[21lnab]{};W[31hefe])"
    for text, mark in (("BM[1]", "bad"), ("BM[]", "bad"), ("TE[2]", "very good"), ("DO[]IT[]", "doubtful")):
        assert parse_sgf(game.format(text)).remarks == {(0, 0): Remark("", mark)}
    assert not parse_sgf(game.format("C[  ]")).remarks


def test_a_review_shows_remarks() -> None:
    match = read_transcript(HAND)
    plain = review(match, depth=1)
    worst = plain.worst(most=1)[0]
    remarks = {(worst.game, worst.action): Remark("too\ngreedy", "bad")}
    shown = str(review(replace(match, remarks=remarks), depth=1))
    assert "Remark: [bad] too greedy" in shown
    assert "Remarks in the file" in shown
    assert "Remark" not in str(plain)
    assert str(plain) in shown or len(shown) > len(str(plain))
