"""Training: targets against a slow twin, resumed runs, recipes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from gammon.train.config import Recipe, Stage, read_recipe
from gammon.train.run import Run

from gammon.engine import Engine
from gammon.errors import FormatError, ModelError
from gammon.eval import nnue
from gammon.eval.baseline import BASELINE
from gammon.eval.evaluators import load_evaluator
from gammon.eval.features import encode
from gammon.eval.model_file import load_model, save_model
from gammon.eval.network import Network, module_probabilities, tensors
from gammon.eval.packed import pack, parts_of, rounded
from gammon.eval.plan import N_PLANS
from gammon.rules.board import OPENING, flipped, is_over
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.moves import enumerate_plays
from gammon.rules.outcome import NOT_OVER, payoff
from gammon.rules.plays import MAX_ROWS, successors
from gammon.rules.throw import throw
from gammon.sample import self_play_positions
from gammon.train.selfplay import EXACT, SAMPLED, TAUGHT, play_turns
from gammon.train.strength import compare

RECIPE = Recipe(
    seed=3,
    hidden1=16,
    hidden2=4,
    stages=(
        Stage("sampled", 3072, (1e-2, 1e-3), games=64, turns=4, batch=64),
        Stage(
            "exact",
            320,
            (1e-2, 0.0),
            0.5,
            passes=3,
            memory=96,
            games=16,
            turns=2,
            batch=8,
            optimizer="muon",
            average=10,
        ),
    ),
)


def slow_reply(
    points: tuple[int, ...], outcome: int, network: Network
) -> tuple[np.ndarray, tuple[int, ...]]:
    """The chances of the six results after the best play, and what it leads to, slowly."""
    best: np.ndarray | None = None
    following: tuple[int, ...] = ()
    for after in enumerate_plays(points, ROLLS[outcome]):
        row = np.array([flipped(after)], np.int8)
        paid = payoff(row[0])
        if paid != NOT_OVER:
            chances = np.eye(6)[{-3: 0, -2: 1, -1: 2}[int(paid)]]
        else:
            packed = pack(tensors(network))
            out = np.empty((1, 6), np.float32)
            nnue.results(np.array(points, np.int8), row, 1, packed, out)
            chances = out[0].astype(float)
        mine = chances[::-1]
        values = np.array([-3, -2, -1, 1, 2, 3])
        if best is None or mine @ values > best @ values:
            best, following = mine, flipped(after)
    assert best is not None
    return best, following


@pytest.mark.parametrize(("target", "trace"), [(SAMPLED, 0.0), (SAMPLED, 0.7), (EXACT, 0.9)])
def test_targets(target: int, trace: float) -> None:
    torch.manual_seed(1)
    network = Network(16, 4)
    games, length, seed = 8, 5, np.uint64(9)
    nearly_over = (0, 2, 1, *[0] * 21, -1, 0)
    states = np.array([OPENING] * 4 + [nearly_over] * 4, np.int8)
    before = states.copy()
    numbers, turns = np.arange(games, dtype=np.uint64), np.zeros(games, np.uint64)
    samples = np.empty((length, games, 26), np.int8)
    targets = np.empty((length, games, 6), np.float32)
    play_turns(
        states, numbers, turns, 0, games, seed, pack(tensors(network)), target, trace,
        samples, targets,
    )  # fmt: skip
    finished = 0
    for g in range(games):
        points, number, turn = tuple(before[g].tolist()), g, 0
        expected, believed, ends = [], [], []
        for t in range(length):
            assert tuple(samples[t, g].tolist()) == points
            thrown = throw(seed, np.uint64(number), np.uint64(turn))
            replies = [slow_reply(points, k, network) for k in range(21)]
            believed.append(replies[thrown][0])
            mean = sum(p * reply for p, (reply, _) in zip(PROBABILITIES, replies, strict=True))
            expected.append(mean if target == EXACT else believed[-1])
            points, turn = replies[thrown][1], turn + 1
            ends.append(is_over(points))
            if ends[-1]:
                points, number, turn = OPENING, number + games, 0
                finished += 1
        assert (tuple(states[g].tolist()), numbers[g], turns[g]) == (points, number, turn)
        for t in reversed(range(length)):
            if t + 1 < length and not ends[t]:
                surprise = expected[t + 1][::-1] - believed[t]
                expected[t] = expected[t] + trace * surprise
            assert targets[t, g] == pytest.approx(expected[t], abs=1e-5)
    assert finished > 0, "no new game followed a finished one"


def test_a_whole_trace_of_exact_targets_is_the_result_without_its_luck() -> None:
    packed = pack(load_model("leaf").weights)
    length, seed = 200, np.uint64(3)
    states = np.array([OPENING], np.int8)
    samples = np.empty((length, 1, 26), np.int8)
    targets = np.empty((length, 1, 6), np.float32)
    one_turn = targets.copy()
    for trace, out in ((1.0, targets), (0.0, one_turn)):
        numbers, turns = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
        states[0] = OPENING
        play_turns(states, numbers, turns, 0, 1, seed, packed, EXACT, trace, samples, out)
    opening = np.array(OPENING, np.int8)
    starts = np.flatnonzero((samples[:, 0] == opening).all(1))
    assert len(starts) >= 2, "no game came to its end"
    points = np.array([-3, -2, -1, 1, 2, 3])
    out = np.empty((1, 6), np.float32)
    # The result of the first game, and the luck of each of its rolls.
    last = int(starts[1]) - 1
    luck = []
    for t in range(last):
        parent, following = samples[t, 0], samples[t + 1]
        nnue.results(parent, following, 1, packed, out)
        luck.append((-1) ** t * (out[0, ::-1] - one_turn[t, 0]) @ points)
    thrown = throw(seed, np.uint64(0), np.uint64(last))
    rows = np.empty((MAX_ROWS, 26), np.int8)
    n = successors(samples[last, 0], thrown, rows)
    result = max(-payoff(row) for row in rows[:n] if payoff(row) != NOT_OVER)
    luck.append((-1) ** last * (result - one_turn[last, 0] @ points))
    assert targets[0, 0] @ points == pytest.approx((-1) ** last * result - sum(luck), abs=1e-3)


def test_taught_samples_are_any_replies_as_the_teacher_values_them() -> None:
    packed = pack(load_model("leaf").weights)
    games = 64
    states = np.tile(np.array(OPENING, np.int8), (games, 1))
    numbers, turns = np.arange(games, dtype=np.uint64), np.zeros(games, np.uint64)
    samples = np.empty((1, games, 26), np.int8)
    targets = np.empty((1, games, 6), np.float32)
    thrown = [throw(np.uint64(9), numbers[g], turns[g]) for g in range(games)]
    play_turns(
        states, numbers, turns, 0, games, np.uint64(9), packed, TAUGHT, 0.0, samples, targets
    )
    best = 0
    for g in range(games):
        sample = tuple(samples[0, g].tolist())
        legal = {flipped(after) for after in enumerate_plays(OPENING, ROLLS[thrown[g]])}
        assert sample in legal
        best += sample == tuple(states[g].tolist())
    assert 0 < best < games / 4, "replies are drawn, not only the best ones"
    expected = np.empty((games, 6), np.float32)
    nnue.results(np.array(OPENING, np.int8), samples[0], games, packed, expected)
    assert targets[0] == pytest.approx(expected, abs=1e-6)


def weights_after(folder: Path, threads: int, pieces: int) -> dict[str, np.ndarray]:
    for _ in range(pieces - 1):
        run = Run(RECIPE, folder, threads)
        for count, _ in enumerate(run.steps(1e9, report_every=0.0)):
            if count == 10:
                run.save()  # what a kill leaves behind: a checkpoint, and nothing after it
                break
    run = Run(RECIPE, folder, threads)
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
    run = Run(replace(RECIPE, stages=(*RECIPE.stages, replace(exact, trace=0.2))), tmp_path)
    in_memory: dict[int, int] = {}
    for progress in run.steps(1e9, report_every=0.0):
        # After a stage's first round nothing of it has been learned from yet.
        in_memory.setdefault(progress.stage, run.memory.added)
    assert in_memory == {0: 0, 1: 0, 2: 320}
    assert run.memory.added == 640


def test_a_teacher_plays_and_its_words_are_the_targets(tmp_path: Path) -> None:
    stage = replace(RECIPE.stages[1], positions=32)
    run = Run(replace(RECIPE, stages=(stage,), teacher="probe"), tmp_path)
    states, numbers, turns = run.states.copy(), run.numbers.copy(), run.turns.copy()
    for _ in run.steps(1e9):
        pass
    samples = np.empty((stage.turns, stage.games, 26), np.int8)
    targets = np.empty((stage.turns, stage.games, 6), np.float32)
    play_turns(
        states, numbers, turns, 0, stage.games, np.uint64(RECIPE.seed),
        load_evaluator("probe").weights, EXACT, stage.trace, samples, targets,
    )  # fmt: skip
    assert np.array_equal(run.memory.samples[:32], samples.reshape(-1, 26))
    assert np.array_equal(run.memory.targets[:32], targets.reshape(-1, 6))


def test_export_carries_its_card(tmp_path: Path) -> None:
    run = Run(replace(RECIPE, stages=RECIPE.stages[:1]), tmp_path, 1)
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
    recipe = replace(RECIPE, hidden1=units, hidden2=units2, start="probe", parts=N_PLANS)
    parts = parts_of(tensors(Run(recipe, tmp_path / "same").learner.network))
    assert len(parts) == N_PLANS
    for begun in map(dict, parts):
        for name in ("hidden1.weight", "gate.weight"):
            first = begun.pop(name)
            assert np.array_equal(first[:, :seen], shipped[name])
            assert not first[:, seen:].any(), "new features begin without a say"
        assert all(np.array_equal(begun[name], shipped[name]) for name in begun)
    with pytest.raises(ModelError, match=r"hidden1\.weight"):
        Run(replace(recipe, hidden1=units - 1), tmp_path / "smaller")
    whole = tmp_path / "whole.safetensors"
    save_model(whole, tensors(Network(units, units2, parts=N_PLANS)), {})
    with pytest.raises(ModelError, match="3 parts, expected the recipe's 1"):
        Run(replace(recipe, start=str(whole), parts=1), tmp_path / "fewer")


def test_a_network_that_grows_says_what_it_said(tmp_path: Path) -> None:
    shipped = load_model("probe").weights
    (part,) = parts_of(shipped)
    units, units2 = len(part["hidden1.bias"]), len(part["hidden2.bias"])
    recipe = replace(RECIPE, hidden1=units + 16, hidden2=units2 + 4, start="probe")
    grown = Run(recipe, tmp_path).learner.network
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
    Run(RECIPE, tmp_path).save()
    with pytest.raises(ModelError, match="another recipe"):
        Run(replace(RECIPE, seed=4), tmp_path)
    (tmp_path / "checkpoint.pt").write_bytes(b"rubbish")
    with pytest.raises(ModelError, match="not a checkpoint"):
        Run(RECIPE, tmp_path)


def test_recipes(tmp_path: Path) -> None:
    for path in (Path(__file__).parents[2] / "scripts").glob("*.toml"):
        recipe = read_recipe(path)
        assert recipe.stages
        for stage in recipe.stages:
            first, last = stage.rate
            assert stage.rate_at(0) == first
            assert stage.rate_at(stage.rounds * stage.updates - 1) == pytest.approx(last)
    wrong = tmp_path / "wrong.toml"
    right = "seed=1\n[network]\nhidden1=8\nhidden2=4\n[[stage]]\n"
    right += 'target="sampled"\npositions=1\nrate=[0.1,0]\nbatch=1\n'
    wrong.write_text(right)
    assert read_recipe(wrong).stages[0].positions == 1
    for old, new, words in (
        ("seed=1", "seed=-1", "seed -1"),
        ("seed=1", 'seed="x"', "seed 'x': expected a whole number"),
        ("hidden1=8", "hidden1=0", "hidden1 0"),
        ("hidden1=8", "hidden1=true", "hidden1 True"),
        ("hidden2=4", "hidden2=6", "multiple of 4"),
        ("batch=1", "batch=1.5", "batch 1.5: expected a whole number"),
        ("batch=1", 'passes="2"', "passes '2'"),
        ("batch=1", "memory=-1", "memory -1"),
        ("[0.1,0]", '["a",0]', "rate"),
        ("[0.1,0]", "[nan,0]", "rate"),
        ("positions=1", "positions=0", "at least 1"),
    ):
        assert old in right
        wrong.write_text(right.replace(old, new))
        with pytest.raises(FormatError, match=words):
            read_recipe(wrong)
    wrong.write_text("seed=1\nstage=[]\n[network]\nhidden1=8\nhidden2=4\n")
    with pytest.raises(FormatError, match="without a"):
        read_recipe(wrong)
    for text, words in (
        ("seed = ", "not TOML"),
        ("seed = 1", "missing"),
        ('seed=1\n[network]\nhidden1=8\nhidden2=4\n[[stage]]\ntarget="best"', "missing"),
        (
            'seed=1\n[network]\nhidden1=8\nhidden2=4\n[[stage]]\ntarget="best"\npositions=1\n'
            "games=1\nrate=[1,1]",
            "'best'",
        ),
        (
            'seed=1\n[network]\nhidden1=8\nhidden2=4\n[[stage]]\ntarget="exact"\npositions=1\n'
            'games=1\nrate=[1,1]\noptimizer="sgd"',
            "'sgd'",
        ),
        (
            'seed=1\n[network]\nhidden1=8\nhidden2=4\n[[stage]]\ntarget="exact"\npositions=1\n'
            "games=1\nrate=[nan,1]",
            "rate",
        ),
    ):
        wrong.write_text(text)
        with pytest.raises(FormatError, match=words):
            read_recipe(wrong)


def test_the_shipped_network_beats_the_baseline() -> None:
    from gammon.search.game import Evaluator

    leaf = Evaluator(nnue.values, pack(load_model("leaf").weights))
    strength = compare(leaf, BASELINE, 2000, seed=5)
    assert strength.points - 4 * strength.error > 1.0
    opposite = compare(BASELINE, leaf, 2000, seed=5)
    assert opposite.points == pytest.approx(-strength.points), "the seats are not symmetric"
