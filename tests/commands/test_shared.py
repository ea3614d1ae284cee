"""The parts that commands share."""

import click
import pytest
from click.testing import CliRunner

from gammon.base.errors import FormatError
from gammon.commands.shared import OneLine


@pytest.mark.parametrize(
    "error", [FormatError("dice '70'"), FileNotFoundError(2, "No such file", "x.csv")]
)
def test_errors_of_ours_and_of_the_system_are_one_line(error: Exception) -> None:
    @click.command(cls=OneLine)
    def fails() -> None:
        raise error

    done = CliRunner().invoke(fails)
    assert done.exit_code == 1
    assert done.output == f"Error: {error}\n"
