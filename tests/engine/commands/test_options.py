"""Options, their types, and the parts that commands share."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gammon import svg
from gammon.base.errors import FormatError, SettingError
from gammon.base.files import shipped_files
from gammon.base.settings import settings_of
from gammon.commands.analyze import analyze
from gammon.commands.group import OneLine, every_command
from gammon.commands.main import main
from gammon.commands.match import match
from gammon.commands.options import (
    COLOURS,
    MODEL,
    MODEL_OR_NONE,
    STAKE,
    THREADS,
    Decimal,
    Integer,
    question_options,
)
from gammon.commands.rollout import rollout
from gammon.commands.shared import player_named, processors
from gammon.engine.question import Question
from gammon.eval.model_file import shipped_models
from gammon.formats.met_file import format_met, read_met
from gammon.search import MAX_THREADS
from gammon_lab.commands.train import RECIPE, train
from gammon_study.commands.review import review
from gammon_study.commands.study import add

# Options that are made from what may be asked.

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


# The types of options: names that help can show without an import of what has them.


def test_names_are_those_that_there_are() -> None:
    assert list(COLOURS.choices) == list(svg.COLOURS)
    assert list(MODEL.names) == [path.stem for path in shipped_models() if path.stem != "width"]
    assert list(RECIPE.names) == sorted(path.stem for path in shipped_files(".toml"))
    assert THREADS.max == MAX_THREADS
    assert MODEL_OR_NONE.names == (*MODEL.names, "none")


@pytest.mark.parametrize(
    ("kind", "refused", "words"),
    [
        (Integer(1, 64), "65", "1 to 64"),
        (Integer(1), "0", "1 or more"),
        (Integer(high=100), "101", "at most 100"),
        (Integer(0, 2**64 - 1), "-1", r"0 to 2\*\*64-1"),
        (Decimal(0, min_open=True), "0", "above 0"),
        (Decimal(0.1, 3600.0), "0", "0.1 to 3600.0"),
    ],
)
def test_a_range_is_told_in_words(kind: Integer | Decimal, refused: str, words: str) -> None:
    with pytest.raises(click.BadParameter, match=f"not in the range {words}"):
        kind.convert(refused, None, None)


def test_a_number_is_rounded_up_to_its_step(capsys: pytest.CaptureFixture[str]) -> None:
    kind, option = Integer(36, 36_000_000, 36), click.Option(["--trials"])
    for given, taken in (("36", 36), ("72", 72), ("37", 72), ("1000000", 1_000_008)):
        assert kind.convert(given, option, None) == taken
        rounded = f"--trials {given}: {taken}, a multiple of 36\n"
        assert capsys.readouterr().err == ("" if int(given) == taken else rounded)
    with pytest.raises(click.BadParameter, match="not in the range 36 to 36000000"):
        kind.convert("36000001", option, None)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("analyze --model l", ["large", "leaf"]),
        ("analyze --depth ", ["1", "3", "5", "7", "9"]),
        ("match --luck n", ["none"]),
        ("train learn pr", ["probe"]),
        ("reproduce --quick h", ["hauk", "hypergammon"]),
        ("show --colours d", ["dark"]),
        ("an", ["analyze", "anki"]),
    ],
)
def test_shells_complete_them(words: str, found: list[str]) -> None:
    typed = f"gammon {words}"
    place = str(len(typed.split()) - (not typed.endswith(" ")))
    env = {"_GAMMON_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": place}
    done = CliRunner().invoke(main, [], prog_name="gammon", env=env)
    lines = done.stdout.splitlines()
    assert [line.removeprefix("plain,") for line in lines if line[:5] == "plain"] == found


def test_the_help_of_train_names_all_recipes() -> None:
    named = re.findall(r"[a-z]+(?:-[a-z]+)*", train.help or "")
    assert {*RECIPE.names} <= {*named}


# The parts that commands share.


@pytest.mark.parametrize("error", [FormatError("dice '70'"), FileNotFoundError(2, "No such file", "x.csv")])
def test_errors_of_ours_and_of_the_system_are_one_line(error: Exception) -> None:
    @click.command(cls=OneLine)
    def fails() -> None:
        raise error

    done = CliRunner().invoke(fails)
    assert done.exit_code == 1
    assert done.output == f"Error: {error}\n"


@pytest.mark.parametrize(("name", "found"), [("Ann", "Ann"), ("ann", "ann"), ("ANNA", "Anna"), ("b", "Bob")])
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
def test_processors_are_those_that_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {3})
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    assert processors() == 1


@pytest.mark.parametrize("command", [add, match, review, rollout])
def test_all_processors_work_unless_fewer_are_asked_for(
    command: click.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gammon.commands.shared.processors", lambda: 5)
    (workers,) = [parameter for parameter in command.params if parameter.name == "workers"]
    assert workers.get_default(click.Context(command)) == 5


def test_a_program_with_one_connection_plays_in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon.commands.shared.processors", lambda: 5)
    words = ["match", "depth=1", "external=127.0.0.1:1", "--length", "3", "--out", "x"]
    assert "no program answers there" in CliRunner().invoke(main, words).output
    assert "one, its connection" in CliRunner().invoke(main, [*words, "--workers", "5"]).output
