"""Kernels under numba: who compiles them, and what stands in for their vectors."""

import os
import subprocess
import sys
from inspect import isfunction
from pathlib import Path
from types import ModuleType

import pytest
from numba.core.registry import cpu_target

from gammon.compiled import kinds, memory, vector
from gammon.compiled.jit import memory as jit_memory
from gammon.compiled.jit import vector as jit_vector
from gammon.compiled.jit.compiler import VECTORS, Compiled
from gammon.compiled.kernel import kernel
from tests.engine.compiled.test_vector import compiled_only
from tests.processes import ROOT

TWINS = {jit_memory: memory, jit_vector: vector}


@pytest.mark.parametrize("module", TWINS.values(), ids=lambda module: module.__name__)
def test_numba_knows_each_function_of_vectors(module: ModuleType) -> None:
    assert set(VECTORS) == set(TWINS)
    cpu_target.typing_context.refresh()
    public = [each for name, each in vars(module).items() if not name.startswith("_")]
    functions = [each for each in public if getattr(each, "__module__", "") == module.__name__]
    assert functions
    known = set(filter(isfunction, functions)) - {memory.aligned_zeros}  # Python's alone
    for each in known:
        assert cpu_target.typing_context._lookup_global(each) is not None, each.__name__


def thrice(x: int) -> int:
    return 3 * x


@pytest.mark.parametrize("by_kernels", [True, False])
def test_a_function_is_compiled_once_for_each_caller(by_kernels: bool) -> None:
    signature = kinds.Signature(kinds.INT64, (kinds.INT64,))
    made = Compiled(thrice, signature, allocates=False, by_kernels=by_kernels)
    assert made.for_python(14) == 42
    assert (made.for_python is made.dispatcher) is not by_kernels
    assert made.result is made.result
    assert made.address > 0
    with pytest.raises(TypeError):
        made.for_python("14")


@kernel(inner=True)
def _step(x: int) -> int:
    return x + 1


@kernel()
def steps(x: int, n: int) -> int:
    """Add 1 a number of times."""
    for _ in range(n):
        x = _step(x)
    return x


@compiled_only
def test_kernels_call_kernels() -> None:
    assert steps(2, 40) == 42


#: Kernels that take a while, since the patience is none, and a program that listens.
LISTENING = """
import time
from gammon.commands.group import _say_compiling
from gammon.compiled import compiling
from tests.engine.compiled.jit.test_compiler import steps, thrice
from gammon.compiled.kernel import kernel

compiling.PATIENCE = 0.0
if {listens}:
    compiling.listeners.append(_say_compiling)
print(steps(2, 40), kernel()(thrice)(2))
"""


@compiled_only
@pytest.mark.parametrize("listens", [True, False])
def test_a_program_says_once_that_it_compiles(tmp_path: Path, listens: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LISTENING.format(listens=listens)], cwd=ROOT, check=True,
        env=os.environ | {"GAMMON_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout == "42 6\n"
    said = done.stderr.splitlines()
    assert len(said) == int(listens)
    assert all(line.startswith("compiling 2 kernels, which may take minutes") for line in said)
