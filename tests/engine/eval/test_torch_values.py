"""Modules of torch as evaluators."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest
import torch

from gammon import Engine, Position
from gammon.base.errors import ModelError, SettingError
from gammon.eval.evaluators import leaf_of
from gammon.eval.features import N_FEATURES
from gammon.eval.integer_network_kernel import results_of
from gammon.eval.integers import pack
from gammon.eval.network import tensors
from gammon.eval.torch_values import module_evaluator
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.outcome import N_RESULTS
from gammon.search import Setup
from gammon.search.from_function import _FUNCTIONS
from tests.engine.eval.networks import drawn
from tests.processes import comes_true
from tests.twins import outputs


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
    ("then", "words"),
    [
        (lambda features: features[:, :5] + 7.0, "each from 0 to 1"),
        (lambda features: features[:, :5] * torch.nan, "each from 0 to 1; found .nan"),
        (lambda features: features[:1, :5] * 0.0, "of shape"),
        (raises, "fails with RuntimeError: the battery is empty"),
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
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
        Setup(BACKGAMMON, evaluator, algorithm).value(late, 2).value
        for algorithm in ("star2", "expectimax")
    )
    # torch rounds the same position in other ways in calls of other sizes.
    assert star == pytest.approx(slow, abs=1e-6)
    assert -3.0 <= star <= 3.0
