"""`gammon external`, by a program that connects to it."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gammon.base.errors import GammonError
from gammon.formats.position import Position
from gammon_adapters.address import connected, listening
from gammon_adapters.fibs_board import BoardLine, format_board
from tests.adapters.test_fibs_board import FIRST
from tests.boards import points_of

REQUEST = f"{FIRST}\n\0".encode()


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "gammon", "external", *arguments, "--depth", "1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def place_of(child: subprocess.Popen[str]) -> str:
    """The address that the program says that it listens at."""
    assert child.stdout
    line = child.stdout.readline()
    assert line.startswith("Listening on ")
    return line.removeprefix("Listening on ").partition(". In GNU")[0]


def asked(place: str, request: bytes = REQUEST) -> bytes:
    with connected(place, 20.0) as connection:
        connection.sendall(request)
        return connection.recv(100)


@pytest.mark.parametrize("unix", [False, True])
def test_it_plays_until_it_is_interrupted(tmp_path: Path, unix: bool) -> None:
    """One connection after the other, and two at the same time."""
    address = str(tmp_path / "socket") if unix else "127.0.0.1:0"
    child = started(address)
    place = place_of(child)
    assert (place == address) is unix
    with connected(place, 20.0) as idle:
        assert asked(place) == asked(place) == b"8/5 6/5\n"
        idle.sendall(REQUEST)
        assert idle.recv(100) == b"8/5 6/5\n"
        os.kill(child.pid, signal.SIGINT)
        assert child.wait(120) == 130
    _, errors = child.communicate()
    assert errors.strip() == "Interrupted"
    assert not Path(address).exists()


def test_it_doubles_below_the_highest_cube_of_gnu_backgammon() -> None:
    child = started("127.0.0.1:0")
    place = place_of(child)
    strong = Position(points_of({1: 2, 2: 2}, {24: 3, 23: 2}))
    for log2, reply in ((11, b"double\n"), (12, b"roll\n")):
        context = replace(strong.context, cube_log2=log2, cube_owner=1)
        line = format_board(BoardLine(replace(strong, context=context)))
        assert asked(place, f"{line}\n".encode()) == reply
    child.terminate()
    child.communicate(timeout=120)


def test_one_connection() -> None:
    child = started("127.0.0.1:0", "--once")
    assert asked(place_of(child)) == b"8/5 6/5\n"
    assert child.wait(120) == 0
    child.communicate()


def test_who_only_looks_for_a_program_does_not_end_it(tmp_path: Path) -> None:
    address = str(tmp_path / "socket")
    child = started(address, "--once")
    place = place_of(child)
    with pytest.raises(GammonError, match="cannot listen there"):
        listening(address)
    assert asked(place) == b"8/5 6/5\n"
    assert child.wait(120) == 0
    child.communicate()
