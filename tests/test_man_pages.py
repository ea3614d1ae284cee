"""The man pages: one for each command, with all that its help tells."""

import re
import runpy
import shutil
import subprocess
import tomllib
from pathlib import Path

import click
import pytest

from gammon.commands.group import every_command
from gammon.commands.main import main
from tests.processes import ROOT, printed

PAGES: dict[str, str] = runpy.run_path(str(ROOT / "scripts" / "write_man_pages.py"))[
    "man_pages"
]()
COMMANDS: dict[str, click.Command] = {
    f"{path.replace(' ', '-')}.1": command for path, command in every_command(main, "gammon")
}


def read(page: str) -> str:
    """The text of a page as a reader sees it, on one line: fonts and escapes undone."""
    text = re.sub(r"\\f[BIP]|\\&", "", page)
    for escape, character in (("\\-", "-"), ("\\(aq", "'"), ("\\(ti", "~"), ("\\(ha", "^")):
        text = text.replace(escape, character)
    return " ".join(text.replace("\\e", "\\").split())


def test_each_command_has_one() -> None:
    assert set(PAGES) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_it_tells_all_options_and_words_of_the_help(name: str) -> None:
    seen = read(PAGES[name])
    command = COMMANDS[name]
    for parameter in command.params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert f".TP {option}" in seen or f", {option}" in seen
    for paragraph in (command.help or "").replace("`", "").split("\n\n"):
        assert " ".join(paragraph.replace("\b", "").split()) in seen


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_is_taken_for_a_request_or_wider_than_a_terminal(name: str) -> None:
    known = {".TH", ".SH", ".PP", ".TP", ".nf", ".fi", ".nh", ".ad"}
    lines = PAGES[name].splitlines()
    assert {line.split()[0] for line in lines if line.startswith((".", "'"))} <= known
    for kept in re.findall(r"^\.nf\n(.*?)^\.fi$", PAGES[name], re.DOTALL | re.MULTILINE):
        assert all(len(read(line)) + 7 <= 80 for line in kept.splitlines())


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff")
def test_groff_takes_them_without_a_warning(tmp_path: Path) -> None:
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        ["groff", "-ww", "-man", "-T", "utf8", *sorted(PAGES)],
        cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "GAMMON-ANALYZE(1)" in done.stdout


def test_they_are_written_with_what_a_build_brings() -> None:
    """To build a wheel, pip installs these alone."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    hook, brought = project["tool"]["hatch"]["build"], project["project"]["dependencies"]
    custom = hook["targets"]["wheel"]["hooks"]["custom"]
    assert custom["require-runtime-dependencies"] is True
    program = (
        "import sys; before = set(sys.modules); import gammon.commands.main; "
        "used = {name.split('.')[0] for name in set(sys.modules) - before}; "
        "print(*sorted(used - set(sys.stdlib_module_names)))"
    )
    names = {re.split(r"\W", line)[0] for line in brought}
    assert {"gammon", "click"} <= set(printed(program).split()) <= {"gammon", *names}
