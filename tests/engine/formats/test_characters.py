"""Typographic characters as plain ones, texts cut for messages, contexts in words."""

import pytest

from gammon.formats.characters import plain, quoted, shortened
from gammon.formats.context import TOP, Context
from gammon.formats.words import cube_words, score_words, several


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("‐‑‒−﹣－", "------"),
        ("“a” ‘b’ «c» `d` 'e' \"f\"", " a   b   c   d   e   f "),
        ("\ufeffa\u200b\u200d\u2060\u00adb", "ab"),
        ("a\u00a0\u2009\u3000b", "a   b"),
        ("：＝／＋", ":=/+"),
        ("٣ ３ А Ａ é", "٣ ３ А Ａ é"),
    ],
)
def test_plain(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_a_long_dash_can_stand_for_two_hyphens() -> None:
    assert plain("-–—") == "---"
    assert plain("-–—", "--") == "-----"


def test_long_texts_are_cut_in_the_middle() -> None:
    assert shortened("x" * 72) == "x" * 72
    text = shortened("begin" + 1000 * "x" + "end")
    assert len(text) == 72
    assert (text[:5], text[-3:]) == ("begin", "end")
    assert "..." in text
    assert quoted("a\nb") == r"'a\nb'"


def test_cubes_and_scores() -> None:
    assert [several(count, "match", "es") for count in (0, 1, 2)] == [
        "0 matches", "1 match", "2 matches"
    ]  # fmt: skip
    assert cube_words(1, 0) == "centred cube"
    assert cube_words(2, 0) == "centred cube at 2"
    assert cube_words(4, TOP) == "O's cube at 4"
    assert score_words(Context(scores=(6, 2), length=7, crawford=True)) == (
        "X 6, O 2 in a match to 7, Crawford game"
    )
