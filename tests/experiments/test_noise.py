"""The noise study, in its small version."""

import csv

from click.testing import CliRunner

from gammon.commands.main import main
from gammon.experiments.noise import reproduce
from gammon.experiments.report import ReproductionSettings
from gammon.parallel import Pool


def test_the_quick_version_and_its_resumption(tmp_path):
    seen = []
    settings = ReproductionSettings(
        tmp_path / "two", quick=True, pool=Pool(2), on_done=lambda *each: seen.append(each)
    )
    settings.out.mkdir()
    two = reproduce(settings)
    assert seen[-1][0] == seen[-1][1]
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    arguments = ["reproduce", "noise", "--quick", "--out", str(tmp_path / "two")]
    again = CliRunner().invoke(main, arguments)
    assert again.exit_code == 0, again.output
    page = (tmp_path / "two" / "report.md").read_text()
    assert two.markdown() in page, "the second run must only read what is there"
    assert "made by `gammon reproduce noise --quick --seed 1`" in page
    with (tmp_path / "two" / "noise-matches.csv").open() as file:
        rows = {
            (row["errors"], row["depth"], row["against"]): row for row in csv.DictReader(file)
        }
    assert float(rows["outputs", "1", "no errors"]["points"]) < -0.3
    assert float(rows["outputs", "3", "the same errors"]["points"]) > 0.3
    for name in ("noise-points", "noise-clean", "noise-wins", "noise-kinds"):
        assert (tmp_path / "two" / f"{name}.png").stat().st_size > 10_000


def test_results_do_not_depend_on_workers(tmp_path):
    reports = []
    for workers in (1, 2):
        out = tmp_path / str(workers)
        out.mkdir()
        settings = ReproductionSettings(out, quick=True, pool=Pool(workers))
        reports.append(reproduce(settings).markdown())
    assert reports[0] == reports[1]
