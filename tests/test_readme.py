"""The outputs that the README shows are those of its commands."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from gammon.commands.main import main

README = (Path(__file__).parent.parent / "README.md").read_text()
SHOWN = re.findall(r"^```\n\$ gammon ([^\n]*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_there_are_outputs() -> None:
    assert len(SHOWN) == 2


@pytest.mark.parametrize(("command", "shown"), SHOWN)
def test_an_output_is_that_of_its_command(command: str, shown: str) -> None:
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exit_code == 0
    # Three points stand for lines that are left out.
    parts = shown.lstrip().split("...\n")
    pattern = "(?s:.*)".join(map(re.escape, parts))
    assert re.fullmatch(pattern, result.output.lstrip())
