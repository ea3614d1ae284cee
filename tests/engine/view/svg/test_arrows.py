"""The arrows of a play."""

import pytest

from gammon.formats.play import find_play, legal_plays
from gammon.formats.position import Position
from gammon.view.svg.drawing import board
from gammon.view.svg.layout import RADIUS, Layout, Spot
from tests.engine.view.svg.drawn import parts

OPENING = "-b----E-C---eE---c-e----B-"
PLACED = Layout(False)


def drawn(checkers: str, dice: str, text: str) -> str:
    position = Position.parse(f"XGID={checkers}:0:0:1:{dice}:0:0:0:0:10")
    assert position.dice is not None
    return board(position, play=find_play(position, position.dice, text))


def ways(drawing: str) -> list[tuple[str | None, str | None]]:
    return [(each.get("data-from"), each.get("data-to")) for each in parts(drawing, "arrow")]


def ends(drawing: str) -> list[tuple[Spot, Spot]]:
    """Where each arrow begins and where its tip is."""
    found = []
    for arrow in parts(drawing, "arrow"):
        corners = [
            tuple(map(float, each.split(","))) for each in arrow.attrib["points"].split()
        ]
        (x, y), (u, v) = corners[0], corners[-1]
        found.append((Spot((x + u) / 2, (y + v) / 2), Spot(*corners[3])))
    return found


@pytest.mark.parametrize(
    ("checkers", "dice", "text", "expected", "hits"),
    [
        (OPENING, "31", "8/5 6/5", [(8, 5), (6, 5)], []),
        (OPENING, "65", "24/13", [(24, 13)], []),
        (OPENING, "66", "24/18(2) 13/7(2)", [(24, 18), (24, 18), (13, 7), (13, 7)], []),
        ("aa----E-C---dE---cae----B-", "65", "24/18*/13", [(24, 18), (18, 13)], [18]),
        ("-ba---E-C---dE---c-e-----B", "44", "bar/21(2) 6/2*(2)",
         [(25, 21), (25, 21), (6, 2), (6, 2)], [2]),
        ("-CBBC--------------bbcb---", "61", "4/off 4/3", [(4, 3), (4, 0)], []),
    ],
)  # fmt: skip
def test_there_is_one_for_each_checker_and_each_hit(
    checkers: str, dice: str, text: str, expected: list[tuple[int, int]], hits: list[int]
) -> None:
    drawing = drawn(checkers, dice, text)
    assert ways(drawing) == [(str(source), str(target)) for source, target in expected]
    assert [each.get("data-point") for each in parts(drawing, "hit")] == [*map(str, hits)]


def test_they_lead_from_the_last_checker_to_the_next_free_place() -> None:
    (begin, end), (other_begin, other_end) = ends(drawn(OPENING, "31", "8/5 6/5"))
    assert begin == pytest.approx(PLACED.checker(8, 2), abs=0.1)
    assert end == pytest.approx(PLACED.checker(5, 0), abs=0.1)
    assert other_begin == pytest.approx(PLACED.checker(6, 4), abs=0.1)
    assert other_end == pytest.approx(PLACED.checker(5, 1), abs=0.1)


def test_one_that_hits_ends_at_the_rim_of_the_checker() -> None:
    hit, on = ends(drawn("aa----E-C---dE---cae----B-", "65", "24/18*/13"))
    blot = PLACED.checker(18, 0)
    assert hit[1].x - blot.x == pytest.approx(RADIUS, abs=0.5)
    assert on[0] == pytest.approx(blot, abs=0.1)


def test_the_order_of_moves_does_not_matter_to_a_hit() -> None:
    """8/2 stands before 6/2*, which is played first."""
    drawing = drawn("-ba---E-C---eE---b-e----B-", "64", "8/2* 6/2")
    tips = [tip for _, tip in ends(drawing)]
    assert tips[1] == pytest.approx(PLACED.checker(2, 1), abs=0.1)
    assert len(parts(drawing, "hit")) == 1


def test_those_of_two_checkers_side_by_side_do_not_cross() -> None:
    a, b, c, d = ends(drawn(OPENING, "66", "24/18(2) 13/7(2)"))
    for one, other in ((a, b), (c, d)):
        assert (one[0].y - other[0].y) * (one[1].y - other[1].y) > 0


def test_no_move_no_arrow() -> None:
    position = Position.parse("XGID=---------------bbbbbb-A--A:0:0:1:66:0:0:0:0:10")
    (play,) = legal_plays(position, (6, 6))
    drawing = board(position, play=play)
    assert ways(drawing) == []
    assert "The arrows show the play cannot move" not in drawing
