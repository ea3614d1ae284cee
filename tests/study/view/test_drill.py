"""Cards of a drill, and answers to them, for people."""

from datetime import UTC, datetime, timedelta

import pytest

from gammon.eval.equity import Probabilities
from gammon.formats.position import Position
from gammon.view.plain import plain_text
from gammon_study.library.decks import Card
from gammon_study.library.drill import Answered
from gammon_study.reviews.choice import Choice, ChoiceKind, CubeValues
from gammon_study.view.drill import answer_view, card_view, question, waits
from tests.engine.view.shown import text_of

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
CUBE = "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:{}:4:3:0:7:10"
CHANCES = Probabilities(0.7, 0.1, 0.0, 0.1, 0.0)


@pytest.mark.parametrize(
    ("ask", "dice", "said"),
    [
        ("play", "31", "X to play 31: which play? (X 4, O 3 in a match to 7, centred cube)"),
        ("double", "00", "X on roll: double? (X 4, O 3 in a match to 7, centred cube)"),
        ("take", "D", "X doubles: does O take? (X 4, O 3 in a match to 7, centred cube)"),
        ("pips", "00", "How many pips does X have?"),
        ("epc", "00", "What is the effective pip count of X?"),
    ],
)
def test_what_is_asked(ask: str, dice: str, said: str) -> None:
    card = Card(ask, CUBE.format(dice), "errors")
    assert question(card) == said
    shown = plain_text(card_view(card, 3))
    assert shown.startswith("3. errors\n  +13-14")
    assert shown.endswith(said)
    assert ("pips 81" in shown) == (ask != "pips")
    assert Position.parse(card.xgid).pips[0] == 81
    mine = card._replace(xgid=card.xgid.replace("-:0:0:", "-:1:1:"))
    assert question(mine).count("redouble") == (ask in ("double", "take"))
    for width in (20, 60, 200):
        assert all(
            len(line) <= width for line in plain_text(card_view(card, 3), width).splitlines()
        )


@pytest.mark.parametrize(
    ("kind", "grade", "error", "begins"),
    [
        (ChoiceKind.DOUBLE, 3, 0.0, "Right: double.\n"),
        (ChoiceKind.DOUBLE, 2, 0.02, "Nearly right: double loses 0.0200, best is no double.\n"),
        (ChoiceKind.NO_DOUBLE, 1, 0.2, "Wrong: no double loses 0.2000, best is double.\n"),
        (ChoiceKind.NO_DOUBLE, 1, 0.0, "Best is double.\n"),
    ],
)
def test_answers(kind: ChoiceKind, grade: int, error: float, begins: str) -> None:
    best = "no double" if kind is ChoiceKind.DOUBLE and error else "double"
    choice = Choice(
        0, 0, 0, kind, CUBE.format("00"), kind.value, best, error, error, True, True, 3,
        CubeValues(0.5, 0.7, 1.0), CHANCES,
    )  # fmt: skip
    card = Card("double", choice.xgid, "errors", "A note[b]")
    shown = plain_text(answer_view(Answered(card, grade, choice, None, NOW)))
    assert shown.startswith(begins)
    assert "Double, take  +0.7000" in shown
    assert ("is worth +0.500" in shown) == bool(error)
    assert shown.rstrip().endswith("A note[b]")
    mine = choice._replace(xgid=choice.xgid.replace("-:0:0:", "-:1:1:"))
    shown = plain_text(answer_view(Answered(card, grade, mine, None, NOW)))
    assert "Redouble, take  +0.7000" in shown
    assert ("No redouble is worth +0.500" in shown) == bool(error)


def test_a_take_and_a_pass_are_as_the_player_sees_them_who_answers() -> None:
    xgid = CUBE.format("D")
    for kind, taken, rows in (
        (ChoiceKind.TAKE, 1.3, ["Pass -1.0000 0.0000", "Take -1.3000 0.3000"]),
        (ChoiceKind.PASS, 0.7, ["Take -0.7000 0.0000", "Pass -1.0000 0.3000"]),
    ):
        choice = Choice(
            0, 0, 0, kind, xgid, kind.value, "", 0.3, 0.3, True, True, 3,
            CubeValues(0.5, taken, 1.0), CHANCES,
        )  # fmt: skip
        shown = plain_text(
            answer_view(Answered(Card("take", xgid, "", ""), 1, choice, None, NOW))
        )
        lines = [" ".join(line.split()) for line in shown.splitlines()]
        first = lines.index("Answer EMG Loss")
        assert lines[first + 1 : first + 3] == rows


def test_numbers() -> None:
    for ask, right, said in (
        ("pips", 121.0, "121 pips"),
        ("epc", 8.1667, "8.167 effective pips"),
    ):
        answered = Answered(Card(ask, CUBE.format("00"), "races"), 1, None, right, NOW)
        assert plain_text(answer_view(answered)).strip() == f"Wrong: {said}."


@pytest.mark.parametrize("note", ["", "A note"])
def test_one_blank_line_follows_an_answer(note: str) -> None:
    choice = Choice(
        0, 0, 0, ChoiceKind.DOUBLE, CUBE.format("00"), "double", "double", 0.0, 0.0, True, True,
        3, CubeValues(0.5, 0.7, 1.0), CHANCES,
    )  # fmt: skip
    card = Card("double", choice.xgid, "cubes", note)
    *_, last, blank = text_of(answer_view(Answered(card, 3, choice, None, NOW)))
    assert blank == ""
    assert last == note if note else last.startswith("  Double, pass")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "a moment"), (10, "a moment"), (60, "1 minute"), (600, "10 minutes"),
        (7200, "2 hours"), (86_400, "1 day"), (900_000, "10 days"),
    ],
)  # fmt: skip
def test_how_long_it_waits(seconds: int, said: str) -> None:
    assert waits(NOW + timedelta(seconds=seconds), NOW) == said
