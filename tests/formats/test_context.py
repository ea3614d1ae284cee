"""The context after a play, and the check of a field."""

import pytest

from gammon.errors import FormatError
from gammon.formats.context import BOTTOM, TOP, Context, checked, in_range


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


@pytest.mark.parametrize(
    "context",
    [
        Context(scores=(30, 2)), Context(scores=(6, 6), length=7),
        Context(scores=(6, 2), length=7, crawford=True),
        Context(scores=(2, 6), length=7, crawford=True), Context(length=1, crawford=True),
        Context(crawford=True),  # for money, a Match ID's flag says nothing
        Context(cube_log2=1),  # an automatic double
        Context(length=7, cube_log2=1, cube_owner=TOP),
        Context(length=7, cube_log2=1, offer="D"),
    ],
    ids=str,
)  # fmt: skip
def test_games_that_can_be(context: Context) -> None:
    assert checked("text", context) is context


@pytest.mark.parametrize(
    ("context", "words"),
    [
        (Context(scores=(2, 8), length=7), "score 8 in a match of 7, expected at most 6"),
        (Context(scores=(7, 2), length=7), "score 7 in a match of 7, which is over"),
        (Context(scores=(5, 2), length=7, crawford=True),
         "Crawford game at 5 to 2 in a match of 7, expected a score of 6"),
        (Context(length=7, cube_log2=1), "centred cube at 2 in a match, expected an owner"),
    ],
    ids=str,
)  # fmt: skip
def test_games_that_cannot_be(context: Context, words: str) -> None:
    with pytest.raises(FormatError, match=f"'text': {words}"):
        checked("text", context)
