"""What compiled code is made of: whatever changes what a kernel does changes its digest."""

import ast
import builtins
import importlib
import inspect
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from gammon.compiled import sources
from gammon.compiled.kernel import Kernel
from gammon.compiled.sources import kernel_digest
from tests.engine.compiled.test_vector import compiled_only
from tests.imports import MODULES

#: Kernels that reach each other and all kinds of values. `main` prints what they do.
MINE = '''
import enum
import math
from typing import NamedTuple, Protocol
import numpy as np
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Int64Vector
import other
from other import shared

STEP = 3
PAIR = (2, 5)
FLOATS = (1.0, -0.0)
LIST = np.array([7, 11])
SPARE = 1

class Fields(NamedTuple):
    low: int
    high: int = 4

class Colour(enum.IntEnum):
    RED = 1

NAMED = Fields(8, 9)

@kernel(inner=True)
def helper(x: int) -> int:
    """Help."""
    return x * STEP + 1

@kernel(inner=True)
def another(x: int) -> int:
    return x - 1

@kernel(inline=True)
def pasted(x: int) -> int:
    return helper(x) + PAIR[1] + LIST[0]

@kernel()
def main(x: int, fields: Fields, by: int = 2) -> int:
    """Do it all."""
    made = Fields(x)
    total = pasted(x) + other.FAR + other.deep.DEEPER + shared(x) + made.high + by
    for k in range(3):
        total += k * x if k in (0, 2) else another(k)
    total += int(math.floor(FLOATS[0])) + NAMED.low
    return total + Colour.RED + fields.low - 2 * fields.high

@kernel()
def alone(x: int) -> int:
    return x + 1

def said():
    return main(6, Fields(low=30, high=1)), alone(6)
'''
OTHER = """
import deep
from gammon.compiled.kernel import kernel
FAR = 100

@kernel(inner=True)
def shared(x: int) -> int:
    return 2 * x
"""
DEEP = "DEEPER = 1000\n"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    for name in ("mine", "other", "deep"):
        sys.modules.pop(name, None)


def loaded(folder: Path, mine: str, other: str, deep: str) -> ModuleType:
    for name, text in (("mine", mine), ("other", other), ("deep", deep)):
        (folder / f"{name}.py").write_text(text)
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    return importlib.import_module("mine")


def digests(module: ModuleType) -> tuple[str, str]:
    return kernel_digest(module.main), kernel_digest(module.alone)


def plain(module: ModuleType) -> tuple[int, int]:
    """What the kernels do as plain Python: their bodies, which call each other's."""
    for each in (module, module.other):
        for name, value in list(vars(each).items()):
            if isinstance(value, Kernel):
                setattr(each, name, value.py_func)
    found: tuple[int, int] = module.said()
    return found


#: What is written in its place, in which file; each changes what `main` returns.
EDITS = [
    ("mine", "STEP = 3", "STEP = 4"),
    ("mine", "PAIR = (2, 5)", "PAIR = (2, 6)"),
    ("mine", "FLOATS = (1.0, -0.0)", "FLOATS = (2.0, -0.0)"),
    ("mine", "np.array([7, 11])", "np.array([8, 11])"),
    ("mine", "NAMED = Fields(8, 9)", "NAMED = Fields(9, 9)"),
    ("mine", "    high: int = 4", "    high: int = 5"),
    ("mine", "    low: int\n    high: int = 4", "    high: int\n    low: int = 4"),
    ("mine", "RED = 1", "RED = 2"),
    ("mine", "x * STEP + 1", "x * STEP + 2"),
    ("mine", "    return x - 1", "    return x + 1"),
    ("mine", "helper(x) + PAIR", "another(x) + PAIR"),
    ("mine", "by: int = 2", "by: int = 3"),
    ("mine", "range(3)", "range(4)"),
    ("mine", "k in (0, 2)", "k in (0, 1)"),
    ("mine", "math.floor", "math.cos"),
    ("mine", "fields.low - 2 * fields.high", "fields.high - 2 * fields.low"),
    ("mine", "def said():", "shared = helper\n\ndef said():"),
    ("other", "FAR = 100", "FAR = 101"),
    ("other", "2 * x", "3 * x"),
    ("deep", "1000", "1001"),
]


@compiled_only
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit[2][:30])
def test_an_edit_that_changes_a_result_changes_the_digest(
    own: Path, edit: tuple[str, str, str]
) -> None:
    texts = {"mine": MINE, "other": OTHER, "deep": DEEP}
    module = loaded(own, **texts)
    before, result = digests(module), plain(module)
    name, right, wrong = edit
    assert texts[name].count(right) == 1
    texts[name] = texts[name].replace(right, wrong)
    module = loaded(own, **texts)
    after, changed = digests(module), plain(module)
    assert changed[0] != result[0], "else the edit shows nothing"
    assert after[0] != before[0]
    assert after[1] == before[1], "`alone` reaches nothing of it"


@compiled_only
@pytest.mark.parametrize(
    "edit",
    [
        ("SPARE = 1", "SPARE = 2"), ("STEP = 3", "# why it is so\n\n\nSTEP = 3"),
        ("    return x - 1", "    # as it was\n    return x - 1"),
        ('"""Help."""', '"""Help more."""'), ('"""Do it all."""', ""),
        ("x * STEP + 1", "(x * STEP) + 1"), ("STEP = 3", "STEP = 2 + 1"),
        ("def said():", "def new(x):\n    return x\n\ndef said():"),
    ],
    ids=lambda edit: edit[1][:30],
)  # fmt: skip
def test_an_edit_that_changes_nothing_changes_no_digest(
    own: Path, edit: tuple[str, str]
) -> None:
    # A plain class, such as `Colour`, lets the whole file count.
    text = MINE.replace(" + Colour.RED", "")
    before = digests(loaded(own, text, OTHER, DEEP))
    assert text.count(edit[0]) == 1
    assert digests(loaded(own, text.replace(*edit), OTHER, DEEP)) == before


@compiled_only
@pytest.mark.parametrize("flag", ["inline=True", "allocates=True"])
def test_the_ways_to_compile_a_kernel_count(own: Path, flag: str) -> None:
    before = digests(loaded(own, MINE, OTHER, DEEP))
    changed = MINE.replace("@kernel(inner=True)\ndef helper", f"@kernel({flag})\ndef helper")
    after = digests(loaded(own, changed, OTHER, DEEP))
    assert (after[0] != before[0], after[1]) == (True, before[1])


@compiled_only
def test_a_constant_that_a_program_sets_counts_from_then_on(own: Path) -> None:
    module = loaded(own, MINE, OTHER, DEEP)
    before = digests(module)
    module.STEP = 5
    after = digests(module)
    assert (after[0] != before[0], after[1]) == (True, before[1])
    module.STEP = 3
    assert digests(module) == before


def names_read(function: FunctionType) -> set[str]:
    """The globals that the body of a function reads, by its source."""
    text = textwrap.dedent(inspect.getsource(function))
    body = ast.parse(text).body[0]
    assert isinstance(body, ast.FunctionDef)
    nodes = [node for statement in body.body for node in ast.walk(statement)]
    hints = [node.annotation for node in nodes if isinstance(node, ast.AnnAssign)]
    never = {node for hint in hints for node in ast.walk(hint)}
    read = {node.id for node in nodes if isinstance(node, ast.Name) and node not in never}
    own = set(function.__code__.co_varnames) | set(vars(builtins))
    return (read & function.__globals__.keys()) - own


@compiled_only
def test_no_name_that_a_kernel_of_gammon_reads_is_missed() -> None:
    """Each is a kernel that counts, or a value of which the parts tell."""
    looked = 0
    for name in MODULES:
        if "@kernel(" not in MODULES[name].read_text() or name.startswith("gammon.train"):
            continue
        for value in list(vars(importlib.import_module(name)).values()):
            if not isinstance(value, Kernel) or value.__module__ != name:
                continue
            reader = sources.Reader(sources.plain(value))
            told = {part.split()[0].split("[")[0] for part in reader.parts[1:]}
            missed = names_read(sources.plain(value)) - told - reader.kernels.keys()
            assert not missed, (value.name, missed)
            looked += 1
    assert looked > 300


@compiled_only
def test_nothing_of_gammon_is_taken_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that its kernels reach is known; else an edit of a file would compile too much."""
    from gammon.search.decide_kernel import decide_kernel

    monkeypatch.setattr(sources, "_file", pytest.fail)
    assert len(sources.reached(sources.plain(decide_kernel))) > 50


@compiled_only
def test_records_of_other_fields_have_other_layouts() -> None:
    from typing import NamedTuple

    from gammon.compiled.records import kind_of

    class One(NamedTuple):
        low: float
        high: float

    class Two(NamedTuple):
        high: float
        low: float

    one, two = kind_of(One), kind_of(Two)
    Two.__qualname__ = One.__qualname__
    assert one.parts == two.parts
    assert sources.layout(one) != sources.layout(two)
