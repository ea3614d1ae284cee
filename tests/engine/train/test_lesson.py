"""A network learned from a folder of samples, and the measures of what it learned."""

from pathlib import Path

import numpy as np
import pytest

from gammon.base.errors import SettingError
from gammon.eval.evaluators import evaluator_of
from gammon.eval.model_file import load_model
from gammon.eval.network import Network, tensors
from gammon.eval.plan import N_PLANS, N_USUAL, plan_of
from gammon.rules.board import OPENING, PHASES, phase_of
from gammon.rules.outcome import POINTS
from gammon.train.lesson import Judge, Lesson, measures
from gammon.train.recipe import Recipe, Samples, TrainingStage
from gammon.train.sample_folder import (
    APART,
    chances,
    make_pieces,
    open_piece,
    open_pieces,
    traced,
)
from gammon.train.training import Training
from tests.engine.train.recipes import changed

pytestmark = pytest.mark.usefixtures("little_work")

EXACT = Samples(
    model="probe", positions=2000, seed=5, starts=0.5, trace=0.5, share=0.75, games=8, turns=130
)
STATIC = Samples(
    model="probe", positions=100, seed=6, target="static", share=0.25, games=4, turns=50
)
STAGE = TrainingStage(
    target="made", positions=2048, rate=(1e-2, 0.0), passes=4, batch=64, optimizer="muon",
    average=5, games=16, turns=16,
)  # fmt: skip
RECIPE = Recipe(seed=1, hidden1=16, hidden2=4, samples=(EXACT, STATIC), stages=(STAGE,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("samples")
    for _ in make_pieces(RECIPE, found, threads=1):
        pass
    return found


def sizes(lesson: Lesson) -> list[int]:
    """How many samples of each kind there are to draw from."""
    return [len(rows) for rows, _ in lesson._kinds]


def test_a_batch_has_so_many_of_each_kind(folder: Path) -> None:
    lesson = Lesson(RECIPE, folder)
    assert sizes(lesson) == [2000, 100]
    known = []
    for which, samples in enumerate(RECIPE.samples):
        pieces = open_pieces(folder, which)
        rows = np.concatenate([piece["position"].reshape(-1, 26) for piece in pieces])
        targets = np.concatenate(
            [traced(piece, samples.trace).reshape(-1, 6) for piece in pieces]
        )
        first = slice(0, samples.positions)
        pairs = zip(rows[first], targets[first], strict=True)
        known.append({row.tobytes() + target.tobytes() for row, target in pairs})
    drawn, targets = lesson.draw(np.random.default_rng(1), 100)
    pairs = [
        row.tobytes() + target.tobytes() for row, target in zip(drawn, targets, strict=True)
    ]
    assert all(pair in known[0] for pair in pairs[:75])
    assert all(pair in known[1] for pair in pairs[75:])
    assert len(set(pairs)) > 60
    more = changed(RECIPE, samples=(changed(EXACT, positions=3000), STATIC))
    missing = r"samples-1-0003\.npy' is missing, and the pieces before it hold 2080 of the 3000"
    with pytest.raises(SettingError, match=missing):
        Lesson(more, folder)


def test_the_first_piece_that_is_missing_is_named(folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("*.npy"):
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "samples-1-0002.npy").rename(tmp_path / "samples-1-0003.npy")
    missing = r"samples-1-0002\.npy' is missing, and the pieces before it hold 1040 of the 2000"
    with pytest.raises(SettingError, match=missing):
        Lesson(RECIPE, tmp_path)


def test_samples_of_parts_that_are_kept_are_left_out(folder: Path) -> None:
    rows = np.concatenate(
        [piece["position"].reshape(-1, 26) for piece in open_pieces(folder, 0)]
    )
    judges = np.array([plan_of(row, N_PLANS) for row in rows[: EXACT.positions]])
    recipe = changed(RECIPE, start="probe", parts=N_PLANS, kept=N_USUAL, samples=(EXACT,))
    lesson = Lesson(recipe, folder)
    assert sizes(lesson) == [(judges >= N_USUAL).sum()]
    assert sizes(lesson)[0] > 100
    drawn, _ = lesson.draw(np.random.default_rng(1), 100)
    assert all(plan_of(row, N_PLANS) >= N_USUAL for row in drawn)
    with pytest.raises(SettingError, match="samples 2: expected some of parts that learn"):
        Lesson(changed(recipe, samples=(EXACT, STATIC)), folder)


def test_learning_comes_nearer_to_the_targets(folder: Path, tmp_path: Path) -> None:
    run = Training(RECIPE, tmp_path / "run", samples=folder)
    begun = run.weights()
    begun = {name: value.copy() for name, value in begun.items()}
    for _ in run.steps(1e9):
        pass
    judge = Judge(folder)
    after, before = (judge.measures(each)["all"] for each in (run.weights(), begun))
    assert after.ahead < before.ahead
    assert after.further < before.further
    said = list(measures(RECIPE, folder, run.weights()))
    assert said[0].strip() == f"all: {after}", "of samples with exact targets only"
    assert len(said) == len(judge.groups)


def test_measures(folder: Path) -> None:
    weights = tensors(Network(16, 4))
    piece = open_piece(folder, 0, APART)
    kept = EXACT.turns - 100
    results = traced(piece, 1.0) @ POINTS
    said = chances(evaluator_of(weights), piece["position"]) @ POINTS
    judge = Judge(folder)
    found = judge.measures(weights)
    groups: dict[str, list[tuple[int, float, float]]] = {}
    for g in range(EXACT.games):
        drawn = True
        for t in range(kept):
            points = tuple(piece["position"][t, g].tolist())
            if t == 0 or piece["last"][t - 1, g]:
                drawn = points != OPENING
            begun = "games from drawn positions" if drawn else "games from the opening"
            off, own = (
                x - results[t, g] for x in (said[t, g], piece["believed"][t, g] @ POINTS)
            )
            ahead = said[t, g] - piece["target"][t, g] @ POINTS
            for name in ("all", begun, phase_of(points)):
                groups.setdefault(name, []).append((g, 1e4 * (off**2 - own**2), ahead**2))
    assert found.keys() == groups.keys()
    assert len(found.keys() & set(PHASES)) >= 2
    for name, rows in groups.items():
        numbers, further, ahead = np.array(rows).T
        mean = further.mean()
        sums = [(further - mean)[numbers == g].sum() for g in range(EXACT.games)]
        assert found[name].share == pytest.approx(len(rows) / (kept * EXACT.games))
        assert found[name].further == pytest.approx(mean, rel=1e-4)
        assert found[name].error == pytest.approx(np.linalg.norm(sums) / len(rows), rel=1e-3)
        assert found[name].ahead == pytest.approx(np.sqrt(ahead.mean()), rel=1e-4)
    own = judge.measures(load_model("probe").weights)
    assert own["all"].further == pytest.approx(0.0, abs=1e-3)
    assert str(own["all"]).startswith("100.0% of positions   +0.00 +- 0.00 further")
