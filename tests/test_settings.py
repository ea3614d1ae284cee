"""Every setting in every front end: what its kind does not take is refused, and named.

The kinds have their bad examples here. Python, the engine, lines of JSON, the command line and
the server are asked for each setting; tests beside them have what is particular to one.
"""

import inspect
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import gammon
from gammon.base.errors import GammonError
from gammon.base.settings import Flag, Number, OneOf, SettingKind, Text, Whole, settings_of
from gammon.commands.analyze import analyze
from gammon.commands.rollout import rollout
from gammon.commands.stream import USUAL, Refused, read_query
from gammon.engine.question import Question, RolloutSettings
from gammon_study.library.selection import Selection
from tests.engine.commands.program import OPENING, OPENING_31, run

#: Values that no setting takes.
NEVER: list[Any] = [b"3", 1j, [[3, 1]], object(), np.timedelta64(3, "s"), np.array("x")]
#: Of the kinds that a question has for itself: values, and texts.
OWN: dict[str, tuple[list[Any], list[str]]] = {
    "position": ([OPENING, 5], ["hello", "", "4HPwATDgc/AB"]),
    "dice": (
        [(7, 1), (1,), (1, 2, 3), (3.0, 1.0), (True, 1), [3], [3, "1"], 31, "37"],
        ["7", "70", "3" * 5000],
    ),
    "play": (["8/5 6/5", 3, [3], None], []),  # which text is a play, depends on the roll
    "stakes": ([1, (1, 2, 3, -1, -2, -3), "cash"], ["cash", "1,2,3"]),
    "met": ([5, "no-such.csv"], ["no-such.csv"]),
}
RECORDS = [Question, RolloutSettings, Selection]


def bad_values(name: str, kind: SettingKind) -> list[Any]:
    """Values of Python that a setting cannot have."""
    if name in OWN:
        return [*NEVER, *OWN[name][0]]
    if isinstance(kind, Whole):
        beyond = [] if kind.high is None else [kind.high + 1, kind.high + kind.step]
        between = [kind.low + 1] if kind.step > 1 else []
        return [*NEVER, None, kind.low - 1, kind.low + 0.5, str(kind.low), *beyond, *between]
    if isinstance(kind, Number):
        beyond = [] if kind.high == math.inf else [kind.high + 1.0]
        return [*NEVER, None, kind.low - 1.0, math.nan, math.inf, "1", True, *beyond]
    if isinstance(kind, OneOf):
        return [*NEVER, None, "nonsense", 999, True, list(kind.choices)]
    if isinstance(kind, Flag):
        return [*NEVER, None, 2, 1, "yes", "maybe"]
    assert isinstance(kind, Text), f"{name}: its kind has no bad examples"
    return [*NEVER, 5, True]


def bad_texts(name: str, kind: SettingKind | None) -> list[str]:
    """Texts that stand for no value of a setting."""
    if name in OWN:
        return OWN[name][1]
    if isinstance(kind, Whole):
        beyond = [] if kind.high is None else [str(kind.high + 1), "9" * 99]
        return [str(kind.low - 1), "x", "1.5", "1e3", "--3", "0x3", *beyond]
    if isinstance(kind, Number):
        beyond = [] if kind.high == math.inf else [str(kind.high + 1.0)]
        return [str(kind.low - 1.0), "x", "nan", "inf", *beyond]
    if isinstance(kind, OneOf):
        return ["nonsense", "999", " "]
    return ["maybe", "2"] if isinstance(kind, Flag) else []


def is_told(line: str, value: Any, *names: str) -> bool:
    """Whether the one line of an error names the setting, or quotes what it was."""
    quoted = value if isinstance(value, str) and value else repr(value)
    named = any(name in line for name in names) or quoted in line
    return named and "\n" not in line and len(line) < 400


def assert_all_refused(record: Any, use: Callable[..., object], *only: str) -> int:
    """Check that a function refuses all bad values of some settings; return how many."""
    asked = 0
    for name, setting in settings_of(record).items():
        for value in bad_values(setting.word, setting.kind):
            if (only and name not in only) or value is setting.default:
                continue
            with pytest.raises(GammonError) as caught:
                use(**{name: value})
            assert is_told(str(caught.value), value, name, setting.word), (name, value)
            asked += 1
    return asked


@pytest.mark.smoke
@pytest.mark.parametrize("record", RECORDS)
def test_a_record(record: Any) -> None:
    assert assert_all_refused(record, record) > 100


def test_an_engine() -> None:
    engine, start = gammon.Engine(depth=1), gammon.Position.opening()
    taken = inspect.signature(gammon.Engine).parameters.keys() & settings_of(Question).keys()
    assert assert_all_refused(Question, gammon.Engine, *taken) > 100
    ask = inspect.signature(engine.analyze).parameters
    assert {"top", "plays", "dice"} <= ask.keys()
    assert_all_refused(Question, lambda **each: engine.analyze(start, (3, 1), **each), "top")
    assert_all_refused(Question, lambda **each: engine.analyze(start, (3, 1), **each), "plays")
    assert_all_refused(Question, lambda **each: engine.analyze(start, **each), "dice")


def test_a_line_of_json() -> None:
    asked = 0
    for name, setting in settings_of(Question).items():
        for value in bad_values(setting.word, setting.kind):
            try:
                line = json.dumps({"position": OPENING_31, setting.entry: value})
            except TypeError:  # JSON has no such value
                continue
            if value in (setting.default, OPENING) or (name, value) == ("level", None):
                continue
            found = read_query(line, USUAL)
            assert isinstance(found, Refused), (name, value)
            assert is_told(str(found.error), value, name, setting.word), found.error
            asked += 1
    assert asked > 120


@pytest.mark.parametrize(
    ("command", "record", "least"), [(analyze, Question, 80), (rollout, RolloutSettings, 40)]
)
def test_the_command_line(command: click.Command, record: Any, least: int) -> None:
    options = {each.name for each in command.params}
    asked = 0
    for name, setting in settings_of(record).items():
        option = f"--{setting.word.replace('_', '-')}"
        for text in bad_texts(setting.word, setting.kind):
            if name not in options | {"position"}:
                continue
            given = [text] if name == "position" else [OPENING_31, f"{option}={text}"]
            done = run(str(command.name), *given)
            assert done.exit_code in (1, 2) and done.stdout == "", given
            (line,) = [each for each in done.stderr.splitlines() if "Error: " in each]
            assert is_told(line, text, name, setting.word, option), line
            asked += 1
    assert asked > least


def test_a_server(library: Path) -> None:
    """Each parameter of each request by GET whose values have a kind."""
    pytest.importorskip("starlette")
    from gammon_web.requests import REQUESTS
    from tests.web.asking import API, application, ask

    app, asked = application(library=library)[0], 0
    for (method, path), request in REQUESTS.items():
        for name, parameter in request.known().parameters.items():
            for text in bad_texts({"id": "position"}.get(name, name), parameter.kind):
                if method != "GET" or not path.startswith(API):
                    continue
                usual = {"id": OPENING} if "id" in request.known().parameters else {}
                given = usual | {name: text}
                found = ask(path, app=app, **given)
                assert (found.status, found.error.get("field")) == (400, name), (path, given)
                asked += 1
    assert asked > 300
