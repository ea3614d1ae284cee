"""The modules of the page that need no browser: `js/` has their tests, which Node runs."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.processes import ROOT

MODULES = Path("gammon_web/static")
TESTS = Path("tests/web/js")


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not here")
def test_their_tests_pass(tmp_path: Path) -> None:
    """In a folder that says that its files are modules: Node 18 and 20 take no guess."""
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for folder in (MODULES, TESTS):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    files = sorted(str(TESTS / path.name) for path in (ROOT / TESTS).glob("*.test.mjs"))
    done = subprocess.run(
        ["node", "--test", *files], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("\nok ") + done.stdout.count("\n✔ ") >= 30
