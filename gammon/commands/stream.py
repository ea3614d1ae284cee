"""A stream of positions and queries, which threads answer as they can."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from queue import Queue
from typing import Any, NamedTuple

from gammon.base.errors import GammonError, SettingError, UnfinishedError
from gammon.commands.queries import Id, Query, Refused, Terminate, read_query
from gammon.engine.question import Question
from gammon.formats.characters import shortened
from gammon.formats.lines import texts_of_positions
from gammon.search import Stop

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
        lines: pasted texts (`gammon.formats.lines`) and queries (`gammon.commands.queries`).
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
    found: Query | Terminate | Refused,
    stops: _Stops,
    tasks: "Queue[_Task | None]",
    said: "Queue[_Said]",
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
