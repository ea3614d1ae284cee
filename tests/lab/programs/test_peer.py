"""What all other programs have in common, and the half that runs in their Python."""

import io
import json
import signal
import sys
import time
from pathlib import Path

import pytest

from gammon.base.errors import GammonError, IllegalPositionError, SettingError
from gammon.rules.board import OPENING, Points
from gammon_lab.programs import server
from gammon_lab.programs.peer import first_line
from tests.boards import points_of
from tests.lab.programs.stand_ins import OPENING_31, PASS, StandIn, program
from tests.processes import alive, comes_true, started

# What all other programs have in common, with stand-ins for them.

#: Asks a program, and says which process that is.
ASKING = """
import sys
from pathlib import Path
from gammon.rules.board import OPENING
from tests.lab.programs.stand_ins import StandIn
with StandIn(Path(sys.argv[1])) as peer:
    print(peer._process.pid, flush=True)
    peer.best_play(OPENING, (3, 1), 0)
"""


def pid_of(peer: StandIn) -> int:
    assert peer._process is not None
    return peer._process.pid


def test_questions_need_the_block(tmp_path: Path) -> None:
    with pytest.raises(GammonError, match="not running"):
        StandIn(tmp_path).best_play(OPENING, (3, 1), 0)


@pytest.mark.parametrize("points", [OPENING[1:], (*OPENING[:25], -1), (1, *OPENING[1:])])
def test_impossible_positions_do_not_reach_the_program(tmp_path: Path, points: Points) -> None:
    with pytest.raises(IllegalPositionError, match="expected"):
        StandIn(tmp_path).best_play(points, (3, 1), 0)


@pytest.mark.parametrize("dice", [(7, 1), (1,), (0, 3)])
def test_impossible_dice_do_not_reach_it(tmp_path: Path, dice: tuple[int, ...]) -> None:
    with pytest.raises(SettingError, match="dice"):
        StandIn(tmp_path).best_play(OPENING, dice, 0)


def test_answers_come_back_in_order(tmp_path: Path) -> None:
    """Also those around some that take longer, and those after a wrong one."""
    path = program(tmp_path, "time.sleep(0.15 if points[1] == 7 else 0)", "return points if plies else dice")
    stuck = [points_of({25: 1, 1: n % 15}, dict.fromkeys(range(19, 25), 2)) for n in range(30)]
    dice = [(6, 5)] * 30
    with StandIn(path) as peer:
        assert peer.version == "Stand-in 1.0"
        assert peer.best_plays(stuck, dice, 1) == stuck
        assert peer.cpu_seconds > 0
        with pytest.raises(GammonError):
            peer.best_plays(stuck, dice, 0)
        assert peer.best_plays(stuck, dice, 1) == stuck


def test_an_error_ends_the_answers_to_its_request(tmp_path: Path) -> None:
    path = program(tmp_path, "assert plies, 'too few plies'", "return points")
    with StandIn(path) as peer:
        error = "cannot answer 'best_play': AssertionError: too few plies$"
        with pytest.raises(GammonError, match=error):
            peer.best_plays([PASS] * 5, [(6, 5)] * 5, 0)
        assert peer.best_plays([PASS] * 5, [(6, 5)] * 5, 1) == [PASS] * 5


@pytest.mark.parametrize(
    "answer",
    ["points", "None", "'24/18'", "[]", "[300] * 26", "[points]", "points[:25]", "{'0': 1}",
     "[[0]] * 26", "[0.5] * 26", "after[::-1]"],
)  # fmt: skip
def test_an_answer_that_is_no_legal_play(tmp_path: Path, answer: str) -> None:
    path = program(tmp_path, f"after = {list(OPENING_31)}", f"return {answer}")
    with StandIn(path) as peer:
        with pytest.raises(GammonError, match=r"31 in 4HPwATDgc/ABMA to .*legal play") as caught:
            peer.best_plays([OPENING] * 3, [(3, 1)] * 3, 0)
        assert "\n" not in str(caught.value)


def test_the_dice_come_in_any_order(tmp_path: Path) -> None:
    with StandIn(program(tmp_path, f"return {list(OPENING_31)}")) as peer:
        assert peer.best_plays([OPENING] * 2, [(3, 1), (1, 3)], 0) == [OPENING_31] * 2


@pytest.mark.parametrize(
    ("line", "seconds", "message"),
    [
        ("os._exit(4)", 60.0, r"asked 'best_play' \(exit status 4\)$"),
        ("os.kill(os.getpid(), 9)", 60.0, r"asked 'best_play' \(exit status -9\)$"),
        ("time.sleep(60)", 0.3, r"did not answer 'best_play' in 0\.3 seconds$"),
    ],
)
def test_a_program_that_dies_or_hangs(tmp_path: Path, line: str, seconds: float, message: str) -> None:
    with StandIn(program(tmp_path, line), answer_seconds=seconds) as peer:
        pid = pid_of(peer)
        with pytest.raises(GammonError, match=message):
            peer.best_play(OPENING, (3, 1), 0)
        assert not alive(pid)
        with pytest.raises(GammonError, match="not running"):
            peer.best_play(OPENING, (3, 1), 0)


@pytest.mark.parametrize(
    ("text", "seconds", "message"),
    [
        ("import no_such", 60.0, r"before it was ready \(exit status 1\); expected '.*' to work$"),
        ("import time; time.sleep(60)", 0.6, r"did not answer in 0\.6 seconds$"),
    ],
)
def test_a_program_that_does_not_get_ready(tmp_path: Path, text: str, seconds: float, message: str) -> None:
    path = tmp_path / "inside.py"
    path.write_text(text)
    peer = StandIn(path, start_seconds=seconds)
    with pytest.raises(GammonError, match=message):
        peer.open()
    assert peer._process is None


class Stranger(StandIn):
    """A program that is not our server: Python code in its place."""

    def command(self) -> list[str]:
        return [sys.executable, "-c", self.inside]


@pytest.mark.parametrize(
    ("code", "seconds", "message"),
    [
        ("raise SystemExit(5)", 60.0, r"before it was ready \(exit status 5\)"),
        ("import time; time.sleep(60)", 0.3, r"did not answer in 0\.3 seconds$"),
        (
            "import os, socket; connection = socket.create_connection("
            "('127.0.0.1', int(os.environ['GAMMON_PEER_PORT'])))\n"
            """connection.sendall(b'{"token": "a guess"}\\n')""",
            60.0,
            "another program answered for it$",
        ),
    ],
)
def test_a_program_without_the_server(code: str, seconds: float, message: str) -> None:
    with pytest.raises(GammonError, match=message):
        Stranger(Path(code), start_seconds=seconds).open()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_program_that_hangs_does_not_outlive_who_asks_it(tmp_path: Path, number: int) -> None:
    asking = started(ASKING, str(program(tmp_path, "time.sleep(60)")))
    assert asking.stdout is not None
    pid = int(asking.stdout.readline())
    assert alive(pid)
    time.sleep(0.3)
    asking.send_signal(number)
    asking.communicate(timeout=60)
    assert comes_true(lambda: not alive(pid), 40)  # it sleeps for longer


def test_the_first_line_of_a_command() -> None:
    code = "print('one', 1); print('two')"
    assert first_line("Python", [sys.executable, "-c", code]) == "one 1"
    assert first_line("Python", [sys.executable, "-c", "raise SystemExit(2)"]) == ""
    with pytest.raises(GammonError, match=r"^Python \('/no/such'\) does not run"):
        first_line("Python", ["/no/such"])


# The half of a peer that runs in another program's Python, here in our own.


class Program:
    """Answers sums; a sum of zero is an error."""

    def add(self, *numbers: int) -> int:
        assert sum(numbers), "a sum of zero"
        return sum(numbers)


def replies_to(*requests: object) -> list[dict[str, object]]:
    lines, replies = [json.dumps(each) for each in requests], io.StringIO()
    server.serve(Program(), lines, replies)
    return [json.loads(line) for line in replies.getvalue().splitlines()]


def test_each_item_has_an_answer() -> None:
    found = replies_to({"op": "add", "items": [[1], [2, 3], [4]]}, {"op": "add", "items": [[5, 5]]})
    assert [each["result"] for each in found] == [1, 5, 4, 10]
    assert all(set(each) == {"result", "cpu_seconds"} for each in found)


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ({"op": "add", "items": [[1, -1], [2]]}, "AssertionError: a sum of zero"),
        ({"op": "add", "items": [["x"], [2]]}, "TypeError"),
        ({"op": "no_such", "items": [[1], [2]]}, "AttributeError"),
    ],
)
def test_an_error_is_the_last_answer_to_a_request(request_: object, error: str) -> None:
    first, second = replies_to(request_, {"op": "add", "items": [[5]]})
    assert str(first["error"]).startswith(error)
    assert second["result"] == 5
