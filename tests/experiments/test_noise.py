"""The noise study, in its small version."""

import csv
import shutil

from click.testing import CliRunner

from gammon.commands.main import main
from gammon.experiments.noise import reproduce
from gammon.experiments.report import ReproductionSettings
from gammon.runs.parallel import Pool


def test_the_quick_version_and_what_was_lost_of_it(tmp_path):
    seen = []
    settings = ReproductionSettings(
        tmp_path, quick=True, on_done=lambda done, total: seen.append((done, total))
    )
    page = reproduce(settings).markdown()
    assert seen[-1][0] == seen[-1][1]
    assert seen == sorted(seen)

    shutil.rmtree(tmp_path / "outputs-0.05-depth-3-same")
    (tmp_path / "errors-alike-3.jsonl").unlink()
    again = ReproductionSettings(tmp_path, quick=True, pool=Pool(2))
    assert reproduce(again).markdown() == page, "the workers do not matter"

    arguments = ["reproduce", "noise", "--quick", "--out", str(tmp_path)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    written = (tmp_path / "report.md").read_text()
    assert page in written, "nothing is played again"
    assert "made by `gammon reproduce noise --quick --seed 1`" in written
    with (tmp_path / "noise-matches.csv").open() as file:
        rows = {
            (row["errors"], row["depth"], row["against"]): float(row["points"])
            for row in csv.DictReader(file)
        }
    assert rows["outputs", "1", "no errors"] < -0.3
    assert rows["outputs", "3", "the same errors"] > 0.3
    for name in ("noise-points", "noise-clean", "noise-wins", "noise-kinds"):
        assert (tmp_path / f"{name}.svg").stat().st_size > 10_000
