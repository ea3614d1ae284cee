"""The network in torch, and modules of torch as evaluators."""

import copy
import gc
import pickle
import weakref
from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gammon import Engine, Position
from gammon.base.errors import ModelError, SettingError
from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.eval.equity import count_what_can_come
from gammon.eval.evaluators import leaf_of
from gammon.eval.features import N_COUNTS, N_FEATURES, encode
from gammon.eval.integer_network_kernel import results_of
from gammon.eval.integers import pack
from gammon.eval.model_file import load_model
from gammon.eval.network import Network, module_evaluator, module_probabilities, network_of, plans, tensors
from gammon.eval.plan import N_PLANS, PARTS, plan_of
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import Points, Rows
from gammon.rules.outcome import N_RESULTS, POINTS
from gammon.search import TreeSearch
from gammon.search.from_function import _FUNCTIONS
from gammon_lab.train.starts import draw_families
from tests.conftest import Played, positions
from tests.engine.eval.networks import drawn
from tests.naive.search import outputs
from tests.processes import comes_true

# The network in torch: what it sees, and what its results mean.


@pytest.fixture(scope="module")
def planned() -> tuple[Network, Float32Vector]:
    """A network, and as integers; each part says one thing alone, so that it shows."""
    net = Network(4, 4, parts=N_PLANS)
    with torch.no_grad():
        for plan, part in enumerate(net.parts):
            for parameter in part.parameters():
                parameter.zero_()
            part.get_parameter("output.bias")[plan] = 9.0
    return net, pack(tensors(net))


@given(points=positions())
def test_the_part_of_the_plan_answers(planned: tuple[Network, Float32Vector], points: Points) -> None:
    net, packed = planned
    rows = np.array([points], np.int8)
    expected = np.eye(N_RESULTS)[[plan_of(rows[0], N_PLANS)]]
    count_what_can_come(rows, expected)
    for said in (results_of(rows, packed), by_torch(net, rows)):
        assert said.argmax() == expected.argmax()


@given(points=positions(), parts=st.sampled_from(PARTS))
def test_features_tell_the_part(points: Points, parts: int) -> None:
    row = np.array(points, np.int8)
    assert plans(torch.from_numpy(encode(row)), parts).tolist() == [plan_of(row, parts)]


def test_logits_are_in_the_order_of_the_positions(played: Played) -> None:
    net = drawn(16, 4, parts=N_PLANS)
    rows = np.concatenate([np.array(played(200, 3), np.int8), draw_families(14, 1)[0]])
    features = torch.from_numpy(encode(rows))
    assert set(plans(features, N_PLANS).tolist()) == set(range(N_PLANS))
    one_by_one = torch.cat([net.logits(row) for row in features.split(1)])
    for rows in (1, 128):
        assert torch.allclose(net.logits(features, rows), one_by_one, atol=1e-5)


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("parts", PARTS[1:])
def test_all_parts_at_once_are_the_same_network(played: Played, parts: int, mixed: bool) -> None:
    """A GPU computes all parts; logits and gradients equal what each part computes from its own rows."""
    net = drawn(16, 4, parts=parts)
    rows = np.concatenate([np.array(played(200, 3), np.int8), draw_families(14, 1)[0]])
    features = torch.from_numpy(encode(rows)).to(torch.bfloat16 if mixed else torch.float32)
    gradients = []
    for compute in (net.logits, lambda x: net.logits_at_once(x, plans(x, parts))):
        net.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=mixed):
            logits = compute(features)
        logits.logsumexp(dim=1).sum().backward()
        gradients.append([logits.detach(), *(weight.grad for weight in net.parameters())])
    for by_part, at_once in zip(*gradients, strict=True):
        assert torch.allclose(by_part, at_once, rtol=1e-2 if mixed else 1e-4, atol=1e-2 if mixed else 1e-5)


@pytest.mark.parametrize("result", range(6))
def test_results_are_counted_up(result: int) -> None:
    net = Network(4, 4)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.zero_()
        net.parts[0].get_parameter("output.bias")[result] = 50.0
    said = net(torch.zeros(1, net.inputs))[0]
    # Won, with a gammon, with a backgammon; lost with a gammon, with a backgammon.
    expected = [result > 2, result > 3, result > 4, result < 2, result < 1]
    assert said.tolist() == pytest.approx([*map(float, expected)], abs=1e-6)


def test_a_network_of_counts_alone_sees_no_tactics(played: Played) -> None:
    features = torch.from_numpy(encode(np.array(played(50, 3), np.int8)))
    other = features.clone()
    other[:, N_COUNTS:] += 1.0
    blind, seeing = drawn(16, 4, tactics=False), drawn(16, 4)
    assert torch.equal(blind(features), blind(other))
    assert not torch.allclose(seeing(features), seeing(other))


class Says(torch.nn.Module):
    """A module that says the same of every position."""

    def __init__(self, says: Callable[[int], object]) -> None:
        super().__init__()
        self.says = says

    def forward(self, features: torch.Tensor) -> object:
        return self.says(len(features))


def fails(n: int) -> object:
    raise KeyError("luck\nand more")


@pytest.mark.parametrize(
    ("says", "words"),
    [
        (lambda n: torch.full((n, 5), 3.0), "each from 0 to 1; found .*lacks a sigmoid"),
        (lambda n: torch.full((n, 5), -0.01), "each from 0 to 1; found"),
        (lambda n: torch.full((n, 5), torch.nan), "each from 0 to 1; found"),
        (lambda n: torch.full((n, 5), torch.inf), "each from 0 to 1; found"),
        (lambda n: torch.full((n, 6), 0.1), r"float32 of shape \(3, 6\)"),
        (lambda n: torch.full((1, 5), 0.1), r"float32 of shape \(1, 5\)"),
        (lambda n: torch.tensor(0.1), r"float32 of shape \(\)"),
        (lambda n: torch.zeros((n, 5), dtype=torch.int64), "int64 of shape"),
        (lambda n: torch.zeros((n, 5), dtype=torch.complex64), "complex64 of shape"),
        (lambda n: torch.zeros((n, 5), device="meta"), "fails with .*meta"),
        (lambda n: torch.zeros((n, 5)).to_sparse(), "fails with .*parse"),
        (lambda n: (torch.zeros((n, 5)),), "found tuple"),
        (lambda n: None, "found NoneType"),
        (lambda n: np.zeros((n, 5), np.float32), "found ndarray"),
        (fails, "fails with KeyError"),
    ],
)
def test_modules_that_say_something_else_are_refused(
    played: Played, says: Callable[[int], object], words: str
) -> None:
    rows = np.array(played(3, 6), np.int8)
    with pytest.raises(ModelError, match=f"Says: .*{words}") as caught:
        module_probabilities(Says(says), rows)
    assert "\n" not in str(caught.value)


def test_probabilities_may_have_any_width_and_be_rounded(played: Played) -> None:
    rows = np.array(played(3, 6), np.int8)
    for kind in (torch.float64, torch.float16, torch.bfloat16):
        found = module_probabilities(Says(lambda n, k=kind: torch.full((n, 5), 0.5, dtype=k)), rows)
        assert found.dtype == np.float32
        assert (found == 0.5).all()
    rounded = torch.tensor([1 + 1e-6, -1e-6, 0.0, 1.0, 0.5])
    found = module_probabilities(Says(lambda n: rounded.expand(n, 5)), rows)
    assert found.tolist() == [[1.0, 0.0, 0.0, 1.0, 0.5]] * 3


def test_a_finished_game_may_have_any_numbers() -> None:
    rows = np.zeros((2, 26), np.int8)
    rows[:, 1], rows[0, 24] = 1, -1  # of the second the other side is off
    said = torch.tensor([[0.5] * 5, [torch.nan] * 5])
    assert module_probabilities(Says(lambda n: said), rows).tolist() == [[0.5] * 5, [0.0] * 5]
    with pytest.raises(ModelError, match="found"):
        module_probabilities(Says(lambda n: said.flip(0)), rows)


def test_tensors_are_a_copy_by_name() -> None:
    net = drawn(8, 4, parts=N_PLANS)
    found = tensors(net)
    assert list(found) == list(net.state_dict())
    assert {name.split(".", 2)[2] for name in found} == {
        f"{layer}.{kind}" for layer in ("hidden1", "gate", "hidden2", "output") for kind in ("weight", "bias")
    }


def by_torch(network: Network, rows: Rows) -> Float32Matrix:
    with torch.inference_mode():
        logits = network.logits(torch.from_numpy(encode(rows)))
        found: Float32Matrix = torch.softmax(logits, dim=1).numpy()
    count_what_can_come(rows, found)
    return found


@pytest.mark.parametrize(
    ("model", "rms", "worst"), [("leaf", 0.004, 0.06), ("large", 0.004, 0.06), ("probe", 0.002, 0.02)]
)
def test_the_integers_are_near(model: str, rms: float, worst: float, played: Played) -> None:
    weights = load_model(model).weights
    rows = np.array(played(4_000, 12)[::2], np.int8)
    expected = by_torch(network_of(weights), rows) @ POINTS
    error = results_of(rows, pack(weights)) @ POINTS - expected
    assert np.sqrt(np.mean(error**2)) < rms
    assert np.abs(error).max() < worst
    assert expected.std() > 0.3


@pytest.mark.parametrize(
    ("hidden1", "hidden2", "tactics", "parts"), [(256, 32, True, 1), (32, 8, False, 3), (17, 4, True, 1)]
)
def test_the_integers_of_any_shape_are_near(
    hidden1: int, hidden2: int, tactics: bool, parts: int, played: Played
) -> None:
    network = drawn(hidden1, hidden2, tactics, parts)
    rows = np.array(played(2_000, 7), np.int8)
    found, expected = results_of(rows, pack(tensors(network))), by_torch(network, rows)
    assert np.abs(found - expected).max() < 5e-3
    assert (expected @ POINTS).std() > 0.01, "the positions are all worth the same"


@pytest.mark.parametrize(("tactics", "parts"), [(True, N_PLANS), (False, 1)])
def test_a_network_of_its_tensors(tactics: bool, parts: int) -> None:
    weights = tensors(drawn(8, 4, tactics, parts))
    found = tensors(network_of(weights))
    assert list(found) == list(weights)
    assert all(np.array_equal(found[name], value) for name, value in weights.items())


# Modules of torch as evaluators.


def test_a_module_says_what_its_compiled_twin_says(played):
    rows = np.array(played(60, 3), np.int8)
    networks = drawn(16, 4), drawn(24, 4, parts=3)
    # Both are in use at a time: each is asked through its own weights.
    evaluators = [module_evaluator(network) for network in networks]
    for network, evaluator in zip(networks, evaluators, strict=True):
        out = np.full((60, N_RESULTS), 7.0, np.float32)
        evaluator.evaluate(rows[0], rows, 50, evaluator.weights, out, evaluator.new_scratch())
        expected = results_of(rows[:50], pack(tensors(network)))
        assert np.abs(out[:50] - expected).max() < 1e-3
        assert (out[50:] == 7.0).all()


def test_a_module_that_fails_is_refused_by_one_line():
    with pytest.raises(ModelError, match=rf"Linear: .*\[N, {N_FEATURES}\]") as caught:
        module_evaluator(torch.nn.Linear(N_FEATURES + 1, 5))
    assert "\n" not in str(caught.value)


START = Position.parse("4HPwATDgc/ABMA")


class Turns(torch.nn.Module):
    """A module that is sound for a few calls and then is not."""

    def __init__(self, then, calls=2):
        super().__init__()
        self.then = then
        self.left = calls

    def forward(self, features):
        self.left -= 1
        return self.then(features) if self.left < 0 else features[:, :5] * 0.0


def raises(features):
    raise RuntimeError("the battery is empty")


@pytest.mark.parametrize(
    ("then", "words", "threads"),
    [
        (lambda features: features[:, :5] + 7.0, "each from 0 to 1", 1),
        (lambda features: features[:, :5] * torch.nan, "each from 0 to 1; found .nan", 2),
        (lambda features: features[:1, :5] * 0.0, "of shape", 1),
        (raises, "fails with RuntimeError: the battery is empty", 1),
        (raises, "fails with RuntimeError: the battery is empty", 2),
    ],
)
def test_a_search_ends_with_the_error_of_its_module(then, words, threads):
    module = Turns(then)
    alive = weakref.ref(module)
    engine = Engine(depth=5, model=module, threads=threads)
    with pytest.raises(ModelError, match=words) as caught:
        engine.analyze(START, (3, 1))
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value.__cause__, RuntimeError if then is raises else type(None))
    del module, engine, caught
    # A thread that helped may just be leaving.
    assert comes_true(lambda: gc.collect() >= 0 and alive() is None, 60)


def test_what_is_no_module_is_refused():
    for wrong in (3, lambda features: features[:, :5], torch.nn.Linear):
        with pytest.raises(SettingError, match="a file or a torch module"):
            leaf_of(wrong)


def test_a_thousand_modules_leave_nothing():
    gc.collect()  # what tests before this one have left
    before = len(_FUNCTIONS)
    for _ in range(1000):
        evaluator = module_evaluator(Turns(None, calls=10))
    assert len(_FUNCTIONS) == before + 1
    del evaluator
    assert len(_FUNCTIONS) == before


def test_an_engine_is_dropped_with_its_module():
    gc.collect()  # what tests before this one have left
    before = len(_FUNCTIONS)
    module = Turns(None, calls=10**9)
    engine = Engine(depth=1, model=module)
    engine.analyze(START, (3, 1))
    alive = weakref.ref(engine), weakref.ref(module)
    del engine, module
    gc.collect()
    assert [each() for each in alive] == [None, None]
    assert len(_FUNCTIONS) == before


def test_an_engine_of_a_module_has_itself_for_a_copy_and_stays_in_its_process():
    engine = Engine(depth=1, model=Turns(None, calls=10**9))
    again = copy.deepcopy(engine)
    expected = engine.evaluate(START).equity
    del engine
    gc.collect()
    assert again.evaluate(START).equity == expected
    with pytest.raises(SettingError, match="expected one made in each process"):
        pickle.dumps(again)


def test_a_number_beyond_those_that_a_float32_has(monkeypatch):
    monkeypatch.setattr("gammon.search.from_function._NUMBERS", iter([2**24 + 1, 2**24]))
    networks = drawn(16, 4), drawn(24, 4)
    evaluators = [module_evaluator(network) for network in networks]
    rows = np.array([START.points], np.int8)
    for network, evaluator in zip(networks, evaluators, strict=True):
        out = outputs(evaluator, rows[0], rows)
        assert np.abs(out - results_of(rows, pack(tensors(network)))).max() < 1e-3


def test_five_numbers_that_do_not_agree_are_searched_exactly():
    torch.manual_seed(4)
    module = torch.nn.Sequential(torch.nn.Linear(N_FEATURES, 5), torch.nn.Sigmoid())
    with torch.no_grad():
        module[0].weight.mul_(20)
    evaluator = module_evaluator(module)
    late = np.array(Position.parse("dgAAAAAAdwAAAA").points, np.int8)
    star, slow = (
        TreeSearch(BACKGAMMON, evaluator, algorithm).value(late, 2).value
        for algorithm in ("star2", "expectimax")
    )
    # torch rounds the same position in other ways in calls of other sizes.
    assert star == pytest.approx(slow, abs=1e-6)
    assert -3.0 <= star <= 3.0
