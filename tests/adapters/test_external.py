"""The external player of GNU Backgammon: a recorded conversation, and the program itself."""

import json
import socket
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gammon.engine.cube import CubeAnswer
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.play import Play, find_play
from gammon.formats.position import Position
from gammon.rules.board import OPENING
from gammon.rules.terms import Terms
from gammon_adapters.address import listening
from gammon_adapters.external import ExternalPlayer, answer_requests
from gammon_adapters.fibs_board import BoardLine, format_board, parse_board
from gammon_lab.programs.gnubg import find_program
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.transcript import ActionKind
from tests.adapters.recorded import FILE, Runner, tell
from tests.boards import points_of


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
    boards = [
        parse_board(data.replace("\0", "")).position for _, way, data in lines if way == "<"
    ]
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
    assert (
        ExternalPlayer(bot, jacoby=True, beavers=True).reply(board(at(offer="D"))) == "beaver"
    )
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
def test_what_is_refused(runner: Runner, request_line: str, words: str) -> None:
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
