"""The conversations of docs/embed.md, addresses, and plays as protocols send them."""

import json
import re
import socket
from pathlib import Path

import pytest

from gammon.base.errors import FormatError, GammonError
from gammon.formats.play import checked_text, find_play, legal_plays
from gammon.formats.position import Position
from gammon.rules.board import OPENING, Points
from gammon.rules.dice import ROLLS
from gammon_adapters.address import connected, listening, parse_address, remove_socket
from gammon_adapters.ubgi import KEYS, Ubgi, single_moves
from tests.conftest import Played
from tests.engine.commands.program import run
from tests.lab.programs.stand_ins import LAST, PASS

# The conversations of docs/embed.md take place as they stand there.

PAGE = (Path(__file__).parents[2] / "docs" / "embed.md").read_text()


def lines_of(kind: str, way: str) -> list[str]:
    """The lines that one side sends in the page's block of a kind."""
    (block,) = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return [line[2:] for line in block.splitlines() if line.startswith(f"{way} ")]


def test_the_interface() -> None:
    said: list[str] = []
    ubgi = Ubgi(said.append)
    asked = lines_of("ubgi", ">")
    assert [ubgi.obey(line) for line in asked] == [line != "quit" for line in asked]
    figures = r"(score|nodes|time_ms) \S+"  # which change with the network and the machine
    found = [re.sub(figures, r"\1", line) for line in said]
    assert found == [re.sub(figures, r"\1", line) for line in lines_of("ubgi", "<")]


def test_lines_of_json() -> None:
    done = run("analyze", "-", "--json", stdin="\n".join(lines_of("json-lines", ">")))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    expected = [json.loads(line.replace(", ...", "")) for line in lines_of("json-lines", "<")]
    assert len(found) == len(expected)
    for answer in expected:
        assert any(answer.items() <= each.items() for each in found), answer
    interim = [each["depth"] for each in found if each.get("id") == "a"]
    assert interim == [1, 3]


def test_the_fields_of_a_query() -> None:
    """Those that the page names are there, and the words of a query are its own."""
    from gammon.commands.stream import FIELDS

    fields = PAGE.split("| field | is |")[1].split("`gammon analyze --help`")[0]
    listed = set(re.findall(r"`(\w\w+)`", fields)) - {"true"}
    assert {"position", "id", "interim", "plays", "filter", "score"} < listed <= set(FIELDS)


def test_all_settings_are_named() -> None:
    for name in KEYS:
        if name != "game.variant":
            assert f"`{name}`" in PAGE


# Addresses of other programs.


def test_what_an_address_is() -> None:
    assert parse_address("127.0.0.1:1234") == ("127.0.0.1", 1234)
    assert parse_address("localhost:0") == ("localhost", 0)
    for path in ("gnubg", "./a:1", "/tmp/a"):
        assert parse_address(path) == path


@pytest.mark.parametrize("text", ["", ":1234", "host:", "host:x", "host:65536", "host:-1", "h:١"])
def test_what_is_none(text: str) -> None:
    with pytest.raises(FormatError, match="expected HOST:PORT"):
        parse_address(text)


def exchange(listener: socket.socket, address: str) -> bytes:
    with connected(address, 5.0) as ours, listener.accept()[0] as theirs:
        ours.sendall(b"hello")
        return theirs.recv(5)


def test_a_port() -> None:
    with listening("127.0.0.1:0") as listener:
        host, port = listener.getsockname()
        assert host == "127.0.0.1"
        assert exchange(listener, f"127.0.0.1:{port}") == b"hello"
        with pytest.raises(GammonError, match="cannot listen there"):
            listening(f"127.0.0.1:{port}")
    remove_socket("127.0.0.1:1")  # which has no file


def test_a_unix_socket(tmp_path: Path) -> None:
    address = str(tmp_path / "socket")
    with listening(address) as listener:
        assert exchange(listener, address) == b"hello"
        with pytest.raises(GammonError, match="cannot listen there"):
            listening(address)
    assert Path(address).exists(), "nobody listens there any more"
    with listening(address) as listener:
        assert exchange(listener, address) == b"hello"
    remove_socket(address)
    assert not Path(address).exists()
    remove_socket(address)


def test_a_file_is_no_stale_socket(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("kept")
    with pytest.raises(GammonError, match="cannot listen there"):
        listening(str(path))
    assert path.read_text() == "kept"


def test_a_system_without_unix_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "AF_UNIX")
    assert parse_address("127.0.0.1:1234") == ("127.0.0.1", 1234)
    for use in (parse_address, listening, lambda text: connected(text, 1.0)):
        with pytest.raises(FormatError, match="this system has no Unix sockets"):
            use("/tmp/a")


def test_a_socket_of_no_use_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[socket.socket] = []

    class Noted(socket.socket):
        def __init__(self, *args: int) -> None:
            super().__init__(*args)
            made.append(self)

    (tmp_path / "file").write_text("")
    monkeypatch.setattr(socket, "socket", Noted)
    for use in (listening, lambda text: connected(text, 1.0)):
        with pytest.raises(GammonError):
            use(str(tmp_path / "file"))
    assert [each.fileno() for each in made] == [-1, -1]


def test_nobody_is_there(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    for address in (f"127.0.0.1:{port}", str(tmp_path / "none")):
        with pytest.raises(GammonError, match="no program answers there") as caught:
            connected(address, 1.0)
        assert "\n" not in str(caught.value)


# Plays as protocols send them.


@pytest.mark.parametrize(
    ("points", "dice", "text", "steps"),
    [
        (OPENING, (6, 5), "24/13", ["24/18", "18/13"]),
        (OPENING, (3, 3), "8/5(2) 6/3(2)", ["8/5", "8/5", "6/3", "6/3"]),
        (LAST, (6, 2), "5/3*/off", ["5/3", "3/off"]),
        (PASS, (6, 5), "cannot move", []),
    ],
)
def test_steps(points: Points, dice: tuple[int, int], text: str, steps: list[str]) -> None:
    play = find_play(Position(points), dice, text)
    assert single_moves(play) == steps
    assert checked_text(play, dice, " ".join(steps)) == " ".join(steps)


def test_steps_mean_the_play(played: Played) -> None:
    for n, points in enumerate(played(40, 8)):
        dice = ROLLS[n % len(ROLLS)]
        for play in legal_plays(Position(points), dice):
            text = " ".join(single_moves(play))
            assert find_play(Position(points), dice, text).points == play.points


def test_a_text_that_means_another_play_is_not_sent() -> None:
    play = find_play(Position.opening(), (3, 1), "8/5 6/5")
    for text in ("24/20", "", "8/4"):
        with pytest.raises(GammonError):
            checked_text(play, (3, 1), text)
