"""The types of options: names that help can show without an import of what has them."""

import re

import click
import pytest
from click.testing import CliRunner

from gammon import svg
from gammon.base.files import shipped_files
from gammon.commands.main import main
from gammon.commands.train import train
from gammon.commands.types import (
    COLOURS,
    MODEL,
    MODEL_OR_NONE,
    RECIPE,
    THREADS,
    Decimal,
    Integer,
)
from gammon.eval.model_file import shipped_models
from gammon.search import MAX_THREADS


def test_names_are_those_that_there_are() -> None:
    assert list(COLOURS.choices) == list(svg.COLOURS)
    assert list(MODEL.names) == [path.stem for path in shipped_models()]
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
        ("analyze --depth ", ["1", "3", "5", "7"]),
        ("match --luck n", ["none"]),
        ("train learn pr", ["probe"]),
        ("reproduce --quick h", ["hauk"]),
        ("show --colours d", ["dark"]),
        ("an", ["analyze"]),
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
