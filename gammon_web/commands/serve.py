"""The board in a browser: `gammon serve` and `play`; without a server `site`; and `schema`."""

import ipaddress
import json
import os
import re
import socket
from collections.abc import Callable, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path

import click

from gammon.base.errors import GammonError, SettingError
from gammon.commands.options import PLACE, SEVERAL, THREADS, Decimal, Integer, question_options, with_default
from gammon.commands.shared import model_option, out_option, processors
from gammon.engine.question import Question
from gammon_study.commands.study import USUAL_LIBRARY, opened_library
from gammon_web.limits import Limits

#: Seconds that searches have to finish when the server ends.
_TO_END = 2.0
#: An origin: its scheme and its host, which is an address in brackets or a name, and a port.
_ORIGIN = re.compile(r"([a-z][a-z\d+.-]*)://(\[[\da-f:.]+\]|[a-z\d_.-]+)(?::(\d{1,5}))?/?", re.ASCII)
#: A name or an address, as a browser writes it.
_NAME = re.compile(r"[a-z\d_.:-]+", re.ASCII | re.IGNORECASE)
#: The ports that browsers leave out.
_PORTS = {"http": 80, "https": 443}
#: The address that only this machine can reach.
LOCAL = "127.0.0.1"
_PORT = click.option(
    "--port",
    type=Integer(0, 65535),
    metavar="N",
    help="The port; unless given, 8765, or a free one if that is taken.",
)


@click.command()
@click.option("--open", "opens", is_flag=True, help="Show the page in the browser.")
@click.option(
    "--host",
    default=LOCAL,
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen at; other machines cannot reach 127.0.0.1.",
)
@_PORT
@click.option(
    "--library",
    type=PLACE,
    metavar="FILE",
    help="The library of gammon study, which the page shows and, if only this machine can ask, changes. "
    "Answers of drills are stored there in any case. Unless given, "
    f"{USUAL_LIBRARY} if only this machine can ask.",
)
@click.option(
    "--prefix",
    default="",
    metavar="PATH",
    help="The beginning of all paths, such as /bot, for clients that expect one.",
)
@question_options(with_default("depth", Limits.depth, "The deepest search allowed."))
@click.option(
    "--seconds",
    metavar="SECONDS",
    type=Decimal(0.1, 3600.0),
    help="The time for a search, 30 unless given; a rollout or a review has ten times as much. "
    "Unless given, a review has no limit if only this machine can ask.",
)
@click.option(
    "--searches",
    default=Limits.searches,
    show_default=True,
    type=SEVERAL,
    metavar="N",
    help="Long searches, rollouts and reviews at the same time; others wait or are refused.",
)
@click.option(
    "--threads",
    type=THREADS,
    metavar="N",
    help="Processors that share a search; the answer is the same. Unless given, all of them if "
    "only this machine can ask, else 1.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name by which browsers reach this server, for example behind a proxy; may be repeated.",
)
@click.option(
    "--cors-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="An origin whose pages may send requests, such as https://example.org; may be repeated.",
)
def serve(
    opens: bool,
    host: str,
    port: int | None,
    library: Path | None,
    prefix: str,
    asked: Question,
    seconds: float | None,
    searches: int,
    threads: int | None,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
) -> None:
    """Show a board in the browser, and answer other programs by HTTP.

    Unless --host gives another address, only this machine can use the page and the API. Then the page
    shows the library of gammon study, too. docs/server.md describes the API.

    \b
    gammon serve --open
    gammon serve --port 8080 --depth 3
    """
    page = "" if opens else None
    _serve(page, host, port, library, prefix, asked.depth, seconds, searches, threads, hosts, origins)


@click.command()
@_PORT
def play(port: int | None) -> None:
    """Play against gammon on a board in the browser.

    `gammon serve --open` shows the same page, and has more options.
    """
    _serve("#play", LOCAL, port, None, "", Limits.depth, None, Limits.searches, None, (), ())


def _serve(
    page: str | None,
    host: str,
    port: int | None,
    library: Path | None,
    prefix: str,
    depth: int,
    seconds: float | None,
    searches: int,
    threads: int | None,
    hosts: Sequence[str],
    origins: Sequence[str],
) -> None:
    """Run a server until it is stopped.

    Args:
        page: the end of the page's address that the browser shows, or None: none is shown.
        host: the address to listen at.
        port: the port, or None: any port that is free.
        library: the file of the library, or None: the usual one if only this machine can ask.
        prefix: the beginning of all paths.
        depth: the most plies of a search.
        seconds: see `_limits`.
        searches: how many long searches can run at the same time.
        threads: see `_limits`.
        hosts: more names of this server.
        origins: whose pages may send requests.

    Raises:
        SettingError: a setting is not as expected.
    """
    from gammon_web.app import make_app
    from gammon_web.guard import Names
    from gammon_web.server import listen, url_of
    from gammon_web.server import serve as run

    if library is not None:
        with opened_library(library):
            pass  # this checks the library, and brings its rows up to date
    path = "/" + prefix.strip("/") if prefix.strip("/") else ""
    if not re.fullmatch(r"(/[\w~-][\w.~-]*)*", path):
        raise SettingError(f"--prefix {prefix!r}: expected a path, such as /bot")
    host = host.strip("[]")
    if not host:
        raise SettingError("--host '': expected an address, such as 127.0.0.1")
    allowed = tuple(map(_origin, origins))
    names = Names((host, *hosts), host in ("0.0.0.0", "::"), allowed)
    for name in hosts:
        whole = _NAME.fullmatch(name) and (names.has(name) or names.has(f"[{name}]"))
        if not whole:
            raise SettingError(f"--allow-host {name!r}: expected a name without a port")
    listening = listen(host, port)
    alone = _is_alone(listening, hosts)
    tell = partial(click.echo, err=True)
    if library is None and alone:
        library = _usual_library(tell)
    limits = _limits(depth, seconds, searches, threads, library, alone)
    guarded, app = make_app(limits, names, path, tell)
    url = url_of(listening, path)

    def ready() -> None:
        click.echo(f"gammon is at {url} (Ctrl-C ends it)")
        app.warmth.begin()
        if page is not None:
            click.launch(url + page)

    try:
        run(guarded, listening, ready, tell)
    finally:
        app.close(_TO_END)
    os._exit(0)  # even if a thread still works


def _usual_library(tell: Callable[[str], None]) -> Path | None:
    """Return the library that `gammon study` uses, or None if it cannot be used, which is told.

    It may be missing until `gammon study add` makes it.
    """
    try:
        path = Path(USUAL_LIBRARY).expanduser()
        if path.exists():
            with opened_library(path):
                pass
    except (GammonError, OSError, RuntimeError) as error:  # the last one: there is no home
        tell(f"the page shows no library: {error}")
        return None
    return path


def _limits(
    depth: int, seconds: float | None, searches: int, threads: int | None, library: Path | None, alone: bool
) -> Limits:
    """Return the limits of a server from its options, where None means not given.

    Args:
        depth: the most plies of a search.
        seconds: the most seconds of a search; if not given, a review has no limit if `alone`.
        searches: how many long searches can run at the same time.
        threads: the threads of a search; if not given, all processors if `alone`, else one.
        library: the file of the library.
        alone: whether only this machine can send requests.
    """
    usual = seconds or Limits.seconds
    reviewing = None if alone and seconds is None else 10.0 * usual
    shared = threads or (processors() if alone else 1)
    return Limits(depth, usual, reviewing, searches, shared, library=library, editable=alone)


def _is_alone(listening: socket.socket, hosts: Sequence[str]) -> bool:
    """Return whether only this machine can send requests: the server has no other address or name."""
    address = ipaddress.ip_address(listening.getsockname()[0].partition("%")[0])
    return address.is_loopback and not hosts


def _origin(text: str) -> str:
    """Return an origin as browsers write it; `*` and `null` are returned unchanged.

    Raises:
        SettingError: the text is not an origin.
    """
    if text in ("*", "null"):
        return text
    match = _ORIGIN.fullmatch(text.lower())
    if match is None:
        raise SettingError(f"--cors-origin {text!r}: expected an origin such as https://example.org")
    scheme, host, port = match.groups()
    is_left_out = port is None or int(port) == _PORTS.get(scheme)
    return f"{scheme}://{host}" if is_left_out else f"{scheme}://{host}:{int(port)}"


@click.command()
@out_option("The folder for the files; it is created if it is missing.")
@model_option()
def site(out: Path, model: str) -> None:
    """Write the board as a page that needs no server.

    The engine is in the page, as WebAssembly. Any web server can serve the files, from any folder,
    and after the first visit the page works offline. See docs/first_hour.md.
    """
    from gammon_web.site import write_site

    sizes = write_site(out, model)
    total = sum(sizes.values())
    click.echo(f"{len(sizes)} files, {total:,} bytes, in {out}")
    click.echo(f"To try it: python -m http.server --bind 127.0.0.1 --directory {out}")


@click.command()
def schema() -> None:
    """Print the JSON Schema of all answers in JSON.

    Answers in JSON are the output of commands with --json, the lines of "gammon analyze -", and the
    values of gammon.to_json in Python. The server's description of its API, /openapi.json, has the
    same definitions.
    """
    text = files("gammon_web").joinpath("openapi.json").read_text(encoding="utf-8")
    page = json.loads(text.replace("#/components/schemas/", "#/$defs/"))
    schemas = page["components"]["schemas"]
    answers = [
        {"$ref": f"#/$defs/{name}"}
        for name, definition in schemas.items()
        if "schema_version" in definition.get("required", ())
    ]
    dialect = "https://json-schema.org/draft/2020-12/schema"
    click.echo(json.dumps({"$schema": dialect, "anyOf": answers, "$defs": schemas}, indent=1))
