"""Addresses of other programs, on a network or on this machine."""

import contextlib
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

from gammon.base.errors import FormatError, GammonError

#: A host and a port, or the path of a Unix socket.
Address = tuple[str, int] | str


def parse_address(text: str) -> Address:
    """Read `HOST:PORT`, or the path of a Unix socket: it has a slash, or no colon.

    Raises:
        FormatError: there is no host, or no port; or this system has no Unix sockets.
    """
    if "/" in text or ":" not in text:
        if not text:
            raise FormatError("address '': expected HOST:PORT, or the path of a Unix socket")
        if not hasattr(socket, "AF_UNIX"):
            raise FormatError(f"address {text!r}: expected HOST:PORT, as this system has no Unix sockets")
        return text
    host, _, port = text.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 <= int(port) < 1 << 16:
        raise FormatError(
            f"address {text!r}: expected HOST:PORT such as 127.0.0.1:1234, or the path of a Unix socket"
        )
    return host, int(port)


def connected(text: str, seconds: float) -> socket.socket:
    """Return a connection to the program that listens at an address.

    Args:
        text: the address.
        seconds: the time allowed for connecting, and afterwards for each answer.

    Raises:
        FormatError: the text is not an address.
        GammonError: no program listens at the address.
    """
    address = parse_address(text)
    try:
        if isinstance(address, str):
            with _unix_socket() as connection:
                connection.settimeout(seconds)
                connection.connect(address)
            return connection
        connection = socket.create_connection(address, seconds)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        raise GammonError(f"{text}: no program answers there ({error})") from None
    return connection


def listening(text: str) -> socket.socket:
    """Return a socket that listens at an address; port 0 picks a free one.

    Raises:
        FormatError: the text is not an address.
        GammonError: the address cannot be used, or another program listens at it.
    """
    address = parse_address(text)
    try:
        if not isinstance(address, str):
            return socket.create_server(address)
        _remove_stale(address)
        with _unix_socket() as listener:
            listener.bind(address)
            listener.listen()
    except OSError as error:
        raise GammonError(f"{text}: cannot listen there ({error})") from None
    return listener


@contextlib.contextmanager
def _unix_socket() -> Iterator[socket.socket]:
    """Yield a Unix socket, which is closed if the block fails."""
    unix_socket = socket.socket(socket.AF_UNIX)
    try:
        yield unix_socket
    except BaseException:
        unix_socket.close()
        raise


def remove_socket(text: str) -> None:
    """Remove the file of a Unix socket; other addresses have none."""
    if isinstance(parse_address(text), str):
        with contextlib.suppress(OSError):
            Path(text).unlink()


def _remove_stale(path: str) -> None:
    """Remove the file of a socket at which no program listens any more."""
    place = Path(path)
    if not place.exists() or not stat.S_ISSOCK(place.stat().st_mode):
        return
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            place.unlink()
