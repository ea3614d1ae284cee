"""The one decorator: its kernels are short and typed once, and importing changes nothing."""

import ast
import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import Barrier, Thread

import pytest

import gammon
from gammon.compiled.kernel import checked, kernel, load
from tests.engine.compiled.test_vector import compiled_only
from tests.processes import printed

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
        isinstance(each, ast.Call) and ast.unparse(each.func) == "kernel"
        for each in node.decorator_list
    )


@cache
def all_kernels() -> list[tuple[Path, ast.FunctionDef]]:
    return [
        (path, node) for path in sorted(PACKAGE.rglob("*.py")) for node in functions(path)
        if is_kernel(node)
    ]  # fmt: skip


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
