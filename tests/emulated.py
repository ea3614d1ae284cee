"""Python code compiled for another kind of x86 processor than that at hand."""

import os
import platform
import subprocess
import sys
from importlib.util import find_spec

import pytest

#: A mark of tests that compile for other kinds of x86 processors.
x86_only = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64") or find_spec("numba") is None,
    reason="no such processors, or no compiler",
)

#: Kinds of processors for a test: the narrowest each time, a wider one at night.
KINDS = ["x86-64", pytest.param("haswell", marks=pytest.mark.nightly)]


def on_cpu(name: str, code: str, *features: str) -> "subprocess.Popen[str]":
    """Start code whose kernels are compiled for a processor; its output is one line.

    Args:
        name: as LLVM has it, such as "haswell"; all that it can, the one at hand must do.
        code: of Python.
        features: instructions that `gammon.compiled.jit.vector_type` looks for by their names.
    """
    named = ",".join(f"+{each}" for each in features)
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code],
        text=True,
        stdout=subprocess.PIPE,
        env=os.environ | {"GAMMON_KERNELS": "numba", "NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": named},
    )


def said(process: "subprocess.Popen[str]") -> str:
    """Return the line that such a process prints."""
    line = process.communicate()[0].strip()
    assert process.returncode == 0
    return line
