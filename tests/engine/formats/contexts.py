"""Contexts out of thin air, and what a refusal must say."""

from collections.abc import Callable

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from gammon.base.errors import GammonError
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.gnubg_id import Dice

SEATS = st.sampled_from((BOTTOM, TOP))
DICE = st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6))
MOST_POINTS = 2**15 - 1
LENGTH = st.just(0) | st.integers(0, MOST_POINTS)


def scores(length: int) -> st.SearchStrategy[tuple[int, int]]:
    """Any scores before the end of a match of this length; any at all for money."""
    score = st.integers(0, length - 1 if length else MOST_POINTS)
    near = st.just(length - 1) if length else score
    return st.tuples(score, score) | st.tuples(near, score) | st.tuples(score, near)


def can_be(context: Context) -> bool:
    """Whether the parsers do not refuse the game."""
    if not context.length:
        return True
    if context.crawford and context.length - max(context.scores) != 1:
        return False
    return bool(context.cube_owner or context.offer) or not context.cube_log2


@st.composite
def gnu_contexts(draw: st.DrawFn) -> Context:
    """Any context that a Match ID can hold."""
    on_roll, length = draw(SEATS), draw(LENGTH)
    context = Context(
        cube_log2=draw(st.integers(0, 15)),
        cube_owner=draw(st.sampled_from((BOTTOM, TOP, 0))),
        on_roll=on_roll,
        scores=draw(scores(length)),
        length=length,
        crawford=draw(st.booleans()),
        jacoby=draw(st.booleans()),
        offer=draw(st.sampled_from(("", "D"))),
        resignation=draw(st.integers(0, 3)),
        to_decide=draw(st.sampled_from((0, -on_roll))),
        game_state=draw(st.integers(0, 7)),
        reserved=draw(st.integers(0, 31)),
    )
    assume(can_be(context))
    return context


@st.composite
def xg_contexts(draw: st.DrawFn) -> tuple[Context, Dice]:
    """Any context and dice that an XGID can hold."""
    on_roll, length = draw(SEATS), draw(LENGTH)
    offer = draw(st.sampled_from(("", "", "D", "B", "R")))
    context = Context(
        cube_log2=draw(st.integers(0, 15)),
        cube_owner=draw(st.sampled_from((BOTTOM, TOP, 0))),
        on_roll=on_roll,
        scores=draw(scores(length)),
        length=length,
        crawford=bool(length) and draw(st.booleans()),
        jacoby=not length and draw(st.booleans()),
        beavers=not length and draw(st.booleans()),
        max_cube_log2=draw(st.integers(0, 15)),
        offer=offer,
        to_decide=-on_roll if offer else 0,
    )
    assume(can_be(context))
    return context, None if offer else draw(DICE)


def assert_refused(read: Callable[[str], object], text: str, error: type[GammonError], words: str) -> None:
    """Check that a reader refuses a text in one line that quotes it."""
    with pytest.raises(error) as caught:
        read(text)
    message = str(caught.value)
    assert words in message
    assert "\n" not in message
    assert text.rsplit(":", maxsplit=1)[-1] in message, "the message must quote the input"
