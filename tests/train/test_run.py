"""Training: targets against a slow twin, resumed runs, recipes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from gammon.engine import Engine
from gammon.errors import FormatError, ModelError
from gammon.eval import nnue
from gammon.eval.baseline import BASELINE
from gammon.eval.features import encode
from gammon.eval.network import Network, module_probabilities
from gammon.eval.packed import pack
from gammon.eval.weights import load_model
from gammon.rules.board import OPENING, flipped, is_over
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.moves import enumerate_plays
from gammon.rules.outcome import NOT_OVER, payoff
from gammon.rules.throw import throw
from gammon.sample import self_play_positions
from gammon.train.config import Recipe, Stage, read_recipe
from gammon.train.run import Run, tensors
from gammon.train.selfplay import EXACT, SAMPLED, TAUGHT, play_turns
from gammon.train.strength import compare

RECIPE = Recipe(
    seed=3,
    hidden1=16,
    hidden2=4,
    stages=(
        Stage("sampled", 3200, 64, (1e-2, 1e-3)),
        Stage("exact", 320, 32, (1e-3, 1e-4), replay=2, memory=96),
    ),
)


def slow_target(points: tuple[int, ...], outcome: int, network: Network) -> np.ndarray:
    """The chances of the six results after the best play, by torch and plain Python."""
    best: np.ndarray | None = None
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
            best = mine
    assert best is not None
    return best


@pytest.mark.parametrize("target", [SAMPLED, EXACT])
def test_targets(target: int) -> None:
    torch.manual_seed(1)
    network = Network(16, 4)
    packed = pack(tensors(network))
    games = 8
    nearly_over = (0, 2, 1, *[0] * 21, -1, 0)
    states = np.array([OPENING] * 4 + [nearly_over] * 4, np.int8)
    numbers, turns = np.arange(games, dtype=np.uint64), np.zeros(games, np.uint64)
    samples, targets = np.empty((games, 26), np.int8), np.empty((games, 6), np.float32)
    for _ in range(3):
        before = states.copy()
        thrown = [throw(np.uint64(9), numbers[g], turns[g]) for g in range(games)]
        play_turns(
            states, numbers, turns, 0, games, np.uint64(9), packed, target, samples, targets
        )
        assert np.array_equal(samples, before)
        for g in range(games):
            points = tuple(before[g].tolist())
            rolls = range(21) if target == EXACT else [thrown[g]]
            weights = PROBABILITIES if target == EXACT else np.ones(21)
            expected = sum(weights[k] * slow_target(points, k, network) for k in rolls)
            assert targets[g] == pytest.approx(expected, abs=1e-5)
            if turns[g] == 0:
                assert tuple(states[g].tolist()) == OPENING, "a new game follows a finished one"
                assert numbers[g] >= games
            else:
                assert not is_over(states[g].tolist())
                legal = {flipped(after) for after in enumerate_plays(points, ROLLS[thrown[g]])}
                assert tuple(states[g].tolist()) in legal


def test_taught_samples_are_any_replies_as_the_teacher_values_them() -> None:
    packed = pack(load_model("leaf").weights)
    games = 64
    states = np.tile(np.array(OPENING, np.int8), (games, 1))
    numbers, turns = np.arange(games, dtype=np.uint64), np.zeros(games, np.uint64)
    samples, targets = np.empty((games, 26), np.int8), np.empty((games, 6), np.float32)
    thrown = [throw(np.uint64(9), numbers[g], turns[g]) for g in range(games)]
    play_turns(states, numbers, turns, 0, games, np.uint64(9), packed, TAUGHT, samples, targets)
    best = 0
    for g in range(games):
        sample = tuple(samples[g].tolist())
        legal = {flipped(after) for after in enumerate_plays(OPENING, ROLLS[thrown[g]])}
        assert sample in legal
        best += sample == tuple(states[g].tolist())
    assert 0 < best < games / 4, "replies are drawn, not only the best ones"
    expected = np.empty((games, 6), np.float32)
    nnue.results(np.array(OPENING, np.int8), samples, games, packed, expected)
    assert targets == pytest.approx(expected, abs=1e-6)


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
    assert run.positions == 3200 + 320
    return tensors(run.network)


def test_resumed_runs_and_threads_change_nothing(tmp_path: Path) -> None:
    one = weights_after(tmp_path / "one", threads=1, pieces=1)
    for name, threads, pieces in (("two", 2, 1), ("resumed", 1, 3)):
        other = weights_after(tmp_path / name, threads, pieces)
        for key, value in one.items():
            assert np.array_equal(value, other[key]), (name, key)


def test_export_carries_its_card(tmp_path: Path) -> None:
    run = Run(replace(RECIPE, stages=RECIPE.stages[:1]), tmp_path, 1)
    for _ in run.steps(1e9):
        pass
    model = load_model(run.export())
    assert model.card["positions"] == 3200
    assert model.card["recipe"]["hidden1"] == 16
    assert "points a game" in model.card["against_baseline"]


def test_a_run_can_start_from_a_model(tmp_path: Path) -> None:
    shipped = load_model("probe").weights
    recipe = replace(RECIPE, hidden1=32, hidden2=8, start="probe")
    begun = tensors(Run(recipe, tmp_path / "same").network)
    first = begun.pop("hidden1.weight")
    seen = shipped["hidden1.weight"].shape[1]
    assert np.array_equal(first[:, :seen], shipped["hidden1.weight"])
    assert not first[:, seen:].any(), "new features begin without a say"
    assert all(np.array_equal(begun[name], shipped[name]) for name in begun)
    with pytest.raises(ModelError, match=r"hidden1\.weight"):
        Run(replace(recipe, hidden1=16), tmp_path / "smaller")


def test_a_network_that_grows_says_what_it_said(tmp_path: Path) -> None:
    recipe = replace(RECIPE, hidden1=48, hidden2=12, start="probe")
    grown = Run(recipe, tmp_path).network
    positions = np.array([p for p, _ in self_play_positions(Engine(depth=1), 50, 1)], np.int8)
    expected = nnue.probabilities(positions, pack(load_model("probe").weights))
    assert np.allclose(module_probabilities(grown, positions), expected, atol=1e-6)
    # The new units are there to learn: a step changes what the network says.
    loss = grown.logits(torch.from_numpy(encode(positions)))[:, 0].sum()
    loss.backward()
    assert grown.output.weight.grad is not None
    assert grown.output.weight.grad[0, 8:].abs().sum() > 0


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
        first, last = recipe.stages[0].rate
        assert recipe.stages[0].rate_at(0) == first
        assert recipe.stages[0].rate_at(recipe.stages[0].updates - 1) == pytest.approx(last)
    wrong = tmp_path / "wrong.toml"
    for text, words in (
        ("seed = ", "not TOML"),
        ("seed = 1", "missing"),
        ('seed=1\n[network]\nhidden1=8\nhidden2=4\n[[stage]]\ntarget="best"', "missing"),
        (
            'seed=1\n[network]\nhidden1=8\nhidden2=4\n[[stage]]\ntarget="best"\npositions=1\n'
            "games=1\nrate=[1,1]",
            "'best'",
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
