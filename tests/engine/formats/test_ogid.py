"""OGIDs: those of real matches, round trips, and what is refused."""

import csv
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.base.errors import FormatError, GammonError, IllegalPositionError
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.match_id import Dice
from gammon.formats.ogid import format_ogid, parse_ogid
from gammon.formats.pasted import read_pasted
from gammon.formats.position import Position
from gammon.rules.board import Points
from tests.conftest import GOLDEN, positions
from tests.engine.formats.contexts import assert_refused, xg_contexts

with (GOLDEN / "ogids.csv").open() as file:
    ROWS = list(csv.DictReader(file))


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
def test_checkers_cube_and_score_agree_with_ids_that_name_the_player_on_roll(
    xgid: str, ogid: str
) -> None:
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
        context, jacoby=False, beavers=False,
        max_cube_log2=context.cube_log2 if dead else Context.max_cube_log2,
        crawford=context.crawford and context.length > 1,
    )  # fmt: skip
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


REFUSED = [
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


@pytest.mark.parametrize(("text", "error", "words"), REFUSED)
def test_refused(text: str, error: type[GammonError], words: str) -> None:
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
