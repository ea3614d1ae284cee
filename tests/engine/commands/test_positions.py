"""How a command takes positions: arguments that begin as options do, and several for one."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from gammon.base.errors import FormatError
from gammon.commands.positions import TakesPosition, read_position
from tests.engine.formats.test_pasted import BARE, BOTH, ID, MATCH, XGID


@click.command(cls=TakesPosition)
@click.argument("position", nargs=-1, required=True)
@click.option("--depth", default=5)
def command(position: tuple[str, ...], depth: int) -> None:
    """Say what was given."""
    click.echo(f"{read_position(position).position_id} {depth}")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        [BARE], [XGID], ["--", BARE], ["XGID", "=", BARE], ["xgid", BARE], ["XGID:", BARE],
        [ID, MATCH], [BOTH], [f"{ID} {MATCH}"], [f"{ID}==", MATCH], [f"{ID}:", MATCH],
        ["Position", "ID:", ID, "Match", "ID", ":", MATCH], [f"{BARE[:9]}\n{BARE[9:]}"],
        [f"{BARE.split(':')[0]} :{BARE.split(':', 1)[1]}"],
    ],
)  # fmt: skip
def test_one_position_in_many_arguments(arguments: list[str]) -> None:
    for given in ([*arguments, "--depth", "3"], ["--depth=3", *arguments]):
        if "--" not in given or given[-1] == BARE:
            assert run(*given).output == f"{ID} 3\n"


def test_xgids_that_begin_with_any_number_of_hyphens() -> None:
    for xgid in ("--BBbBB-----aE----Be-c-bb-:1:-1:-1:00:0:0:0:0:8",
                 "---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10"):  # fmt: skip
        assert run(xgid).output == run(f"XGID={xgid}").output
        assert run(xgid).exit_code == 0


@pytest.mark.parametrize("option", ["--dept", "-d", "-b", "--dept=3", 26 * "-"])
def test_wrong_options_are_named(option: str) -> None:
    done = run(option, "3", ID)
    assert done.exit_code == 2
    assert "No such option" in done.stderr
    assert option.partition("=")[0] in done.stderr


@pytest.mark.parametrize("hints", [False, True])
def test_the_path_of_a_file_is_called_so(tmp_path: Path, hints: bool) -> None:
    """`/etc/passwd` has as many characters as an ID that is cut off."""
    place = tmp_path / "passwd"
    place.write_text(f"{ID}\n")
    with pytest.raises(FormatError, match="passwd' is a file: expected a position"):
        read_position([str(place)], hints)


def test_words_too_many_are_refused() -> None:
    for words in ([ID, "31"], [XGID, "31"], [ID, "tiny"], [ID, MATCH, "3"], ["see", XGID]):
        with pytest.raises(FormatError):
            read_position(words)
