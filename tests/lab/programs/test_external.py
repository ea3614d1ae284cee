"""GNU Backgammon as a player that listens: with a stand-in, and the program itself."""

import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gammon.base.errors import GammonError
from gammon.rules.board import OPENING
from gammon.rules.dice import ROLLS
from gammon.rules.terms import Terms
from gammon_adapters.external import parse_board
from gammon_lab.programs import ExternalServer, GnuBackgammon
from gammon_lab.programs.gnubg import find_program
from tests.boards import RACE, points_of
from tests.lab.programs.stand_ins import MIXED, OPENING_31, PASS, listener_that

# With a stand-in.


def test_a_play_and_its_question() -> None:
    with listener_that(lambda line: b"8/5 6/5 \n") as (server, asked):
        assert server.best_play(OPENING, (3, 1), Terms(7, (3, 5), cube=2, owner=-1)) == OPENING_31
    board, *options = asked[0].split()
    position = parse_board(board).position
    assert (position.points, position.dice) == (OPENING, (3, 1))
    assert position.context.terms() == Terms(7, (3, 5), cube=2, owner=-1)
    assert options == ["jacobyrule", "off", "beavers", "off"]
    assert asked[0].endswith("\n") and len(asked[0]) < 256


def test_the_longest_question_is_short_enough() -> None:
    points = points_of({25: 2, 24: 1, 13: 10, 12: 2}, {0: 2, 14: 10, 15: 3})
    terms = Terms(64, (64, 64), cube=64, owner=1)
    with listener_that(lambda line: b"roll\n") as (server, asked):
        server.doubles(points, terms)
    assert len(asked[0]) < 256


def test_a_dance_is_an_empty_line() -> None:
    with listener_that(lambda line: b"\n") as (server, _):
        assert server.best_play(PASS, (6, 5), Terms()) == PASS
        with pytest.raises(GammonError, match="GNU Backgammon played ''"):
            server.best_play(OPENING, (6, 5), Terms())


def test_doubles_and_answers() -> None:
    words = iter([b"double\n", b"roll\n", b"take\n", b"drop\n", b"beaver\n", b"perhaps\n"])
    with listener_that(lambda line: next(words)) as (server, asked):
        jacoby = Terms(jacoby=True)
        assert [server.doubles(RACE, jacoby), server.doubles(RACE, jacoby)] == [True, False]
        assert [server.takes(RACE, jacoby) for _ in range(3)] == [True, False, True]
        with pytest.raises(GammonError, match="'perhaps', expected roll, double"):
            server.doubles(RACE, jacoby)
    assert all(line.split()[1:] == ["jacobyrule", "on", "beavers", "off"] for line in asked)
    boards = [parse_board(line.split()[0]).position for line in asked]
    assert [board.context.offer for board in boards] == ["", "", "D", "D", "D", ""]
    assert all(board.points == RACE for board in boards)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"24/1\n", "GNU Backgammon played '24/1'"),
        (b"Error: badly formed board\n", "refuses a board"),
        (b"", "lost: it closed the connection"),
    ],
)
def test_answers_that_are_none(answer: bytes, words: str) -> None:
    with listener_that(lambda line: answer) as (server, _), pytest.raises(GammonError) as caught:
        server.best_play(OPENING, (3, 1), Terms())
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_program_that_hangs() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = ExternalServer(f"127.0.0.1:{listener.getsockname()[1]}", 0.2)
        with pytest.raises(GammonError, match="lost: timed out"):
            server.doubles(RACE, Terms())


# With the program.


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExternalServer]:
    program = find_program()
    assert program is not None
    home = tmp_path_factory.mktemp("gnubg")
    address = str(home / "server")
    commands = "".join(
        f"set evaluation {kind} eval {rest}\n"
        for kind in ("chequerplay", "cubedecision")
        for rest in ("plies 0", "cubeful on")
    )
    process = subprocess.Popen(
        [program, "-t", "-q", "-r"],
        cwd=home,
        env={"HOME": str(home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    try:
        process.stdin.write(f"{commands}external {address}\n".encode())
        process.stdin.flush()
        for _ in range(600):
            if Path(address).exists():
                break
            time.sleep(0.1)
        made = ExternalServer(address, 20.0)
        yield made
        made.close()
    finally:
        process.kill()
        process.wait()


needs_program = pytest.mark.skipif(find_program() is None, reason="GNU Backgammon (gnubg) is not installed")


@needs_program
def test_it_decides_as_the_program_does_by_itself(server: ExternalServer) -> None:
    """Money, cubes of both owners, a score seen from both sides, the Crawford game."""
    each = [
        Terms(),
        Terms(cube=2, owner=1),
        Terms(cube=2, owner=-1),
        Terms(7, (2, 5)),
        Terms(7, (5, 2)),
        Terms(7, (1, 4), crawford=True),
        Terms(7, (4, 1)),
    ]
    with GnuBackgammon() as program:
        for terms in each:
            for points in (OPENING, MIXED, RACE):
                for dice in (ROLLS[4], ROLLS[13]):
                    (own,) = program.best_plays_at([points], [dice], 0, [terms])
                    assert server.best_play(points, dice, terms) == own
                if terms.may_double:
                    no_double, taken = program.cube_values([points], 0, [terms])[0]
                    assert server.takes(points, terms) == (taken < 1.0)
                    doubles = min(taken, 1.0) > no_double
                    assert server.doubles(points, terms) == doubles


@needs_program
def test_a_dance(server: ExternalServer) -> None:
    assert server.best_play(PASS, (6, 5), Terms()) == PASS
