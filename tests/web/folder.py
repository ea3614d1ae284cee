"""A server of the files of a folder, as anybody may have one."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class _Quiet(SimpleHTTPRequestHandler):
    """Gives out the files of a folder, and prints nothing."""

    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    """Says nothing of a browser that leaves in the middle of a file."""

    def handle_error(self, *_: object) -> None:
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):
            raise error


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Give out a folder, and return the address."""
    with _Server(("127.0.0.1", 0), partial(_Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
