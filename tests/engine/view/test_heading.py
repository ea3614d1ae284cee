"""The heading of an answer, its notes and its stakes: what counts, what it leaves out."""

from dataclasses import replace

import pytest

from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.position import Position
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Terms, parse_stakes
from gammon.view.board import board_text
from gammon.view.heading import heading, notes, stakes_words, terms_words
from gammon.view.plain import plain_text
from tests.engine.commands.program import OPENING_31

DMP = NAMED_STAKES["dmp"]
GAMMON_GO = NAMED_STAKES["gammon-go"]

OPENING = Position.opening()
MATCH = Context(length=7, scores=(2, 4))


def lines_of(xgid: str, width: int, turned: bool = False) -> list[str]:
    views = heading(Position.parse(xgid), "X to play 31", ["A note."], turned)
    return [line for view in views for line in plain_text(view, width).splitlines()]


def test_board_ids_and_notes() -> None:
    position = Position.parse(OPENING_31)
    lines = lines_of(OPENING_31, 120)
    assert lines[:13] == board_text(position).plain.splitlines()
    assert lines[13:] == [
        f"  Position ID: {position.position_id}   Match ID: {position.match_id}",
        f"  {OPENING_31}",
        f"  {position.ogid}",
        "  X to play 31",
        "  A note.",
    ]


def test_ids_stand_below_each_other_where_there_is_no_room() -> None:
    lines = lines_of(OPENING_31, 45)
    assert f"  {OPENING_31}" in lines
    assert "  Position ID: 4HPwATDgc/ABMA" in lines


def test_o_on_roll_is_said() -> None:
    said = "  O is on roll: the board and the plays are seen from O's side."
    assert said in lines_of(OPENING_31.replace(":1:31", ":-1:31"), 120)
    assert said not in lines_of(OPENING_31, 120)


def test_a_turned_board_keeps_the_numbers_of_its_points() -> None:
    lines = lines_of(OPENING_31.replace(":1:31", ":-1:31"), 120, turned=True)
    assert lines[0].startswith("  +12-11-10--9")
    assert "  O is on roll: points are numbered from O's side." in lines


def said(context: Context, dice: tuple[int, int] | None = (3, 1)) -> list[str]:
    return notes(replace(OPENING, context=context, dice=dice), CUBELESS)


def test_nothing_is_said_of_a_play_for_money() -> None:
    assert said(Context()) == []


@pytest.mark.parametrize(
    ("context", "words"),
    [
        (MATCH,
         "Score and cube not taken into account: X 2, O 4 in a match to 7; centred cube."),
        (replace(MATCH, crawford=True, scores=(6, 2)),
         "Score not taken into account: X 6, O 2 in a match to 7, Crawford game."),
        (replace(MATCH, cube_log2=1, cube_owner=TOP),
         "Score and cube not taken into account: X 2, O 4 in a match to 7; O's cube at 2."),
        (replace(MATCH, scores=(6, 6)),
         "Score not taken into account: X 6, O 6 in a match to 7 (stakes dmp would fit)."),
        (replace(MATCH, scores=(6, 5), crawford=True),
         "Score not taken into account: X 6, O 5 in a match to 7, Crawford game (stakes "
         "gammon-save would fit)."),
        (replace(MATCH, scores=(6, 5), crawford=True, on_roll=TOP),
         "Score not taken into account: X 6, O 5 in a match to 7, Crawford game (stakes "
         "gammon-go would fit)."),
        (Context(cube_log2=2, cube_owner=BOTTOM),
         "Cube not taken into account: X's cube at 4."),
        (Context(cube_log2=1), "Cube not taken into account: centred cube at 2."),
        (Context(jacoby=True), "Jacoby rule not taken into account."),
    ],
    ids=str,
)  # fmt: skip
def test_score_cube_and_rules_do_not_count(context: Context, words: str) -> None:
    assert said(context) == [words]


def test_stakes_that_are_asked_for_stand_for_the_score() -> None:
    position = replace(OPENING, context=replace(MATCH, scores=(6, 6)), dice=(3, 1))
    assert notes(position, DMP) == []


@pytest.mark.parametrize("stakes", ["gammon-go", "money", "1,2,2,-1,-1,-1"])
def test_stakes_that_do_not_fit_leave_the_score_out(stakes: str) -> None:
    context = replace(MATCH, scores=(6, 5), crawford=True)
    position = replace(OPENING, context=context, dice=(3, 1))
    assert notes(position, parse_stakes(stakes)) == [
        "Score not taken into account: X 6, O 5 in a match to 7, Crawford game (stakes "
        "gammon-save would fit)."
    ]
    # The named stakes fit few scores.
    if stakes == "gammon-go":
        (said,) = notes(replace(OPENING, context=MATCH, dice=(3, 1)), parse_stakes(stakes))
        assert "X 2, O 4 in a match to 7" in said


def test_the_unit_of_stakes_is_free_and_numbers_may_stand_for_any_score() -> None:
    position = replace(OPENING, context=replace(MATCH, scores=(6, 6)), dice=(3, 1))
    assert notes(position, parse_stakes("1,1,1,0,0,0")) == []
    cubeless = replace(MATCH, scores=(4, 6), crawford=True)
    position = replace(OPENING, context=cubeless, dice=(3, 1))
    assert notes(position, parse_stakes("1,2,2.5,-1,-1,-1")) == []
    assert len(notes(position, DMP)) == 1


@pytest.mark.parametrize(
    ("offer", "word"), [("D", "double"), ("B", "beaver"), ("R", "raccoon")]
)
def test_an_offer_is_not_what_is_answered(offer: str, word: str) -> None:
    """A command is named only where one answers it."""
    context = Context(offer=offer, on_roll=TOP, to_decide=BOTTOM)
    teller = "`gammon analyze` with the cube" if offer == "D" else "Nothing"
    assert said(context, None) == [
        f"{teller} tells whether to take the {word}; shown is O's best play of each roll."
    ]


def test_what_answers_whether_to_double_is_named() -> None:
    words = (
        "`gammon analyze` with the cube tells whether to double; shown is X's best play of "
        "each roll."
    )
    for able in (
        Context(), Context(cube_log2=1, cube_owner=BOTTOM), MATCH,
        replace(MATCH, scores=(5, 6)),
    ):  # fmt: skip
        assert words in said(able, None)
    for unable in (
        Context(cube_log2=1, cube_owner=TOP), replace(MATCH, crawford=True),
        replace(MATCH, scores=(6, 2)), Context(cube_log2=10),
    ):  # fmt: skip
        assert words not in said(unable, None)


def test_stakes() -> None:
    assert stakes_words(CUBELESS) == "money"
    assert stakes_words(GAMMON_GO) == "stakes gammon-go"


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        (Terms(), "money, centred cube"),
        (Terms(jacoby=True, beavers=True), "money, Jacoby rule, beavers, centred cube"),
        (Terms(cube=2, owner=-1), "money, O's cube at 2"),
        (Terms(7, (5, 6), cube=2, owner=1),
         "X 2, O 1 in a match to 7 (5-away 6-away), X's cube at 2"),
        (Terms(7, (2, 2), cube=2, owner=1),
         "X 5, O 5 in a match to 7 (2-away 2-away), X's cube at 2, dead"),
        (Terms(7, (2, 1)),
         "X 5, O 6 in a match to 7, post-Crawford (2-away 1-away), centred cube"),
        (Terms(7, (1, 1)), "X 6, O 6 in a match to 7 (1-away 1-away), centred cube, dead"),
        (Terms(7, (1, 6), crawford=True),
         "X 6, O 1 in a match to 7, Crawford game (1-away 6-away), centred cube"),
    ],
)  # fmt: skip
def test_terms(terms: Terms, words: str) -> None:
    assert terms_words(terms, Context().with_terms(terms)) == f"At stake: {words}."


def test_terms_are_those_of_the_player_on_roll() -> None:
    terms = Terms(7, (5, 6), cube=2, owner=1)
    context = Context(on_roll=TOP).with_terms(terms)
    assert terms_words(terms, context) == (
        "At stake: X 1, O 2 in a match to 7 (5-away 6-away), O's cube at 2."
    )
