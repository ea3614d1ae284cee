"""The one decorator: kernels, places of records, and what changes a digest."""

import ast
import builtins
import importlib
import inspect
import pickle
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from threading import Barrier, Thread
from types import FunctionType, ModuleType
from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

import gammon
from gammon.compiled import kinds, sources
from gammon.compiled.kernel import Kernel, checked, kernel, load
from gammon.compiled.memory import LINE, aligned_zeros, copied, fetch_add, load_acquire, store_release
from gammon.compiled.records import Float64Matrix, Float64Vector, Int64Vector, kind_of
from gammon.compiled.sources import kernel_digest
from tests.engine.compiled.test_vector import compiled_only
from tests.imports import MODULES
from tests.processes import printed

# The one decorator: its kernels are short and typed once, and importing changes nothing.

PACKAGE = Path(gammon.__file__).parent

#: More parameters than this are a record that nobody has named.
MOST_PARAMETERS = 12
MOST_LINES = 100


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef))


def is_kernel(node: ast.AST) -> bool:
    """Whether a function stands under `@kernel(...)`."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(each, ast.Call) and ast.unparse(each.func) == "kernel" for each in node.decorator_list
    )


@cache
def all_kernels() -> list[tuple[Path, ast.FunctionDef]]:
    return [
        (path, node) for path in sorted(PACKAGE.rglob("*.py")) for node in functions(path) if is_kernel(node)
    ]


def test_kernels_have_few_parameters() -> None:
    assert len(all_kernels()) > 100
    many = {
        f"{path.relative_to(PACKAGE)}::{node.name}": len(node.args.args)
        for path, node in all_kernels()
        if len(node.args.args) > MOST_PARAMETERS
    }
    assert many == {}


def lines(node: ast.FunctionDef) -> int:
    """How many lines a function has below its docstring."""
    first = 1 if ast.get_docstring(node) and len(node.body) > 1 else 0
    return (node.end_lineno or 0) - node.body[first].lineno + 1


def test_functions_are_short() -> None:
    long = {
        f"{path.relative_to(PACKAGE)}::{node.name}": lines(node)
        for path in PACKAGE.rglob("*.py")
        for node in functions(path)
        if lines(node) > MOST_LINES
    }
    assert long == {}


@pytest.mark.parametrize("kernels", ["numba", "python", ""])
def test_importing_kernels_changes_no_settings(kernels: str) -> None:
    code = (
        "import numba, numpy as np\n"
        "before = numba.config.CACHE_DIR, np.geterr()\n"
        "import gammon.engine.engine, gammon.match.quick, gammon_lab.bench.speed\n"
        "print((numba.config.CACHE_DIR, np.geterr()) == before)"
    )
    assert printed(code, GAMMON_KERNELS=kernels) == "True"


@pytest.mark.smoke
@compiled_only
def test_a_record_holds_kernels_of_the_signatures_that_it_asks_for() -> None:
    from gammon_lab.games import synthetic

    assert checked(synthetic.LEAF) is synthetic.LEAF
    with pytest.raises(TypeError, match="fold: a kernel of signature"):
        checked(synthetic.LEAF._replace(fold=synthetic.LEAF.evaluate))
    with pytest.raises(TypeError, match="fold: expected a kernel of signature"):
        checked(synthetic.LEAF._replace(fold=len))


@compiled_only
def test_a_kernel_is_pickled_by_its_name() -> None:
    from gammon_lab.games import synthetic

    made = pickle.loads(pickle.dumps(synthetic.LEAF))
    assert made.evaluate is synthetic.LEAF.evaluate


def test_threads_may_make_the_same_kernel_ready_at_once() -> None:
    barrier, failed = Barrier(4), []

    @kernel(inner=True)
    def twice(number: int) -> int:
        return 2 * number

    def make_ready() -> None:
        barrier.wait()
        try:
            load(twice)
        except RuntimeError as error:
            failed.append(error)

    threads = [Thread(target=make_ready) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert twice(21) == 42


def test_the_decorator_wants_parentheses() -> None:
    def thrice(number: int) -> int:
        return 3 * number

    with pytest.raises(TypeError, match=r"thrice: write @kernel\(\)"):
        kernel(thrice)


# Records by reference, numbers that threads share, and memory that begins with a line.


class Inner(NamedTuple):
    numbers: Int64Vector
    step: int


class Outer(NamedTuple):
    """A record of 28 numbers, which inner kernels take by reference."""

    inner: Inner
    weights: Float64Matrix
    more: Float64Vector
    even_more: Float64Vector
    doubled: bool


@kernel()
def step_of(inner: Inner) -> int:
    return inner.step


@kernel(inner=True)
def down(outer: Outer, left: int) -> float:
    numbers = outer.inner.numbers
    numbers[left] += step_of(outer.inner)
    if left == 0:
        return 0.0
    weight = outer.weights[left, 1] * (2 if outer.doubled else 1)
    return weight + down(outer, left - 1)


@kernel(inner=True)
def turned(outer: Outer, step: int) -> Outer:
    inner = Inner(outer.inner.numbers, step)
    return Outer(inner, outer.weights, outer.more, outer.even_more, not outer.doubled)


@kernel(inner=True)
def kept(outer: Outer) -> Outer:
    return Outer(copied(outer.inner), outer.weights, outer.more, outer.even_more, outer.doubled)


@kernel()
def begin(outer: Outer, left: int) -> float:
    return down(kept(outer), left) + 100.0 * down(turned(outer, -1), left - 1)


def test_a_kernel_that_calls_itself_takes_the_record_by_reference() -> None:
    numbers, weights = np.zeros(5, np.int64), np.arange(10.0).reshape(5, 2)
    outer = Outer(Inner(numbers, 7), weights, np.zeros(0), np.zeros(0), True)
    expected = 2 * weights[1:4, 1].sum() + 100 * weights[1:3, 1].sum()
    assert begin(outer, 3) == expected
    assert numbers.tolist() == [6, 6, 6, 7, 0]


def test_python_calls_an_inner_kernel_with_the_record_itself() -> None:
    outer = Outer(Inner(np.zeros(3, np.int64), 1), np.ones((3, 2)), np.zeros(0), np.zeros(0), False)
    assert down(outer, 2) == 2.0
    assert outer.inner.numbers.tolist() == [1, 1, 1]


class _Calls(NamedTuple):
    function: Annotated[Any, kinds.Function(kinds.Signature(kinds.FLOAT64, (kind_of(Outer), kinds.INT64)))]


@compiled_only
def test_no_record_holds_an_inner_kernel() -> None:
    checked(_Calls(begin))
    with pytest.raises(TypeError, match="not an inner one"):
        checked(_Calls(down))


@kernel()
def _calls(numbers: Int64Vector, at: int, value: int) -> int:
    """Call each function once."""
    before = fetch_add(numbers, at, value)
    store_release(numbers, at + 1, before - value)
    return 3 * before + load_acquire(numbers, at) + 5 * load_acquire(numbers, at + 1)


@kernel()
def _count(numbers: Int64Vector, times: int) -> int:
    """Count a number of times; return the sum of what was there before."""
    total = 0
    for _ in range(times):
        total += fetch_add(numbers, 1, 1)
    return total


@kernel()
def _follow(numbers: Int64Vector, own: int, times: int) -> None:
    """Take turns with another thread: each writes into the last place, and says so."""
    for turn in range(times):
        while load_acquire(numbers, 1 - own) < turn + own:
            pass
        numbers[2] = 2 * numbers[2] % 1_000_003 + own
        store_release(numbers, own, turn + 1)


def _plain(function: Any) -> Any:
    return getattr(function, "py_func", function)


@pytest.mark.parametrize("value", [1, -7, 1 << 40])
def test_the_compiled_functions_do_what_their_twins_do(value: int) -> None:
    for at in range(3):
        ours, theirs = np.arange(4, dtype=np.int64), np.arange(4, dtype=np.int64)
        assert _calls(ours, at, value) == _plain(_calls)(theirs, at, value)
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("count", [_count, _plain(_count)], ids=["kernel", "plain"])
def test_no_thread_overlooks_what_another_adds(count: Any) -> None:
    times = 200_000 if count is _count else 2_000
    numbers = np.zeros(3, np.int64)
    with ThreadPoolExecutor(4) as pool:
        sums = list(pool.map(lambda _: count(numbers, times), range(4)))
    # Each number up to the last was there once.
    assert numbers.tolist() == [0, 4 * times, 0]
    assert sum(sums) == 4 * times * (4 * times - 1) // 2


@compiled_only
def test_a_thread_sees_what_was_written_before() -> None:
    times = 300
    numbers = np.zeros(3, np.int64)
    numbers[2] = 1
    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(_follow, numbers, own, times) for own in (0, 1)]:
            each.result()
    expected = 1
    for turn in range(2 * times):
        expected = 2 * expected % 1_000_003 + turn % 2
    assert numbers[2] == expected


@pytest.mark.parametrize("kind", [np.uint64, np.float32, np.int8])
def test_zeros_begin_with_a_line(kind: type[np.generic]) -> None:
    made = [aligned_zeros(size, kind) for size in (0, 1, 7, 1000) for _ in range(5)]
    assert [len(each) for each in made[::5]] == [0, 1, 7, 1000]
    for each in made:
        assert each.dtype == kind
        assert each.size == 0 or each.ctypes.data % LINE == 0
        assert each.flags.c_contiguous
        assert not each.any()


# What compiled code is made of: whatever changes what a kernel does changes its digest.

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
def test_an_edit_that_changes_a_result_changes_the_digest(own: Path, edit: tuple[str, str, str]) -> None:
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
        ("SPARE = 1", "SPARE = 2"),
        ("STEP = 3", "# why it is so\n\n\nSTEP = 3"),
        ("    return x - 1", "    # as it was\n    return x - 1"),
        ('"""Help."""', '"""Help more."""'),
        ('"""Do it all."""', ""),
        ("x * STEP + 1", "(x * STEP) + 1"),
        ("STEP = 3", "STEP = 2 + 1"),
        ("def said():", "def new(x):\n    return x\n\ndef said():"),
    ],
    ids=lambda edit: edit[1][:30],
)
def test_an_edit_that_changes_nothing_changes_no_digest(own: Path, edit: tuple[str, str]) -> None:
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
        if "@kernel(" not in MODULES[name].read_text() or name.startswith("gammon_lab.train"):
            continue
        for value in list(vars(importlib.import_module(name)).values()):
            if not isinstance(value, Kernel) or value.__module__ != name:
                continue
            reader = sources.Reader(sources.plain(value), lambda function: "")
            told = {part.split()[0].split("[")[0] for part in reader.parts[1:]}
            missed = names_read(sources.plain(value)) - told - reader.kernels.keys()
            assert not missed, (value.name, missed)
            looked += 1
    assert looked > 300


@compiled_only
def test_nothing_of_gammon_is_taken_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that its kernels reach is known; else an edit of a file would compile too much."""
    from gammon_adapters.embed.calls import analyze, play_games

    monkeypatch.setattr(sources, "_file", pytest.fail)
    for core_kernel in (analyze, play_games):
        assert len(sources.reached(sources.plain(core_kernel))) > 50


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
