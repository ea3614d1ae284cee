"""Try the wheel of this system in fresh environments, as people install it.

    python scripts/build_wheels.py
    python scripts/try_wheels.py python3.11 python3.12 python3.13

With each named Python, first without extras and then with the extra that needs only a package, the
wheel in `dist/` is installed and removed again. In between, the script asks it for an analysis, a
rollout, a match, a page, the engine in JavaScript, drawings and a server. Then none of its files may
remain, and the user's home may have new files only in its cache. The first failure ends the script.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

TOP = Path(__file__).resolve().parents[1]
#: The extra that needs only a package; `train` and `jit` bring compilers.
EXTRAS = "plots"
POSITION = "4HPwATDgc/ABMA"
COMMANDS = (
    ["analyze", POSITION, "--dice", "31", "--depth", "3"],
    ["rollout", POSITION, "--dice", "21", "--top", "2", "--trials", "36"],
    ["match", "depth=1", "depth=1", "--games", "10", "--out", "match"],
    ["site", "--out", "board"],
    ["embed", "--javascript", "--out", "engine"],
    ["show", POSITION, "--png", "board.png"],
)
#: Commands that need the extra.
MORE = (["noise", "--games", "4", "--sigma", "0.05", "--depth", "1", "--out", "noise"],)
NO_NUMBA = "import importlib.util as u; assert not u.find_spec('numba')"
SECONDS = 60.0


def ran(arguments: list[str | Path], home: Path, where: Path) -> str:
    """Run a program with its own home folder, and return its output.

    Raises:
        SystemExit: the program failed.
    """
    free = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    process = subprocess.run(
        arguments, check=False, cwd=where, env=free | {"HOME": str(home)}, capture_output=True, text=True
    )
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, arguments))}\n{process.stdout}{process.stderr}")
    return process.stdout


def files_of(folder: Path) -> set[str]:
    """Return the files below a folder, without what Python compiles."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)) for path in paths if path.suffix != ".pyc"}


def serves(gammon: Path, home: Path, where: Path) -> None:
    """Check that the server answers.

    Raises:
        SystemExit: the server does not answer.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [gammon, "serve", "--port", str(port)],
        cwd=where,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"HOME": str(home)},
    )
    try:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                with urlopen(f"http://127.0.0.1:{port}/health") as answer:
                    if json.load(answer)["status"] == "ok":
                        return
            except OSError:
                time.sleep(0.2)
        raise SystemExit("gammon serve: no answer")
    finally:
        server.terminate()
        server.wait()


def try_one(python: str, extras: str, scratch: Path) -> str:
    """Install, try and remove the wheel, and return a line about it.

    Raises:
        SystemExit: something failed.
    """
    home, where, place = scratch / "home", scratch / "where", scratch / "env"
    for folder in (home, where):
        folder.mkdir()
    subprocess.run([python, "-m", "venv", place], check=True)
    pip, gammon = place / "bin" / "pip", place / "bin" / "gammon"
    before = files_of(place)
    # The wheel comes only from the folder, its requirements from the index.
    install: list[str | Path] = [pip, "install", "-q", "--find-links", TOP / "dist"]
    ran([*install, "--no-index", "--no-deps", "gammon"], home, where)
    mine = files_of(place) - before
    ran([*install, f"gammon[{extras}]" if extras else "gammon"], home, where)
    # pip itself runs other programs, which may leave files there.
    home_before = files_of(home)
    version = ran([gammon, "--version"], home, where).strip()
    ran([place / "bin" / "python", "-c", NO_NUMBA], home, where)
    for command in (*COMMANDS, *(MORE if extras else ())):
        ran([gammon, *command], home, where)
    serves(gammon, home, where)
    new = files_of(home) - home_before
    strays = {path for path in new if not path.startswith((".cache/", ".config/"))}
    if strays:
        raise SystemExit(f"files in the home of the user: {sorted(strays)}")
    size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    ran([pip, "uninstall", "-q", "-y", "gammon"], home, where)
    left = mine & files_of(place)
    left |= {str(path) for path in place.rglob("gammon")}
    if left:
        raise SystemExit(f"left behind: {sorted(left)}")
    tried = len(COMMANDS) + 1 + (len(MORE) if extras else 0)
    return f"{version}: {tried} commands, {len(mine)} files, all removed; {size / 1e6:.0f} MB"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("python", nargs="*", default=[sys.executable], help="programs")
    for python in parser.parse_args().python:
        for extras in ("", EXTRAS):
            with TemporaryDirectory() as scratch:
                line = try_one(python, extras, Path(scratch))
            print(f"{python}{f' with {extras}' if extras else ''}: {line}", flush=True)
