"""A network that learns widths: recipes, the loss, and how widths fit held-out revisions."""

from pathlib import Path

import numpy as np
import pytest
import torch

from gammon.base.errors import SettingError
from gammon.eval.features import encode
from gammon.eval.model_file import load_model
from gammon.eval.network import network_of
from gammon.rules.outcome import POINTS
from gammon_lab.train.learner import Learner
from gammon_lab.train.recipe import Recipe, Samples, TrainingStage, find_recipe, read_recipe
from gammon_lab.train.sample_folder import APART, Lesson, make_pieces, measures, open_piece, width_measure
from gammon_lab.train.training import Training
from tests.engine.eval.drawn import drawn_tensors, times
from tests.lab.train.recipes import changed

pytestmark = pytest.mark.usefixtures("little_work")

SAMPLES = Samples(model="probe", positions=6000, seed=5, starts=0.5, games=32, turns=64)
STAGE = TrainingStage(
    target="made",
    positions=6000,
    rate=(1e-2, 0.0),
    passes=4,
    batch=128,
    optimizer="adamw",
    average=20,
    games=16,
    turns=16,
)
RECIPE = Recipe(seed=1, hidden1=16, hidden2=4, learns="width", samples=(SAMPLES,), stages=(STAGE,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("samples")
    for _ in make_pieces(RECIPE, made, threads=1):
        pass
    return made


def held_out(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """The positions int8 [N, 26] of the held-out piece, and the sizes of their revisions [N]."""
    piece = open_piece(folder, 0, APART)
    changes = (piece["target"].astype(float) - piece["believed"]) @ POINTS
    return piece["position"].reshape(-1, 26), np.abs(changes).ravel()


def plain_widths(weights: dict[str, np.ndarray], positions: np.ndarray) -> np.ndarray:
    """The widths of positions for money without the cube, by their definition, float64 [N]."""
    with torch.no_grad():
        logits = network_of(weights).logits(torch.from_numpy(encode(positions))).double().numpy()
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    win, lose = powers[:, 3:].sum(axis=1), powers[:, :3].sum(axis=1)
    return 0.004 + np.minimum(0.04 * win / np.maximum(lose, 1e-9), 1.0)


def test_a_lesson_of_widths_has_revisions(folder: Path) -> None:
    samples, revisions = Lesson(RECIPE, folder).draw(np.random.default_rng(1), 50)
    _, targets = Lesson(changed(RECIPE, learns="chances"), folder).draw(np.random.default_rng(1), 50)
    assert samples.shape == (50, 26)
    assert revisions.shape == (50, 1)
    believed = {
        row.tobytes(): value
        for number in (1, 2, 3)
        for piece in [open_piece(folder, 0, number)]
        for row, value in zip(
            piece["position"].reshape(-1, 26), piece["believed"].reshape(-1, 6) @ POINTS, strict=True
        )
    }
    for row, revision, target in zip(samples, revisions[:, 0], targets @ POINTS, strict=True):
        assert revision == pytest.approx(target - believed[row.tobytes()], abs=1e-5)


@pytest.mark.parametrize("size", [0.3, 3.0])
def test_the_loss_is_the_likelihood_of_revisions(folder: Path, size: float) -> None:
    """Also where the odds are so large that the widths are limited."""
    weights = times(drawn_tensors(16, 4), size)
    positions, revisions = held_out(folder)
    widths = plain_widths(weights, positions[:500])
    assert (size > 1.0) == (widths == 1.004).any()
    learner = Learner(network_of(weights), learns="width")
    learner.mixed = False
    learner.start("adamw", 1)
    targets = revisions[:500, None].astype(np.float32)
    loss = learner.learn(positions[:500], targets, 1e-3)
    assert loss == pytest.approx((np.log(widths) + revisions[:500] / widths).mean(), rel=1e-4)
    assert torch.isfinite(learner.learn(positions[:500], targets, 1e-3))


def test_learned_widths_fit_better_than_one_width(folder: Path, tmp_path: Path) -> None:
    run = Training(RECIPE, tmp_path, samples=folder)
    for progress in run.steps(1e9, report_every=0.0):
        assert progress.strength is None
    positions, revisions = held_out(folder)
    measure = width_measure(folder, 0, run.weights())
    constant = -np.log(2 * revisions.mean()) - 1  # with the best of all constant widths
    assert measure.likelihood > constant + 0.2
    widths = plain_widths(run.weights(), positions)
    calm = widths < np.median(widths)
    assert revisions[~calm].mean() > 1.5 * revisions[calm].mean()
    # The measure, by its definition.
    assert measure.width == pytest.approx(widths.mean(), rel=0.02)
    likelihood = -(np.log(2 * widths) + revisions / widths).mean()
    assert measure.likelihood == pytest.approx(likelihood, abs=0.02)
    assert list(measure.beyond) == [4, 6, 8]
    for multiple, (share, rms) in measure.beyond.items():
        excess = np.maximum(revisions - multiple * widths, 0)
        assert share == pytest.approx((excess > 0).mean(), abs=2e-3)
        assert rms == pytest.approx(np.sqrt((excess**2).mean()), rel=0.05, abs=1e-4)
    said = list(measures(RECIPE, folder, run.weights()))
    assert said == [f"samples 1: {measure}"]
    model = load_model(run.export())
    assert model.card["held_out"] == {"samples 1": str(measure)}
    assert model.card["purpose"].startswith("widths")
    assert model.card["origin"] == "`gammon train` from random weights, by positions and revisions of probe"
    assert "against_baseline" not in model.card
    assert width_measure(folder, 0, model.weights).likelihood == pytest.approx(measure.likelihood, abs=1e-3)


@pytest.mark.parametrize(
    "entries",
    [
        {"stages": (STAGE, TrainingStage(target="exact", positions=1, rate=(0, 0)))},
        {"samples": (SAMPLES, changed(SAMPLES, target="static"))},
        {"samples": (changed(SAMPLES, trace=0.5),)},
    ],
)
def test_widths_are_learned_from_exact_samples_alone(entries: dict[str, object]) -> None:
    wanted = (
        r"learns 'width': expected stages with target 'made', and \[\[samples\]\] with target 'exact' "
        "and trace 0$"
    )
    with pytest.raises(SettingError, match=wanted):
        changed(RECIPE, **entries)
    changed(RECIPE, learns="chances", **entries)


def test_the_recipe_that_ships_learns_widths() -> None:
    assert read_recipe(find_recipe("width")).learns == "width"
