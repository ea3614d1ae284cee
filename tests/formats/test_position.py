"""Position IDs, Match IDs and XGIDs: golden vectors, round trips, and what is refused."""

import csv
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.errors import FormatError, GammonError, IllegalPositionError
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.match_id import Dice, format_match_id, parse_match_id
from gammon.formats.position import Position
from gammon.formats.position_id import (
    format_position_id,
    format_position_ids,
    parse_position_id,
)
from gammon.formats.xgid import format_xgid, parse_xgid
from gammon.rules.board import OPENING, Points
from tests.conftest import GOLDEN, positions

with (GOLDEN / "formats.csv").open() as file:
    VECTORS = [tuple(row.values()) for row in csv.DictReader(file)]

SEATS = st.sampled_from((BOTTOM, TOP))
DICE = st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6))
SCORE = st.integers(0, 2**15 - 1)


@st.composite
def gnu_contexts(draw: st.DrawFn) -> Context:
    """Any context that a Match ID can hold."""
    on_roll = draw(SEATS)
    return Context(
        cube_log2=draw(st.integers(0, 15)),
        cube_owner=draw(st.sampled_from((BOTTOM, TOP, 0))),
        on_roll=on_roll,
        scores=(draw(SCORE), draw(SCORE)),
        length=draw(SCORE),
        crawford=draw(st.booleans()),
        jacoby=draw(st.booleans()),
        offer=draw(st.sampled_from(("", "D"))),
        resignation=draw(st.integers(0, 3)),
        to_decide=draw(st.sampled_from((0, -on_roll))),
        game_state=draw(st.integers(0, 7)),
        reserved=draw(st.integers(0, 31)),
    )


@st.composite
def xg_contexts(draw: st.DrawFn) -> tuple[Context, Dice]:
    """Any context and dice that an XGID can hold."""
    on_roll, length = draw(SEATS), draw(st.just(0) | SCORE)
    offer = draw(st.sampled_from(("", "", "D", "B", "R")))
    context = Context(
        cube_log2=draw(st.integers(0, 15)),
        cube_owner=draw(st.sampled_from((BOTTOM, TOP, 0))),
        on_roll=on_roll,
        scores=(draw(SCORE), draw(SCORE)),
        length=length,
        crawford=bool(length) and draw(st.booleans()),
        jacoby=not length and draw(st.booleans()),
        beavers=not length and draw(st.booleans()),
        max_cube_log2=draw(st.integers(0, 15)),
        offer=offer,
        to_decide=-on_roll if offer else 0,
    )
    return context, None if offer else draw(DICE)


@pytest.mark.smoke
@pytest.mark.parametrize(("xgid", "position_id", "match_id"), VECTORS)
def test_vectors_of_gnu_backgammon(xgid: str, position_id: str, match_id: str) -> None:
    for text in (xgid, "XGID=" + xgid, f"  xgid={xgid}\n"):
        position = Position.parse(text)
        assert position.xgid == "XGID=" + xgid
        assert position.position_id == position_id
        assert position.match_id == match_id
    both = Position.parse(f"{position_id}:{match_id}")
    assert (both.position_id, both.match_id) == (position_id, match_id)
    assert (both.points, both.dice) == (position.points, position.dice)
    # An XGID also knows of beavers and of the highest cube.
    assert replace(both.context, beavers=position.context.beavers) == position.context
    labelled = f"GNU Backgammon  Position ID: {position_id}\n  Match ID   : {match_id}"
    assert Position.parse(labelled) == both
    assert Position.parse(position_id).points == both.points


@given(positions())
def test_position_id_round_trip(points: Points) -> None:
    text = format_position_id(points)
    assert format_position_ids([OPENING, points]) == [format_position_id(OPENING), text]
    assert len(text) == 14
    assert parse_position_id(text) == points


@given(gnu_contexts(), DICE)
def test_match_id_round_trip(context: Context, dice: Dice) -> None:
    text = format_match_id(context, dice)
    assert len(text) == 12
    assert parse_match_id(text) == (context, dice)


@given(st.integers(0, 2**72 - 1))
def test_no_bit_of_a_match_id_is_lost(bits: int) -> None:
    import base64

    text = base64.b64encode(bits.to_bytes(9, "little")).decode()
    try:
        context, dice = parse_match_id(text)
    except FormatError:
        return
    assert format_match_id(context, dice) == text


@given(positions(), xg_contexts())
def test_xgid_round_trip(points: Points, rest: tuple[Context, Dice]) -> None:
    text = format_xgid(points, *rest)
    assert parse_xgid(text) == (points, *rest)
    assert Position.parse(text).xgid == text


def test_the_top_player_on_roll_sees_the_board_from_above() -> None:
    bottom = Position.parse("-b--B-C-CA-AdC-a-c-e-A--A-:0:0:1:62:0:0:0:0:10")
    top = Position.parse("-b--B-C-CA-AdC-a-c-e-A--A-:0:0:-1:62:0:0:0:0:10")
    assert top.points == bottom.flipped().points
    assert top.xgid.split(":")[0] == bottom.xgid.split(":")[0]
    assert bottom.flipped().context.on_roll == TOP
    assert bottom.flipped().dice is None


def test_bare_position_id_is_money_before_the_roll() -> None:
    position = Position.parse("4HPwATDgc/ABMA")
    assert position == Position.opening()
    assert position.points == OPENING
    assert position.dice is None
    assert position.pips == (167, 167)
    assert position.off == (0, 0)
    assert not position.is_over


REFUSED = [
    ("", FormatError, "expected a Position ID"),
    ("4HPwATDgc/ABM", FormatError, "14 characters, found 13"),
    ("4HPwATDgc/ABMAA", FormatError, "14 characters, found 15"),
    ("4HPwATDgc/AB!A", FormatError, "A-Z, a-z"),
    ("4HPwATDgc/ABMA:cIkKAAAAAAA", FormatError, "12 characters, found 11"),
    ("4HPwATDgc/ABMA:cIk?AAAAAAAE", FormatError, "A-Z, a-z"),
    ("one two three", FormatError, "expected a Position ID"),
    ("//////////////", GammonError, "//////////////"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0", FormatError, "10 fields"),
    ("XGID=-b----E-C---eE---c-e----B:0:0:1:52:0:0:0:0:10", FormatError, "26 characters"),
    ("XGID=-b----E-C---eE---c-e----B?:0:0:1:52:0:0:0:0:10", FormatError, "'?'"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:70:0:0:0:0:10", FormatError, "'70'"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:0:52:0:0:0:0:10", FormatError, "turn 0"),
    ("XGID=-b----E-C---eE---c-e----B-:x:0:1:52:0:0:0:0:10", FormatError, "cube 'x'"),
    ("XGID=-b----E-C---eE---c-e----B-:0:2:1:52:0:0:0:0:10", FormatError, "cube owner 2"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:2:3:10", FormatError, "rules 2"),
    ("XGID=-b----E-C---eE---c-e----C-:0:0:1:52:0:0:0:0:10", IllegalPositionError, "16"),
    ("XGID=--------------------------:0:0:1:52:0:0:0:0:10", IllegalPositionError, "empty"),
    ("XGID=A-------------------------:0:0:1:52:0:0:0:0:10", IllegalPositionError, "bar"),
]


@pytest.mark.parametrize(("text", "error", "words"), REFUSED)
def test_refused(text: str, error: type[GammonError], words: str) -> None:
    with pytest.raises(error) as caught:
        Position.parse(text)
    message = str(caught.value)
    assert words in message
    assert "\n" not in message
    assert text.rsplit(":", maxsplit=1)[-1] in message, "the message must quote the input"


@pytest.mark.parametrize("points", [(0,) * 25, (0,) * 26, (0, 16, *[0] * 24)])
def test_impossible_points(points: Points) -> None:
    with pytest.raises(IllegalPositionError):
        Position(points)


def test_messages_name_the_right_side() -> None:
    for turn, side in ((1, "opponent"), (-1, "player on roll")):
        with pytest.raises(IllegalPositionError, match=f"the {side} has 16"):
            Position.parse(f"-c----E-C---eE---c-e----B-:0:0:{turn}:52:0:0:0:0:10")
