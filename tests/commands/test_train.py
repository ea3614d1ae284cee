"""`gammon train`."""

from pathlib import Path

import pytest

from tests.commands.program import assert_refused, first_words, run

BAD = [
    (["train", "no-such.toml", "--out", "x", "--minutes", "0"], "'--minutes'"),
    (["train", "no-such.toml", "--out", "x"], "no-such.toml"),
    (["train", "no-such", "--out", "x"], "no such file, and the shipped recipes are: early, "),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=first_words)
def test_bad_input_gets_one_line(arguments: list[str], words: str) -> None:
    assert_refused(arguments, words)


def test_unwritable_folder(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        "seed = 1\n[network]\nhidden1 = 16\nhidden2 = 4\n"
        '[[stage]]\ntarget = "sampled"\npositions = 64\ngames = 32\nrate = [1e-3, 1e-3]\n'
    )
    (tmp_path / "file").write_text("in the way")
    done = run("train", str(recipe), "--out", str(tmp_path / "file" / "run"))
    assert done.exit_code == 1
    assert "cannot write" in done.stderr
