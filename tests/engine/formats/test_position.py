"""Positions and contexts of any ID: golden vectors, round trips, and what is refused."""

import base64
import csv
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gammon.base.errors import FormatError, GammonError, IllegalPositionError, SettingError
from gammon.formats.context import BOTTOM, TOP, Context, checked, in_range
from gammon.formats.gnubg_id import (
    Dice,
    format_match_id,
    format_position_id,
    format_position_ids,
    parse_match_id,
    parse_position_id,
)
from gammon.formats.ogid import format_ogid, parse_ogid
from gammon.formats.pasted import read_pasted
from gammon.formats.position import Position
from gammon.formats.xgid import format_xgid, parse_xgid
from gammon.rules.board import OPENING, Points
from gammon.rules.terms import CUBELESS, Terms
from tests.conftest import GOLDEN, positions
from tests.engine.formats.contexts import DICE, assert_refused, gnu_contexts, xg_contexts

# Positions of any ID: golden vectors, both sides of the board, and what is refused.

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


@pytest.mark.parametrize("count", [16, -16, 10**5000, np.int64(2**62), np.int8(-128)], ids=range(5))
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


# Position IDs: round trips, and what is refused.


@given(positions())
def test_position_id_round_trip(points: Points) -> None:
    text = format_position_id(points)
    assert format_position_ids([OPENING, points]) == [format_position_id(OPENING), text]
    assert len(text) == 14
    assert parse_position_id(text) == points


REFUSED = [
    ("4HPwATDgc/ABM", FormatError, "14 characters, found 13"),
    ("4HPwATDgc/ABMAA", FormatError, "14 characters, found 15"),
    ("4HPwATDgc/AB!A", FormatError, "A-Z, a-z"),
    ("//////////////", GammonError, "//////////////"),
]


@pytest.mark.parametrize(("text", "error", "words"), REFUSED)
def test_refused(text: str, error: type[GammonError], words: str) -> None:
    assert_refused(Position.parse, text, error, words)
    assert_refused(parse_position_id, text, error, words)


def test_other_scripts_and_long_texts_are_refused() -> None:
    for text in ("４HPwATDgc/ABMA", "4HPwATDgc/ABMА", "٤HPwATDgc/ABMA", 100000 * "4"):
        with pytest.raises(FormatError, match="expected a Position ID") as caught:
            parse_position_id(text)
        assert len(str(caught.value)) < 200


# Match IDs: round trips, and what is refused.


@given(gnu_contexts(), DICE)
def test_match_id_round_trip(context: Context, dice: Dice) -> None:
    dice = None if context.offer else dice
    text = format_match_id(context, dice)
    assert len(text) == 12
    assert parse_match_id(text) == (context, dice)


@given(st.integers(0, 2**72 - 1))
def test_no_bit_of_a_match_id_is_lost(bits: int) -> None:
    text = base64.b64encode(bits.to_bytes(9, "little")).decode()
    try:
        context, dice = parse_match_id(text)
    except FormatError:
        return
    assert format_match_id(context, dice) == text


GOOD = ["cAkAAAAAAAAE", "cIkKAAAAAAAE", "wwkLAAAAAAAA", "cBFgAAAACAAE", "UQkqASAAGAAA"]


@given(st.sampled_from(GOOD), st.sets(st.integers(0, 71), max_size=5))
@settings(max_examples=1000)
def test_a_match_id_that_is_read_is_written_as_ids_that_are_read(good: str, flips: set[int]) -> None:
    """A roll and a double at once gave an OGID that was refused."""
    bits = int.from_bytes(base64.b64decode(good), "little") ^ sum(1 << flip for flip in flips)
    match_id = base64.b64encode(bits.to_bytes(9, "little")).decode()
    try:
        position = Position.parse(f"4HPwATDgc/ABMA:{match_id}")
    except FormatError:
        return
    for text in (position.xgid, position.ogid, f"{position.position_id}:{position.match_id}"):
        again = Position.parse(text)
        kept = [
            (each.points, each.dice, each.context.offer, each.context.scores) for each in (again, position)
        ]
        assert kept[0] == kept[1], text


MATCH_ID_REFUSED = [
    ("4HPwATDgc/ABMA:cL/IAkAAAAAE", FormatError, "dice 12 before the roll, expected none"),
    ("4HPwATDgc/ABMA:cIkKAAAAAAA", FormatError, "12 characters, found 11"),
    ("4HPwATDgc/ABMA:cIk?AAAAAAAE", FormatError, "A-Z, a-z"),
]


@pytest.mark.parametrize(("text", "error", "words"), MATCH_ID_REFUSED)
def test_match_id_refused(text: str, error: type[GammonError], words: str) -> None:
    assert_refused(Position.parse, text, error, words)


def test_fields_out_of_range_are_refused() -> None:
    for bits, words in ((2 << 4, "cube owner 2"), (7 << 15 | 1 << 18, "die 7"), (3 << 15, "dice 30")):
        text = base64.b64encode(bits.to_bytes(9, "little")).decode()
        assert_refused(parse_match_id, text, FormatError, words)


# XGIDs: round trips, and what is refused.


@given(positions(), xg_contexts())
def test_xgid_round_trip(points: Points, rest: tuple[Context, Dice]) -> None:
    text = format_xgid(points, *rest)
    assert parse_xgid(text) == (points, *rest)
    assert Position.parse(text).xgid == text


XGID_REFUSED = [
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0", FormatError, "10 fields"),
    ("XGID=-b----E-C---eE---c-e----B:0:0:1:52:0:0:0:0:10", FormatError, "26 characters"),
    ("XGID=-b----E-C---eE---c-e----B?:0:0:1:52:0:0:0:0:10", FormatError, "'?'"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:70:0:0:0:0:10", FormatError, "'70'"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:0:52:0:0:0:0:10", FormatError, "turn 0"),
    ("XGID=-b----E-C---eE---c-e----B-:x:0:1:52:0:0:0:0:10", FormatError, "cube 'x'"),
    ("XGID=-b----E-C---eE---c-e----B-:0:2:1:52:0:0:0:0:10", FormatError, "cube owner 2"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:2:3:10", FormatError, "rules 2"),
    ("XGID=-b----E-C---eE---c-e----C-:0:0:1:52:0:0:0:0:10", IllegalPositionError, "16"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:٠:0:0:0:10", FormatError, "score '٠'"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:1_0:0:0:0:10", FormatError, "score '1_0'"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:6:0:0:5:10", FormatError, "score 6 in a match"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:5:0:0:5:10", FormatError, "which is over"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:3:3:1:5:10", FormatError, "Crawford game"),
    ("XGID=-b----E-C---eE---c-e----B-:1:0:1:52:3:3:0:5:10", FormatError, "centred cube at 2"),
    ("XGID=--------------------------:0:0:1:52:0:0:0:0:10", IllegalPositionError, "empty"),
    ("XGID=A-------------------------:0:0:1:52:0:0:0:0:10", IllegalPositionError, "bar"),
]


@pytest.mark.parametrize(("text", "error", "words"), XGID_REFUSED)
def test_xgid_refused(text: str, error: type[GammonError], words: str) -> None:
    assert_refused(Position.parse, text, error, words)
    assert_refused(parse_xgid, text, error, words)


@pytest.mark.parametrize("prefix", ["XGıD=", "ΧGID=", "XGID:", " XGID=", "XGID=XGID="])
def test_the_parser_takes_no_other_prefix(prefix: str) -> None:
    text = prefix + "-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
    with pytest.raises(FormatError):
        parse_xgid(text)


def test_long_texts_are_not_repeated() -> None:
    for text in ("XGID=" + 100000 * "-", 100000 * "x" + ":0:0:1:52:0:0:0:0:10", 100000 * ":"):
        with pytest.raises(FormatError) as caught:
            parse_xgid(text)
        assert len(str(caught.value)) < 200
    with pytest.raises(FormatError) as caught:
        parse_xgid(f"-b----E-C---eE---c-e----B-:{100000 * '1'}:0:1:52:0:0:0:0:10")
    assert len(str(caught.value)) < 200


# OGIDs: those of real matches, round trips, and what is refused.

with (GOLDEN / "ogids.csv").open() as ogid_file:
    ROWS = list(csv.DictReader(ogid_file))


def golden(kind: str, *columns: str) -> list[tuple[str, ...]]:
    """Columns of the OGIDs of one kind that other programs wrote."""
    return [tuple(row[name] for name in columns) for row in ROWS if row["kind"] == kind]


#: Positions that OpenGammon wrote in both ways.
PAIRS = golden("pair", "xgid", "ogid")
#: OGIDs of a match that HedgeHog wrote, and who acted next. At the last one that is to take or
#: to pass.
ACTED = golden("acted", "ogid", "who")
SEATS = {"W": BOTTOM, "B": TOP}
#: Positions with their XGIDs by blunderDB. The colour, for which there is room, is the player
#: on roll there, and Black is the bottom player.
BY_THE_PLAYER_ON_ROLL = golden("by the player on roll", "xgid", "ogid")


@pytest.mark.parametrize(("xgid", "ogid"), PAIRS)
def test_both_ids_of_a_position_of_open_gammon(xgid: str, ogid: str) -> None:
    by_xg, found = Position.parse(xgid), Position.parse(ogid)
    assert replace(found.context, max_cube_log2=8) == by_xg.context
    assert (found.points, found.dice) == (by_xg.points, by_xg.dice)
    without_play = ogid.rpartition(":")[0]
    assert by_xg.ogid == found.ogid == f"OGID={without_play}:0"


@pytest.mark.parametrize(("ogid", "who"), ACTED)
def test_who_acts_next(ogid: str, who: str) -> None:
    points, context, dice = parse_ogid(ogid)
    assert (context.to_decide or context.on_roll) == SEATS[who]
    fields = ogid.split(":")
    again = format_ogid(points, context, dice).split(":")
    assert again[:5] == [f"OGID={fields[0]}", *fields[1:5]]
    assert again[6:9] == fields[6:9]
    if fields[5] != "IB":
        assert again[5] == fields[5]


@pytest.mark.parametrize(("xgid", "ogid"), BY_THE_PLAYER_ON_ROLL)
def test_checkers_cube_and_score_agree_with_ids_that_name_the_player_on_roll(xgid: str, ogid: str) -> None:
    expected = Position.parse(xgid)
    # Their bottom player is Black, so that White is to have reached the position.
    reached = "W" if expected.context.on_roll == BOTTOM else "B"
    found = Position.parse(ogid.format(reached))
    assert (found.points, found.dice) == (expected.points, expected.dice)
    if found.context.max_cube_log2 == expected.context.max_cube_log2:
        assert found.context.terms() == expected.context.terms()
    assert found.context.scores == expected.context.scores[::-1]
    assert found.context.cube_owner == -expected.context.cube_owner


@given(positions(), xg_contexts())
def test_ogid_round_trip(points: Points, rest: tuple[Context, Dice]) -> None:
    context, dice = rest
    text = format_ogid(points, context, dice)
    dead = not context.cube_owner and context.cube_log2 >= context.max_cube_log2
    kept = replace(
        context,
        jacoby=False,
        beavers=False,
        max_cube_log2=context.cube_log2 if dead else Context.max_cube_log2,
        crawford=context.crawford and context.length > 1,
    )
    if context.offer in ("B", "R"):
        kept = replace(kept, offer="", to_decide=0)
    if kept.length and kept.cube_log2 and not kept.cube_owner and not kept.offer:
        return  # a centred cube that is turned: its offer had no place
    assert parse_ogid(text) == (points, kept, dice)
    assert read_pasted(f"My play was bad: {text}.") == (points, kept, dice)


#: The start, before a play of White.
START = "11ccccchhhjjjjj:66666888dddddoo:N0N:31:B:R:0:0:0:0"


@pytest.mark.parametrize(
    "text",
    [
        START, f"OGID={START}", f"ogid: {START}", f'"{START}"', f"({START})", f"{START}:15",
        f"https://example.org/p?position={START}&x=1", START.replace(":", "%3A"),
        f"OGID={START[:20]}\n{START[20:]}", START.replace("11cccc", "c11ccc"),
        START.removesuffix(":0:0:0:0"), START.replace(":0:0:0:0", "::::"), f"{START}.",
        START.replace("N0N", "?0N"), START.replace(":0:0:0:0", ":0:0:0G9:0"),
    ],
)  # fmt: skip
def test_pasted(text: str) -> None:
    expected = Position.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    assert Position.parse(text) == expected


def test_a_cube_that_is_dead_a_checker_that_is_off_and_a_first_roll() -> None:
    points, context, _ = parse_ogid("jjjq:666:D0N:31:B:R:6:5:7C:9")
    assert sum(count for count in points if count > 0) == 3
    assert (context.cube_owner, context.max_cube_log2, context.crawford) == (0, 0, True)
    for colour in "WB":
        assert parse_ogid(f"jjj:666:N0N::{colour}:IW:1:2:7:0")[1].on_roll == BOTTOM
    assert parse_ogid("jjj:666:N0N:31:W:IW:1:2:7:0")[1].on_roll == TOP


OGID_REFUSED = [
    ("11c:66o:N0N", FormatError, "found 3"),
    (f"{START}:15:7", FormatError, "found 12"),
    (START.replace("N0N", "X0N"), FormatError, "cube 'X0N'"),
    (START.replace("N0N", "N0P"), FormatError, "cube 'N0P'"),
    (START.replace("N0N", "B16N"), FormatError, "cube 16"),
    (START.replace(":31:", ":37:"), FormatError, "dice '37'"),
    (START.replace(":31:", ":00:"), FormatError, "dice '00'"),
    (START.replace(":B:", ":X:"), FormatError, "colour 'X'"),
    (START.replace(":R:", ":G:"), FormatError, "state 'G'"),
    (START.replace(":R:", ":C:"), FormatError, "dice 31 before the roll"),
    (START.replace("N0N", "N0O"), FormatError, "dice 31 before the roll"),
    (START.replace(":0:0:0:0", ":0:0:7X:0"), FormatError, "match length '7X'"),
    (START.replace(":0:0:0:0", ":0:0:7G9:0"), FormatError, "limit of games"),
    (START.replace(":0:0:0:0", ":x:0:7:0"), FormatError, "number 'x'"),
    (START.replace(":0:0:0:0", ":7:0:7:0"), FormatError, "which is over"),
    (START.replace(":0:0:0:0", ":0:0:7C:0"), FormatError, "Crawford game"),
    (START.replace("N0N", "N1N").replace(":0:0:0:0", ":0:0:7:0"), FormatError, "centred cube"),
    (f"{START}:14", FormatError, "checkers '14'"),
    (f"z{START}", FormatError, "white checker 'z'"),
    (f"p{START}", FormatError, "white checker 'p'"),
    (START.replace(":666", ":0666"), FormatError, "black checker '0'"),
    (f"6{START[1:]}", FormatError, "both sides stand on point 6"),
    (f"1{START}", IllegalPositionError, "16"),
]


@pytest.mark.parametrize(("text", "error", "words"), OGID_REFUSED)
def test_ogid_refused(text: str, error: type[GammonError], words: str) -> None:
    assert_refused(parse_ogid, text, error, words)
    assert_refused(Position.parse, f"OGID={text}", error, words)


@given(st.integers(0, 40), st.integers(0, 127))
def test_a_changed_character_is_refused_or_seen(at: int, code: int) -> None:
    """The alphabet is strict: what is read is written back as it stood."""
    text = START[:at] + chr(code) + START[at + 1 :]
    try:
        points, context, dice = parse_ogid(text)
    except GammonError as error:
        assert "\n" not in str(error)
        return
    again = parse_ogid(format_ogid(points, context, dice))
    assert again == (points, context, dice)


@pytest.mark.parametrize("text", [f":{START}", f"1<{START}", f"{START}:x", f"{START}_7"])
def test_a_part_of_an_id_is_none(text: str) -> None:
    with pytest.raises(FormatError):
        Position.parse(text)


def test_two_ids_of_one_position_agree_and_others_do_not() -> None:
    position = Position.parse(PAIRS[0][1])
    assert Position.parse(f"{position.xgid} {position.ogid}") == position
    with pytest.raises(FormatError, match="two that differ"):
        Position.parse(f"{PAIRS[0][0]} {PAIRS[1][1]}")


# The context after a play, and the check of a field.


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
        Context(scores=(30, 2)),
        Context(scores=(6, 6), length=7),
        Context(scores=(6, 2), length=7, crawford=True),
        Context(scores=(2, 6), length=7, crawford=True),
        Context(length=1, crawford=True),
        Context(crawford=True),  # for money, a Match ID's flag says nothing
        Context(cube_log2=1),  # an automatic double
        Context(length=7, cube_log2=1, cube_owner=TOP),
        Context(length=7, cube_log2=1, offer="D"),
    ],
    ids=str,
)
def test_games_that_can_be(context: Context) -> None:
    assert checked("text", context) is context


@pytest.mark.parametrize(
    ("context", "words"),
    [
        (Context(scores=(2, 8), length=7), "score 8 in a match of 7, expected at most 6"),
        (Context(scores=(7, 2), length=7), "score 7 in a match of 7, which is over"),
        (
            Context(scores=(5, 2), length=7, crawford=True),
            "Crawford game at 5 to 2 in a match of 7, expected a score of 6",
        ),
        (Context(length=7, cube_log2=1), "centred cube at 2 in a match, expected an owner"),
    ],
    ids=str,
)
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
        (replace(MATCH, on_roll=TOP, cube_log2=1, cube_owner=BOTTOM), Terms(7, (6, 3), cube=2, owner=-1)),
        (replace(MATCH, jacoby=True, beavers=True), Terms(7, (3, 6))),
        (replace(MATCH, scores=(6, 2), crawford=True), Terms(7, (1, 5), crawford=True)),
        (replace(MATCH, scores=(6, 2)), Terms(7, (1, 5))),
        (replace(MATCH, scores=(6, 6), crawford=True), Terms(7, (1, 1))),
        (replace(MATCH, offer="D", to_decide=TOP), Terms(7, (3, 6))),
    ],
    ids=str,
)
def test_what_is_at_stake(context: Context, terms: Terms) -> None:
    assert context.terms() == terms
    theirs = replace(context, on_roll=-context.on_roll)
    assert theirs.terms() == terms.for_opponent()


@pytest.mark.parametrize(
    ("context", "words"),
    [
        (Context(length=65), "match length 65"),
        (Context(cube_log2=7, cube_owner=TOP), "cube 128: expected 1, 2, 4, ... 64"),
        (Context(cube_owner=TOP), "cube owner -1: expected 0, since nobody owns a cube at 1"),
        (replace(MATCH, cube_log2=1, offer="D"), "cube owner 0: expected 1 or -1"),
        (
            replace(MATCH, scores=(6, 2), crawford=True, cube_log2=1, cube_owner=TOP),
            "cube 2 in the Crawford game",
        ),
        (replace(MATCH, scores=(5, 2), crawford=True), "Crawford game at 2-away 5-away"),
        (replace(MATCH, scores=(9, 2)), "away (-2, 5)"),
    ],
    ids=str,
)
def test_what_cannot_be_at_stake(context: Context, words: str) -> None:
    with pytest.raises(SettingError) as caught:
        context.terms()
    assert words in str(caught.value)
