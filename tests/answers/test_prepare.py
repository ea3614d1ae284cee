"""The first start compiles once, all of it, for all processes that start together."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gammon.answers.prepare import is_compiled
from gammon.compiled.sources import module_digest
from gammon.eval.bearoff_file import CHANCES, WITH_CUBE
from tests.processes import alive, comes_true

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)

TOGETHER = """
import pathlib, sys, time
from gammon.answers import prepare
def compile_search():
    with open(sys.argv[1], "a") as file:
        file.write("compiled\\n")
    time.sleep(0.2)
prepare._OTHER_HALF = f"open({sys.argv[1]!r}, 'a').write('other half\\\\n')"
prepare._compile_search = compile_search
prepare.prepare()
print(prepare.is_prepared())
"""

ALL_OF_IT = """
import sys
from gammon.answers import prepare
def ready():
    modules = [module for name, module in sys.modules.items() if name.startswith("gammon.")]
    things = {id(thing): thing for module in modules for thing in vars(module).values()}
    return {t.py_func.__qualname__ for t in things.values() if getattr(t, "signatures", ())}
exec(prepare._OTHER_HALF)
prepare._compile_search()
before = ready()
import gammon
gammon.Engine(depth=3).analyze(gammon.Position.parse("4HPwATDgc/ABMA"), (3, 1))
print(len(before) > 10, ready() - before)
"""


def test_processes_that_start_together_compile_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    environment = os.environ | {"GAMMON_CACHE": str(tmp_path / "cache")}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", TOGETHER, str(log)], env=environment,
            stdout=subprocess.PIPE, text=True,
        ) for _ in range(3)
    ]  # fmt: skip
    assert [process.communicate(timeout=120)[0].strip() for process in started] == 3 * ["True"]
    assert sorted(log.read_text().splitlines()) == ["compiled", "other half"]


ALONE = """
import os, pathlib, sys, time
from gammon.answers import prepare
prepare._OTHER_HALF = (
    "import os, pathlib, time\\n"
    f"pathlib.Path({sys.argv[1]!r}).write_text(str(os.getpid()))\\n"
    "time.sleep(60)"
)
prepare._compile_search = lambda: time.sleep(60)
prepare.prepare()
"""


def test_the_other_half_ends_with_a_process_that_is_killed(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    environment = os.environ | {"GAMMON_CACHE": str(tmp_path / "cache")}
    started = subprocess.Popen([sys.executable, "-c", ALONE, str(note)], env=environment)
    assert comes_true(lambda: note.exists() and note.read_text() != "", 120)
    started.kill()
    started.wait()
    assert comes_true(lambda: not alive(int(note.read_text())), 40)  # it sleeps for longer


def test_the_halves_are_all_that_an_analysis_needs() -> None:
    for file in (CHANCES, WITH_CUBE):  # to build one compiles more, and is done once
        file.tables()
    done = subprocess.run(
        [sys.executable, "-c", ALL_OF_IT], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "True set()", done.stderr


def test_a_kernel_is_compiled_when_its_file_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("gammon.answers.prepare.cache_folder", lambda: tmp_path)
    module = "gammon.rules.plays"
    assert not is_compiled(f"{module}.successors")
    (tmp_path / f"{module}.successors-0123456789abcdef-0").touch()
    assert not is_compiled(f"{module}.successors"), "that is code of other sources"
    (tmp_path / f"{module}.successors-{module_digest(module)}-0").touch()
    assert is_compiled(f"{module}.successors")
    assert not is_compiled(f"{module}.succ")
