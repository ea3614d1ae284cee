"""A stream of positions and queries, answered by several threads.

A query is a line of JSON that asks for an analysis; its `id` is repeated in the answers.
"""

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from queue import Queue
from typing import Any, NamedTuple

from gammon.base.checks import is_whole, shown
from gammon.base.errors import FormatError, GammonError, SettingError, UnfinishedError
from gammon.base.settings import Flag, Setting, Text, settings_of
from gammon.engine.question import HOW_WELL, Question, check_depths
from gammon.formats.characters import shortened
from gammon.formats.pasted import texts_of_positions
from gammon.search import Stop

#: The question of a line that contains only a position.
USUAL = Question()
#: The ID of a query: a text, an integer, or null.
Id = str | int | None


@dataclass(frozen=True)
class Query:
    """A question whose position has not been read yet.

    Attributes:
        position: an ID, or a pasted text that contains one.
        id: any name.
        interim: whether to answer at lower depths first.
        question: the other settings.
    """

    position: str
    id: Id = None
    interim: bool = False
    question: Question = USUAL

    def questions(self) -> Iterator[Question]:
        """Yield the questions in the order of their answers.

        Raises:
            FormatError, IllegalPositionError: the text contains no position.
        """
        from gammon.formats.position import Position

        last = replace(self.question, position=Position.parse(self.position))
        if self.interim:
            yield from last.shallower()
        yield last


@dataclass(frozen=True)
class Terminate:
    """A request to end a query at once, with the answer so far.

    Attributes:
        id: the ID of this line.
        terminate: the ID of the query.
    """

    id: Id
    terminate: Id


@dataclass(frozen=True)
class Refused:
    """An invalid query.

    Attributes:
        id: the ID of the line, or None if it is unknown.
        error: the error to report.
    """

    id: Id
    error: GammonError = field(compare=False)


#: A line without any of these fields is a pasted text.
_MARKS = ("id", "position", "terminate")
_NAMED = re.compile(rf'"({"|".join(_MARKS)})"\s*:')
_SETTINGS = {setting.entry: setting for setting in settings_of(Question).values()}
#: The names of the fields of a query.
FIELDS = ("position", "id", *(name for name in _SETTINGS if name != "position"), "interim")


def read_query(line: str, defaults: Question) -> Query | Terminate | Refused | None:
    """Read a line; return None if it is a pasted text.

    A line that names a field of a query but is not JSON is a damaged query.

    Args:
        line: a line of the input.
        defaults: the question that has the fields missing in the line.
    """
    if not line.lstrip().startswith("{"):
        return None
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        if _NAMED.search(line) is None:
            return None
        wrong = ", or too deep"
        if isinstance(error, json.JSONDecodeError):
            wrong = f": {error.msg} at column {error.colno}"
        return Refused(None, FormatError(f"no JSON{wrong}"))
    if not isinstance(given, dict) or not any(mark in given for mark in _MARKS):
        return None
    name = given.get("id")
    if not _is_id(name):
        return Refused(None, FormatError(f"id {shown(name)}: expected a text or a whole number"))
    try:
        if "terminate" in given:
            return _terminate(given)
        return _query(name, given, defaults)
    except GammonError as error:
        return Refused(name, error)


def _is_id(value: Any) -> bool:
    return value is None or isinstance(value, str) or is_whole(value)


def _terminate(given: dict[str, Any]) -> Terminate:
    target = given["terminate"]
    if target is None or not _is_id(target) or not set(given) <= {"id", "terminate"}:
        raise FormatError(
            f"terminate {shown(target)}: expected the id of a query, with no more than an id beside it"
        )
    return Terminate(given.get("id"), target)


def _query(name: Id, given: dict[str, Any], defaults: Question) -> Query:
    """Return the query of a line, after a check of its fields."""
    for entry in given:
        if entry not in FIELDS:
            near = get_close_matches(entry, FIELDS, 1)
            names = f"{near[0]}?" if near else f"some of {', '.join(FIELDS)}, or terminate"
            wanted = "did you mean" if near else "expected"
            raise FormatError(f"field {shown(entry)}: {wanted} {names}")
    if "position" not in given:
        raise FormatError("no position: expected the field position, with an ID")
    position = Text().checked("position", given["position"])
    interim = Flag().checked("interim", given.get("interim", False))
    values = {
        _SETTINGS[entry].name: _value(_SETTINGS[entry], value)
        for entry, value in given.items()
        if entry not in ("position", "id", "interim")
    }
    check_depths(values)
    given_depths = [field for field in HOW_WELL if field in values]
    if any(values[field] is not None or getattr(defaults, field) is not None for field in given_depths):
        values = {field: getattr(USUAL, field) for field in HOW_WELL} | values
    return Query(position, name, interim, replace(defaults, **values))


def _value(setting: Setting, value: Any) -> Any:
    """Return the value of a setting; null is allowed where the default is None."""
    if value is None and setting.default is None:
        return None
    return setting.kind.decoded(setting.entry, value)


#: Returns the answer to a question as JSON values.
Answer = Callable[[Question, Stop], dict[str, Any]]
#: The most lines that are read ahead, and the most answers that wait to be taken.
_MOST_WAITING = 1000


class _Task(NamedTuple):
    """A query or a pasted text that waits for its answer.

    Attributes:
        query: the query; a pasted text becomes one, too.
        number: the index of a pasted text among all pasted texts; None for a query.
        stop: ends the search.
    """

    query: Query
    number: int | None
    stop: Stop


class _Output(NamedTuple):
    """An answer, or the end of a thread.

    Attributes:
        values: the answer.
        number: as for `_Task`.
        error: an unexpected error in a thread, which the caller gets.
        end: whether the thread has ended.
    """

    values: dict[str, Any]
    number: int | None = None
    error: BaseException | None = None
    end: bool = False


class _Stops:
    """The stops of queries that have an ID and no answer yet; safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stops: dict[Id, Stop] = {}

    def add(self, name: Id, stop: Stop) -> None:
        """Add the stop of a query.

        Raises:
            SettingError: another query of this ID has no answer yet.
        """
        if name is None:
            return
        with self._lock:
            if name in self._stops:
                raise SettingError(f"id {name!r}: a query of this id is under way")
            self._stops[name] = stop

    def set(self, name: Id) -> bool:
        """End a query; return whether there was one."""
        with self._lock:
            stop = self._stops.get(name)
            if stop is not None:
                stop.set()
        return stop is not None

    @contextmanager
    def removed(self, name: Id) -> Iterator[None]:
        """Remove the stop of a query at the end of the block."""
        try:
            yield
        finally:
            with self._lock:
                self._stops.pop(name, None)


def answers_to(
    lines: Iterable[str], answer: Answer, defaults: Question, workers: int = 1
) -> Iterator[dict[str, Any]]:
    """Yield the answers to lines as JSON values.

    With one worker, answers come in the order of the lines. With more workers, queries are
    answered as soon as possible, and pasted texts in their order. An invalid query, and a request
    to end a query, are answered at once.

    Args:
        lines: pasted texts (see `gammon.formats.pasted`) and queries. They are read while searches
            run.
        answer: answers a question.
        defaults: the question for pasted texts; it also has the fields that a query leaves out.
        workers: how many questions are answered at the same time.
    """
    tasks, outputs = Queue[_Task | None](_MOST_WAITING), Queue[_Output](_MOST_WAITING)
    stops = _Stops()

    def read() -> None:
        def texts() -> Iterator[str]:
            for line in lines:
                query = read_query(line, defaults)
                if query is None:
                    yield line
                else:
                    _take(query, stops, tasks, outputs)

        for number, text in enumerate(texts_of_positions(texts())):
            tasks.put(_Task(Query(text, question=defaults), number, Stop()))

    def start(work: Callable[[], None], at_end: Callable[[], None]) -> None:
        def run() -> None:
            try:
                work()
            except BaseException as error:  # the caller raises it
                outputs.put(_Output({}, error=error))
            at_end()

        threading.Thread(target=run, daemon=True).start()

    def work() -> None:
        while (task := tasks.get()) is not None:
            if task.number is None:
                with stops.removed(task.query.id):
                    _answer_query(task, answer, outputs)
            else:
                _answer_text(task, answer, outputs)

    def end_all() -> None:
        for _ in range(workers):
            tasks.put(None)

    start(read, end_all)
    for _ in range(workers):
        start(work, lambda: outputs.put(_Output({}, end=True)))
    return _in_order(outputs, workers)


def _take(
    line: Query | Terminate | Refused, stops: _Stops, tasks: "Queue[_Task | None]", outputs: "Queue[_Output]"
) -> None:
    """Add a query to the tasks, end another query, or report an invalid one."""
    try:
        if isinstance(line, Refused):
            raise line.error
        if isinstance(line, Terminate):
            ended = stops.set(line.terminate)
            values = {"id": line.id, "terminate": line.terminate, "found": ended}
            outputs.put(_Output(values))
            return
        stop = Stop()
        stops.add(line.id, stop)
        tasks.put(_Task(line, None, stop))
    except GammonError as error:
        outputs.put(_Output({"id": line.id, "error": str(error)}))


def _answer_query(task: _Task, answer: Answer, outputs: "Queue[_Output]") -> None:
    query, stop = task.query, task.stop
    try:
        for question in query.questions():
            values = answer(question, stop)
            whole = replace(query.question, position=question.position)
            last = question == whole or stop.is_set()
            mark = {"terminated": True} if stop.is_set() else {}
            outputs.put(_Output({"id": query.id, "interim": not last, **mark, **values}))
            if last:
                return
    except GammonError as error:
        mark = {"terminated": True} if isinstance(error, UnfinishedError) else {}
        outputs.put(_Output({"id": query.id, **mark, "error": str(error)}))


def _answer_text(task: _Task, answer: Answer, outputs: "Queue[_Output]") -> None:
    query = task.query
    try:
        (question,) = query.questions()
        values = answer(question, task.stop)
    except GammonError as error:
        values = {"input": shortened(query.position), "error": str(error)}
    outputs.put(_Output(values, task.number))


def _in_order(outputs: "Queue[_Output]", workers: int) -> Iterator[dict[str, Any]]:
    """Yield answers: numbered ones in the order of their numbers, others at once."""
    early: dict[int, dict[str, Any]] = {}
    expected = 0
    while workers:
        output = outputs.get()
        if output.error is not None:
            raise output.error
        workers -= output.end
        if output.number is not None:
            early[output.number] = output.values
        elif not output.end:
            yield output.values
        while expected in early:
            yield early.pop(expected)
            expected += 1
