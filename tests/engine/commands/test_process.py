"""The program as a process: its signals, and its standard streams."""

import io
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gammon.commands import process
from tests.engine.commands.program import OPENING_31, run

PROGRAM = [sys.executable, "-c", "from gammon.commands.main import main; main()"]

#: A program like ours: it says that it is ready, and works on.
BUSY = """
import hashlib, sys, time
from gammon.commands.group import Commands

main = Commands("busy")

@main.command()
def idle():
    print("ready", flush=True)
    time.sleep(60)

@main.command()
def compiled():
    "In one call of compiled code, as a search is."
    print("ready", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2_000_000_000)

@main.command()
def threads():
    "In compiled code that other threads call, which Python waits for at its end."
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        pool.submit(compiled.callback).result()

@main.command()
def called():
    "In Python that compiled code calls, as the compiler does: no exception gets out."
    import ctypes

    def slow():
        print("ready", flush=True)
        time.sleep(60)

    ctypes.CFUNCTYPE(None)(slow)()
    time.sleep(60)

@main.command()
def mistaken():
    "In what takes the end for an error of its own, as the compiler may."
    try:
        idle.callback()
    except SystemExit as end:
        raise RuntimeError("no compiled object yet") from end

main()
"""


@contextmanager
def start(*command: str, **options: object) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program, and leave none behind."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes | options) as program:  # type: ignore[call-overload]
        try:
            yield program
        finally:
            program.kill()


@pytest.mark.parametrize("work", ["idle", "compiled", "threads", "called", "mistaken"])
@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGINT, 130, b"Interrupted"), (signal.SIGTERM, 143, b"")]
)
def test_a_signal_ends_the_program(work: str, number: signal.Signals, code: int, said: bytes) -> None:
    with start(sys.executable, "-c", BUSY, work) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"ready\n"
        program.send_signal(number)
        rest, errors = program.communicate(timeout=120)
    assert (program.returncode, rest, errors.strip()) == (code, b"", said)


def test_an_interrupt_between_two_lines_of_input() -> None:
    command = [*PROGRAM, "analyze", "-", "--depth", "1"]
    with start(*command, stdin=subprocess.PIPE) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(OPENING_31.encode() + b"\n")
        program.stdin.flush()
        assert program.stdout.readline().startswith(b'{"schema_version": 2, "position_id"')
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=120) == 130
        assert program.stderr is not None
        assert program.stderr.read().strip() == b"Interrupted"


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    command = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-c", BUSY, "idle"]
    with start(*command) as program:
        assert program.stdout is not None
        program.stdout.readline()
        program.send_signal(signal.SIGINT)
        program.send_signal(signal.SIGTERM)
        assert program.wait(timeout=120) == 143


def ended(redirection: str, *arguments: str, **options: object) -> tuple[int, str, str]:
    """Run the program in a shell, redirected; return its code and what it printed."""
    script = f'exec "$@" {redirection}'
    with start("sh", "-c", script, "sh", *PROGRAM, *arguments, **options) as program:
        out, err = program.communicate(timeout=120)
    return program.returncode, out.decode(), err.decode()


def answer(*arguments: str, marks: object = ()) -> object:
    """A command that prints."""
    return pytest.param(arguments, marks=marks, id=" ".join(arguments))


#: One that click prints and one that is a table; each another one at night.
ANSWERS = [
    answer("--help"),
    answer("--version", marks=pytest.mark.nightly),
    answer("analyze", OPENING_31, "--depth", "1"),
    answer("analyze", OPENING_31, "--depth", "1", "--json", marks=pytest.mark.nightly),
]


@pytest.mark.parametrize("arguments", ANSWERS)
def test_a_closed_pipe_is_quiet(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        with start(*PROGRAM, *arguments, stdout=writer) as program:
            _, errors = program.communicate(timeout=120)
    finally:
        os.close(writer)
    assert (program.returncode, errors) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.parametrize("arguments", ANSWERS)
def test_a_full_disk_is_one_line(arguments: tuple[str, ...]) -> None:
    code, _, errors = ended(">/dev/full", *arguments)
    assert code == 1
    assert errors.startswith("Error: standard output cannot be written: No space left")
    assert errors.count("\n") == 1


def test_a_closed_output_is_one_line() -> None:
    for arguments in (["--help"], ["analyze", OPENING_31, "--depth", "1"]):
        code, _, errors = ended(">&-", *arguments)
        assert code == 1
        assert errors.startswith("Error: standard output is closed: expected")
        assert errors.count("\n") == 1


def test_closed_input_is_empty_and_closed_errors_are_unread() -> None:
    assert ended("<&-", "analyze", "-", "--depth", "1") == (0, "", "")
    code, found, _ = ended("2>&-", "analyze", OPENING_31, "--depth", "1")
    assert (code, found.count("8/5 6/5")) == (0, 1)
    assert ended("2>&-", "analyze")[0] == 2


def test_poor_surroundings(tmp_path: Path) -> None:
    """No HOME, no TERM, and letters that the output has no code for."""
    place = tmp_path / "caf\xe9.npy"
    place.mkdir()
    bare = {"PATH": os.defpath, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    paths = [str(Path(__file__).parents[3]), *sys.path]
    bare["PYTHONPATH"] = os.pathsep.join(paths)
    if "GAMMON_CACHE" in os.environ:  # else all would be compiled once more
        bare["GAMMON_CACHE"] = os.environ["GAMMON_CACHE"]
    code, found, _ = ended("", "completion", "bash", env=bare)
    assert (code, "_gammon_completion" in found) == (0, True)
    code, found, _ = ended("", "info", env=bare | {"HOME": "/dev/null"})
    assert (code, "model leaf" in found) == (0, True)
    code, _, errors = ended("", "bearoff", "build", "--out", str(place), env=bare)
    assert (code, errors.count("cannot be written: Is a directory")) == (1, 1)
    code, found, _ = ended("", "--help", env=bare | {"TERM": "dumb"})
    assert (code, "\x1b" in found) == (0, False)


def test_a_program_ends_while_a_thread_waits_for_its_input() -> None:
    code = (
        "import sys, threading\n"
        "from gammon.commands.process import input_lines\n"
        "came = threading.Event()\n"
        "def read():\n"
        "    for line in input_lines():\n"
        "        print(repr(line), flush=True)\n"
        "        came.set()\n"
        "threading.Thread(target=read, daemon=True).start()\n"
        "came.wait()\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdin and child.stdout and child.stderr
    child.stdin.write(b"one\xff\r\n")
    child.stdin.flush()
    assert child.wait(120) == 0
    assert child.stdout.read() == b"'one\xef\xbf\xbd\\r'\n"
    assert child.stderr.read() == b""
    for pipe in (child.stdin, child.stdout, child.stderr):
        pipe.close()


LINES = ["4HPwATDgc/ABMA", "Zoë", "x" * 300_000, "last"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("piece", [3, 1 << 16])
def test_lines_of_input(monkeypatch: pytest.MonkeyPatch, encoding: str, piece: int) -> None:
    """As Windows writes them too; of one that is long only the beginning is kept."""
    monkeypatch.setattr(process, "_PIECE", piece)
    monkeypatch.setattr(process, "_LONGEST", 2000)
    long = io.BytesIO("\n".join([*LINES[:2], LINES[2][:20_000], LINES[3]]).encode(encoding))
    found = list(process._lines(long.read))
    assert [found[0], found[1], found[-1]] == [LINES[0], LINES[1], "last"]
    assert 2000 <= len(found[2]) <= 20_000


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RuntimeError("can't start new thread"), "the system gives no more threads: see ulimit"),
        (MemoryError(), "no memory is left"),
        (MemoryError("Unable to allocate 3 GiB"), "no memory is left: Unable to allocate 3 GiB"),
    ],
)
def test_limits_of_the_system_are_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    def start(thread: threading.Thread) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", start)
        done = run("analyze", OPENING_31, "--depth", "1")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", f"Error: {words}\n")


def test_a_program_without_a_thread_for_signals_works() -> None:
    program = """
import threading
from gammon.commands.main import main

real = threading.Thread.start
def start(thread):
    threading.Thread.start = real
    raise RuntimeError("can't start new thread")
threading.Thread.start = start
main(["--version"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
