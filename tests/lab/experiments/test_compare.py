"""The comparison of searches: mixtures, judges, and the small version."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from gammon import search
from gammon.base.errors import SettingError
from gammon.engine.engine import Engine
from gammon.formats.position import Position
from gammon.rules.board import flipped
from gammon.rules.dice import ROLLS
from gammon_lab.commands import reproduce
from gammon_lab.experiments import compare
from gammon_lab.experiments.compare import Setting, mixture, search_of
from gammon_lab.experiments.study import Study
from gammon_lab.experiments.subjects import Foreign, named, random_play, subject_of
from gammon_lab.games import dice_game
from gammon_lab.report import Origin, Report
from gammon_lab.searches.chance_prob_cut import Prediction
from tests.engine.commands.program import assert_refused, run
from tests.lab.experiments.figures import drawn_bars
from tests.naive.search import defined_value

#: Objects "of other programs".
GAME, LEAF = dice_game.game(3, 3), dice_game.leaf(3, 3)
STAR1 = search.ALGORITHMS["star1"]
HERE = "tests.lab.experiments.test_compare"
FOREIGN = Foreign(f"{HERE}:GAME", f"{HERE}:LEAF", (f"{HERE}:STAR1",))


def test_a_mixture_of_two_settings_has_the_least_loss() -> None:
    settings = [Setting("exact", depth=depth) for depth in (1, 3, 5)]
    times, losses = np.array([0.0, 1.0, 9.0]), np.array([[8.0, 4.0], [4.0, 2.0], [0.0, 0.0]])
    found = mixture(settings, times, losses, 3.0)
    assert found.words == "25 % depth 5 or 75 % depth 3"
    assert found.losses.tolist() == [3.0, 1.5]
    found = mixture(settings, times, losses, 20.0)
    assert (found.words, found.losses.tolist()) == ("depth 5", [0.0, 0.0])
    losses[2] = 10.0  # a slow setting that is worse takes no part
    assert mixture(settings, times, losses, 20.0).words == "depth 3"
    assert mixture(settings, times, losses, 0.5).words == "50 % depth 3 or 50 % depth 1"


def test_a_deeper_search_judges_a_game_without_another_judge() -> None:
    subject = subject_of("game", 6, 1, 3, "", FOREIGN)
    assert len(subject.decisions) == 6
    for number, (state, outcome) in enumerate(subject.decisions):
        rows = np.empty((GAME.max_successors, GAME.width), np.int8)
        n = GAME.successors(state, outcome, GAME.params, rows)
        assert n > 1, "it is not forced"
        expected = [-defined_value(GAME, LEAF, row, 4) for row in rows[:n]]
        found = [subject.values(number, row) for row in rows[:n]]
        assert [best for best, _ in found] == pytest.approx([max(expected)] * n, abs=1e-6)
        assert [value for _, value in found] == pytest.approx(expected, abs=1e-6)


def test_rollouts_judge_backgammon() -> None:
    subject = subject_of("backgammon", 5, 1, 3, "", Foreign())
    tree = search.TreeSearch(subject.game, subject.leaf, probe=subject.probe)
    for number, (state, outcome) in enumerate(subject.decisions):
        values = [subject.values(number, row) for row in tree.rank(state[None], [outcome]).rows]
        assert max(value for _, value in values) == values[0][0]
        assert len({best for best, _ in values}) == 1 < len(values)
    apart = [subject.values(k, tree.rank(s[None], [o]).rows[0]) for k, (s, o) in enumerate(subject.decisions)]
    assert all(0 <= best - value < 0.3 for best, value in apart), "the static choice is not far off"


def test_every_setting_is_a_search_that_decides() -> None:
    subject = subject_of("game", 6, 1, 3, "", FOREIGN)
    lines = [Prediction(1.0, 0.0, 0.3, 1.0)]
    answers = {}
    families = "bounded", compare.LEVELS
    settings = [s for s in compare.SETTINGS if s.depth in (3, 99) and s.family not in families]
    for setting in [*settings, Setting(f"{HERE}:STAR1", depth=3)]:
        decide = search_of(subject, setting, lines)
        answers[setting] = [decide(*decision) for decision in subject.decisions]
        for (state, outcome), found in zip(subject.decisions, answers[setting], strict=True):
            rows = np.empty((GAME.max_successors, GAME.width), np.int8)
            n = GAME.successors(state, outcome, GAME.params, rows)
            assert {row.tobytes() for row in found.rows} == {row.tobytes() for row in rows[:n]}
    exact, same = (answers[Setting(family, depth=3)] for family in ("exact", f"{HERE}:STAR1"))
    assert [f.values.max() for f in exact] == pytest.approx([f.values.max() for f in same])
    assert len({str(s) for s in answers}) > 10


def test_a_level_rolls_out_close_plays() -> None:
    """Its play is the engine's, whose other plays are not close."""
    subject = subject_of("backgammon", 5, 1, 3, "", Foreign())
    decide = search_of(subject, Setting(compare.LEVELS, "", "roller"), [])
    state, outcome = subject.decisions[1]
    found = decide(state, outcome)
    engine = Engine(level="roller", cubeless=True)
    analysis = engine.analyze(Position(tuple(state.tolist())), ROLLS[outcome])
    assert flipped(found.rows[0].tolist()) == analysis.candidates[0].play.points
    assert found.values.tolist() == [analysis.candidates[0].equity]
    assert found.order.tolist() == [0]


def test_random_play_needs_decisions() -> None:
    with pytest.raises(SettingError, match="decisions in random play, expected 3"):
        random_play(search.Game("over", 1, 1, 1, 0.0, 0.0, *_nothing_to_decide()), np.zeros(1, np.int8), 3, 1)


def test_decisions_of_random_play_are_different() -> None:
    """A race to twelve by steps of one or two has twelve of them."""

    def successors(state: np.ndarray, outcome: int, params: object, rows: np.ndarray) -> int:
        rows[0], rows[1] = state + 1, state + 2
        return 2

    def is_over(state: np.ndarray, *_: object) -> float:
        return -1.0 if state[0] >= 12 else search.NOT_OVER

    def roll(state: np.ndarray, params: object, chance: np.ndarray) -> int:
        chance[0] = 1.0
        return 1

    race = search.Game("race", 1, 1, 2, -1.0, 1.0, roll, successors, is_over)
    decisions = random_play(race, np.zeros(1, np.int8), 20, 1)
    assert sorted((int(state[0]), outcome) for state, outcome in decisions) == [(n, 0) for n in range(12)]
    game = dice_game.game(5, 4)
    keys = [(state.tobytes(), outcome) for state, outcome in random_play(game, dice_game.root(5), 150, 1)]
    assert len(keys) == len(set(keys)) == 150


def _nothing_to_decide() -> tuple[object, ...]:
    return (lambda *_: 1), (lambda *_: 1), (lambda *_: 0.0)


def test_names_of_objects_are_refused_in_one_line(tmp_path: Path) -> None:
    assert named(f"{HERE}:GAME", search.Game) is GAME
    for text, reason in (
        ("nowhere:X", "No module named 'nowhere'"),
        (f"{HERE}:NONE", "no attribute 'NONE'"),
        ("x", "expected MODULE:NAME of one Game"),
        (f"{HERE}:LEAF", "expected MODULE:NAME of one Game"),
    ):
        with pytest.raises(SettingError, match=reason):
            named(text, search.Game)
    folder = str(tmp_path / "out")
    own = ["--game", f"{HERE}:GAME"]
    assert_refused(["reproduce", "dice", *own, "--out", folder], "--game with dice: expected compare")
    assert_refused(["reproduce", "compare", *own, "--out", folder], "expected both")
    for option in ("--game", "--evaluator", "--algorithm"):
        assert_refused(
            ["reproduce", "compare", option, f"{HERE}:NONE", "--out", folder], "no attribute 'NONE'"
        )
    assert not Path(folder).exists(), "a wrong name reserves no folder"


def test_a_module_of_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found last, so a file there hides no other module; and nothing else is looked for there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [path for path in sys.path if path not in ("", str(tmp_path))])
    imported = f"from {HERE} import GAME"
    (tmp_path / "game_of_this_folder.py").write_text(imported)
    (tmp_path / "colorsys.py").write_text("raise AssertionError('it hides the module of Python')")
    assert named("game_of_this_folder:GAME", search.Game) is GAME
    with pytest.raises(SettingError, match="expected MODULE:NAME"):
        named("colorsys:GAME", search.Game)
    (tmp_path / "module_of_this_folder.py").write_text(imported)
    with pytest.raises(ImportError):
        import_module("module_of_this_folder")


def test_what_is_no_better_than_depth_1_is_left_out() -> None:
    measured = {}
    for family, depth, seconds, loss in (
        ("exact", 1, 1.0, 4.0), ("exact", 3, 2.0, 3.0), ("samples", 3, 1.5, 5.0), ("MCTS", 99, 1.5, 2.0),
    ):  # fmt: skip
        zero = np.zeros(10)
        costs = compare.Costs(zero, zero, zero + seconds, zero + loss, zero)
        measured[compare.Setting(family, depth=depth)] = costs
    rows = compare._equal_rows("a game", measured, "seconds", {"depth 3": 2.0})
    assert [(row[2], row[4]) for row in rows] == [("MCTS", 2000.0), ("exact", 3000.0)]


def test_bars_are_of_losses_of_ten_decisions_or_more() -> None:
    zero, loss = np.zeros(10), np.arange(10.0) / 1e3
    many, few = (compare.Costs(*(part[:n] for part in (zero, zero, zero + 1, loss, zero))) for n in (10, 9))
    for costs, reach in ((many, 2.262157 * 1e3 * loss.std(ddof=1) / np.sqrt(10)), (few, 0.0)):
        mean, drawn = 1e3 * costs.loss.mean(), {Setting("exact", depth=3): costs}
        ((bar,),) = drawn_bars(lambda axes, drawn=drawn: compare._draw(axes, drawn))
        assert bar[:, 1] == pytest.approx([mean - reach, mean + reach])


def test_a_game_of_another_program_is_compared(tmp_path: Path) -> None:
    study = Study(tmp_path, 1, quick=True)
    report = compare.reproduce(study, FOREIGN)
    time, evaluations, searches, lines = report.tables
    assert "MCTS looks deeper than the judge" in " ".join(report.notes)
    families = {"exact", "filter", "ChanceProbCut", "samples", "common samples", "MCTS", f"{HERE}:STAR1"}
    assert {row[0] for row in searches.rows} == families
    assert {"exact"} < {row[2] for row in evaluations.rows} <= families
    assert {"exact"} <= {row[2] for row in time.rows} <= families, "times differ from run to run"
    assert [row[1] for row in lines.rows] == [2]
    rows = {(row[0], row[1]): row for row in searches.rows}
    exact, star1 = rows["exact", "depth 3"], rows[f"{HERE}:STAR1", "depth 3"]
    assert exact[2] == 24 and exact[4] == 100.0
    assert exact[6:] == pytest.approx(star1[6:], abs=1e-6), "it finds the same values"
    losses = [row[4] for row in evaluations.rows]
    assert losses == sorted(losses) and evaluations.rows[0][6] == 0.0
    again = compare.reproduce(study, FOREIGN).tables
    assert [table.rows for table in again] == [time.rows, evaluations.rows, searches.rows, lines.rows]


def test_an_evaluator_without_predictions_is_compared_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [setting for setting in compare.QUICK if setting.family in ("exact", "ChanceProbCut")]
    monkeypatch.setattr(compare, "QUICK", few)
    report = compare.reproduce(
        Study(tmp_path, 1, quick=True), Foreign(FOREIGN.game, "gammon.games.nothing:NOTHING")
    )
    searches, lines = report.tables[2:]
    assert [row[2] for row in lines.rows] == [0.0]
    assert {row[0] for row in searches.rows} == {"exact"}
    assert report.notes[-1].endswith("ChanceProbCut is left out.")


def test_the_command_takes_objects_of_other_programs(tmp_path: Path) -> None:
    own = ["--game", FOREIGN.game, "--evaluator", FOREIGN.evaluator, "--algorithm", *FOREIGN.algorithm]
    done = run("reproduce", "compare", "--quick", *own, "--out", str(tmp_path))
    assert done.exit_code == 0, done.output
    (origin,) = Origin.read((tmp_path / "report.md").read_text())
    assert origin.command == f"gammon reproduce compare --quick {' '.join(own)} --seed 1"
    assert {path.name for path in tmp_path.glob("*.csv")} == {
        f"compare-{name}.csv" for name in ("equal-time", "equal-evaluations", "game", "predictions")
    }
    held = "the experiment compare --quick, seed 1"
    assert_refused(["reproduce", "compare", "--quick", *own[:4], "--out", str(tmp_path)], held)


def test_predictions_are_of_two_successors_of_each_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[np.ndarray] = []
    monkeypatch.setattr(compare, "predictions", lambda search, states, depth: found.append(states) or [])
    unit = {"subject": "dice", "decisions": 60, "seed": 1, "exact": 3, "foreign": ["", "", []]}
    compare.fit("", unit)
    assert 20 < len(found[0]) <= 24
    assert len(np.unique(found[0], axis=0)) == len(found[0])


def test_a_folder_that_was_moved_keeps_its_results(tmp_path: Path) -> None:
    """Neither it nor the table in it is a part of what identifies a result."""
    units = [compare._subjects(Study(tmp_path / name), Foreign()) for name in ("one", "other")]
    assert units[0] == units[1]
    assert str(tmp_path) not in str(units)


def test_another_source_is_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results of an edited module are not mixed with stored ones."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reproduce, "experiments", lambda: {"compare": lambda study, **_: Report("None", [])})
    module = tmp_path / "edited_game.py"
    module.write_text(f"from {HERE} import *")
    names = "edited_game:GAME", "edited_game:LEAF"
    command = ["reproduce", "compare", "--game", names[0], "--evaluator", names[1], "--out", "out"]
    assert run(*command).exit_code == run(*command).exit_code == 0
    units = [compare._subjects(Study(tmp_path), Foreign(*names))]
    module.write_text(f"from {HERE} import * # changed")
    assert_refused(command, "'out' holds the experiment compare, seed 1 with source of edited_game ")
    units.append(compare._subjects(Study(tmp_path), Foreign(*names)))
    assert units[0] != units[1]
