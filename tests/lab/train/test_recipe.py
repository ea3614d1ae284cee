"""Recipes: what is wrong with one is told in one line."""

from pathlib import Path

import pytest

from gammon.base.errors import FormatError, SettingError
from gammon.base.files import shipped_files
from gammon_lab.train.recipe import Recipe, TrainingStage, find_recipe, read_recipe
from tests.lab.train.recipes import changed

STAGE = {"target": "sampled", "positions": 1, "rate": [0.1, 0], "batch": 1}
RIGHT = """seed=1
[network]
hidden1=8
hidden2=4
[[stage]]
target="sampled"
positions=1
rate=[0.1,0]
batch=1
"""
SAMPLES = '[[samples]]\nmodel="leaf"\npositions=5\n'


@pytest.fixture
def written(tmp_path: Path):
    """Return a function that writes a recipe and reads it."""

    def read(text: str) -> Recipe:
        path = tmp_path / "recipe.toml"
        path.write_text(text)
        return read_recipe(path)

    return read


@pytest.mark.parametrize("path", shipped_files(".toml"), ids=lambda path: path.stem)
def test_our_own_recipes(path: Path) -> None:
    recipe = read_recipe(path)
    assert recipe.stages
    for stage in recipe.stages:
        first, last = stage.rate
        assert stage.rate_at(0) == first
        assert stage.rate_at(stage.rounds * stage.updates - 1) == pytest.approx(last)


def test_the_last_round_of_a_stage_is_a_whole_one() -> None:
    stage = changed(TrainingStage(**STAGE), games=10, turns=10)
    rounds = [changed(stage, positions=number).rounds for number in (99, 100, 101)]
    assert rounds == [1, 1, 2]


def test_our_own_recipes_have_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {path.stem for path in shipped_files(".toml")} >= {"leaf", "large", "probe"}
    assert find_recipe("leaf").name == "leaf.toml"
    monkeypatch.chdir(tmp_path)
    Path("leaf").write_text(RIGHT)  # a file comes first
    assert find_recipe("leaf") == Path("leaf")
    for name in ("laef", "x" * 5000):
        with pytest.raises(FormatError, match="no such file, and the shipped recipes are: expert, first"):
            find_recipe(name)


def test_a_file_and_its_values(written) -> None:
    recipe = written(RIGHT)
    assert recipe == Recipe(seed=1, hidden1=8, hidden2=4, stages=(TrainingStage(**STAGE),))
    assert recipe.model_dump() == {
        "seed": 1, "hidden1": 8, "hidden2": 4, "start": "", "tactics": True, "parts": 1,
        "learns": "chances", "samples": (),
        "stages": ({
            "target": "sampled", "positions": 1, "rate": (0.1, 0.0), "trace": 0.0,
            "passes": 1, "memory": 0, "starts": 0.0, "families": 0.0, "opening": "backgammon", "games": 1024,
            "turns": 32, "batch": 1, "optimizer": "adam", "average": 1,
        },),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("seed=1", "seed=-1", "seed -1"),
        ("seed=1", f"seed={2**64}", "seed 18446744073709551616"),
        ("seed=1", 'seed="x"', "seed 'x': expected a whole number"),
        ("seed=1", "", "'seed' is missing"),
        ("seed=1", "sede=1", "'sede' is unknown: expected seed, hidden1"),
        ("seed=1", "seed=1\nself=3", "'self' is unknown: expected seed, hidden1"),
        ("batch=1", "self=3", "stage 1: 'self' is unknown: expected target, positions"),
        ("hidden1=8", "hidden1=0", "hidden1 0"),
        ("hidden1=8", "hidden1=true", "hidden1 True"),
        ("hidden2=4", "hidden2=6", "multiple of 4"),
        ("hidden2=4", "hidden2=4\ntactics=1", "tactics 1: expected true or false"),
        ("hidden2=4", "hidden2=4\nseed=2", "seed: expected once, found twice"),
        ("batch=1", "batch=1.5", "stage 1: batch 1.5: expected a whole number"),
        ("batch=1", 'passes="2"', "passes '2'"),
        ("batch=1", "memory=-1", "memory -1"),
        ("batch=1", "memory=9", "memory 9: expected at least a round"),
        ("batch=1", "trace=2", "trace 2: expected 0 to 1"),
        ("batch=1", "starts=1.5", "starts 1.5: expected 0 to 1"),
        ("batch=1", "starts=0.7\nfamilies=0.7", "starts 0.7, families 0.7: expected at most 1"),
        (
            "batch=1",
            'opening="nack"',
            "opening 'nack': expected backgammon, nackgammon, longgammon, or an ID",
        ),
        ("batch=1", 'optimizer="sgd"', "'sgd': expected one of 'adam', 'adamw', 'muon'"),
        ("[0.1,0]", '["a",0]', "rate"),
        ("[0.1,0]", "[nan,0]", "rate"),
        ("[0.1,0]", "[inf,0]", "rate"),
        ("[0.1,0]", "[true,0]", "rate"),
        ("[0.1,0]", "[1,2,3]", "rate"),
        ("positions=1", "positions=0", "positions 0: expected a whole number, 1 to 10"),
        ("positions=1", "positions=10000000000000", "positions 10000000000000: expected"),
        ("positions=1", f"positions={10**4000}", "positions 10{50,60}[.]{3}: expected a whole"),
        ("positions=1", f"positions={'9' * 5000}", "not TOML"),
        ("positions=1", f"positions={'[' * 100_000}", "not TOML"),
        ("positions=1", f"positions={'{a=' * 100_000}", "not TOML"),
        ("hidden1=8", "hidden1=1000000", "hidden1 1000000: expected a whole number, 1 to 8192"),
        ("hidden2=4", "hidden2=1000000", "hidden2 1000000: expected a multiple of 4, up to"),
        ("hidden2=4", f"hidden2=4\nstart='{'x' * 10_000}'", "start '.{50,60}[.]{3}: expected"),
        ("batch=1", "batch=10000000", "batch 10000000"),
        ("batch=1", "memory=1000000000000", "memory 1000000000000: expected a whole number, 0"),
        ("batch=1", "games=1048576\nturns=65536", "at most 100000000 turns in a round"),
        ("batch=1", "passes=100000", "passes 100000"),
        ("batch=1", "average=10000000000", "average 10000000000"),
        ("[0.1,0]", "[1e9,0]", "rate .*: expected two numbers, 0 to 1000"),
        ("[0.1,0]", "[1,2,{}]".format(",".join("3" * 9000)), "rate .{50,60}[.]{3}: expected"),
        ('"sampled"', '"best"', "target 'best': expected one of 'sampled', 'exact', 'made'"),
        ('"sampled"', '"made"', r"target 'made': expected \[\[samples\]\]"),
        ('"sampled"', '"made"\ntrace=0.5', "trace: expected none for target 'made'"),
        ("[[stage]]", '[[samples]]\nmodel="leaf"\n[[stage]]', "samples 1: 'positions' is missing"),
        (
            "[[stage]]",
            f'{SAMPLES}target="static"\ntrace=0.5\n[[stage]]',
            "samples 1: trace 0.5: expected 0 for target 'static'",
        ),
        (
            "[[stage]]",
            f"{SAMPLES}blunders=0.5\ntrace=0.5\n[[stage]]",
            "samples 1: trace 0.5: expected 0 with blunders",
        ),
        (
            "[[stage]]",
            f"{SAMPLES}starts=0.6\nfamilies=0.6\n[[stage]]",
            "starts 0.6, families 0.6: expected at most 1 in all",
        ),
        (
            "[[stage]]",
            f"{SAMPLES}games=1048576\nturns=65536\n[[stage]]",
            "at most 100000000 turns in a piece",
        ),
        ("hidden2=4", 'hidden2=4\nlearns="depth"', "learns 'depth': expected one of 'chances', 'width'"),
        ("hidden2=4", 'hidden2=4\nlearns="width"', "learns 'width': expected stages with target 'made'"),
        ("hidden2=4", "hidden2=4\nparts=2", "parts 2: expected one of 1, 3, 5"),
        ("seed=1", "seed=1\nstages=[]", r"'stages' is unknown: expected \[\[stage\]\]"),
        ("hidden2=4", "hidden2=4\nstages=[]", r"'stages' is unknown: expected \[\[stage"),
        (RIGHT[RIGHT.index("[[") :], "", r"'.*': \[\[stage\]\] is missing: expected one"),
        (RIGHT[RIGHT.index("[[") :], "[stage]", "stages {}: expected one .*stage"),
    ],
)
def test_a_wrong_entry_is_named(written, old: str, new: str, words: str) -> None:
    assert old in RIGHT
    with pytest.raises(FormatError, match=words) as caught:
        written(RIGHT.replace(old, new))
    assert "recipe.toml" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_all_that_is_wrong_is_named_at_once(written) -> None:
    with pytest.raises(FormatError) as caught:
        written("hidden3=4\nseed=1\n[network]\nhidden1=0\n[[stage]]\nrate=[0,1]\nbatch=-1\n")
    message = str(caught.value)
    for words in (
        "hidden1 0",
        "'hidden2' is missing",
        "'hidden3' is unknown",
        "stage 1: ",
        "'target' is missing",
        "'positions' is missing",
        "batch -1",
    ):
        assert message.count(words) == 1
    assert "\n" not in message


def test_what_is_no_recipe(written, tmp_path: Path) -> None:
    for text, words in (
        ("seed = ", "not TOML"),
        ("network = 5", "expected a table"),
        ("seed=1\nstage=[]\n[network]\nhidden1=8\nhidden2=4\n", r"stages \[\]: expected one"),
    ):
        with pytest.raises(FormatError, match=words):
            written(text)
    for path in (tmp_path / "no-such.toml", tmp_path):
        with pytest.raises(FormatError, match="cannot read"):
            read_recipe(path)


def test_values_from_python_are_checked_too() -> None:
    with pytest.raises(SettingError, match="memory 7"):
        TrainingStage(target="exact", positions=100, rate=(1e-3, 1e-4), memory=7, games=4, turns=2)
    stage = TrainingStage(**STAGE)
    assert changed(stage, batch=2).batch == 2
    with pytest.raises(SettingError, match="batch 0"):
        changed(stage, batch=0)
