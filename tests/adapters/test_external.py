"""The external player of GNU Backgammon: board lines, a conversation, the program itself."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gammon.base.errors import GammonError
from gammon.engine.cube import CubeAnswer
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.play import Play, find_play
from gammon.formats.position import Position
from gammon.rules.board import OPENING
from gammon.rules.terms import Terms
from gammon_adapters.address import connected, listening
from gammon_adapters.external import BoardLine, ExternalPlayer, answer_requests, format_board, parse_board
from gammon_lab.programs.gnubg import find_program
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.transcript import ActionKind
from tests.adapters.recorded import FILE, Runner, tell
from tests.boards import points_of
from tests.conftest import Played

# The board line of GNU Backgammon's external players.

#: As GNU Backgammon 1.07.001 wrote them, when player 0 was external.
FIRST = (
    "board:gnubg:root:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":-1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
)
OPENING_POINTS = ":".join(map(str, OPENING))


def line(rest: str, head: str = "gnubg:root:5:4:2") -> str:
    return f"board:{head}:{OPENING_POINTS}:{rest}"


def test_the_first_request_of_a_game() -> None:
    found = parse_board(f"{FIRST}\n")
    assert found.names == ("gnubg", "root")
    position = found.position
    assert (position.points, position.dice) == (OPENING, (3, 1))
    assert (position.context.on_roll, position.context.cube_owner) == (TOP, 0)
    assert position.context.terms() == Terms()
    assert format_board(found) == FIRST


def test_the_crawford_game_of_a_match() -> None:
    text = line("-1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0")
    found = parse_board(text)
    context = found.position.context
    assert (context.scores, context.length, context.crawford) == ((2, 4), 5, True)
    assert context.terms() == Terms(5, (1, 3), crawford=True)
    assert format_board(found) == text


def test_the_marks_after_the_crawford_game() -> None:
    text = line("1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:1")
    found = parse_board(text)
    assert found.position.context.terms() == Terms(5, (3, 1))
    assert format_board(found) == text


def test_a_double_is_told_with_names_and_scores_swapped() -> None:
    text = line("1:0:0:0:0:2:1:0:1:1:-1:0:25:0:0:0:0:0:0:0:1", "root:gnubg:7:2:4")
    found = parse_board(text)
    context = found.position.context
    assert found.names == ("gnubg", "root")
    assert (context.scores, context.offer) == ((2, 4), "D")
    assert (context.on_roll, context.to_decide, context.cube_owner) == (BOTTOM, TOP, BOTTOM)
    assert context.terms() == Terms(7, (5, 3), cube=2, owner=1)
    assert format_board(found) == text


def test_the_points_are_those_of_player_1(played: Played) -> None:
    for points in played(40, 7):
        for on_roll in (BOTTOM, TOP):
            position = Position(points, Context(on_roll=on_roll))
            found = parse_board(format_board(BoardLine(position, ("a", "b"))))
            assert found.position.points == points
            assert found.position.context.on_roll == on_roll


@pytest.mark.parametrize("offer", ["", "D"])
@pytest.mark.parametrize(
    "terms",
    [
        Terms(),
        Terms(cube=4, owner=1),
        Terms(cube=2, owner=-1),
        Terms(7, (3, 5)),
        Terms(7, (1, 5), crawford=True),
        Terms(7, (1, 5)),
        Terms(9, (4, 2), cube=2, owner=-1),
        Terms(3, (1, 1)),
    ],
)
def test_what_is_written_is_read(terms: Terms, offer: str) -> None:
    for on_roll in (BOTTOM, TOP):
        position = Position(OPENING, Context(on_roll=on_roll)).with_terms(terms)
        context = replace(position.context, offer=offer, to_decide=-on_roll if offer else 0, max_cube_log2=12)
        position = replace(position, context=context)
        assert parse_board(format_board(BoardLine(position))) == BoardLine(position)


def test_a_cube_that_nobody_may_turn() -> None:
    found = parse_board(line("1:0:0:0:0:1:0:0:0:1:-1:0:25:0:0:0:0:0:0:0:1", "a:b:0:0:0"))
    assert not found.position.context.terms().live


def test_a_colon_in_a_name_becomes_a_line() -> None:
    assert format_board(BoardLine(Position.opening(), ("a:b", "c"))).startswith("board:a_b:c:0")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected board: at the beginning"),
        (f"evaluation fibsboard {FIRST} PLIES 0 ON", "expected board: at the beginning"),
        ("board", "found 0 numbers"),
        (FIRST[:-2], "found 49 numbers"),
        (FIRST.replace(":3:1:3:1", ":3:x:3:1"), "'x' is not a number"),
        pytest.param(FIRST.replace(":25:", f":{'9' * 5000}:"), "is not a number", id="long"),
        (FIRST.replace("root:0", "root:9999999"), "'9999999' is not .* of up to 4 digits"),
        (FIRST.replace(":3:1:3:1", ":3:7:3:7"), "die 7"),
        (FIRST.replace(":3:1:3:1", ":0:1:0:1"), "dice 0 and 1, expected none or two"),
        (FIRST.replace(":-1:3:1", ":0:3:1"), "turn 0"),
        (FIRST.replace(":1:-1:0:25", ":-1:1:0:25"), "colour -1, direction 1"),
        (FIRST.replace("3:1:1:1:1:0", "3:1:3:1:1:0"), "cube 3"),
        (FIRST.replace("root:0:0:0", "root:5:5:0"), "match of 5, which is over"),
        (FIRST.replace(":-2:", ":-3:"), "16 checkers"),
    ],
)
def test_what_is_refused(text: str, words: str) -> None:
    with pytest.raises(GammonError, match=words) as caught:
        parse_board(text)
    assert "\n" not in str(caught.value)


# The external player of GNU Backgammon: a recorded conversation, and the program itself.


@pytest.fixture(scope="module")
def runner() -> Runner:
    return Runner()


def board(position: Position, names: tuple[str, str] = ("gnubg", "root")) -> str:
    return format_board(BoardLine(position, names))


MONEY = Terms()


def at(terms: Terms = MONEY, offer: str = "", on_roll: int = BOTTOM) -> Position:
    position = Position(OPENING, Context(on_roll=on_roll)).with_terms(terms)
    return replace(position, context=replace(position.context, offer=offer))


# Without the program.


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("piece", [4096, 7])
def test_a_recorded_match_byte_for_byte(runner: Runner, number: int, piece: int) -> None:
    """Each side of the match as GNU Backgammon had it; requests may come in pieces."""
    lines = [json.loads(line) for line in FILE.read_text().splitlines()]
    asked = [data.encode() for who, way, data in lines if (who, way) == (number, "<")]
    replied = [data.encode() for who, way, data in lines if (who, way) == (number, ">")]
    assert len(asked) == len(replied) > 90

    class Pieces:
        """A connection that gives a request once the one before it is answered."""

        def __init__(self) -> None:
            self.requests, self.rest, self.sent = iter(asked), b"", b""

        def recv(self, most: int) -> bytes:
            self.rest = self.rest or next(self.requests, b"")
            data, self.rest = self.rest[:piece], self.rest[piece:]
            return data

        def sendall(self, data: bytes) -> None:
            self.sent += data

    connection: Any = Pieces()
    answer_requests(connection, ExternalPlayer(runner).reply)
    assert connection.sent == b"".join(replied)


def test_the_recorded_match_has_all_that_can_happen() -> None:
    lines = [json.loads(line) for line in FILE.read_text().splitlines()]
    boards = [parse_board(data.replace("\0", "")).position for _, way, data in lines if way == "<"]
    assert {each.context.crawford for each in boards} == {False, True}
    assert any(each.context.terms().post_crawford for each in boards)
    assert {each.context.on_roll for each in boards if each.context.offer} == {BOTTOM, TOP}
    replies = [data for _, way, data in lines if way == ">"]
    assert "\n" in replies
    assert {"double\n", "take\n", "roll\n"} < set(replies)
    assert any("bar/" in reply for reply in replies)
    assert any("/off" in reply for reply in replies)


def test_decisions(runner: Runner) -> None:
    player = ExternalPlayer(runner)
    assert player.reply(board(at())) == "roll"
    ahead = replace(at(), points=points_of({6: 10}, {18: 15}))
    assert player.reply(board(ahead)) == "double"
    assert player.reply(board(ahead.flipped())) == "roll"
    assert player.reply(board(at().with_dice((3, 1)))) == "6/2"
    assert player.reply(board(at(offer="D"))) == "take"


def test_the_rules_that_the_line_does_not_tell() -> None:
    seen: list[Terms] = []

    class Watcher(Runner):
        def answer(self, position: Position) -> CubeAnswer:
            seen.append(position.context.terms())
            return CubeAnswer.BEAVER

    bot = Watcher()
    assert ExternalPlayer(bot, jacoby=True, beavers=True).reply(board(at(offer="D"))) == "beaver"
    ExternalPlayer(bot).reply(board(at(offer="D")))
    ExternalPlayer(bot, jacoby=True).reply(board(at(Terms(7, (3, 2)), offer="D")))
    assert seen == [Terms(jacoby=True, beavers=True), Terms(), Terms(7, (3, 2))]


def test_a_beaver_of_the_opponent_is_taken() -> None:
    class Timid(Runner):
        def answer(self, position: Position) -> CubeAnswer:
            return CubeAnswer.PASS

    player = ExternalPlayer(Timid())
    player.reply(board(at()))
    double = board(at(offer="D"))
    assert player.reply(double) == "drop"
    words = double.split(":")
    words[1], words[2] = words[2], words[1]
    assert player.reply(":".join(words)) == "take"


def test_a_lost_game_is_resigned_if_asked_for(runner: Runner) -> None:
    lost = Position(points_of({1: 14}, {24: 1}))
    assert ExternalPlayer(runner).reply(board(lost)) == "roll"
    assert ExternalPlayer(runner, resigns=True).reply(board(lost)) == "resign normal"
    player = ExternalPlayer(runner, resigns=True)
    assert player.reply(board(lost)) == "resign normal"
    assert player.reply(board(lost)) == "roll", "it was declined"
    later = replace(lost, context=replace(lost.context, scores=(0, 1)))
    assert player.reply(board(later)) == "resign normal", "the next game"
    gammon = Position(points_of({18: 15}, {24: 1}))
    assert player.reply(board(replace(gammon, context=later.context))) == "resign gammon"
    assert player.reply(board(at())) == "roll"
    assert player.reply(board(later)) == "resign normal", "the next match, at the same score"
    assert ExternalPlayer(runner, resigns=True).reply(board(gammon)) == "resign gammon"
    assert ExternalPlayer(runner, resigns=True).reply(board(at())) == "roll"


@pytest.mark.parametrize(
    ("request_line", "words"),
    [
        ("", "expected board:"),
        ("evaluation", "expected board:"),
        ("board:" + "0:" * 60, "expected board:"),
        (board(at()).replace(":0:0:0:0:-2", ":99:0:0:0:-2"), "match length 99"),
        (board(Position(points_of({1: 15}, {}), dice=(3, 1))), "the game is over"),
    ],
)
def test_external_what_is_refused(runner: Runner, request_line: str, words: str) -> None:
    reply = ExternalPlayer(runner).reply(request_line)
    assert reply.startswith("Error: ")
    assert words in reply
    assert "\n" not in reply


def test_a_play_that_the_text_does_not_mean_is_not_sent() -> None:
    class Cheat(Runner):
        def play(self, position: Position, dice: tuple[int, int], stop: Any = None) -> Play:
            right = find_play(position, dice, "8/5 6/5")
            wrong = replace(right, points=OPENING)
            vars(wrong)["moves"] = right.moves
            return wrong

    reply = ExternalPlayer(Cheat()).reply(board(at().with_dice((3, 1))))
    assert reply == "Error: '8/5 6/5' for 8/5 6/5: expected a text that means this play"


def test_a_line_without_end() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        thread = threading.Thread(target=answer_requests, args=[ours, lambda line: line])
        thread.start()
        theirs.sendall(b"x" * 9000)
        assert theirs.recv(100) == b"Error: the line is too long\n"
        thread.join(60)
        assert not thread.is_alive()


# With the program.


@pytest.mark.skipif(find_program() is None, reason="GNU Backgammon is not installed")
@pytest.mark.parametrize("unix", [False, True])
def test_gnu_backgammon_plays_with_us(tmp_path: Path, runner: Runner, unix: bool) -> None:
    """A match of three points: its export has each of our plays, and keeps to the rules."""
    replies: list[str] = []

    def serve(listener: socket.socket) -> None:
        player = ExternalPlayer(runner)

        def reply(request: str) -> str:
            replies.append(player.reply(request))
            return replies[-1]

        connection = listener.accept()[0]
        with connection:
            answer_requests(connection, reply)

    address = str(tmp_path / "player") if unix else "127.0.0.1:0"
    with listening(address) as listener:
        threading.Thread(target=serve, args=[listener], daemon=True).start()
        name = listener.getsockname()
        place = name if unix else f"{name[0]}:{name[1]}"
        commands = (
            "set player 1 chequerplay eval plies 0\nset player 1 cubedecision eval plies 0\n"
            f"set player 1 gnubg\nset player 0 external {place}\n"
            f"new match 3\nexport match mat {tmp_path}/a.mat\n"
        )
        tell(tmp_path, 4, commands)
    actions = [
        moment.action
        for game in read_transcript(tmp_path / "a.mat").games
        for moment in game.moments()
        if moment.action.side == 0
    ]
    plays = [reply for reply in replies if reply not in ("roll", "double", "take", "drop")]
    played = [action for action in actions if action.kind is ActionKind.ROLL]
    assert not any(reply.startswith("Error") for reply in replies)
    assert len(plays) == len(played) > 10
    assert [reply == "" for reply in plays] == [not action.moves for action in played]


# `gammon external`, by a program that connects to it.

REQUEST = f"{FIRST}\n\0".encode()


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "gammon", "external", *arguments, "--depth", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


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
