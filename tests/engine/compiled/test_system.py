"""The name of this system, and what the script that builds says where it cannot."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from gammon.compiled.system import system_of
from tests.processes import ROOT


def test_a_family_has_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for machine, family in (("AMD64", "x86_64"), ("arm64", "aarch64"), ("riscv64", "riscv64")):
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        assert system_of() == f"{sys.platform}-{family}"


def build_without(missing: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the script that builds, as if a package or a system were not there."""
    program = f"""
import importlib.util, platform, runpy, sys
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *a: None if name == {missing!r} else real(name, *a)
if {missing!r} == "system":
    platform.machine = lambda: "i686"
sys.path.insert(0, {str(ROOT)!r})
sys.argv = ["build_library.py", *{arguments!r}]
runpy.run_path({str(ROOT / "scripts/build_library.py")!r}, run_name="__main__")
"""
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("missing", ["numba", "ziglang"])
def test_what_is_missing_to_build_is_named_in_one_line(missing: str, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    done = build_without(missing, "--system", "wasm32", "--folder", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith(f"{missing} is missing, which ")
    assert done.stderr.endswith('-m pip install -e ".[jit]" ziglang\n')
    assert done.stderr.count("\n") == 1


def test_a_system_that_no_library_is_built_for_is_told_in_one_line() -> None:
    done = build_without("system")
    assert done.returncode == 1
    assert re.fullmatch(
        r"no library can be built for \w+-i686: expected linux.*\n", done.stderr
    )
