"""Lines of JSON that ask for analyses."""

import json
from typing import Any

import pytest

from gammon.commands.stream import USUAL, Query, Refused, Terminate, read_query
from gammon.engine.question import DEPTHS, Question

ID = "4HPwATDgc/ABMA"


def read(defaults: Question = USUAL, **given: Any) -> object:
    return read_query(json.dumps(given), defaults)


def test_a_query() -> None:
    assert read(position=ID) == Query(ID)
    asked = Question(dice=(3, 1), depth=3, top=1, plays=("24/20",))
    more = {"dice": "31", "depth": 3, "top": 1, "plays": ["24/20"], "interim": True}
    assert read(id="a", position=ID, **more) == Query(ID, "a", True, asked)
    asked = Question(dice=(6, 4), rolls=True)
    assert read(id=-5, position=ID, dice=[6, 4], rolls=True) == Query(ID, -5, question=asked)


def test_what_else_may_be_asked() -> None:
    asked = Question(
        match=7, score="3-5", owner="roller", cube=2, move_filter="tiny", scores=3, noise=0.5
    )
    more = {"match": 7, "score": "3-5", "owner": "roller", "cube": 2, "filter": "tiny"}
    assert read(position=ID, scores=3, noise=0.5, **more) == Query(ID, question=asked)


def test_what_is_left_out_is_as_the_defaults() -> None:
    defaults = Question(dice=(2, 1), depth=3, top=2, plays=("24/23",))
    asked = Question(depth=3, top=4, plays=("24/23",))
    assert read(defaults, position=ID, top=4, dice=None) == Query(ID, question=asked)


HOW_WELL: tuple[dict[str, Any], ...] = (
    {"depth": 1}, {"depth": 5}, {"level": "roller"}, {"level": "3"}, {"strength": 9.0},
)  # fmt: skip


@pytest.mark.parametrize("told", HOW_WELL)
@pytest.mark.parametrize("given", HOW_WELL)
def test_how_well_to_play_takes_the_place_of_the_command_s(
    told: dict[str, Any], given: dict[str, Any]
) -> None:
    assert read(Question(**told), position=ID, **given) == Query(ID, question=Question(**given))


def test_null_is_no_level_and_no_strength() -> None:
    for told, given, left in (
        ({"strength": 9.0}, "strength", {}),
        ({"level": "roller"}, "level", {}),
        ({"strength": 9.0}, "level", {"strength": 9.0}),
        ({"level": "roller"}, "strength", {"level": "roller"}),
        ({"depth": 3}, "strength", {"depth": 3}),
        ({"depth": 3}, "level", {"depth": 3}),
    ):
        defaults, asked = Question(**told), Question(**left)
        assert read(defaults, position=ID, **{given: None}) == Query(ID, question=asked)


def test_the_depths_of_interim_answers() -> None:
    for depth in DEPTHS:
        query = Query(ID, None, True, Question(depth=depth, top=3))
        found = [(each.depth, each.top) for each in query.questions()]
        assert found == [(each, 3) for each in DEPTHS if each <= depth]
    assert [each.depth for each in Query(ID).questions()] == [5]


def test_the_end_of_another_query() -> None:
    assert read(terminate="a") == Terminate(None, "a")
    assert read(terminate=7, id="b") == Terminate("b", 7)


@pytest.mark.parametrize(
    "line",
    [
        "", ID, f'"{ID}"', "[1]", "{}", f'{{"xgid": "{ID}"}}', "{", f"{{{ID}}}", "null",
    ],
    ids=lambda line: line[:12],
)  # fmt: skip
def test_what_is_a_pasted_text(line: str) -> None:
    assert read_query(line, USUAL) is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f'{{"position": "{ID}", "dice": "31"', ": Expecting ',' delimiter at column 44"),
        (f'{{"position": "{ID}",}}', ": "),  # Python 3.13 has other words than 3.12
        (f'{{"id": "a", {ID}', ": Expecting property name"),
        ('{"id": ' + "[" * 100_000, ", or too deep"),
    ],
    ids=lambda text: text[:12],
)
def test_a_damaged_query(line: str, words: str) -> None:
    found = read_query(line, USUAL)
    assert isinstance(found, Refused)
    assert f"no JSON{words}" in str(found.error)


@pytest.mark.parametrize(
    ("given", "name", "words"),
    [
        ({"id": "a"}, "a", "no position"),
        ({"id": "a", "positon": ID}, "a", "field 'positon': did you mean position?"),
        ({"id": "a", "xyz": ID}, "a", "field 'xyz': expected some of position, id,"),
        ({"id": 3, "position": ID, "top": None}, 3, "top None"),
        ({"id": 3, "position": ID, "filter": "wide"}, 3, "filter 'wide'"),
        ({"id": [1], "position": ID}, None, "id [1]"),
        ({"id": True, "position": ID}, None, "id True"),
        ({"id": 1.5, "position": ID}, None, "id 1.5"),
        ({"id": 3, "position": 5}, 3, "position 5"),
        ({"id": 3, "position": ID, "dice": "37"}, 3, "dice '37'"),
        ({"id": 3, "position": ID, "dice": [3]}, 3, "dice [3]"),
        ({"id": 3, "position": ID, "dice": [3, "1"]}, 3, "dice [3, '1']"),
        ({"id": 3, "position": ID, "depth": 4}, 3, "depth 4"),
        ({"id": 3, "position": ID, "depth": "5"}, 3, "depth '5'"),
        ({"id": 3, "position": ID, "depth": 3, "level": "roller"}, 3, "depth with level"),
        ({"id": 3, "position": ID, "top": 0}, 3, "top 0"),
        ({"id": 3, "position": ID, "plays": "24/20"}, 3, "plays '24/20'"),
        ({"id": 3, "position": ID, "plays": [5]}, 3, "plays [5]"),
        ({"id": 3, "position": ID, "rolls": 1}, 3, "rolls 1"),
        ({"id": 3, "position": ID, "interim": "yes"}, 3, "interim 'yes'"),
        ({"id": 3, "terminate": None}, 3, "terminate None"),
        ({"id": 3, "terminate": ["a"]}, 3, "terminate ['a']"),
        ({"id": 3, "terminate": "a", "position": ID}, 3, "terminate 'a'"),
    ],
)
def test_what_is_refused(given: dict[str, Any], name: object, words: str) -> None:
    found = read(**given)
    assert isinstance(found, Refused)
    assert found.id == name
    assert words in str(found.error)
    assert "\n" not in str(found.error)
