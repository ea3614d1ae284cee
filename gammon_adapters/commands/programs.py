"""The engine for other programs: its files (`embed`), by a socket (`external`), by lines (`ubgi`)."""

import contextlib
import threading
from pathlib import Path
from socket import socket

import click

from gammon.base.files import write_bytes
from gammon.commands.options import question_options, with_default
from gammon.commands.process import input_lines
from gammon.commands.shared import check_seeds, model_option, out_option, threads_option
from gammon.engine.question import Question


@click.command()
@out_option("The folder for the files; it is created if it is missing.")
@click.option("--javascript", is_flag=True, help="For a page in a browser, or for node, in place of C.")
@model_option()
def embed(out: Path, javascript: bool, model: str) -> None:
    """Write the engine for programs in C or JavaScript.

    For C: gammon.h, the library and an engine. The engine has the network, the bearoff tables and
    the match equity table. The library is the one that gammon itself uses, and reads only engines
    of its own version. Where gammon was installed from its sources, the library is for this
    processor and better ones. docs/embed.md has an example.

    For JavaScript: gammon.js with its types, the WebAssembly module, and an engine without the
    bearoff tables, which the module computes. docs/embed.md has an example.
    """
    from gammon.compiled.library import library
    from gammon_adapters.embed.header import header
    from gammon_adapters.embed.packed_engine import TERMS, packed_engine
    from gammon_adapters.embed.script import README, script_files

    if javascript:
        files = script_files(model) | {"README.md": README.read_bytes()}
    else:
        core_library = library()
        files = {"gammon.h": header().encode(), "gammon.engine": packed_engine(core_library, model)}
        files[core_library.path.name] = core_library.path.read_bytes()
    files |= {notice.name: notice.read_bytes() for notice in TERMS}
    for name, data in files.items():
        write_bytes(out / name, data)
        click.echo(f"{len(data):12,} bytes  {out / name}")


@click.command()
@click.argument("address", default="127.0.0.1:1234")
@model_option()
@question_options(
    with_default("depth", 3), "level", "seed", "strength", "noise", "noise_seed",
    "max_seconds", "move_filter", "met", "jacoby", "beavers",
)  # fmt: skip
@threads_option("a decision")
@click.option("--resign", is_flag=True, help="Resign games that are certain to be lost.")
@click.option("--once", is_flag=True, help="End after the first connection that asks a question.")
def external(address: str, model: str, asked: Question, threads: int, resign: bool, once: bool) -> None:
    """Play for GNU Backgammon as its external player.

    ADDRESS is HOST:PORT, or the path of a Unix socket; port 0 picks a free one. GNU Backgammon
    connects to it by its command "set player 0 external ADDRESS", and asks for each play and
    each decision about the cube.

    GNU Backgammon sends neither the Jacoby rule nor its match equity table. Give --jacoby for money
    sessions with the rule, which its sessions have by default, and --met if its table is not
    Kazaross-XG2. In the other direction, GNU Backgammon can be a player of `gammon match` by its
    command "external ADDRESS".

    \b
    gammon external 127.0.0.1:1234 --depth 3
    gammon match depth=3 external=127.0.0.1:1234 --length 7 --out runs/e
    """
    check_seeds(asked)
    from gammon.engine.bot import Bot
    from gammon.engine.engine import Engine
    from gammon_adapters.address import listening, remove_socket
    from gammon_adapters.external import HIGHEST_CUBE, ExternalPlayer, answer_requests

    bot = Bot(Engine.of(asked, model, threads), HIGHEST_CUBE)

    def serve(connection: socket) -> bool:
        """Play over a connection, and return whether it sent anything."""
        player = ExternalPlayer(bot, asked.jacoby, asked.beavers, resign)
        with connection, contextlib.suppress(OSError):  # GNU Backgammon may be gone
            return answer_requests(connection, player.reply)
        return True

    with listening(address) as listener:
        try:
            name = listener.getsockname()
            place = name if isinstance(name, str) else f"{name[0]}:{name[1]}"
            click.echo(f"Listening on {place}. In GNU Backgammon: set player 0 external {place}")
            while not once:
                threading.Thread(target=serve, args=[listener.accept()[0]], daemon=True).start()
            while not serve(listener.accept()[0]):
                pass  # another program only tested whether the address is in use
        finally:
            remove_socket(address)


@click.command()
def ubgi() -> None:
    """Answer a controller by the Universal Backgammon Interface.

    The protocol has version 0.2, with the words of 0.1, over standard input and output: `ubgi`
    shows all settings, `isready` loads the engine, and `quit` ends the program.

    \b
    printf 'position gnubgid 4HPwATDgc/ABMA\\ndice 3 1\\ngo\\n' | gammon ubgi
    """
    from gammon_adapters.ubgi import converse

    converse(input_lines(), click.echo)
