"""Streams of positions and queries: their order, their threads, and how they end."""

import json
import queue
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from gammon.base.errors import SettingError, UnfinishedError
from gammon.commands import stream
from gammon.commands.stream import answers_to
from gammon.engine.question import Question
from gammon.search import Stop
from tests.processes import comes_true

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
    assert [each["top"] for each in found] == [
        10 if n in (10, 20) else n + 1 for n in range(50)
    ]
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
    assert [(each["depth"], each["interim"]) for each in found] == [
        (1, True), (3, True), (5, False),
    ]  # fmt: skip


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
        line(id=1, position=ID), line(id=2, position="x"), "rubbish", cut,
        f'{{"position": "{cut}', ID, line(id=3),
    ]  # fmt: skip
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
