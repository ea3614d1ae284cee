"""Files and requests of strangers: long plays, many games, bombs, escape sequences."""

import json
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Iterator
from pathlib import Path

import click

from attacks.faults import Faults
from tests.bgf import HEAD, smile
from tests.processes import ROOT, serving

#: Processor seconds and MB of memory of one file that are too much, and seconds that another
#: client of the server waits at most.
_LONG, _LARGE, _LATE = 60.0, 1500.0, 10.0
_SAMPLE = ROOT / "tests/golden/matches/sample.xg"
_HEAD = " 0 point match\n"
_GAME = "\n Game {}\n a : 0   b : 0\n  1) 31: 8/5 6/5   21: 24/23 13/11\n"
_ROW = _HEAD + _GAME.format(1) + "  2) 31: "
_SGF = "(;GM[6]MI[length:0][game:0][ws:0][bs:0]PW[a]PB[b]"
_EVIL = (
    "a\x1bP52;c;ZXZpbA==\x07b\0c\x9b31md\u202ee\u2066f\u200eg\u2028h\u2029[link=http://x]i[/]"
)
#: Reads a file, and tells what that took: processor seconds, and MB more than before.
_READ = """
import json, resource, sys, time
from gammon.base.errors import GammonError
from gammon_study.match_files.match_file import read_transcript

def used():
    found = resource.getrusage(resource.RUSAGE_SELF)
    return found.ru_utime + found.ru_stime, found.ru_maxrss / 1024

before, said = used(), ""
try:
    games = len(read_transcript(sys.argv[1]).games)
except GammonError as error:
    games, said = 0, str(error)
print(json.dumps([*(b - a for a, b in zip(before, used())), games, said]))
"""


def _files(size: int) -> Iterator[tuple[str, bytes]]:
    """Yield files of `size` bytes, each of a kind that once took long or took much memory."""

    def filled(head: str, text: str, end: str = "") -> bytes:
        return (head + text * (size // len(text)) + end).encode()

    yield "a play of many steps", filled(_ROW, "8/5 ")
    yield "a row of many cells", filled(_ROW, "31: ")
    yield "many rows", filled(_ROW, "8/5 6/5\n 3) 31: ")
    games = (_GAME.format(number) for number in range(1, size // len(_GAME)))
    yield "many games", (_HEAD + "".join(games)).encode()
    yield "lines that say nothing", filled(_HEAD, "x\n")
    yield "blanks in a comment", filled("; [", " ", "\n" + _HEAD)
    yield "many names", filled(_HEAD + " Game 1\n", "a : 0 ")
    yield "many trees", filled("", _SGF + ";B[21lnab])\n")
    yield "many nodes", filled(_SGF, ";", ")")
    yield "many nodes with lines", filled(_SGF, "\n;\n", ")")
    yield "many values", filled(_SGF + "A", "[]", ")")
    yield "a value without an end", filled(_SGF + "GC[", "\\]")
    data = _SAMPLE.read_bytes()
    start = 8232 + struct.unpack_from("<I", data, 20)[0]
    packer = zlib.compressobj(9)
    packed = [packer.compress(bytes(1 << 20)) for _ in range(1024)]
    zeros = b"".join(packed) + packer.flush()
    yield "1 GB of zeros in a .xg", data[:start] + zeros
    yield "1 GB of zeros in a .bgf", HEAD + zeros
    records = zlib.decompressobj().decompress(data[start:])
    parts = [records[place : place + 2560] for place in range(0, len(records), 2560)]
    head, move = bytearray(parts[0]), bytearray(next(part for part in parts if part[8] == 3))
    struct.pack_into("<i", head, 92, 99999)
    struct.pack_into("<i", move, 120, 32)
    many = bytes(head) + parts[1] + bytes(move) * 25_500
    yield "a .xg of many plays", data[:start] + zlib.compress(many, 9)
    yield "a .bgf of many lists", HEAD + zlib.compress(smile([[]] * 7_000_000))


def _read(name: str, data: bytes, folder: Path, faults: Faults) -> None:
    """Read a file in a process of its own, and tell what it took."""
    path = folder / "stranger.mat"
    path.write_bytes(data)
    try:
        done = subprocess.run(
            [sys.executable, "-c", _READ, path], cwd=ROOT, capture_output=True, text=True,
            check=True, timeout=600.0,
        )  # fmt: skip
    except (subprocess.SubprocessError, OSError) as error:
        faults.add(f"{name}: {error}")
        return
    seconds, memory, games, said = json.loads(done.stdout)
    click.echo(
        f"{name:24} {len(data):10,} bytes, {games:6,} games, {seconds:6.2f} s, {memory:5.0f} MB"
        f"  {said[-60:]}"
    )
    if seconds > _LONG or memory > _LARGE:
        faults.add(f"{name}: {seconds:.1f} s, {memory:.0f} MB")


def _show(folder: Path, faults: Faults) -> None:
    """Review a match whose players have names that would steer a terminal, or a browser."""
    path, page = folder / "evil.mat", folder / "evil.html"
    text = f'; [Event "{_EVIL}"]\n{_ROW}'.replace(" a : 0   b", f" {_EVIL} : 0   {_EVIL}<b>")
    path.write_text(text)
    command = [sys.executable, "-m", "gammon", "review", str(path), "--depth", "1"]
    for options in ([], ["--json"], ["--html", str(page)]):
        done = subprocess.run(
            [*command, *options], cwd=ROOT, capture_output=True, check=False, timeout=600.0
        )
        shown = {"the output": done.stdout.decode(), "errors": done.stderr.decode()}
        if options[:1] == ["--html"]:
            shown["the report"] = page.read_text()
        for where, words in shown.items():
            wrong = {each for each in words if not each.isprintable()} - set("\n\t\xa0")
            if wrong or done.returncode:
                faults.add(f"names in {where}: {wrong}, exit code {done.returncode}")
    click.echo("names that steer         in a table, JSON and a report")


def _serve(faults: Faults) -> None:
    """Send long plays to a server, by four clients, while another one asks for a play."""
    play = "8/5 " * 15_000
    posts = [("review?depth=1", (_ROW + play).encode())] * 4
    game = {"actions": [{"player": 0, "dice": "31", "play": play}]}
    posts += [("match", json.dumps({"games": [game], "names": [_EVIL, "\ud800"]}).encode())] * 4
    with serving() as address:

        def asked(path: str, body: bytes | None = None) -> int:
            request = urllib.request.Request(f"{address}api/v1/{path}", body)
            try:
                with urllib.request.urlopen(request, timeout=300.0) as answer:
                    answer.read()
                    return int(answer.status)
            except urllib.error.HTTPError as error:
                return error.code

        quick = "analyze?id=4HPwATDgc/ABMA&dice=31&depth=1"
        asked(quick)  # compiles
        codes: list[int] = []
        begun, slowest, answers = time.monotonic(), 0.0, 0
        threads = [
            threading.Thread(target=lambda each=each: codes.append(asked(*each)))
            for each in posts
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads) or not answers:
            since = time.monotonic()
            if asked(quick) != 200:
                faults.add("another client got no answer")
            slowest, answers = max(slowest, time.monotonic() - since), answers + 1
    click.echo(
        f"{len(posts)} requests of 60 kB: {sorted(codes)} in {time.monotonic() - begun:.1f} s; "
        f"another client had {answers} answers, the slowest after {slowest:.2f} s"
    )
    if slowest > _LATE or 500 in codes:
        faults.add(f"the server: {codes}, another client waited for {slowest:.1f} s")


@click.command()
@click.option(
    "--size", type=click.IntRange(1000, 50_000_000), default=1_000_000, show_default=True
)
def strangers(size: int) -> None:
    """Read files of SIZE bytes that are made to take long, and show names that steer."""
    faults, count = Faults(), 0
    with tempfile.TemporaryDirectory() as name:
        for kind, data in _files(size):
            _read(kind, data, Path(name), faults)
            count += 1
        _show(Path(name), faults)
    _serve(faults)
    faults.end(f"{count} files, names in 3 forms, a server")
