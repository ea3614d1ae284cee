"""XGIDs: round trips, and what is refused."""

import pytest
from hypothesis import given

from gammon.base.errors import FormatError, GammonError, IllegalPositionError
from gammon.formats.context import Context
from gammon.formats.match_id import Dice
from gammon.formats.position import Position
from gammon.formats.xgid import format_xgid, parse_xgid
from gammon.rules.board import Points
from tests.conftest import positions
from tests.engine.formats.contexts import assert_refused, xg_contexts


@given(positions(), xg_contexts())
def test_xgid_round_trip(points: Points, rest: tuple[Context, Dice]) -> None:
    text = format_xgid(points, *rest)
    assert parse_xgid(text) == (points, *rest)
    assert Position.parse(text).xgid == text


REFUSED = [
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


@pytest.mark.parametrize(("text", "error", "words"), REFUSED)
def test_refused(text: str, error: type[GammonError], words: str) -> None:
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
