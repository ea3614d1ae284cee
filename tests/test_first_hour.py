"""README's installation in a fresh environment: what a player does in the first hour works at once."""

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gammon.compiled.library import FOLDER, MANIFEST
from tests.processes import ROOT

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not (FOLDER / MANIFEST).exists(), reason="no library is built"),
]
ID = "4HPwATDgc/ABMA"
MATCHES = ROOT / "tests" / "golden" / "matches"
XG, MAT = str(MATCHES / "sample.xg"), str(MATCHES / "match5.mat")
IGNORED = ".git", ".venv", "__pycache__", ".mypy_cache", ".hypothesis", "runs", "build", "dist"
#: In order: what is typed, what the answer has, and the file that is then there.
FIRST_HOUR = (
    (["gammon"], "gammon play", ""),
    (["gammon", "analyze", ID, "--dice", "31"], "8/5 6/5", ""),
    (["gammon", "review", XG, "--depth", "1"], "PR", ""),
    (["gammon", "study", "add", MAT, "--depth", "1"], "matches in the library", "home/gammon-study.db"),
    (["gammon", "study", "stats"], "its 95 % interval", ""),
    (["gammon", "drill", "--deck", "openings", "--depth", "1"], "which play?", ""),
    (["gammon", "study", "export", "errors.apkg"], "cards", "errors.apkg"),
    (["gammon", "site", "--out", "board"], "http.server", "board/index.html"),
    (["gammon", "embed", "--javascript", "--out", "engine"], "gammon.wasm", "engine/package.json"),
    (["gammon", "show", ID, "--png", "board.png"], "", "board.png"),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a home, and the environment into which README's command has put gammon."""
    folder = tmp_path_factory.mktemp("first hour")
    (folder / "home").mkdir()
    shutil.copytree(ROOT, folder / "gammon", ignore=shutil.ignore_patterns(*IGNORED))
    words = re.findall(r"^    python3 (-m venv .venv) && (.*?) &&", (ROOT / "README.md").read_text(), re.M)
    make, install = words[0]
    subprocess.run([sys.executable, *make.split()], cwd=folder / "gammon", check=True)
    done = subprocess.run(
        install.split(), cwd=folder / "gammon", env=own(folder), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def own(folder: Path) -> dict[str, str]:
    """Return the variables of a user who has installed nothing else."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "GAMMON_CACHE")}
    programs = f"{folder / 'gammon' / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return kept | {"HOME": str(folder / "home"), "PATH": programs, "XDG_CACHE_HOME": ""}


def test_all_of_it_works_at_once(place: Path) -> None:
    for command, answer, file in FIRST_HOUR:
        program = place / "gammon" / ".venv" / "bin" / command[0]
        done = subprocess.run(
            [program, *command[1:]],
            cwd=place,
            env=own(place),
            input="",
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, answer in done.stdout) == (0, True), (command, done.stdout, done.stderr)
        assert not file or (place / file).stat().st_size > 0, command


@pytest.fixture
def page(place: Path) -> Iterator[http.client.HTTPConnection]:
    """A connection to `gammon play`, whose browser is a program that does nothing."""
    program = place / "gammon" / ".venv" / "bin" / "gammon"
    command = [program, "play", "--port", "0"]
    env = own(place) | {"BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        address = re.search(r"http://([\d.]+):(\d+)", server.stdout.readline())
        assert address
        try:
            yield http.client.HTTPConnection(address[1], int(address[2]), timeout=60)
        finally:
            server.terminate()


def test_the_page_has_the_library_without_an_option(page: http.client.HTTPConnection) -> None:
    page.request("GET", "/health")
    assert json.loads(page.getresponse().read())["library"] is True
    page.request("GET", "/api/v1/study/stats")
    answer = page.getresponse()
    assert answer.status == 200, answer.read()


def test_heavy_things_stay_extras(place: Path) -> None:
    found = {path.name for path in (place / "gammon" / ".venv").glob("lib/python*/site-packages/*")}
    assert not found & {"numba", "llvmlite", "torch", "distributed", "matplotlib", "ziglang"}
    size = sum(path.stat().st_size for path in (place / "gammon" / ".venv").rglob("*") if path.is_file())
    assert size < 140e6
