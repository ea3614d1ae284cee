"""`gammon ubgi`, by a program at the other end of its standard streams."""

import subprocess
import sys

from tests.engine.commands.program import run


def test_the_end_of_the_input_is_a_quit() -> None:
    done = run("ubgi", stdin="nonsense")
    assert (done.exit_code, done.stdout) == (0, "error bad_command nonsense\n")


def test_it_answers_line_by_line_and_quits() -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "gammon", "ubgi"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdin and child.stdout and child.stderr
    for line, answer in (("isready", "readyok"), ("get engine.ply", "value engine.ply 2")):
        child.stdin.write(f"{line}\n")
        child.stdin.flush()
        assert child.stdout.readline() == f"{answer}\n"
    child.stdin.write("quit\n")
    child.stdin.flush()
    assert child.wait(120) == 0
    assert child.stderr.read() == ""
    for pipe in (child.stdin, child.stdout, child.stderr):
        pipe.close()
