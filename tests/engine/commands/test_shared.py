"""The parts that commands share."""

import os

import click
import pytest
from click.testing import CliRunner

from gammon.base.errors import FormatError, SettingError
from gammon.commands.group import OneLine
from gammon.commands.shared import player_named, processors
from gammon_study.commands.study import add


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


@pytest.mark.parametrize(
    ("name", "found"), [("Ann", "Ann"), ("ann", "ann"), ("ANNA", "Anna"), ("b", "Bob")]
)
def test_a_player_is_named_as_a_match_has_it(name: str, found: str) -> None:
    assert player_named(name, ["Anna", "Ann", "ann", "Bob"]) == found


def test_a_player_is_named_in_any_case_of_any_letters() -> None:
    assert player_named("STRASSE", ["Stra\xdfe", "Bob"]) == "Stra\xdfe"
    assert player_named("\xe9", ["\xc9mile", "Bob"]) == "\xc9mile"
    assert player_named("zoe\u0308", ["Zo\xeb", "Zora"]) == "Zo\xeb"


@pytest.mark.parametrize("name", ["ANN", "Zoe", ""])
def test_who_is_nobody_or_several_is_refused(name: str) -> None:
    with pytest.raises(SettingError, match="expected one of 'Ann"):
        player_named(name, ["Anna", "Ann", "ann", "Bob"])


@pytest.mark.parametrize("name", ["Ann", "ANN", "a", "Bob"])
def test_two_players_of_one_name_are_told(name: str) -> None:
    with pytest.raises(SettingError, match="both players are called 'Ann'"):
        player_named(name, ["Ann", "Ann"])


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no such call")
def test_processors_are_those_that_this_process_may_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {3})
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    assert processors() == 1
    (workers,) = [each for each in add.params if each.name == "workers"]
    assert workers.get_default(click.Context(add)) == 1
