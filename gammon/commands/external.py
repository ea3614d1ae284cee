"""`gammon external`: a player for GNU Backgammon, which asks it over a socket."""

import contextlib
import threading
from socket import socket

import click

from gammon.commands.shared import model_option
from gammon.commands.types import DEPTH, FILTER

__all__ = ["external"]


@click.command()
@click.argument("address", default="127.0.0.1:1234")
@click.option(
    "--depth",
    default="3",
    show_default=True,
    type=DEPTH,
    help="Plies to search for a decision.",
)
@model_option()
@click.option(
    "--filter", "move_filter", type=FILTER,
    help="Search fewer plays, as GNU Backgammon's move filters do; all unless given.",
)  # fmt: skip
@click.option(
    "--max-seconds", type=float, metavar="SECONDS",
    help="Take no more time than this for a decision.",
)  # fmt: skip
@click.option(
    "--jacoby", is_flag=True,
    help="For money: gammons count only after the cube is turned. GNU Backgammon does not say.",
)  # fmt: skip
@click.option(
    "--beavers", is_flag=True, help="For money: redouble at once where that is right."
)
@click.option("--resign", is_flag=True, help="Resign games that are certain to be lost.")
@click.option("--once", is_flag=True, help="End with the first connection.")
def external(
    address: str,
    depth: str,
    model: str,
    move_filter: str | None,
    max_seconds: float | None,
    jacoby: bool,
    beavers: bool,
    resign: bool,
    once: bool,
) -> None:
    """Play for GNU Backgammon as its external player.

    ADDRESS is HOST:PORT, or the path of a Unix socket; port 0 picks a free one. GNU Backgammon
    connects to it by its command "set player 0 external ADDRESS", and asks for each play and
    each decision about the cube.

    The other way round, where GNU Backgammon answers by its command "external ADDRESS", it is a
    player of `gammon match`.

    \b
    gammon external 127.0.0.1:1234 --depth 3
    gammon match depth=3 external=127.0.0.1:1234 --length 7 --out runs/e
    """
    from gammon.answers.bot import Bot
    from gammon.answers.engine import Engine
    from gammon.peers.address import listening, remove_socket
    from gammon.protocols.external import ExternalPlayer, answer_requests

    engine = Engine(int(depth), model=model, move_filter=move_filter, max_seconds=max_seconds)
    bot = Bot(engine)

    def serve(connection: socket) -> None:
        player = ExternalPlayer(bot, jacoby, beavers, resign)
        with connection, contextlib.suppress(OSError):  # GNU Backgammon may be gone
            answer_requests(connection, player.reply)

    with listening(address) as listener:
        try:
            name = listener.getsockname()
            place = name if isinstance(name, str) else f"{name[0]}:{name[1]}"
            click.echo(
                f"Listening on {place}. In GNU Backgammon: set player 0 external {place}"
            )
            while not once:
                threading.Thread(
                    target=serve, args=[listener.accept()[0]], daemon=True
                ).start()  # fmt: skip
            serve(listener.accept()[0])
        finally:
            remove_socket(address)
