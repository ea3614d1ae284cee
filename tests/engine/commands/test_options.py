"""Options that are made from what may be asked."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gammon.base.settings import settings_of
from gammon.commands.analyze import analyze
from gammon.commands.group import every_command
from gammon.commands.main import main
from gammon.commands.options import STAKE, question_options
from gammon.engine.question import Question
from gammon.formats.met_file import format_met, read_met

FOUND: list[Question] = []


@click.command()
@question_options()
def ask(asked: Question) -> None:
    FOUND.append(asked)


def asked(*arguments: str) -> Question:
    FOUND.clear()
    done = CliRunner().invoke(ask, arguments)
    assert done.exception is None, done.output
    return FOUND[0]


def test_every_setting_is_an_option_of_analyze() -> None:
    options = {each.name for each in analyze.params}
    assert set(settings_of(Question)) <= options
    assert {"asked"}.isdisjoint(options)


def test_without_options_a_question_is_the_usual_one() -> None:
    assert asked() == Question()


def test_values() -> None:
    found = asked(
        "--dice", "3-1", "--depth", "3", "--play", "8/5 6/5", "--play", "24/20", "--filter",
        "tiny", "--noise", ".5", "--max-seconds", "2", "--match", "7", "--score", "3-5",
        "--crawford", "--cubeless", "--stakes", "dmp", "--owners", "--scores", "4",
    )  # fmt: skip
    assert (found.dice, found.depth, found.plays) == ((3, 1), 3, ("8/5 6/5", "24/20"))
    assert (found.move_filter, found.noise, found.max_seconds) == ("tiny", 0.5, 2.0)
    assert (found.match, found.score, found.crawford, found.jacoby) == (7, "3-5", True, False)
    assert (found.cubeless, str(found.stakes.payoffs)) == (True, "dmp")
    assert (found.owners, found.scores) == (True, 4)


@pytest.mark.parametrize("other", [("--level", "roller"), ("--strength", "10")])
def test_a_depth_beside_what_takes_its_place_is_refused(other: tuple[str, str]) -> None:
    done = CliRunner().invoke(ask, ["--depth", "5", *other])
    assert done.exit_code == 2
    assert f"depth with {other[0].removeprefix('--')}: expected one of them" in done.output
    assert asked(*other).depth in (1, 5)


def test_a_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(format_met(read_met()))
    table = asked("--met", str(path)).met
    assert table is not None and table.length == read_met().length


def test_some_options_alone() -> None:
    @click.command()
    @question_options("dice", *STAKE)
    def some(asked: Question) -> None:
        click.echo(f"{asked.dice} {asked.cube}")

    done = CliRunner().invoke(some, ["--dice", "66", "--cube", "4"])
    assert done.stdout == "(6, 6) 4\n"
    page = CliRunner().invoke(some, ["--help"]).stdout
    assert "--stakes" in page
    assert "--top" not in page


def parameters(program: click.Command) -> Iterator[click.Parameter]:
    for _, command in every_command(program, "gammon"):
        yield from command.params


def test_choices_are_words() -> None:
    """Click 8.1 compares them with what is typed."""
    kinds = [each.type for each in parameters(main) if isinstance(each.type, click.Choice)]
    choices = [word for kind in kinds for word in kind.choices]
    assert len(choices) > 40
    assert {type(word) for word in choices} == {str}
