"""The noise study: its matches, and its small version."""

import csv
import shutil

import pytest
from click.testing import CliRunner

from gammon.commands.main import main
from gammon_lab.experiments.noise import match_of, meetings, reproduce
from gammon_lab.experiments.noise_matches import Meeting, Source
from gammon_lab.experiments.study import Study


def test_the_quick_version_and_what_was_lost_of_it(tmp_path):
    seen = []
    settings = Study(
        tmp_path, quick=True, on_done=lambda done, total: seen.append((done, total))
    )
    page = reproduce(settings).markdown()
    assert seen[-1][0] == seen[-1][1]
    assert seen == sorted(seen)

    shutil.rmtree(tmp_path / "outputs-0.05-depth-3-same")
    (tmp_path / "errors-alike-3.jsonl").unlink()
    assert reproduce(Study(tmp_path, quick=True)).markdown() == page

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


MODELS = {"probe": "probe", "early": "here/early", "middle": "here/middle"}


@pytest.mark.parametrize("quick", [False, True])
def test_each_match_has_a_folder_and_players(quick):
    matches = {meeting: match_of(meeting, MODELS, quick) for meeting in meetings(quick)}
    assert len({match.out for match in matches.values()}) == len(matches)
    for meeting, match in matches.items():
        deep, shallow = match.a, match.b
        assert (deep.depth, shallow.depth) == (meeting.depth, 1)
        assert str(deep) != str(shallow), "equal players do not meet"
        if meeting.clean:
            assert (shallow.noise, shallow.model) == (0, "leaf")
        else:
            assert deep[2:4] == shallow[2:4], "the same network and errors"
            assert deep.errors == shallow.errors
        assert match.games % 2 == 0
        until = match.until_se
        assert until is None or (until == 0.015) == (meeting.depth == 5)
        assert bool(deep.filter) == (meeting.depth == 7)


def test_a_weak_network_has_errors_of_its_own():
    match = match_of(Meeting(Source("early"), 3), MODELS, False)
    assert str(match.a) == "depth=3,model=here/early"
    assert str(match.b) == "depth=1,model=here/early"
    assert str(match.out) == "early-depth-3-same"
    noisy = match_of(Meeting(Source("alike-3", 0.15), 1, True), MODELS, False)
    assert str(noisy.out) == "alike-3-0.15-depth-1-clean"
