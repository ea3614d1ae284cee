"""A context in words."""

from gammon.formats.context import TOP, Context
from gammon.formats.words import cube_words, score_words


def test_cubes_and_scores() -> None:
    assert cube_words(1, 0) == "centred cube"
    assert cube_words(2, 0) == "centred cube at 2"
    assert cube_words(4, TOP) == "O's cube at 4"
    assert score_words(Context(scores=(6, 2), length=7, crawford=True)) == (
        "X 6, O 2 in a match to 7, Crawford game"
    )
