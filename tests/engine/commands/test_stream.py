"""Streams of positions and queries in JSON: their order, their threads, how they end."""

import json
import queue
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from gammon.base.errors import SettingError, UnfinishedError
from gammon.commands import stream
from gammon.commands.stream import USUAL, Query, Refused, Terminate, answers_to, read_query
from gammon.engine.question import DEPTHS, Question
from gammon.search import Stop
from tests.processes import comes_true

# Streams of positions and queries: their order, their threads, and how they end.

ID = "4HPwATDgc/ABMA"
SECONDS = 120.0


def echo(question: Question, stop: Stop) -> dict[str, Any]:
    return {"depth": question.depth, "top": question.top, "stopped": stop.is_set()}


def line(**given: Any) -> str:
    return json.dumps(given)


def test_one_worker_answers_in_the_order_of_the_lines() -> None:
    lines = [line(id=n, position=ID, top=n + 1) for n in range(50)]
    lines[10] = lines[20] = ID
    found = list(answers_to(lines, echo, Question(depth=3)))
    assert [each["top"] for each in found] == [10 if n in (10, 20) else n + 1 for n in range(50)]
    assert "id" not in found[10]
    assert found[11] == {"id": 11, "interim": False, "depth": 3, "top": 12, "stopped": False}


def test_lines_wait_until_they_can_be_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "_MOST_WAITING", 5)
    read = 0

    def lines() -> Iterator[str]:
        nonlocal read
        for read in range(1, 101):
            yield line(id=read, position=ID)

    found = answers_to(lines(), echo, Question())
    assert next(found)["id"] == 1
    threading.Event().wait(0.2)
    assert read < 20  # five lines, five answers, and those in hand
    assert [each["id"] for each in found] == list(range(2, 101))


def test_texts_keep_their_order_with_several_workers() -> None:
    """The first text takes until the last one is done; queries do not wait for it."""
    last = threading.Event()

    def slow_first(question: Question, stop: Stop) -> dict[str, Any]:
        dice = question.placed().dice
        if dice == (1, 1):
            assert last.wait(SECONDS)
        if dice == (6, 6):
            last.set()
        return {"dice": dice}

    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}{}:0:0:0:0:10"
    texts = [xgid.format(die, die) for die in range(1, 7)]
    lines = [texts[0], line(id="q", position=ID), *texts[1:]]
    found = list(answers_to(lines, slow_first, Question(), 2))
    assert found[0]["id"] == "q"
    assert [each["dice"] for each in found[1:]] == [(die, die) for die in range(1, 7)]


def test_interim_answers() -> None:
    found = list(answers_to([line(id="a", position=ID, interim=True)], echo, Question(depth=5)))
    assert [(each["depth"], each["interim"]) for each in found] == [(1, True), (3, True), (5, False)]


def test_a_query_is_terminated_while_it_runs() -> None:
    begun = threading.Event()

    def endless(question: Question, stop: Stop) -> dict[str, Any]:
        begun.set()
        while question.depth > 1 and not stop.is_set():
            threading.Event().wait(0.01)
        return {"depth": question.depth}

    def lines() -> Iterator[str]:
        yield line(id="a", position=ID, interim=True)
        assert begun.wait(SECONDS)
        yield line(id="b", terminate="a")
        yield line(terminate="nobody")

    found = list(answers_to(lines(), endless, Question(depth=5)))
    assert {"id": "b", "terminate": "a", "found": True} in found
    assert {"id": None, "terminate": "nobody", "found": False} in found
    final = found[-1] if found[-1].get("id") == "a" else found[-2]
    assert (final["interim"], final["terminated"]) == (False, True)
    assert final["depth"] in (1, 3)


def test_a_query_that_is_terminated_without_an_answer_says_so() -> None:
    def stopped(question: Question, stop: Stop) -> dict[str, Any]:
        raise UnfinishedError("no answer yet")

    (found,) = answers_to([line(id="a", position=ID, scores=25)], stopped, Question())
    assert found == {"id": "a", "terminated": True, "error": "no answer yet"}


def test_a_name_is_free_again_once_it_is_answered() -> None:
    asked = queue.SimpleQueue[str | None]()

    def lines() -> Iterator[str]:
        while (given := asked.get()) is not None:
            yield given

    gate = threading.Event()

    def gated(question: Question, stop: Stop) -> dict[str, Any]:
        assert gate.wait(SECONDS)
        return {}

    found = answers_to(lines(), gated, Question())
    asked.put(line(id="a", position=ID))
    asked.put(line(id="a", position=ID))
    assert "under way" in next(found)["error"]
    gate.set()
    assert next(found) == {"id": "a", "interim": False}

    def accepted() -> bool:
        asked.put(line(id="a", position=ID))
        return "error" not in next(found)

    assert comes_true(accepted, SECONDS), "the name is taken out just after the answer"
    asked.put(None)
    assert list(found) == []


def test_errors_are_answers() -> None:
    def refuse(question: Question, stop: Stop) -> dict[str, Any]:
        raise SettingError("no such stakes")

    cut = f"{ID}:cAkAAAAA"
    lines = [
        line(id=1, position=ID),
        line(id=2, position="x"),
        "rubbish",
        cut,
        f'{{"position": "{cut}',
        ID,
        line(id=3),
    ]
    found = list(answers_to(lines, refuse, Question()))
    by_id = {each.get("id"): each for each in found if "id" in each}
    assert by_id[1] == {"id": 1, "error": "no such stakes"}
    assert "Position ID" in by_id[2]["error"]
    assert "no position" in by_id[3]["error"]
    assert "no JSON" in by_id[None]["error"]
    assert [each["input"] for each in found if "input" in each] == ["rubbish", cut, ID]


@pytest.mark.parametrize("workers", [1, 3])
def test_what_nobody_expects_reaches_the_caller(workers: int) -> None:
    def broken(question: Question, stop: Stop) -> dict[str, Any]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(answers_to([ID], broken, Question(), workers))

    def lines() -> Iterator[str]:
        yield ID
        raise OSError("the input is lost")

    with pytest.raises(OSError, match="the input is lost"):
        list(answers_to(lines(), echo, Question(), workers))


# Lines of JSON that ask for analyses.


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
    asked = Question(match=7, score="3-5", owner="roller", cube=2, move_filter="tiny", scores=3, noise=0.5)
    more = {"match": 7, "score": "3-5", "owner": "roller", "cube": 2, "filter": "tiny"}
    assert read(position=ID, scores=3, noise=0.5, **more) == Query(ID, question=asked)


def test_what_is_left_out_is_as_the_defaults() -> None:
    defaults = Question(dice=(2, 1), depth=3, top=2, plays=("24/23",))
    asked = Question(depth=3, top=4, plays=("24/23",))
    assert read(defaults, position=ID, top=4, dice=None) == Query(ID, question=asked)


HOW_WELL: tuple[dict[str, Any], ...] = (
    {"depth": 1},
    {"depth": 5},
    {"level": "roller"},
    {"level": "3"},
    {"strength": 9.0},
)


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
    ["", ID, f'"{ID}"', "[1]", "{}", f'{{"xgid": "{ID}"}}', "{", f"{{{ID}}}", "null"],
    ids=lambda line: line[:12],
)
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
        ({"id": [1], "position": ID}, None, "id [1]"),
        ({"id": True, "position": ID}, None, "id True"),
        ({"id": 1.5, "position": ID}, None, "id 1.5"),
        ({"id": 3, "position": 5}, 3, "position 5"),
        ({"id": 3, "position": ID, "depth": "5"}, 3, "depth '5'"),
        ({"id": 3, "position": ID, "depth": 3, "level": "roller"}, 3, "depth with level"),
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
