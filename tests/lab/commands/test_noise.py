"""`gammon noise`."""

import shlex

from gammon_lab.reports.origin import Origin
from tests.engine.commands.program import assert_refused, run


def test_a_folder_holds_one_study(tmp_path):
    arguments = ["noise", "--depth", "1", "--sigma", " 0.1", "--out", str(tmp_path)]
    assert run(*arguments, "--games", "4").exit_code == 0
    assert run(*arguments, "--games", "8", "--until-se", "9").exit_code == 0
    (origin,) = Origin.read((tmp_path / "report.md").read_text())
    assert shlex.split(origin.command)[:6] == [
        "gammon", "noise", "--sigma", " 0.1", "--depth", "1",
    ]  # fmt: skip
    held = "holds a noise study of sigma 0.1 and depth 1, seed 1"
    assert_refused([*arguments, "--seed", "2"], f"{held}, not a noise study of")
    assert_refused([*arguments, "--sigma", "0.2"], f"{held}, not a noise study of")
    other = f"{held} with errors equity, not outputs: choose"
    assert_refused([*arguments, "--errors", "outputs"], other)
