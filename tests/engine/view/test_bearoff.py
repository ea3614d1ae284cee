"""The bearoff tables' answer as tables and as JSON."""

import json
from dataclasses import replace

import pytest

from gammon.engine.bearoff import Bearoff, Side
from gammon.eval.equity import Probabilities
from gammon.formats.context import TOP, Context
from gammon.formats.position import Position
from gammon.view import to_json
from gammon.view.bearoff import bearoff_view
from tests.boards import by_counts
from tests.engine.view.text import text_of

POSITION = Position(by_counts((2,), (0, 0, 0, 0, 0, 2)))
OWN = Side(2, 2, (1.0, *31 * (0.0,)), True)
THEIR = Side(2, 12, (0.125, 0.5, 0.375, *29 * (0.0,)), True)
FOUND = Bearoff(POSITION, Probabilities(0.75, 0.25, 0.0, 0.125, 0.0), True, OWN, THEIR)


def squeezed(found: Bearoff) -> list[str]:
    return [" ".join(line.split()) for line in text_of(bearoff_view(found))]


def test_tables() -> None:
    lines = squeezed(FOUND)
    at = lines.index("Win% Gammon% Equity Pips Rolls EPC Wastage")
    assert lines[at + 1 :] == [
        "X 75.00 25.00 +0.6250 2 1.000 8.17 6.17",
        "O 25.00 12.50 -0.6250 12 2.250 18.38 6.38",
        "",
        "The chances are exact: best play of both sides. So are the rolls.",
        "",
        "Rolls to bear off X % by then O % by then",
        "1 100.00 100.00 12.50 12.50",
        "2 0.00 100.00 50.00 62.50",
        "3 0.00 100.00 37.50 100.00",
    ]
    assert f"Position ID: {POSITION.position_id} Match ID: {POSITION.match_id}" in lines
    assert "\u2026" not in "".join(text_of(bearoff_view(FOUND), 60))
    lost = replace(FOUND, probabilities=Probabilities(-1e-9, -1e-9, 0.0, 0.0, 0.0))
    assert "X 0.00 0.00 -1.0000 2 1.000 8.17 6.17" in squeezed(lost)


def test_one_sided_chances_and_dice_are_named() -> None:
    position = Position(POSITION.points, dice=(3, 1))
    lines = squeezed(Bearoff(position, FOUND.probabilities, False, OWN, THEIR))
    assert any(line.startswith("The chances are one-sided") for line in lines)
    assert "The rolls are exact." in lines
    assert "~" not in "".join(lines)
    assert "X to roll, cubeless, money; the dice 31 are not looked at" in lines


def test_estimates_are_marked_and_have_fewer_digits() -> None:
    estimate = replace(THEIR, exact=False)
    lines = squeezed(replace(FOUND, exact=False, their=estimate))
    at = lines.index("Win% Gammon% Equity Pips Rolls EPC Wastage")
    assert lines[at + 1 : at + 3] == [
        "X ~75.0 ~25.0 ~+0.62 2 1.000 8.17 6.17",
        "O ~25.0 ~12.5 ~-0.62 12 ~2.25 ~18.4 ~6.4",
    ]
    assert lines[-3:] == [
        "1 100.00 100.00 ~12.5 ~12.5",
        "2 0.00 100.00 ~50.0 ~62.5",
        "3 0.00 100.00 ~37.5 ~100.0",
    ]
    assert "~ marks estimates: O has more than three checkers, not all at home, " in " ".join(
        lines
    )
    both = squeezed(replace(FOUND, exact=False, own=replace(OWN, exact=False), their=estimate))
    assert "~ marks estimates: both sides have more" in " ".join(both)


def test_o_on_roll_is_o() -> None:
    theirs = Position(POSITION.points, Context(on_roll=TOP))
    lines = squeezed(Bearoff(theirs, FOUND.probabilities, True, OWN, THEIR))
    assert "O to roll, cubeless, money" in lines
    assert "O is on roll: the board and the plays are seen from O's side." in lines
    at = lines.index("Win% Gammon% Equity Pips Rolls EPC Wastage")
    assert [line.split()[0] for line in lines[at + 1 : at + 3]] == ["O", "X"]
    assert lines[at + 1].startswith("O 75.00")
    assert "Rolls to bear off O % by then X % by then" in lines


def test_the_notes_are_those_of_an_analysis() -> None:
    match = Context(length=7, scores=(2, 4))
    found = Bearoff(Position(POSITION.points, match), FOUND.probabilities, True, OWN, THEIR)
    said = [
        "`gammon analyze` with the cube tells whether to double; "
        "shown are the chances before the roll.",
        "Score and cube not taken into account: X 2, O 4 in a match to 7; centred cube.",
    ]
    assert [line for line in squeezed(found) if line in said] == said
    assert to_json(found)["notes"] == said


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_narrow_terminal_breaks_nothing(width: int) -> None:
    lines = text_of(bearoff_view(FOUND), width)
    (said,) = [line.rstrip() for line in lines if "X, to play: " in line]
    assert said.endswith("  X, to play: pips 2, off 13")
    assert "\u2026" not in "".join(lines)


def test_json() -> None:
    found = to_json(FOUND)
    assert json.loads(json.dumps(found)) == found
    assert list(found) == [
        "schema_version", "position_id", "match_id", "xgid", "ogid", "exact", "equity",
        "probabilities", "own", "their", "notes",
    ]  # fmt: skip
    assert found["probabilities"]["win"] == 0.75
    assert found["own"] == {
        "checkers": 2, "pips": 2, "exact": True, "mean_rolls": 1.0, "epc": OWN.epc,
        "wastage": OWN.wastage, "rolls": list(OWN.rolls),
    }  # fmt: skip
