"""The noise study: its matches, how alike errors are, errors against depth, its report."""

import csv
import math
import shutil

import numpy as np
import pytest
from click.testing import CliRunner

from gammon.base.errors import SettingError
from gammon.commands.main import main
from gammon.match.player import Player
from gammon.match.result import MatchResult, Mean
from gammon_lab.experiments import noise
from gammon_lab.experiments.noise import NoiseGrid, match_of, meetings, play_grid, reproduce
from gammon_lab.experiments.noise_errors import (
    DEPTHS,
    Spread,
    error_units,
    is_measured,
    measure,
    spread_of,
    spread_row,
)
from gammon_lab.experiments.noise_matches import Meeting, MeetingResults, Source
from gammon_lab.experiments.noise_report import _recovered, noise_report
from gammon_lab.experiments.study import Study
from tests.lab.experiments.figures import result

# The noise study: its matches, and its small version.


def test_the_quick_version_and_what_was_lost_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr(noise, "_QUICK_GAMES", 6)
    seen = []
    settings = Study(tmp_path, quick=True, on_done=lambda done, total: seen.append((done, total)))
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


# How alike errors are: against sums done by hand, and errors that are known.


def test_spreads_are_standard_deviations():
    # Errors 1 and 3, and -1, -2 and -3: around their means 2 and -2, and around 0 in all.
    found = spread_of([[2.0, 2.0, 2.0], [3.0, -2.0, 2.0]])
    assert found.between == pytest.approx(np.sqrt(4 / 3))
    assert found.whole == pytest.approx(np.std([1, 3, -1, -2, -3]))


def measured(player, depth, count=50):
    units = error_units(player, ["an id"], count, 1)
    assert {unit["depth"] for unit in units} == set(DEPTHS)
    assert sum(min(25, count - unit["first"]) for unit in units) == count * len(DEPTHS)
    found = [measure(unit) for unit in units if unit["depth"] == depth]
    assert all(is_measured(unit, each) for unit, each in zip(units, found, strict=False))
    return spread_of([row for each in found for row in each])


def test_independent_errors_are_as_large_between_plays_and_search_averages_them_out():
    player = Player(noise=0.1)
    one, three = (measured(player, depth) for depth in DEPTHS)
    assert one.whole == pytest.approx(0.1, rel=0.15)
    assert one.between == pytest.approx(0.1, rel=0.15)
    assert three.between < 0.6 * one.between


def test_alike_errors_are_small_between_plays_and_stay():
    player = Player(noise=0.1, errors="alike-1")
    one, three = (measured(player, depth) for depth in DEPTHS)
    assert one.between < 0.7 * one.whole
    assert three.between > 0.6 * one.between


def test_a_network_has_no_errors_against_itself():
    assert measured(Player(), 1, 10) == Spread(0, 0)


def test_a_row():
    row = spread_row("x", 0.0, Spread(0.2, 0.1), Spread(0.3, 0.05))
    assert row == ["x", None, 0.2, 0.1, 0.05, 50, pytest.approx(75)]


@pytest.mark.parametrize(
    "value", [None, [[1.0, 2.0]], [[1.0, 2.0, "x"]], [[1.0, 2.0, 1e19]], [[1.0, 0.0, 0.0]] * 26]
)
def test_damaged_results_do_not_fit(value):
    assert not is_measured({}, value)


# Errors of one kind against depth, in a small version.

GRID = NoiseGrid((0.0, 0.1), (1, 3), 4, None, "leaf", "equity")


def played(out, **more):
    return play_grid(Study(out), GRID._replace(**more))


def test_the_command_writes_everything(tmp_path):
    arguments = ["--sigma", "0,0.1", "--depth", "1,3", "--games", "4", "--out", str(tmp_path)]
    done = CliRunner().invoke(main, ["noise", *arguments])
    assert done.exit_code == 0, done.output
    for name in ("noise-points.svg", "noise-clean.svg", "noise-wins.svg", "noise-kinds.csv", "report.md"):
        assert (tmp_path / name).stat().st_size > 200
    assert not (tmp_path / "noise-kinds.svg").exists(), "one kind alone has nothing to compare"
    with (tmp_path / "noise-matches.csv").open() as file:
        rows = [tuple(row[name] for name in ("errors", "size", "depth", "against"))
                for row in csv.DictReader(file)]  # fmt: skip
    # Equal players do not meet, and without errors both opponents are one.
    assert rows == [
        ("equity", "0.0", "3", "the same errors"),
        ("equity", "0.1", "1", "no errors"),
        ("equity", "0.1", "3", "the same errors"),
        ("equity", "0.1", "3", "no errors"),
    ]
    seen, lines = [], []
    study = Study(tmp_path, on_done=lambda done, total: seen.append((done, total)))
    play_grid(study, GRID, lines.append)
    assert seen == [(4, 16), (8, 16), (12, 16), (16, 16)], "each match was played before"
    first, *_, last = lines
    assert first.startswith("sigma 0, depth 3 against depth 1, same errors: 4 games, ")
    assert last.startswith("sigma 0.1, depth 3 against depth 1, no errors: 4 games, ")
    assert last.endswith(" points a game")


def test_players_without_errors_beside_errors_of_another_kind(tmp_path):
    report = played(tmp_path, errors="outputs", depths=(1, 3))
    tables = {table.name: table for table in report.tables}
    assert [row[:4] for row in tables["noise-matches"].rows] == [
        ["outputs", 0.0, 3, "the same errors"],
        ["outputs", 0.1, 1, "no errors"],
        ["outputs", 0.1, 3, "the same errors"],
        ["outputs", 0.1, 3, "no errors"],
    ]
    kinds = tables["noise-kinds"]
    assert not any("depth 5" in column for column in kinds.columns), "no match is of depth 5"
    assert kinds.rows[1][6] is None, "two pairs do not tell the cost apart from 0"
    assert [row[0] for row in tables["noise-points"].rows] == [0.0, 0.1]
    assert any(note.startswith("Without errors depth 3 wins") for note in report.notes)
    with pytest.raises(SettingError, match="errors 'x': expected equity, outputs, or"):
        played(tmp_path / "other", errors="x", sigmas=(0.0,))


def test_a_network_whose_path_has_a_comma(tmp_path):
    with pytest.raises(SettingError, match="model 'a,b': expected a path without a comma"):
        played(tmp_path, model="a,b")


# The report of the noise study, of results that are made up.


def cells(source: Source, cost: float, gain: float) -> dict[Meeting, MatchResult]:
    return {Meeting(source, 1, True): result(-cost), Meeting(source, 3): result(gain)}


RESULTS = {
    Meeting(Source("equity", 0.0), 3): result(0.02),
    **cells(Source("equity", 0.1), 0.6, 0.62),
    **cells(Source("outputs", 0.05), 0.6, 0.56),
    **cells(Source("alike-3", 0.1), 0.6, 0.22),
    **cells(Source("early"), 0.3, 0.12),
    **cells(Source("probe"), 0.9, 0.3),
    Meeting(Source("equity", 0.03), 5): result(0.1, 0.61),
    Meeting(Source("equity", 0.1), 3, True): result(-0.05),
}
SPREADS = {Source("equity", 0.1): [Spread(0.1, 0.1), Spread(0.05, 0.05)]}
REPORT = noise_report(1, MeetingResults(RESULTS), SPREADS, 1000)
TABLES = {table.name: table for table in REPORT.tables}


def test_points_by_size() -> None:
    table = TABLES["noise-points"]
    assert table.columns == (
        "sigma",
        "depth 3, same errors",
        "s.e.",
        "depth 5, same errors",
        "s.e.",
        "depth 1, none",
        "s.e.",
        "depth 3, none",
        "s.e.",
    )
    none = [None, None]
    assert table.rows == [
        [0.0, 0.02, 0.01, *none, *none, 0.02, 0.01],
        [0.03, *none, 0.1, 0.01, *none, *none],
        [0.1, 0.62, 0.01, *none, -0.6, 0.01, -0.05, 0.01],
    ]


def test_gains_where_errors_cost_as_much_are_read_between_the_sizes() -> None:
    rows = {row[0]: row[1:] for row in TABLES["noise-same-cost"].rows}
    # Half way from no errors, with which depth 3 gains .02.
    assert rows["early"] == pytest.approx([0.3, 0.12, 0.01, 0.32, 0.29, 0.12])
    assert rows["probe"][3:] == [None] * 3, "no noise costs as much"
    text = "\n".join(REPORT.notes)
    assert "+0.290 with outputs, +0.120 with alike-3. The closest is alike-3" in text
    assert "The network probe loses 0.900 points a game, more than with any noise measured." in text


def test_the_share_of_games_won_has_no_figure_of_others_beside_it() -> None:
    table = TABLES["noise-wins"]
    (row,) = (row for row in table.rows if row[:3] == ["equity", 0.03, 5])
    assert row[3:] == pytest.approx([200, 10.0, 1.0, 61.0, 1.0])
    assert "64" not in str(table.rows) + str(REPORT.notes)


def test_only_networks_have_no_size() -> None:
    for name in ("noise-kinds", "noise-matches"):
        blank = {row[0] for row in TABLES[name].rows if row[1] is None}
        assert blank == {"early", "probe"}


def test_what_depth_makes_up() -> None:
    rows = {(row[0], row[1]): row[2:] for row in TABLES["noise-kinds"].rows}
    cost, gain, clean = 0.6, 0.22, 0.02  # each +- .01
    ratio = (gain - clean) / cost
    error = math.hypot(0.01, 0.01, ratio * 0.01) / cost
    none = [None, None]
    assert rows["alike-3", 0.1][:6] == [-0.6, 0.01, 0.22, 0.01, *none]
    assert rows["alike-3", 0.1][6:8] == pytest.approx([100 * ratio, 100 * error])
    assert rows["alike-3", 0.1][8:] == none
    assert rows["equity", 0.0] == [*none, 0.02, 0.01, *none, *none, *none]


def test_what_depth_makes_up_is_as_far_off_as_it_says() -> None:
    """The spread of the same ratio of means that are drawn; a reviewer's figure is 81 +- 4."""
    drawn = np.random.default_rng(3).normal((-0.275, 0.247, 0.023), 0.007, (20_000, 3))
    shares = 100 * (drawn[:, 1] - drawn[:, 2]) / -drawn[:, 0]
    means = (Mean(m, 0.007, m - 0.014, m + 0.014) for m in (-0.275, 0.247, 0.023))
    share, error = _recovered(*means)
    assert share == pytest.approx(81.5, abs=0.1)
    assert shares.mean() == pytest.approx(share, abs=0.1)
    assert shares.std() == pytest.approx(error, rel=0.02)


def test_a_cost_that_is_not_told_apart_from_0_has_no_share() -> None:
    gain, clean = (Mean(m, 0.01, m - 0.02, m + 0.02) for m in (0.2, 0.02))
    for cost in (Mean(0.0, 0.0, 0.0, 0.0), Mean(-0.01, 0.01, -0.03, 0.01), Mean(0.01, 0.01, -0.01, 0.03)):
        assert _recovered(cost, gain, clean) == [None, None]


def test_six_pairs_tell_no_standard_error() -> None:
    """Of twelve games one said -.008 +- .029 where .187 is right."""
    values = np.random.default_rng(1).normal(0.0, 0.1, 10)
    assert Mean.of(values[:9]).told_error is None
    assert Mean.of(values).told_error == Mean.of(values).error
    rough = Mean.of(values[:6])
    few = {meeting: found._replace(adjusted=rough) for meeting, found in RESULTS.items()}
    report = noise_report(1, MeetingResults(few), SPREADS, 1000)
    rows = {row[0]: row for table in report.tables[2:3] for row in table.rows}
    assert rows["alike-3"][3::2] == [None] * 5
    said = next(note for note in report.notes if note.startswith("Without errors"))
    assert f"wins {rough.mean:+.3f} ({rough.low:+.3f} to {rough.high:+.3f})" in said


def test_all_matches_are_there() -> None:
    table = TABLES["noise-matches"]
    assert len(table.rows) == len(RESULTS)
    row = dict(zip(table.columns, table.rows[-2], strict=True))
    assert (row["depth"], row["against"], row["won %"]) == (5, "the same errors", 61)
    assert row["won % as played"] == pytest.approx(10)
