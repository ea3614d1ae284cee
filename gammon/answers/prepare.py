"""The first start: two processes compile the engine, once for all that start together."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numba

from gammon.compiled.disk import cache_folder
from gammon.compiled.sources import module_digest

__all__ = ["is_compiled", "is_prepared", "prepare"]

#: Ends a process with the one that started it, which holds the other end of its input.
_END_WITH_PARENT = """
import os, sys, threading
threading.Thread(target=lambda: os._exit(len(sys.stdin.read())), daemon=True).start()
"""
#: About half of the work: backgammon with the cube, decisions about it, the evaluator and its
#: tables.
_OTHER_HALF = """
import gammon.eval.cubeful, gammon.games.cubeful
from gammon.compiled.kernel import load
from gammon.eval.evaluators import load_evaluator
from gammon.search.both import cube_kernel
load_evaluator("leaf")
load(cube_kernel)
"""


def is_prepared() -> bool:
    """Tell whether all that an analysis needs has been compiled, or need not be."""
    return _without_compiler() or _mark().exists()


def is_compiled(kernel: str) -> bool:
    """Tell whether a kernel has been compiled, or need not be.

    Args:
        kernel: its module and name, such as "gammon.rollouts.trials_kernel.play_trials".
    """
    digest = module_digest(kernel.rpartition(".")[0])
    return _without_compiler() or any(cache_folder().glob(f"{kernel}-{digest}-*"))


def _mark() -> Path:
    """Return the file that is there once all has been compiled that this module imports."""
    return cache_folder() / f"prepared-{module_digest(__name__)}"


def _without_compiler() -> bool:
    return bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]


def prepare() -> None:
    """Compile what an analysis needs; processes that start meanwhile wait for the first.

    It only saves time: whoever needs a function that is not there compiles it.
    """
    from filelock import FileLock  # which takes long to import

    with suppress(OSError), FileLock(cache_folder() / "prepared.lock"):
        if is_prepared():
            return
        with subprocess.Popen(
            [sys.executable, "-c", _END_WITH_PARENT + _OTHER_HALF],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ) as other:  # fmt: skip
            try:
                _compile_search()
                other.wait()
            finally:
                other.kill()
        _mark().touch()


def _compile_search() -> None:
    from gammon.compiled.kernel import load
    from gammon.search.decide_kernel import decide_kernel
    from gammon.search.star import star

    load(decide_kernel, star)
