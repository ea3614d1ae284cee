"""The half of `gammon_lab.programs` that runs in another program's Python.

That Python is not ours, so this file imports nothing from the package and uses nothing newer
than Python 3.9. The file is in the package, not among the scripts, because an installed wheel
must find it too.

The server connects to the loopback port in `GAMMON_PEER_PORT`, makes a `Program` (a class in the
file `GAMMON_PEER_FILE`) and sends `{"token": ...}`. A request is a line of JSON:

    {"op": "best_play", "items": [[points, dice, plies], ...]}

`op` names a method of the program; an item is a list of its arguments. The answer to each item is a
line `{"result": ..., "cpu_seconds": s}`, sent within a tenth of a second unless the next answer
takes longer. A line `{"error": text}` ends the answers to a request. Points are 26 counts as in
`gammon.rules.board`, seen from the player on roll; positions after a play are seen from the same
player.
"""

from __future__ import annotations

import json
import os
import runpy
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

#: Quick answers are sent together, because waking the client takes time from the program.
SEND_SECONDS = 0.1


def answers(program: Any, request: Any) -> Iterator[dict[str, Any]]:
    """Yield the answer to each item of a request."""
    for arguments in request["items"]:
        start = time.process_time()  # the time of all threads, without their waits
        try:
            result = getattr(program, request["op"])(*arguments)
        except Exception as error:
            yield {"error": f"{type(error).__name__}: {error}"}
            return
        yield {"result": result, "cpu_seconds": time.process_time() - start}


def serve(program: Any, requests: Any, replies: Any) -> None:
    """Answer the requests of one file on the other, line by line, until the requests end."""
    for line in requests:
        sent = time.monotonic()
        for reply in answers(program, json.loads(line)):
            replies.write(json.dumps(reply) + "\n")
            if time.monotonic() > sent + SEND_SECONDS:
                replies.flush()
                sent = time.monotonic()
        replies.flush()


def end_with_client() -> None:
    """Wait until the client closes our standard input or ends, then end this process."""
    os.read(0, 1)
    os._exit(0)


def main() -> None:
    """Connect to the client and serve it until it closes the connection."""
    threading.Thread(target=end_with_client, daemon=True).start()
    port = int(os.environ["GAMMON_PEER_PORT"])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection.makefile("r") as requests, connection.makefile("w") as replies:
            program = runpy.run_path(os.environ["GAMMON_PEER_FILE"])["Program"]()
            replies.write(json.dumps({"token": os.environ["GAMMON_PEER_TOKEN"]}) + "\n")
            replies.flush()
            serve(program, requests, replies)


if __name__ == "__main__":
    status = 1
    try:
        main()
        status = 0
    finally:
        os._exit(status)  # otherwise GNU Backgammon would start its own command line
