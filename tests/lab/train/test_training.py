"""Training: runs that are interrupted or start from a model, samples, what is learned."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from gammon.base.errors import GammonError, ModelError, SettingError
from gammon.base.folder import version_with_commit
from gammon.eval.evaluators import evaluator_of, load_evaluator
from gammon.eval.model_file import load_model
from gammon.eval.network import Network, tensors
from gammon.formats.position import parse_start
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import OPENING, PHASES, phase_of
from gammon.rules.outcome import POINTS
from gammon.search import problem_of
from gammon_lab.train import starts, training
from gammon_lab.train.learner import Learner, load_checkpoint, save_checkpoint
from gammon_lab.train.recipe import Recipe, Samples, TrainingStage
from gammon_lab.train.sample_folder import (
    APART,
    HeldOutPositions,
    Lesson,
    chances,
    check_samples,
    make_pieces,
    measures,
    open_piece,
    open_pieces,
    samples_folder,
    traced,
)
from gammon_lab.train.selfplay import EXACT, Aim, played_positions, start_turns
from gammon_lab.train.training import (
    SampleMemory,
    Training,
    first_network,
    sorted_by_activity,
    training_folder,
)
from tests.lab.train.recipes import changed

# Training: runs that are interrupted, run in threads, or start from a model.

pytestmark = pytest.mark.usefixtures("little_work")

RECIPE = Recipe(
    seed=3,
    hidden1=16,
    hidden2=4,
    stages=(
        TrainingStage(target="sampled", positions=3072, rate=(1e-2, 1e-3), games=64, turns=4, batch=64),
        TrainingStage(
            target="exact",
            positions=320,
            rate=(1e-2, 0.0),
            trace=0.5,
            passes=3,
            memory=96,
            games=16,
            turns=2,
            batch=8,
            optimizer="muon",
            average=10,
            starts=0.5,
        ),
    ),
)


def weights_after(
    folder: Path, threads: int, pieces: int, recipe: Recipe = RECIPE, rounds: int = 10
) -> dict[str, np.ndarray]:
    """The weights after a run in pieces, each of which but the last one has some rounds."""
    for _ in range(pieces - 1):
        run = Training(recipe, folder, threads)
        for count, _ in enumerate(run.steps(1e9, report_every=0.0)):
            if count == rounds:
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


def test_resumed_runs_and_threads_change_nothing(undisturbed: dict[str, np.ndarray], tmp_path: Path) -> None:
    other = weights_after(tmp_path / "other", threads=2, pieces=3)
    for key, value in undisturbed.items():
        assert np.array_equal(value, other[key]), key


def test_a_stage_of_the_same_target_goes_on_with_the_samples_of_the_one_before(tmp_path: Path) -> None:
    sampled, exact = RECIPE.stages
    exact = changed(exact, positions=160)
    stages = changed(sampled, positions=512), exact, changed(exact, trace=0.2)
    run = Training(changed(RECIPE, stages=stages), tmp_path)
    in_memory: dict[int, int] = {}
    for progress in run.steps(1e9, report_every=0.0):
        # After a stage's first round nothing of it has been learned from yet.
        in_memory.setdefault(progress.stage, run.memory.added)
    assert in_memory == {0: 0, 1: 0, 2: 160}
    assert run.memory.added == 320


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
            target="made",
            positions=640,
            passes=2,
            rate=(1e-2, 0.0),
            batch=64,
            games=16,
            turns=2,
            optimizer="muon",
        ),
    ),
)


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
def test_a_checkpoint_of_something_else(tmp_path: Path, change: Callable[[dict, dict], None]) -> None:
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


# A network learned from a folder of samples, and the measures of what it learned.

LESSON_EXACT = Samples(
    model="probe", positions=2000, seed=5, starts=0.5, trace=0.5, share=0.75, games=8, turns=130
)
STATIC = Samples(model="probe", positions=100, seed=6, target="static", share=0.25, games=4, turns=50)
STAGE = TrainingStage(
    target="made",
    positions=2048,
    rate=(1e-2, 0.0),
    passes=4,
    batch=64,
    optimizer="muon",
    average=5,
    games=16,
    turns=16,
)
LESSON_RECIPE = Recipe(seed=1, hidden1=16, hidden2=4, samples=(LESSON_EXACT, STATIC), stages=(STAGE,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("samples")
    for _ in make_pieces(LESSON_RECIPE, found, threads=1):
        pass
    return found


def sizes(lesson: Lesson) -> list[int]:
    """How many samples of each kind there are to draw from."""
    return [len(rows) for rows, _ in lesson._kinds]


def test_a_batch_has_so_many_of_each_kind(folder: Path) -> None:
    lesson = Lesson(LESSON_RECIPE, folder)
    assert sizes(lesson) == [2000, 100]
    known = []
    for which, samples in enumerate(LESSON_RECIPE.samples):
        pieces = open_pieces(folder, which)
        rows = np.concatenate([piece["position"].reshape(-1, 26) for piece in pieces])
        targets = np.concatenate([traced(piece, samples.trace).reshape(-1, 6) for piece in pieces])
        first = slice(0, samples.positions)
        pairs = zip(rows[first], targets[first], strict=True)
        known.append({row.tobytes() + target.tobytes() for row, target in pairs})
    drawn, targets = lesson.draw(np.random.default_rng(1), 100)
    pairs = [row.tobytes() + target.tobytes() for row, target in zip(drawn, targets, strict=True)]
    assert all(pair in known[0] for pair in pairs[:75])
    assert all(pair in known[1] for pair in pairs[75:])
    assert len(set(pairs)) > 60
    more = changed(LESSON_RECIPE, samples=(changed(LESSON_EXACT, positions=3000), STATIC))
    missing = r"samples-1-0003\.npy' is missing, and the pieces before it hold 2080 of the 3000"
    with pytest.raises(SettingError, match=missing):
        Lesson(more, folder)


def test_the_first_piece_that_is_missing_is_named(folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("*.npy"):
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "samples-1-0002.npy").rename(tmp_path / "samples-1-0003.npy")
    missing = r"samples-1-0002\.npy' is missing, and the pieces before it hold 1040 of the 2000"
    with pytest.raises(SettingError, match=missing):
        Lesson(LESSON_RECIPE, tmp_path)


def test_learning_comes_nearer_to_the_targets(folder: Path, tmp_path: Path) -> None:
    run = Training(LESSON_RECIPE, tmp_path / "run", samples=folder)
    begun = run.weights()
    begun = {name: value.copy() for name, value in begun.items()}
    for _ in run.steps(1e9):
        pass
    judge = HeldOutPositions(folder)
    after, before = (judge.measures(each)["all"] for each in (run.weights(), begun))
    assert after.ahead < before.ahead
    assert after.further < before.further
    said = list(measures(LESSON_RECIPE, folder, run.weights()))
    assert said[0].strip() == f"all: {after}", "of samples with exact targets only"
    assert len(said) == len(judge.groups)


def test_measures(folder: Path) -> None:
    weights = tensors(Network(16, 4))
    piece = open_piece(folder, 0, APART)
    kept = LESSON_EXACT.turns - 100
    results = traced(piece, 1.0) @ POINTS
    said = chances(evaluator_of(weights), piece["position"]) @ POINTS
    judge = HeldOutPositions(folder)
    found = judge.measures(weights)
    groups: dict[str, list[tuple[int, float, float]]] = {}
    for g in range(LESSON_EXACT.games):
        drawn = True
        for t in range(kept):
            points = tuple(piece["position"][t, g].tolist())
            if t == 0 or piece["last"][t - 1, g]:
                drawn = points != OPENING
            begun = "games from drawn positions" if drawn else "games from the opening"
            off, own = (x - results[t, g] for x in (said[t, g], piece["believed"][t, g] @ POINTS))
            ahead = said[t, g] - piece["target"][t, g] @ POINTS
            for name in ("all", begun, phase_of(points)):
                groups.setdefault(name, []).append((g, 1e4 * (off**2 - own**2), ahead**2))
    assert found.keys() == groups.keys()
    assert len(found.keys() & set(PHASES)) >= 2
    for name, rows in groups.items():
        numbers, further, ahead = np.array(rows).T
        mean = further.mean()
        sums = [(further - mean)[numbers == g].sum() for g in range(LESSON_EXACT.games)]
        assert found[name].share == pytest.approx(len(rows) / (kept * LESSON_EXACT.games))
        assert found[name].further == pytest.approx(mean, rel=1e-4)
        assert found[name].error == pytest.approx(np.linalg.norm(sums) / len(rows), rel=1e-3)
        assert found[name].ahead == pytest.approx(np.sqrt(ahead.mean()), rel=1e-4)
    own = judge.measures(load_model("probe").weights)
    assert own["all"].further == pytest.approx(0.0, abs=1e-3)
    assert str(own["all"]).startswith("100.0% of positions   +0.00 +- 0.00 further")


# Folders of samples: pieces that are made again are the same, and nothing else is read.

SETTINGS = Samples(model="probe", positions=1, seed=5, starts=0.5, games=4, turns=120)
ROOM = SETTINGS.games * SETTINGS.turns
SAMPLE_FOLDER_STAGE = TrainingStage(target="made", positions=1, rate=(1e-2, 0.0))


def made(folder: Path, positions: int, threads: int = 1, **changes: object) -> list[bytes]:
    """Make the pieces of a folder, and return what is in its files."""
    settings = changed(SETTINGS, positions=positions, **changes)
    recipe = Recipe(seed=1, hidden1=16, hidden2=4, samples=(settings,), stages=(SAMPLE_FOLDER_STAGE,))
    with samples_folder(recipe, folder):
        for _ in make_pieces(recipe, folder, threads):
            pass
    return [path.read_bytes() for path in sorted(folder.glob("*.npy"))]


@pytest.mark.smoke
def test_missing_pieces_are_made_as_they_were(tmp_path: Path) -> None:
    whole = made(tmp_path / "whole", 2 * ROOM, threads=2)
    assert len(set(whole)) == 3
    assert made(tmp_path / "grown", 1) == whole[:2]
    assert made(tmp_path / "grown", ROOM + 1) == whole
    (tmp_path / "grown" / "samples-1-0001.npy").unlink()
    with pytest.raises(GammonError, match=r"samples-1-0001\.npy': no samples there"):
        open_pieces(tmp_path / "grown", 0)
    assert made(tmp_path / "grown", ROOM + 1) == whole
    assert len(open_pieces(tmp_path / "grown", 0)) == 2
    with pytest.raises(GammonError, match="holds samples from games of probe, seed 5"):
        made(tmp_path / "grown", 1, seed=6)
    assert made(tmp_path / "other", 1, seed=6)[0] != whole[0]


def test_damaged_pieces_are_made_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """As after a full disk, or a copy that was cut off; or a piece of another size."""
    whole = made(tmp_path, ROOM + 1)
    first, second, third = sorted(tmp_path.glob("*.npy"))
    first.write_bytes(whole[0][: len(whole[0]) // 2])
    np.save(third, np.load(third)[:-1])
    assert caplog.messages == []
    assert made(tmp_path, ROOM + 1) == whole
    assert caplog.messages == [f"{str(path)!r} is damaged, and made again" for path in (first, third)]
    assert made(tmp_path, ROOM + 1) == whole
    assert len(caplog.messages) == 2, "whole pieces stay"
    assert second.read_bytes() == whole[1]


def test_a_flipped_bit_is_seen(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    whole = made(tmp_path, 1)
    path = tmp_path / "samples-1-0001.npy"
    damaged = bytearray(whole[1])
    damaged[len(damaged) // 2] ^= 4
    path.write_bytes(damaged)
    with pytest.raises(GammonError, match="cannot be read as samples"):
        open_pieces(tmp_path, 0)
    assert made(tmp_path, 1) == whole
    assert caplog.messages == [f"{str(path)!r} is damaged, and made again"]


def test_samples_of_another_recipe_are_refused(tmp_path: Path) -> None:
    made(tmp_path, 1)
    recipe = Recipe(seed=1, hidden1=16, hidden2=4, samples=(SETTINGS,), stages=(SAMPLE_FOLDER_STAGE,))
    check_samples(recipe, tmp_path)
    other = recipe.model_copy(update={"samples": (changed(SETTINGS, starts=0.25),)})
    with pytest.raises(GammonError, match="holds samples from games of probe, seed 5"):
        check_samples(other, tmp_path)
    (tmp_path / "run.json").unlink()
    with pytest.raises(GammonError, match=r"holds no run\.json: expected samples from games"):
        check_samples(recipe, tmp_path)
    check_samples(recipe.model_copy(update={"samples": ()}), tmp_path)


def test_what_is_in_a_piece(tmp_path: Path) -> None:
    made(tmp_path, 1)
    evaluator = load_evaluator("probe")
    pieces = [open_piece(tmp_path, 0, APART), *open_pieces(tmp_path, 0)]
    first = {tuple(row) for row in starts.mixed_starts(0.5, 5).tolist()}
    for piece in pieces:
        assert piece.shape == (SETTINGS.turns, SETTINGS.games)
        begun = {tuple(row) for row in piece["position"][0].tolist()}
        begun |= {tuple(row) for row in piece["position"][1:][piece["last"][:-1]].tolist()}
        assert begun <= first
        assert len(begun | {OPENING}) > 1, "drawn ones among them"
        assert np.array_equal(piece["believed"], chances(evaluator, piece["position"]))


def test_traced_targets_are_those_of_self_play(tmp_path: Path) -> None:
    made(tmp_path, 1, starts=0.0)
    piece = open_piece(tmp_path, 0, APART)
    games = np.arange(SETTINGS.games, dtype=np.uint64)
    with ThreadPoolExecutor(1) as pool:
        played = start_turns(
            pool,
            1,
            problem_of(BACKGAMMON, load_evaluator("probe")),
            np.tile(np.array(OPENING, np.int8), (SETTINGS.games, 1)),
            games,
            np.zeros_like(games),
            SETTINGS.turns,
            SETTINGS.seed,
            np.array([OPENING], np.int8),
            Aim(EXACT, 0.7),
        )()
    assert np.array_equal(piece["position"], played.samples)
    assert np.array_equal(piece["last"], played.ends)
    assert piece["last"].any()
    assert traced(piece, 0.7) == pytest.approx(played.targets, abs=1e-5)
    assert np.array_equal(traced(piece, 0.0), piece["target"])


def test_static_targets_are_what_the_network_says(tmp_path: Path) -> None:
    made(tmp_path, 1, target="static", starts=0.25, families=0.5)
    first = {tuple(row) for row in starts.mixed_starts(0.25, 5, 0.5).tolist()}
    for piece in (open_piece(tmp_path, 0, APART), *open_pieces(tmp_path, 0)):
        assert np.array_equal(piece["target"], piece["believed"])
        said = chances(load_evaluator("probe"), piece["position"])
        assert np.array_equal(piece["believed"], said)
        assert {tuple(row) for row in piece["position"][0].tolist()} <= first


def test_other_files_are_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(GammonError, match="no samples there: expected a folder that"):
        open_piece(tmp_path, 0, APART)
    unread = r"samples-1-0000\.npy' cannot be read as samples: expected `gammon train make` to"
    for wrong in (np.zeros(3), np.zeros((2, 2))):
        np.save(tmp_path / "samples-1-0000.npy", wrong)
        with pytest.raises(GammonError, match=unread):
            open_piece(tmp_path, 0, APART)
    path = tmp_path / "samples-1-0000.npy"
    whole = path.read_bytes()
    # Numpy's reader of the header has errors of its own, such as TokenError and SyntaxError.
    for damaged in (
        b"\x93NUMPY",
        whole.replace(b"{", b"(", 1),
        whole.replace(b"'descr'", b"1'descr", 1),
        whole.replace(b"}", b" ", 1),
    ):
        path.write_bytes(damaged)
        with pytest.raises(GammonError, match=unread):
            open_piece(tmp_path, 0, APART)


def test_games_may_begin_in_nackgammon(tmp_path: Path) -> None:
    """Self-play begins there; the shares of drawn positions stay what they are."""
    stages = tuple(stage.model_copy(update={"opening": "nackgammon"}) for stage in RECIPE.stages)
    run = Training(RECIPE.model_copy(update={"stages": stages}), tmp_path, 1)
    assert run.starts.tolist() == [list(parse_start("nackgammon"))]
    assert (run.states == run.starts[0]).all()
