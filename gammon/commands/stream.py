"""A stream of positions and queries, which threads answer as they can.

Queries are lines of JSON that ask for analyses, each with an `id` that its answers carry.
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

#: The question of a line that says no more than a position.
USUAL = Question()
#: The name of a query: a text, a whole number, or null.
Id = str | int | None


@dataclass(frozen=True)
class Query:
    """A question about a position that is still a text.

    Attributes:
        position: its ID, or a pasted text that holds it.
        id: any name.
        interim: whether the answers of lower depths are wanted too, as they come.
        question: all the rest.
    """

    position: str
    id: Id = None
    interim: bool = False
    question: Question = USUAL

    def questions(self) -> Iterator[Question]:
        """Yield what is asked, in the order of the answers.

        Raises:
            FormatError, IllegalPositionError: there is no position in the text.
        """
        from gammon.formats.position import Position

        last = replace(self.question, position=Position.parse(self.position))
        if self.interim:
            yield from last.shallower()
        yield last


@dataclass(frozen=True)
class Terminate:
    """A wish that a query ends at once, with the answer so far.

    Attributes:
        id: of this line.
        terminate: that of the query.
    """

    id: Id
    terminate: Id


@dataclass(frozen=True)
class Refused:
    """A line that was meant as a query, but is not one.

    Attributes:
        id: of the line, as far as it can be told.
        error: a line that says what is wrong.
    """

    id: Id
    error: GammonError = field(compare=False)


#: A line with none of these is a pasted text.
_MARKS = ("id", "position", "terminate")
_NAMED = re.compile(rf'"({"|".join(_MARKS)})"\s*:')
_SETTINGS = {each.entry: each for each in settings_of(Question).values()}
#: The names of the fields of a query.
FIELDS = ("position", "id", *(name for name in _SETTINGS if name != "position"), "interim")


def read_query(line: str, defaults: Question) -> Query | Terminate | Refused | None:
    """Read a line; None: it is a pasted text.

    A line that names a field of a query, and is no JSON, is a damaged query.

    Args:
        line: of the input.
        defaults: have the fields that the line leaves out.
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
    """Return the query of a line, after a check that there are such fields."""
    for each in given:
        if each not in FIELDS:
            near = get_close_matches(each, FIELDS, 1)
            names = f"{near[0]}?" if near else f"some of {', '.join(FIELDS)}, or terminate"
            wanted = "did you mean" if near else "expected"
            raise FormatError(f"field {shown(each)}: {wanted} {names}")
    if "position" not in given:
        raise FormatError("no position: expected the field position, with an ID")
    position = Text().checked("position", given["position"])
    interim = Flag().checked("interim", given.get("interim", False))
    values = {
        _SETTINGS[each].name: _value(_SETTINGS[each], value)
        for each, value in given.items()
        if each not in ("position", "id", "interim")
    }
    check_depths(values)
    named = [each for each in HOW_WELL if each in values]
    if any(values[each] is not None or getattr(defaults, each) is not None for each in named):
        values = {each: getattr(USUAL, each) for each in HOW_WELL} | values
    return Query(position, name, interim, replace(defaults, **values))


def _value(setting: Setting, value: Any) -> Any:
    """Return the value of a setting; null says what nothing says, where nothing says it."""
    if value is None and setting.default is None:
        return None
    return setting.kind.decoded(setting.entry, value)


#: Returns the plain JSON values that answer a question.
Answer = Callable[[Question, Stop], dict[str, Any]]
#: No more lines than these are read before their answers, and no more answers wait to be taken.
_MOST_WAITING = 1000


class _Task(NamedTuple):
    """A position that waits for its answer.

    Attributes:
        query: the question.
        number: the place of a pasted text among all of them; None: it is a query.
        stop: ends its search.
    """

    query: Query
    number: int | None
    stop: Stop


class _Said(NamedTuple):
    """Something to be said: an answer, or the end of a thread that gives no more.

    Attributes:
        values: the answer.
        number: as for `_Task`.
        error: what a thread did not expect, and the caller gets.
        end: whether it is the end.
    """

    values: dict[str, Any]
    number: int | None = None
    error: BaseException | None = None
    end: bool = False


class _Stops:
    """The stops of the queries that have a name and no answer yet; for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stops: dict[Id, Stop] = {}

    def add(self, name: Id, stop: Stop) -> None:
        """Add that of a query.

        Raises:
            SettingError: another one of its name has no answer yet.
        """
        if name is None:
            return
        with self._lock:
            if name in self._stops:
                raise SettingError(f"id {name!r}: a query of this id is under way")
            self._stops[name] = stop

    def set(self, name: Id) -> bool:
        """End a query, and tell whether there was one."""
        with self._lock:
            found = self._stops.get(name)
            if found is not None:
                found.set()
        return found is not None

    @contextmanager
    def removed(self, name: Id) -> Iterator[None]:
        """Take that of a query out at the end of the block."""
        try:
            yield
        finally:
            with self._lock:
                self._stops.pop(name, None)


def answers_to(
    lines: Iterable[str], answer: Answer, defaults: Question, workers: int = 1
) -> Iterator[dict[str, Any]]:
    """Yield answers to lines, as plain JSON values.

    With one worker they come in the order of the lines. With more, queries are answered as soon
    as they can be, and pasted texts in their order. A query that is refused, or that ends
    another one, is answered at once.

    Args:
        lines: pasted texts (`gammon.formats.pasted`) and queries (`gammon.commands.stream`).
            They are read while searches are under way.
        answer: analyzes.
        defaults: have the fields that a query leaves out, and those of a pasted text.
        workers: how many are analyzed at the same time.
    """
    tasks, said = Queue[_Task | None](_MOST_WAITING), Queue[_Said](_MOST_WAITING)
    stops = _Stops()

    def read() -> None:
        def texts() -> Iterator[str]:
            for line in lines:
                found = read_query(line, defaults)
                if found is None:
                    yield line
                else:
                    _take(found, stops, tasks, said)

        for number, text in enumerate(texts_of_positions(texts())):
            tasks.put(_Task(Query(text, question=defaults), number, Stop()))

    def start(work: Callable[[], None], at_end: Callable[[], None]) -> None:
        def run() -> None:
            try:
                work()
            except BaseException as error:  # the caller raises it
                said.put(_Said({}, error=error))
            at_end()

        threading.Thread(target=run, daemon=True).start()

    def work() -> None:
        while (task := tasks.get()) is not None:
            if task.number is None:
                with stops.removed(task.query.id):
                    _answer_query(task, answer, said)
            else:
                _answer_text(task, answer, said)

    def end_all() -> None:
        for _ in range(workers):
            tasks.put(None)

    start(read, end_all)
    for _ in range(workers):
        start(work, lambda: said.put(_Said({}, end=True)))
    return _in_order(said, workers)


def _take(
    found: Query | Terminate | Refused, stops: _Stops, tasks: "Queue[_Task | None]", said: "Queue[_Said]"
) -> None:
    """Put a query among the tasks; end another one; or say what is wrong."""
    try:
        if isinstance(found, Refused):
            raise found.error
        if isinstance(found, Terminate):
            ended = stops.set(found.terminate)
            values = {"id": found.id, "terminate": found.terminate, "found": ended}
            said.put(_Said(values))
            return
        stop = Stop()
        stops.add(found.id, stop)
        tasks.put(_Task(found, None, stop))
    except GammonError as error:
        said.put(_Said({"id": found.id, "error": str(error)}))


def _answer_query(task: _Task, answer: Answer, said: "Queue[_Said]") -> None:
    query, stop = task.query, task.stop
    try:
        for question in query.questions():
            values = answer(question, stop)
            whole = replace(query.question, position=question.position)
            last = question == whole or stop.is_set()
            mark = {"terminated": True} if stop.is_set() else {}
            said.put(_Said({"id": query.id, "interim": not last, **mark, **values}))
            if last:
                return
    except GammonError as error:
        mark = {"terminated": True} if isinstance(error, UnfinishedError) else {}
        said.put(_Said({"id": query.id, **mark, "error": str(error)}))


def _answer_text(task: _Task, answer: Answer, said: "Queue[_Said]") -> None:
    query = task.query
    try:
        (question,) = query.questions()
        values = answer(question, task.stop)
    except GammonError as error:
        values = {"input": shortened(query.position), "error": str(error)}
    said.put(_Said(values, task.number))


def _in_order(said: "Queue[_Said]", workers: int) -> Iterator[dict[str, Any]]:
    """Yield what is said: numbered answers in the order of their numbers, others at once."""
    early: dict[int, dict[str, Any]] = {}
    expected = 0
    while workers:
        found = said.get()
        if found.error is not None:
            raise found.error
        workers -= found.end
        if found.number is not None:
            early[found.number] = found.values
        elif not found.end:
            yield found.values
        while expected in early:
            yield early.pop(expected)
            expected += 1
