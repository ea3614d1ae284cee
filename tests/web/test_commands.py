"""`gammon serve` begins at once and ends when it is told to; `gammon site` writes a page."""

import gzip
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gammon.base.errors import GammonError, SettingError
from gammon.compiled import library
from gammon_web.commands.serve import _is_alone, _limits, _origin
from tests.engine.commands.program import assert_refused, run
from tests.processes import ROOT
from tests.wasm import unbuilt

# `gammon serve`: it begins at once, and ends when it is told to.


@pytest.fixture
def started():
    """Start the server; gives the process and the address of the page."""
    here = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    running = []

    def start(*arguments: str) -> tuple[subprocess.Popen[str], http.client.HTTPConnection, str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "gammon", "serve", *arguments],
            env=here,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        running.append(process)
        said = process.stdout.readline()
        found = re.fullmatch(r"gammon is at http://(\S+):(\d+)(/\S*) \(Ctrl-C ends it\)\n", said)
        assert found, said
        connection = http.client.HTTPConnection(found[1].strip("[]"), int(found[2]), timeout=300)
        return process, connection, found[3]

    yield start
    for process in running:
        process.kill()
        process.communicate()


def fetched(connection: http.client.HTTPConnection, path: str, **headers: str):
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read()


@pytest.mark.parametrize(
    ("host", "hosts", "alone"),
    [
        ("127.0.0.1", (), True),
        ("localhost", (), True),
        ("0.0.0.0", (), False),
        ("127.0.0.1", ("board.example",), False),
    ],
)
def test_who_can_ask(host, hosts, alone):
    from gammon_web.server import listen

    with listen(host, 0) as listening:
        assert _is_alone(listening, hosts) == alone


@pytest.mark.parametrize(
    ("given", "alone", "threads"), [(None, True, 7), (2, True, 2), (None, False, 1), (3, False, 3)]
)
def test_a_search_has_all_processors_where_this_machine_alone_can_ask(monkeypatch, given, alone, threads):
    monkeypatch.setitem(_limits.__globals__, "processors", lambda: 7)
    assert _limits(5, None, 2, given, None, alone).threads == threads


@pytest.mark.parametrize(
    ("given", "alone", "seconds", "reviewing"),
    [(None, True, 30.0, None), (2.0, True, 2.0, 20.0), (None, False, 30.0, 300.0), (3.0, False, 3.0, 30.0)],
)
def test_no_clock_ends_a_review_where_this_machine_alone_can_ask(given, alone, seconds, reviewing):
    limits = _limits(5, given, 2, None, None, alone)
    assert (limits.seconds, limits.review_seconds) == (seconds, reviewing)


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.nightly)])
def test_it_answers_and_ends(started, number):
    process, connection, path = started(
        "--port", "0", "--depth", "3", "--host", "[127.0.0.1]",
        "--allow-host", "Board.example", "--allow-host", "::2",
        "--cors-origin", "Https://Board.example/",
    )  # fmt: skip
    assert path == "/"
    assert fetched(connection, "/", Origin="https://board.example")[0] == 200
    for host in ("board.example", "[::2]:80"):
        assert fetched(connection, "/", Host=host)[0] == 200
    status, body = fetched(connection, "/api/v1/analyze?id=4HPwATDgc/ABMA&dice=31&depth=3")
    assert (status, json.loads(body)["candidates"][0]["play"]) == (200, "8/5 6/5")
    assert fetched(connection, "/", Host="evil.example")[0] == 403
    assert fetched(connection, "/api/v1/analyze?id=4HPwATDgc/ABMA&depth=5")[0] == 400
    process.send_signal(number)
    said, errors = process.communicate(timeout=120)
    assert (process.returncode, said, errors) == (0, "", "")


def test_it_ends_during_a_search(started):
    from gammon_web.server import listen

    try:
        listen("::1", 0).close()
        host = "::"
    except GammonError:  # no IPv6 here
        host = "0.0.0.0"
    options = "--depth", "7", "--prefix", "board/", "--host", host
    process, connection, path = started("--port", "0", *options)
    assert path == "/board/"
    assert fetched(connection, "/board/health", Host="[2001:db8::1]")[0] == 200
    other, third = (
        http.client.HTTPConnection(connection.host, connection.port, timeout=300) for _ in range(2)
    )
    asked = "?id=4HPwATDgc/ABMA&dice=66&depth=7"
    connection.request("GET", f"/board/api/v1/analyze/stream{asked}")
    answer = connection.getresponse()
    assert answer.readline() == b"event: answer\n"
    other.request("GET", f"/board/api/v1/analyze{asked}")
    while json.loads(fetched(third, "/board/health")[1])["searching"] < 2:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    found = other.getresponse()
    assert (found.status, json.load(found)["error"]["code"]) == (503, "busy")
    assert re.findall(rb"event: (\w+)", answer.read())[-2:] == [b"failed", b"done"]
    said, errors = process.communicate(timeout=40)  # the search takes longer
    assert (process.returncode, said, errors) == (0, "", "")


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--seconds", "nan", "nan is not in the range 0.1 to 3600"),
        ("--allow-host", "y:80", "expected a name without a port"),
        ("--allow-host", "http://x", "expected a name without a port"),
        ("--allow-host", "", "expected a name without a port"),
        ("--allow-host", "*", "expected a name without a port"),
        ("--allow-host", "*.example.org", "expected a name without a port"),
        ("--host", "", "--host '': expected an address"),
        ("--prefix", "/?x", "expected a path"),
        ("--prefix", "/a/../b", "expected a path"),
    ],
)
def test_an_option_that_cannot_work_is_refused(option, value, words):
    assert_refused(["serve", "--port", "0", option, value], words)


@pytest.mark.parametrize(
    "text",
    [
        "example.org",
        "",
        "https://",
        "https://example.org/page",
        "https://a b",
        "https://me@example.org",
        "https://example.org:",
        "https://example.org:x",
        "https://bücher.example",
        "**",
    ],
)
def test_an_origin_that_no_page_can_have_is_refused(text):
    with pytest.raises(SettingError, match="expected an origin such as https:"):
        _origin(text)


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("*", "*"),
        ("null", "null"),
        ("Https://Example.org:443/", "https://example.org"),
        ("http://example.org:80", "http://example.org"),
        ("http://example.org:443", "http://example.org:443"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("app://a-b", "app://a-b"),
    ],
)
def test_origins_are_as_browsers_write_them(text, origin):
    assert _origin(text) == origin


def test_a_port_that_is_taken():
    from gammon_web.server import listen

    with listen("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        assert_refused(["serve", "--port", port], f"127.0.0.1 port {port}: Address already in use")


# `gammon site` writes a page for any web server, or says what is missing.


def test_without_the_module_it_says_what_makes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon_adapters.embed.script.MODULES", tmp_path)
    done = run("site", "--out", str(tmp_path / "new"))
    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 1
    assert "install gammon again" in done.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(unbuilt() != "", reason=unbuilt())
def test_every_file_that_is_named_is_there(tmp_path: Path) -> None:
    done = run("site", "--out", str(tmp_path))
    assert done.exit_code == 0
    files = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    page = (tmp_path / "index.html").read_text()
    linked = set(re.findall(r'(?:href|src|content)="((?:static/|manifest)[^"]*)"', page))
    assert linked <= files
    assert "static/engine/worker.js" in linked
    kept = json.loads(re.findall(r"FILES = (\[.*\]);", (tmp_path / "sw.js").read_text())[0])
    assert {*kept, "index.html", "sw.js"} - {"./"} == files
    assert "Copyright (C) 2011 Neil Kazaross" in (tmp_path / "NOTICE.txt").read_text()
    assert "MIT License" in (tmp_path / "LICENSE.txt").read_text()
    imported = {
        (path.parent / name).resolve().relative_to(tmp_path.resolve()).as_posix()
        for path in tmp_path.rglob("*.js")
        for name in re.findall(r'^(?:im|ex)port .*"(\.[^"]*)";$', path.read_text(), re.M)
    }
    assert "static/board/board.js" in imported
    assert imported <= files
    icon = json.loads((tmp_path / "manifest.webmanifest").read_text())["icons"][0]["src"]
    assert icon in files
    module = gzip.decompress((tmp_path / "static/engine/gammon.wasm.gz").read_bytes())
    assert module == (library.MODULES / "wasm32" / "gammon.wasm").read_bytes()


@pytest.mark.skipif(unbuilt() != "", reason=unbuilt())
def test_it_is_small(tmp_path: Path) -> None:
    run("site", "--out", str(tmp_path))
    sent = [len(gzip.compress(path.read_bytes())) for path in tmp_path.rglob("*") if path.is_file()]
    assert sum(sent) < 3_350_000
