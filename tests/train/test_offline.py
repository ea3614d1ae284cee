"""Learning from a folder of samples, and the measures of what was learned."""

from pathlib import Path

import numpy as np
import pytest

from gammon.base.errors import SettingError
from gammon.eval.evaluators import evaluator_of
from gammon.eval.model_file import load_model
from gammon.eval.network import Network, tensors
from gammon.rules.board import OPENING
from gammon.rules.outcome import POINTS
from gammon.rules.phase import PHASES, phase_of
from gammon.train import starts
from gammon.train.offline import Judge, Lesson, learn
from gammon.train.recipe import Recipe, TrainingStage
from gammon.train.sample_folder import (
    APART,
    SampleSettings,
    chances,
    make_pieces,
    open_piece,
    open_pieces,
    traced,
)

SETTINGS = SampleSettings("probe", 5, starts=0.5, games=8, turns=130)
ROOM = SETTINGS.games * SETTINGS.turns
STAGE = TrainingStage(
    target="exact", positions=1, rate=(1e-2, 0.0), passes=4, batch=64, optimizer="muon",
    average=5,
)  # fmt: skip
RECIPE = Recipe(seed=1, hidden1=16, hidden2=4, stages=(STAGE,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("samples")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(starts, "_ROWS", 64)
        for _ in make_pieces(SETTINGS, found, 2 * ROOM, threads=1):
            pass
    return found


def test_lessons(folder: Path) -> None:
    whole = Lesson.of(folder, 0.5)
    pieces = open_pieces(folder)
    expected = np.concatenate([piece["position"].reshape(-1, 26) for piece in pieces])
    assert np.array_equal(whole.samples, expected)
    expected = np.concatenate([traced(piece, 0.5).reshape(-1, 6) for piece in pieces])
    assert np.array_equal(whole.targets, expected)
    for count in (ROOM - 7, ROOM + 7):
        some, first = Lesson.of(folder, 0.5, count), whole.first(count)
        assert len(some.samples) == len(some.targets) == count
        assert np.array_equal(some.samples, first.samples)
        assert np.array_equal(some.targets, first.targets)
    with pytest.raises(SettingError, match=f"positions {3 * ROOM}: expected 1 to {2 * ROOM}"):
        Lesson.of(folder, 0.5, 3 * ROOM)


def test_learning_comes_nearer_to_the_targets(folder: Path) -> None:
    lesson = Lesson.of(folder, 0.0)
    seen = []
    weights = learn(RECIPE, lesson, on_update=lambda done, total: seen.append((done, total)))
    total = 4 * 2 * ROOM // 64
    assert seen == [(done, total) for done in range(1, total + 1)]
    again = learn(RECIPE, lesson)
    assert all(np.array_equal(weights[name], again[name]) for name in weights)
    short = learn(RECIPE.changed(stages=(STAGE.changed(passes=1),)), lesson.first(64))
    judge = Judge(folder)
    after, before = (judge.measures(each)["all"] for each in (weights, short))
    assert after.ahead < before.ahead
    assert after.further < before.further


def test_measures(folder: Path) -> None:
    weights = tensors(Network(16, 4))
    piece = open_piece(folder, APART)
    kept = SETTINGS.turns - 100
    results = traced(piece, 1.0) @ POINTS
    said = chances(evaluator_of(weights), piece["position"]) @ POINTS
    judge = Judge(folder)
    found = judge.measures(weights)
    groups: dict[str, list[tuple[int, float, float]]] = {}
    for g in range(SETTINGS.games):
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
        sums = [(further - mean)[numbers == g].sum() for g in range(SETTINGS.games)]
        assert found[name].share == pytest.approx(len(rows) / (kept * SETTINGS.games))
        assert found[name].further == pytest.approx(mean, rel=1e-4)
        assert found[name].error == pytest.approx(np.linalg.norm(sums) / len(rows), rel=1e-3)
        assert found[name].ahead == pytest.approx(np.sqrt(ahead.mean()), rel=1e-4)
    own = judge.measures(load_model("probe").weights)
    assert own["all"].further == pytest.approx(0.0, abs=1e-3)
    assert str(own["all"]).startswith("100.0% of positions   +0.00 +- 0.00 further")
