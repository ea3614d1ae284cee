"""Training: runs that are interrupted, run in threads, or start from a model."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from gammon.base.errors import GammonError, ModelError, SettingError
from gammon.base.revision import version_with_commit
from gammon.eval.model_file import load_model
from gammon.eval.network import tensors
from gammon.eval.plan import N_PLANS, N_USUAL, plan_of
from gammon.train import training
from gammon.train.checkpoint import load_checkpoint, save_checkpoint
from gammon.train.learner import Learner
from gammon.train.lesson import Lesson
from gammon.train.recipe import Recipe, Samples, TrainingStage
from gammon.train.sample_folder import make_pieces
from gammon.train.selfplay import played_positions
from gammon.train.training import SampleMemory, Training, first_network, training_folder
from gammon.train.units import sorted_by_activity
from tests.engine.train.recipes import changed

pytestmark = pytest.mark.usefixtures("little_work")

RECIPE = Recipe(
    seed=3,
    hidden1=16,
    hidden2=4,
    stages=(
        TrainingStage(
            target="sampled", positions=3072, rate=(1e-2, 1e-3), games=64, turns=4, batch=64
        ),
        TrainingStage(
            target="exact", positions=320, rate=(1e-2, 0.0), trace=0.5, passes=3, memory=96,
            games=16, turns=2, batch=8, optimizer="muon", average=10, starts=0.5,
        ),
    ),
)  # fmt: skip


#: Parts that learn from games of their own, beside parts that do not; some rounds have none of
#: their positions.
KEPT = changed(
    RECIPE, start="probe", hidden2=8, parts=N_PLANS, kept=N_USUAL, stages=(
        TrainingStage(
            target="exact", positions=800, rate=(1e-2, 0.0), trace=0.9, memory=96, games=4,
            turns=10, batch=8, families=0.5,
        ),
    ),
)  # fmt: skip


def weights_after(
    folder: Path, threads: int, pieces: int, recipe: Recipe = RECIPE
) -> dict[str, np.ndarray]:
    for _ in range(pieces - 1):
        run = Training(recipe, folder, threads)
        for count, _ in enumerate(run.steps(1e9, report_every=0.0)):
            if count == 10:
                run.save()  # what a kill leaves behind: a checkpoint, and nothing after it
                break
    run = Training(recipe, folder, threads)
    for _ in run.steps(1e9):
        pass
    assert run.positions == sum(stage.positions for stage in recipe.stages)
    return tensors(run.learner.mean)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    """The weights after a run that nobody disturbed."""
    return weights_after(tmp_path_factory.mktemp("undisturbed"), threads=1, pieces=1)


def test_resumed_runs_and_threads_change_nothing(
    undisturbed: dict[str, np.ndarray], tmp_path: Path
) -> None:
    other = weights_after(tmp_path / "other", threads=2, pieces=3)
    for key, value in undisturbed.items():
        assert np.array_equal(value, other[key]), key


def test_kept_parts_stay_and_the_others_learn_from_their_own_positions(tmp_path: Path) -> None:
    before = tensors(first_network(KEPT))
    found = [weights_after(tmp_path / str(n), 3 - n, n, KEPT) for n in (1, 2)]
    for key, value in before.items():
        learns = int(key.split(".")[1]) >= N_USUAL
        assert np.array_equal(found[0][key], value) != learns, key
        assert np.array_equal(found[0][key], found[1][key]), key
    arrays, _ = load_checkpoint(tmp_path / "1" / "checkpoint.safetensors")
    rows = arrays["memory.samples"]
    assert all(plan_of(row, N_PLANS) >= N_USUAL for row in rows[rows.any(axis=1)])


def test_a_stage_of_the_same_target_goes_on_with_the_samples_of_the_one_before(
    tmp_path: Path,
) -> None:
    sampled, exact = RECIPE.stages
    stages = changed(sampled, positions=512), exact, changed(exact, trace=0.2)
    run = Training(changed(RECIPE, stages=stages), tmp_path)
    in_memory: dict[int, int] = {}
    for progress in run.steps(1e9, report_every=0.0):
        # After a stage's first round nothing of it has been learned from yet.
        in_memory.setdefault(progress.stage, run.memory.added)
    assert in_memory == {0: 0, 1: 0, 2: 320}
    assert run.memory.added == 640


MADE = Recipe(
    seed=3,
    hidden1=16,
    hidden2=4,
    samples=(
        Samples(model="probe", positions=400, trace=0.5, share=0.75, games=8, turns=50),
        Samples(model="probe", positions=300, target="static", share=0.25, games=8, turns=50),
    ),
    stages=(
        TrainingStage(
            target="made", positions=640, passes=2, rate=(1e-2, 0.0), batch=64, games=16,
            turns=2, optimizer="muon",
        ),
    ),
)  # fmt: skip


def test_a_stage_learns_from_samples_that_were_made(tmp_path: Path) -> None:
    for _ in make_pieces(MADE, tmp_path / "samples", threads=1):
        pass
    with pytest.raises(SettingError, match="samples: expected the folder"):
        Training(MADE, tmp_path / "none")
    found = []
    for name, pieces in (("one", 1), ("other", 2)):
        for last in [False] * (pieces - 1) + [True]:
            run = Training(MADE, tmp_path / name, samples=tmp_path / "samples")
            for count, _ in enumerate(run.steps(1e9, report_every=0.0)):
                if count == 5 and not last:
                    run.save()
                    break
        found.append(run.weights())
        assert (run.positions, run.finished_games) == (640, 0)
    assert all(np.array_equal(found[1][name], value) for name, value in found[0].items())
    # The slow twin: batches of both kinds, of the sizes that their shares give.
    card = load_model(run.export()).card
    assert card["origin"].endswith("by positions and targets of probe (distillation)")
    stage, lesson = MADE.stages[0], Lesson(MADE, tmp_path / "samples")
    twin = Learner(first_network(MADE))
    twin.start("muon", 1)
    for number in range(20):
        random = np.random.default_rng([3, 0, number])
        samples, targets = lesson.draw(random, 64)
        twin.learn(samples, targets, stage.rate_at(number))
    assert stage.updates == 1
    assert all(np.array_equal(tensors(twin.mean)[k], value) for k, value in found[0].items())


def test_export_carries_its_card(tmp_path: Path) -> None:
    run = Training(changed(RECIPE, stages=RECIPE.stages[:1]), tmp_path, 1)
    for _ in run.steps(1e9):
        pass
    model = load_model(run.export())
    positions = played_positions(run.evaluator(), RECIPE.seed)
    expected = sorted_by_activity(tensors(run.learner.mean), positions)
    for name, value in expected.items():
        assert np.array_equal(model.weights[name], value)
    assert model.card["positions"] == 3072
    assert model.card["recipe"]["hidden1"] == 16
    beaten = "points a game, depth 1, against gammon/eval/baseline.py"
    assert model.card["against_baseline"].endswith(beaten)
    assert "processors, learner on" in model.card["machine"]
    assert model.card["origin"] == "`gammon train` from random weights, by self-play"
    assert model.card["gammon"] == version_with_commit()
    assert (model.card["torch"], model.card["licence"]) == (torch.__version__, "MIT")


def test_units_that_die_in_a_stage_begin_the_next_one_anew(tmp_path: Path) -> None:
    run = Training(RECIPE, tmp_path)
    dead = 5
    with torch.no_grad():
        run.learner.network.parts[0].get_parameter("gate.bias")[dead] = -1000.0
    for progress in run.steps(1e9, report_every=0.0):
        if run.stage == 1 and progress.stage == 0:
            break
    for network in (run.learner.network, run.learner.mean):
        assert network.parts[0].get_parameter("gate.bias")[dead].abs() < 1
        assert not network.parts[0].get_parameter("hidden2.weight")[:, dead].any()


def test_another_recipe_does_not_go_on(tmp_path: Path) -> None:
    with training_folder(RECIPE, tmp_path):
        Training(RECIPE, tmp_path).save()
    other = training_folder(changed(RECIPE, seed=4), tmp_path)
    with pytest.raises(GammonError, match=r"seed 3, not .* seed 4"), other:
        pass


def changed_checkpoint(path: Path, change: Callable[[dict, dict], None]) -> None:
    """Write a checkpoint with something changed, and the checksum right."""
    arrays, facts = load_checkpoint(path)
    arrays = dict(arrays)
    change(arrays, facts)
    save_checkpoint(path, arrays, facts)


def board_of_sixteen(arrays: dict, facts: dict) -> None:
    arrays["states"] = arrays["states"].copy()
    arrays["states"][3, 24] = 127


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays, facts: facts.pop("stage"),
        lambda arrays, facts: facts.update(stage=99),
        lambda arrays, facts: facts.update(round=-1),
        lambda arrays, facts: facts.update(round=10**30),
        lambda arrays, facts: facts.update(positions="many"),
        lambda arrays, facts: facts.update(seconds=[]),
        lambda arrays, facts: arrays.pop("states"),
        lambda arrays, facts: arrays.pop("mean.parts.0.output.bias"),
        lambda arrays, facts: arrays.update(turns=np.zeros(64, np.float32)),
        lambda arrays, facts: arrays.update(other=np.zeros(2)),
        lambda arrays, facts: arrays.update({"optimizer.0.1.exp_avg": np.zeros(2, np.float32)}),
        board_of_sixteen,
    ],
)
def test_a_checkpoint_of_something_else(
    tmp_path: Path, change: Callable[[dict, dict], None]
) -> None:
    """Also one whose checksum is right: one line, and nothing of it is used."""
    run = Training(RECIPE, tmp_path)
    next(iter(run.steps(1e9, report_every=0.0)))
    run.save()
    changed_checkpoint(tmp_path / "checkpoint.safetensors", change)
    with pytest.raises(ModelError, match="not what `gammon train` writes") as caught:
        Training(RECIPE, tmp_path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_an_interrupt_leaves_the_last_checkpoint(
    undisturbed: dict[str, np.ndarray], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of a round, when half of it is learned."""
    run = Training(RECIPE, tmp_path / "run")
    learned, learn = [], run.learner.learn

    def interrupted(*arguments: Any) -> float:
        learned.append(learn(*arguments))
        if len(learned) == 14:
            raise KeyboardInterrupt
        return learned[-1]

    monkeypatch.setattr(training, "_SAVE_SECONDS", 0.0)
    monkeypatch.setattr(run.learner, "learn", interrupted)
    with pytest.raises(KeyboardInterrupt):
        for _ in run.steps(1e9):
            pass
    other = weights_after(tmp_path / "run", threads=1, pieces=1)
    assert all(np.array_equal(other[key], value) for key, value in undisturbed.items())


def test_too_little_memory_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def empty(size: int) -> SampleMemory:
        if size:
            raise MemoryError
        return SampleMemory(np.zeros((0, 26), np.int8), np.zeros((0, 6), np.float32))

    monkeypatch.setattr(SampleMemory, "empty", empty)
    with pytest.raises(SettingError, match="memory 256: this machine has no room"):
        Training(RECIPE, tmp_path)


def test_the_process_is_left_as_it_was(tmp_path: Path) -> None:
    threads = torch.get_num_threads()
    torch.manual_seed(8)
    expected = torch.rand(3)
    torch.manual_seed(8)
    torch.set_num_threads(2)
    try:
        run = Training(changed(RECIPE, stages=RECIPE.stages[:1]), tmp_path)
        assert torch.equal(torch.rand(3), expected)  # the network has its own random numbers
        steps = run.steps(1e9, report_every=0.0)
        next(steps)
        assert torch.get_num_threads() == 1
        steps.close()
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)


def sample(number):
    return np.full((1, 26), number, np.int8), np.full((1, 6), number, np.float32)


def test_the_oldest_give_way():
    memory = SampleMemory.empty(4)
    random = np.random.default_rng(1)
    for number in range(1, 7):
        memory.add(*sample(number))
        latest = set(range(max(number - 3, 1), number + 1))
        samples, targets = memory.draw(random, 100)
        assert set(samples[:, 0].tolist()) == latest
        assert (samples[:, :1] == targets).all()
