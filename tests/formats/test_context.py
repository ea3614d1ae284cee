"""The context after a play, and the check of a field."""

import pytest

from gammon.errors import FormatError
from gammon.formats.context import BOTTOM, TOP, Context, check_scores, in_range


def test_after_a_play_the_other_side_is_on_roll_and_nothing_is_offered() -> None:
    cube = {"cube_log2": 2, "cube_owner": TOP, "scores": (3, 1), "length": 7, "crawford": True}
    before = Context(**cube, offer="D", resignation=2, to_decide=TOP)  # type: ignore[arg-type]
    after = before.after_play()
    assert after == Context(**cube, on_roll=TOP)  # type: ignore[arg-type]
    assert after.after_play().on_roll == BOTTOM


@pytest.mark.parametrize("value", [0, 3, 6])
def test_values_in_range_are_returned(value: int) -> None:
    assert in_range("text", "die", value, 0, 6) == value


@pytest.mark.parametrize("value", [-1, 7])
def test_values_out_of_range_are_refused(value: int) -> None:
    with pytest.raises(FormatError, match=f"'text': die {value}, expected 0 to 6"):
        in_range("text", "die", value, 0, 6)


def test_scores_end_with_the_match() -> None:
    for scores, length in (((7, 2), 7), ((30, 2), 0)):
        assert check_scores("text", scores, length) == scores
    with pytest.raises(
        FormatError, match="'text': score 8 in a match of 7, expected at most 7"
    ):
        check_scores("text", (2, 8), 7)
