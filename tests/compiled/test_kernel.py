"""The one decorator: the hash of the cache misses nothing, and importing changes nothing."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import Barrier, Thread

import pytest

import gammon
from gammon.compiled.kernel import argument, kernel, load
from gammon.compiled.sources import modules_behind

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
def hashed(path: Path) -> set[Path]:
    """The files that name the compiled code of a file's kernels, beside itself."""
    return {home_of(module) for module in modules_behind(path.read_bytes())} | {path}


def home_of(module: str) -> Path:
    """The file of a module of gammon."""
    folder = PACKAGE.joinpath(*module.split(".")[1:])
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


@cache
def defined(path: Path) -> dict[str, ast.AST]:
    """The statement that makes each name at the top of a module, imports of gammon's too."""
    found: dict[str, ast.AST] = {}
    for node in tree(path).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = node
            case ast.ImportFrom(module=str(module)) if module.startswith("gammon"):
                found |= dict.fromkeys([a.asname or a.name for a in node.names], node)
            case ast.Assign() | ast.AnnAssign():
                stored = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
                found |= {n.id: node for n in stored if isinstance(n.ctx, ast.Store)}
    return found


def used_by(node: ast.AST) -> set[str]:
    """The names that a statement reads; of a function, not those of its annotations."""
    parts = [*node.body, *node.args.defaults] if isinstance(node, ast.FunctionDef) else [node]
    every = [name for part in parts for name in ast.walk(part)]
    return {n.id for n in every if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def sources(path: Path, node: ast.AST, seen: set[tuple[Path, str]]) -> Iterator[Path]:
    """The files of gammon that a statement's names come from, and those that these need."""
    for name in used_by(node) & set(defined(path)):
        if (path, name) in seen:
            continue
        seen.add((path, name))
        maker = defined(path)[name]
        if not isinstance(maker, ast.ImportFrom):
            yield from sources(path, maker, seen)
            continue
        alias = next(a for a in maker.names if (a.asname or a.name) == name)
        home = home_of(f"{maker.module}.{alias.name}")
        if home.exists():  # a module as a whole
            yield home
            continue
        home = home_of(maker.module or "")
        yield home
        if alias.name in defined(home):
            yield from sources(home, ast.Name(alias.name, ast.Load()), seen)


KERNELS = [
    (path, node) for path in sorted(PACKAGE.rglob("*.py")) for node in functions(path)
    if is_kernel(node)
]  # fmt: skip


def test_the_digest_misses_nothing_that_a_kernel_is_made_of() -> None:
    """Constants and functions that kernels read, and what these constants are made of."""
    assert len(KERNELS) > 100
    missed = {
        f"{path.relative_to(PACKAGE)}: {source.relative_to(PACKAGE)}"
        for path, node in KERNELS
        for source in sources(path, node, set())
        if source not in hashed(path)
    }
    assert missed == set()


def test_the_way_from_a_kernel_to_its_sources() -> None:
    path = PACKAGE / "train" / "strength.py"
    node = next(node for p, node in KERNELS if p == path and node.name == "_play_pairs")
    found = {source.relative_to(PACKAGE).as_posix() for source in sources(path, node, set())}
    assert {"rules/outcome.py", "rules/board.py", "search/evaluation.py"} <= found
    assert "base/mean.py" not in found, "the kernel does not take means"
    compare = next(node for node in functions(path) if node.name == "compare")
    found = {source.relative_to(PACKAGE).as_posix() for source in sources(path, compare, set())}
    assert "base/mean.py" in found


def test_types_are_said_once() -> None:
    """A kernel's annotations are its signature, unless it keeps a contract."""
    twice = {
        f"{path.relative_to(PACKAGE)}::{node.name}"
        for path, node in KERNELS
        for each in node.decorator_list
        if isinstance(each, ast.Call)
        for given in each.args
        if not ast.unparse(given).endswith("_SIGNATURE")
    }
    assert twice == set()


def test_kernels_have_few_parameters() -> None:
    many = {
        f"{path.relative_to(PACKAGE)}::{node.name}": len(node.args.args)
        for path, node in KERNELS
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


def printed(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("jit", ["0", "1"])
def test_importing_kernels_changes_no_settings(jit: str) -> None:
    code = (
        "import numba, numpy as np\n"
        "before = numba.config.CACHE_DIR, np.geterr()\n"
        "import gammon.answers.engine, gammon.train.strength, gammon.bench.speed\n"
        "print((numba.config.CACHE_DIR, np.geterr()) == before)"
    )
    assert printed(code, NUMBA_DISABLE_JIT=jit) == "True"


RECORDS = """
from typing import NamedTuple
from gammon.games import synthetic
from gammon.compiled.kernel import argument
from gammon.search import Evaluator
class Both(NamedTuple):
    evaluator: Evaluator
    number: int
made = argument(Both(synthetic.LEAF, 3))
print(type(made).__name__, made.number, made.evaluator.evaluate is synthetic.LEAF.evaluate,
      made.evaluator.weights is synthetic.LEAF.weights)
"""


def test_records_of_plain_functions_stay_as_they_are() -> None:
    assert printed(RECORDS, NUMBA_DISABLE_JIT="1") == "Both 3 True True"


@pytest.mark.smoke
@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_functions_in_records_become_pointers() -> None:
    from gammon.games import synthetic

    made = argument(synthetic.LEAF)
    assert made.weights is synthetic.LEAF.weights
    assert made.evaluate is not synthetic.LEAF.evaluate
    assert argument(synthetic.LEAF).evaluate is made.evaluate, "it is wrapped once"
    assert argument(made) is made, "and what is wrapped stays so"
    with pytest.raises(TypeError, match="fold: a kernel of signature"):
        argument(made._replace(fold=synthetic.LEAF.evaluate))
    with pytest.raises(TypeError, match="fold: expected a kernel of signature"):
        argument(made._replace(fold=len))


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
