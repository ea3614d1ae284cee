"""The reference decisions."""

from collections import Counter
from pathlib import Path

import pytest

from gammon.base.errors import FormatError
from gammon.rules.board import PHASES
from gammon_study.library import reference
from gammon_study.library.reference import reference_decisions, reference_text
from tests.damage import damages


def test_reference_file():
    decisions = reference_decisions()
    counts = Counter(each.phase for each in decisions)
    assert counts == dict(zip(PHASES, (1430, 360, 360, 60), strict=True))
    assert all(len(each.equities) > 1 for each in decisions)
    assert sum(each.trials > 0 for each in decisions) == 398
    assert all(-3.1 <= value <= 3.1 for each in decisions for value in each.equities.values())


def test_a_written_file_is_read_again(tmp_path: Path):
    path = tmp_path / "reference.csv"
    some = [each._replace(trials=36 * n) for n, each in enumerate(reference_decisions()[::300])]
    path.write_text(reference_text(some))
    for found, expected in zip(reference_decisions(path), some, strict=True):
        assert found._replace(equities={}) == expected._replace(equities={})
        assert found.equities == pytest.approx(expected.equities)


HEAD = b"position,dice,equities,trials\n"
OPENING = b"4HPwATDgc/ABMA,31,%b,36\n" % b" ".join([b"0"] * 16)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "cannot be read"), (b"", "is empty"), (HEAD, "is empty"),
        (b"\xff\xfe", "cannot be read"), (HEAD + b"\0\n", "damaged in line 2|cannot be read"),
        (b"a,b,c\n1,2,3\n", "damaged in line 2"), (HEAD + b"4HPwATDgc/ABMA\n", "line 2"),
        (HEAD + OPENING.replace(b"31", b""), "line 2"),
        (HEAD + OPENING.replace(b"31", b"3"), "line 2"),
        (HEAD + OPENING.replace(b"31", b"71"), "line 2"),
        (HEAD + OPENING.replace(b"31", b"xy"), "line 2"),
        (HEAD + OPENING + OPENING.replace(b" 0,", b","), "line 3"),
        (HEAD + OPENING.replace(b" 0,", b" 40000,"), "line 2"),
        (HEAD + OPENING.replace(b" 0,", b" 1e3,"), "line 2"),
        (HEAD + OPENING.replace(b" 0,", b" %b," % (b"9" * 5000)), "line 2"),
        (HEAD + OPENING.replace(b",36", b""), "line 2"),
        (HEAD + OPENING.replace(b",36", b",-36"), "line 2"),
        (HEAD + OPENING.replace(b",36", b",x"), "line 2"),
        (HEAD + OPENING.replace(b"4HPw", b"4HP\xc3\xa4"), "line 2"),
        (HEAD + b"A" * 200_000 + b"\n", "cannot be read"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_told_in_one_line(tmp_path: Path, data: bytes | None, words: str):
    path = tmp_path / "reference.csv"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(FormatError, match=words) as caught:
        reference_decisions(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_flipped_bits_and_cuts_are_noticed_or_another_equity(tmp_path: Path):
    whole = b"".join(reference._FILE.read_bytes().splitlines(keepends=True)[:20])
    path = tmp_path / "reference.csv"
    for damaged in damages(whole, 100):
        path.write_bytes(damaged.data)
        reference_decisions.cache_clear()
        try:
            reference_decisions(path)
        except FormatError as error:
            assert "\n" not in str(error)
