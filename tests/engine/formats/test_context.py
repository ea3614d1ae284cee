"""The context after a play, and the check of a field."""

from dataclasses import replace

import pytest

from gammon.base.errors import FormatError, SettingError
from gammon.formats.context import BOTTOM, TOP, Context, checked, in_range
from gammon.rules.terms import Terms


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


MATCH = Context(length=7, scores=(4, 1))


@pytest.mark.parametrize(
    ("context", "terms"),
    [
        (Context(), Terms()),
        (Context(scores=(30, 2), jacoby=True, beavers=True), Terms(jacoby=True, beavers=True)),
        (Context(cube_log2=3, cube_owner=TOP), Terms(cube=8, owner=-1)),
        (Context(cube_log2=3, cube_owner=TOP, on_roll=TOP), Terms(cube=8, owner=1)),
        (Context(cube_log2=1, max_cube_log2=1), Terms(cube=2, live=False)),
        (Context(crawford=True), Terms()),
        (MATCH, Terms(7, (3, 6))),
        (replace(MATCH, on_roll=TOP), Terms(7, (6, 3))),
        (replace(MATCH, on_roll=TOP, cube_log2=1, cube_owner=BOTTOM),
         Terms(7, (6, 3), cube=2, owner=-1)),
        (replace(MATCH, jacoby=True, beavers=True), Terms(7, (3, 6))),
        (replace(MATCH, scores=(6, 2), crawford=True), Terms(7, (1, 5), crawford=True)),
        (replace(MATCH, scores=(6, 2)), Terms(7, (1, 5))),
        (replace(MATCH, scores=(6, 6), crawford=True), Terms(7, (1, 1))),
        (replace(MATCH, offer="D", to_decide=TOP), Terms(7, (3, 6))),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_at_stake(context: Context, terms: Terms) -> None:
    assert context.terms() == terms
    theirs = replace(context, on_roll=-context.on_roll)
    assert theirs.terms() == terms.turned()


@pytest.mark.parametrize(
    ("context", "words"),
    [
        (Context(length=65), "match length 65"),
        (Context(cube_log2=7, cube_owner=TOP), "cube 128: expected 1, 2, 4, ... 64"),
        (Context(cube_owner=TOP), "cube owner -1: expected 0, since nobody owns a cube at 1"),
        (replace(MATCH, cube_log2=1, offer="D"), "cube owner 0: expected 1 or -1"),
        (replace(MATCH, scores=(6, 2), crawford=True, cube_log2=1, cube_owner=TOP),
         "cube 2 in the Crawford game"),
        (replace(MATCH, scores=(5, 2), crawford=True), "Crawford game at 2-away 5-away"),
        (replace(MATCH, scores=(9, 2)), "away (-2, 5)"),
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_at_stake(context: Context, words: str) -> None:
    with pytest.raises(SettingError) as caught:
        context.terms()
    assert words in str(caught.value)
