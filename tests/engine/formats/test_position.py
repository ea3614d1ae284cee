"""Positions of any ID: golden vectors, both sides of the board, and what is refused."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from gammon.base.errors import IllegalPositionError, SettingError
from gammon.formats.context import TOP
from gammon.formats.position import Position
from gammon.rules.board import OPENING, Points
from gammon.rules.terms import CUBELESS
from tests.conftest import GOLDEN

with (GOLDEN / "formats.csv").open() as file:
    VECTORS = [tuple(row.values()) for row in csv.DictReader(file)]


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


@pytest.mark.parametrize("points", [(0,) * 25, (0,) * 26, (0, 16, *[0] * 24)])
def test_impossible_points(points: Points) -> None:
    with pytest.raises(IllegalPositionError):
        Position(points)


def test_messages_name_the_right_side() -> None:
    for turn, side in ((1, "opponent"), (-1, "player on roll")):
        with pytest.raises(IllegalPositionError, match=f"the {side} has 16"):
            Position.parse(f"-c----E-C---eE---c-e----B-:0:0:{turn}:52:0:0:0:0:10")


def test_a_roll_takes_the_place_of_a_double_on_offer() -> None:
    offered = Position.parse("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:D:2:4:0:7:10")
    rolled = offered.with_dice((3, 1))
    assert rolled.xgid == "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:31:2:4:0:7:10"
    assert Position.parse(f"{rolled.position_id}:{rolled.match_id}").dice == (3, 1)
    assert rolled.with_dice(None).dice is None
    assert offered.with_dice(None) == offered
    asked = Position.parse("4HPwATDgc/ABMA:cIkFAAAAAAAE")
    assert asked.with_dice(asked.dice) == asked


def test_a_double_on_offer_takes_the_place_of_a_roll() -> None:
    doubled = Position.opening().with_dice((3, 1)).with_offer(np.True_)
    assert (doubled.dice, doubled.context.offer) == (None, "D")
    assert Position.parse(doubled.xgid) == Position.parse(doubled.ogid) == doubled
    assert doubled.with_offer(False) == Position.opening()


def test_dice_are_two_of_a_die() -> None:
    opening = Position.opening()
    assert opening.with_dice([3, 1]) == opening.with_dice((3, 1))  # type: ignore[arg-type]
    for dice in ((7, 1), "31", (1,), 3):
        with pytest.raises(SettingError, match="dice"):
            opening.with_dice(dice)  # type: ignore[arg-type]
        with pytest.raises(SettingError, match="dice"):
            Position(opening.points, dice=dice)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match=r"dice \(3, 1\): expected none beside a double"):
        Position(OPENING, Position.opening().with_offer(True).context, (3, 1))
    with pytest.raises(SettingError, match="context 3"):
        Position(opening.points, 3)  # type: ignore[arg-type]


def test_a_position_is_shown_as_it_is_read() -> None:
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:2:4:0:7:10"
    assert repr(Position.parse(text)) == f"Position.parse('{text}')"


CHANGED = [2.5, 2.0, True, np.True_, np.float64(2), "2", None, [2], np.zeros((2, 2, 2)), 2j]


@pytest.mark.parametrize("count", CHANGED, ids=repr)
def test_counts_are_whole_numbers(count: object) -> None:
    points = (*OPENING[:24], count, 0)
    with pytest.raises(SettingError, match=r"points\[24\] .*expected a whole number") as caught:
        Position(points)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("points", [None, 5, np.array(5)], ids=repr)
def test_points_are_a_sequence(points: object) -> None:
    with pytest.raises(SettingError, match="expected 26 whole numbers"):
        Position(points)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint8, np.int64, int])
def test_integers_of_numpy_are_whole(kind: type) -> None:
    counts = [kind(count) if count > 0 else int(count) for count in OPENING]
    assert Position(tuple(counts)) == Position.opening()
    assert {type(count) for count in Position(tuple(counts)).points} == {int}
    board = np.array(OPENING, np.int8)
    assert Position(board) == Position.opening()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "count", [16, -16, 10**5000, np.int64(2**62), np.int8(-128)], ids=range(5)
)
def test_more_checkers_than_there_are(count: int) -> None:
    with pytest.raises(IllegalPositionError) as caught:
        Position((*OPENING[:24], count, 0))
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", [None, 5, b"4HPwATDgc/ABMA"], ids=repr)
def test_only_a_text_is_read(text: object) -> None:
    with pytest.raises(SettingError, match=r"position .*: expected a text"):
        Position.parse(text)  # type: ignore[arg-type]


def test_a_position_holds_no_terms_without_the_cube() -> None:
    with pytest.raises(SettingError, match="terms without the cube: expected an engine"):
        Position.opening().with_terms(CUBELESS)
