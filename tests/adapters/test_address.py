"""Addresses of other programs."""

import socket
from pathlib import Path

import pytest

from gammon.base.errors import FormatError, GammonError
from gammon_adapters.address import connected, listening, parse_address, remove_socket


def test_what_an_address_is() -> None:
    assert parse_address("127.0.0.1:1234") == ("127.0.0.1", 1234)
    assert parse_address("localhost:0") == ("localhost", 0)
    for path in ("gnubg", "./a:1", "/tmp/a"):
        assert parse_address(path) == path


@pytest.mark.parametrize(
    "text", ["", ":1234", "host:", "host:x", "host:65536", "host:-1", "h:١"]
)
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
