"""The program: what it needs to start."""

import subprocess
import sys


def test_help_needs_neither_numba_nor_torch() -> None:
    code = (
        "import sys, gammon.commands.main\n"
        "try: gammon.commands.main.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'numba', 'torch', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "analyze" in done.stdout


def test_every_command_has_a_line_of_help() -> None:
    from gammon.commands.main import main

    assert {*main.commands} == {
        "analyze", "bearoff", "bench", "demo", "grade", "info", "match", "noise", "reproduce",
        "train",
    }  # fmt: skip
    assert all(command.get_short_help_str() for command in main.commands.values())
