"""Training: runs that are interrupted, run in threads, or start from a model."""

from pathlib import Path

import numpy as np
import pytest
import torch

from gammon.engine import Engine
from gammon.errors import ModelError
from gammon.eval import nnue
from gammon.eval.evaluators import load_evaluator
from gammon.eval.features import encode
from gammon.eval.model_file import load_model, save_model
from gammon.eval.network import Network, module_probabilities, tensors
from gammon.eval.packed import pack, parts_of, rounded
from gammon.eval.plan import N_PLANS
from gammon.games.backgammon import BACKGAMMON
from gammon.sample import self_play_positions
from gammon.search import problem_of
from gammon.search.workspace import Workspace
from gammon.train.recipe import Recipe, Stage
from gammon.train.selfplay import EXACT, play_turns
from gammon.train.training import Training

RECIPE = Recipe(
    seed=3,
    hidden1=16,
    hidden2=4,
    stages=(
        Stage(
            target="sampled", positions=3072, rate=(1e-2, 1e-3), games=64, turns=4, batch=64
        ),
        Stage(
            target="exact", positions=320, rate=(1e-2, 0.0), trace=0.5, passes=3, memory=96,
            games=16, turns=2, batch=8, optimizer="muon", average=10,
        ),
    ),
)  # fmt: skip


def weights_after(folder: Path, threads: int, pieces: int) -> dict[str, np.ndarray]:
    for _ in range(pieces - 1):
        run = Training(RECIPE, folder, threads)
        for count, _ in enumerate(run.steps(1e9, report_every=0.0)):
            if count == 10:
                run.save()  # what a kill leaves behind: a checkpoint, and nothing after it
                break
    run = Training(RECIPE, folder, threads)
    for _ in run.steps(1e9):
        pass
    assert run.positions == 3072 + 320
    return tensors(run.learner.mean)


def test_resumed_runs_and_threads_change_nothing(tmp_path: Path) -> None:
    one = weights_after(tmp_path / "one", threads=1, pieces=1)
    for name, threads, pieces in (("two", 2, 1), ("resumed", 1, 3)):
        other = weights_after(tmp_path / name, threads, pieces)
        for key, value in one.items():
            assert np.array_equal(value, other[key]), (name, key)


def test_a_stage_of_the_same_target_goes_on_with_the_samples_of_the_one_before(
    tmp_path: Path,
) -> None:
    exact = RECIPE.stages[1]
    run = Training(RECIPE.changed(stages=(*RECIPE.stages, exact.changed(trace=0.2))), tmp_path)
    in_memory: dict[int, int] = {}
    for progress in run.steps(1e9, report_every=0.0):
        # After a stage's first round nothing of it has been learned from yet.
        in_memory.setdefault(progress.stage, run.memory.added)
    assert in_memory == {0: 0, 1: 0, 2: 320}
    assert run.memory.added == 640


def test_a_teacher_plays_and_its_words_are_the_targets(tmp_path: Path) -> None:
    stage = RECIPE.stages[1].changed(positions=32)
    run = Training(RECIPE.changed(stages=(stage,), teacher="probe"), tmp_path)
    states, numbers, turns = run.states.copy(), run.numbers.copy(), run.turns.copy()
    for _ in run.steps(1e9):
        pass
    samples = np.empty((stage.turns, stage.games, 26), np.int8)
    targets = np.empty((stage.turns, stage.games, 6), np.float32)
    problem = problem_of(BACKGAMMON, load_evaluator("probe"))
    play_turns(
        problem, Workspace.allocate(problem, 26, 0, False, None), states, numbers, turns, 0,
        stage.games, np.uint64(RECIPE.seed), EXACT, stage.trace, samples, targets,
    )  # fmt: skip
    assert np.array_equal(run.memory.samples[:32], samples.reshape(-1, 26))
    assert np.array_equal(run.memory.targets[:32], targets.reshape(-1, 6))


def test_export_carries_its_card(tmp_path: Path) -> None:
    run = Training(RECIPE.changed(stages=RECIPE.stages[:1]), tmp_path, 1)
    for _ in run.steps(1e9):
        pass
    model = load_model(run.export())
    for name, value in rounded(tensors(run.learner.mean)).items():
        assert np.array_equal(model.weights[name], value)
    assert model.card["positions"] == 3072
    assert model.card["recipe"]["hidden1"] == 16
    assert "points a game" in model.card["against_baseline"]
    assert "processors, learner on" in model.card["machine"]


def test_a_run_can_start_from_a_model(tmp_path: Path) -> None:
    (shipped,) = parts_of(load_model("probe").weights)
    units, seen = shipped["hidden1.weight"].shape
    units2 = len(shipped["hidden2.bias"])
    recipe = RECIPE.changed(hidden1=units, hidden2=units2, start="probe", parts=N_PLANS)
    parts = parts_of(tensors(Training(recipe, tmp_path / "same").learner.network))
    assert len(parts) == N_PLANS
    for begun in map(dict, parts):
        for name in ("hidden1.weight", "gate.weight"):
            first = begun.pop(name)
            assert np.array_equal(first[:, :seen], shipped[name])
            assert not first[:, seen:].any(), "new features begin without a say"
        assert all(np.array_equal(begun[name], shipped[name]) for name in begun)
    with pytest.raises(ModelError, match=r"hidden1\.weight"):
        Training(recipe.changed(hidden1=units - 1), tmp_path / "smaller")
    whole = tmp_path / "whole.safetensors"
    save_model(whole, tensors(Network(units, units2, parts=N_PLANS)), {})
    with pytest.raises(ModelError, match="3 parts, expected the recipe's 1"):
        Training(recipe.changed(start=str(whole), parts=1), tmp_path / "fewer")


def test_a_network_that_grows_says_what_it_said(tmp_path: Path) -> None:
    shipped = load_model("probe").weights
    (part,) = parts_of(shipped)
    units, units2 = len(part["hidden1.bias"]), len(part["hidden2.bias"])
    recipe = RECIPE.changed(hidden1=units + 16, hidden2=units2 + 4, start="probe")
    grown = Training(recipe, tmp_path).learner.network
    positions = np.array([p for p, _ in self_play_positions(Engine(depth=1), 50, 1)], np.int8)
    expected = nnue.probabilities(positions, pack(shipped))
    assert np.allclose(module_probabilities(grown, positions), expected, atol=1e-6)
    # The new units are there to learn: a step changes what the network says.
    loss = grown.logits(torch.from_numpy(encode(positions)))[:, 0].sum()
    loss.backward()
    gradient = grown.parts[0].get_parameter("output.weight").grad
    assert gradient is not None
    assert gradient[0, units2:].abs().sum() > 0


def test_another_recipe_does_not_go_on(tmp_path: Path) -> None:
    Training(RECIPE, tmp_path).save()
    with pytest.raises(ModelError, match="another recipe"):
        Training(RECIPE.changed(seed=4), tmp_path)
    (tmp_path / "checkpoint.pt").write_bytes(b"rubbish")
    with pytest.raises(ModelError, match="not a checkpoint"):
        Training(RECIPE, tmp_path)


def test_the_process_is_left_as_it_was(tmp_path: Path) -> None:
    threads = torch.get_num_threads()
    torch.manual_seed(8)
    expected = torch.rand(3)
    torch.manual_seed(8)
    torch.set_num_threads(2)
    try:
        run = Training(RECIPE.changed(stages=RECIPE.stages[:1]), tmp_path)
        assert torch.equal(torch.rand(3), expected)  # the network has its own random numbers
        steps = run.steps(1e9, report_every=0.0)
        next(steps)
        assert torch.get_num_threads() == 1
        steps.close()
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
