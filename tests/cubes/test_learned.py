"""A learned cube, against PyTorch and Janowski's model in plain Python."""

import numpy as np
import pytest
import torch
from cubes.learned import (
    HIDDEN,
    N_SEEN,
    OWNERS,
    SHAPES,
    LearnedCube,
    learned_evaluator,
    nothing,
    read_cube,
    save_cube,
)
from cubes.learner import CubeModule
from cubes.targets import static_outputs

from gammon.base.errors import GammonError, ModelError, SettingError
from gammon.eval.baseline import BASELINE
from gammon.eval.bearoff_cube import covers, exact_money
from gammon.eval.efficiency import KNOWN, N_OUTPUTS
from gammon.eval.evaluators import evaluator_of, load_evaluator
from gammon.eval.features import encode
from gammon.eval.janowski import static_value
from gammon.eval.network import Network, tensors
from gammon.games.cubeful import cubeful_backgammon
from gammon.rules.board import OPENING
from gammon.rules.terms import Terms
from gammon.search.contract import check_game
from tests.boards import by_counts
from tests.twins import outputs

pytestmark = pytest.mark.nightly  # the package has no learned cube

TERMS = [Terms(cube=2 if owner else 1, owner=owner) for owner in OWNERS]


def drawn_cube(parts: int | None = 1) -> LearnedCube:
    """A cube of random weights; without a network of its own if `parts` is None."""
    torch.manual_seed(3)
    module = CubeModule(None if parts is None else Network(16, 8, parts=parts))
    with torch.no_grad():
        module.formula[-1].weight.normal_(std=0.2)
    return module.learned()


def by_hand(leaf, cube: LearnedCube, rows) -> np.ndarray:
    """The chances and the values for the three owners, row by row."""
    found = []
    for row in rows:
        six = outputs(leaf, row, row[None])[0]
        values = [static_value(tuple(row.tolist()), six.tolist(), terms) for terms in TERMS]
        signs = np.zeros(3)
        if cube.network is not None:
            network = evaluator_of(cube.network, bearoff=False)
            pairs = outputs(network, row, row[None])[0].reshape(3, 2).astype(float)
            signs = (pairs[:, 1] - pairs[:, 0]) / pairs.sum(axis=1)
        layer = np.concatenate([six, values, signs])
        for name in ("0", "2", "4"):
            layer = cube.formula[f"{name}.weight"] @ layer + cube.formula[f"{name}.bias"]
            layer = layer if name == "4" else np.maximum(layer, 0.0)
        own, centred, their = np.add(values, layer)
        found.append([*six, max(own, centred), centred, min(their, centred)])
    return np.array(found)


@pytest.mark.parametrize("parts", [None, 1])
def test_values_are_those_of_plain_python(parts, played) -> None:
    rows = np.array(played(200, 5), np.int8)[::5]
    leaf, cube = load_evaluator("probe", bearoff=False), drawn_cube(parts)
    found = static_outputs(learned_evaluator(leaf, cube), rows)
    assert found.shape == (len(rows), N_OUTPUTS)
    assert (found[:, 6] == KNOWN).all()
    expected = by_hand(leaf, cube, rows)
    assert np.delete(found, 6, axis=1) == pytest.approx(expected, abs=2e-6)
    plain = np.array(by_hand(leaf, nothing(), rows))
    assert np.abs(plain - expected).max() > 0.05  # it adds something


def test_nothing_leaves_janowski(played) -> None:
    rows = np.array(played(100, 6), np.int8)[::3]
    leaf = load_evaluator("probe", bearoff=False)
    found = static_outputs(learned_evaluator(leaf, nothing()), rows)
    for row, values, six in zip(rows.tolist(), found[:, 7:], found[:, :6], strict=True):
        expected = [static_value(tuple(row), six.tolist(), terms) for terms in TERMS]
        assert values.tolist() == pytest.approx(expected, abs=1e-6)


def test_the_parent_is_only_a_hint(played) -> None:
    rows = np.array(played(100, 7), np.int8)
    evaluator = learned_evaluator(load_evaluator("probe"), drawn_cube())
    first, other = (outputs(evaluator, rows[k], rows) for k in (0, 50))
    assert first.tobytes() == other.tobytes()


def test_small_bearoffs_are_exact_where_asked_for() -> None:
    rows = np.array(
        [by_counts((0, 0, 1, 1), (0, 2)), by_counts((7,), (1,)), by_counts((2,), (0, 0, 3))],
        np.int8,
    )
    leaf, cube = load_evaluator("probe"), drawn_cube()
    known = static_outputs(learned_evaluator(leaf, cube), rows)[:, 7:]
    learned = static_outputs(learned_evaluator(leaf, cube, exact=False), rows)[:, 7:]
    for row, exact, static in zip(rows.tolist(), known, learned, strict=True):
        if covers(tuple(row)):
            assert exact.tolist() == [exact_money(tuple(row), terms) for terms in TERMS]
            assert exact.tolist() != static.tolist()
        else:
            assert exact.tolist() == static.tolist()
    without = learned_evaluator(load_evaluator("probe", bearoff=False), cube)
    assert without.weights.size < learned_evaluator(leaf, cube).weights.size


@pytest.mark.parametrize("terms", TERMS)
def test_it_keeps_the_contract(terms) -> None:
    evaluator = learned_evaluator(load_evaluator("probe"), drawn_cube())
    states = [OPENING, by_counts((0, 3, 0, 1, 0, 4), (2, 0, 0, 7))]
    assert check_game(cubeful_backgammon(terms), evaluator, states, most=10) >= 10


def test_the_module_is_the_definition(played) -> None:
    rows = np.array(played(60, 8), np.int8)
    cube = drawn_cube()
    seen = np.random.default_rng(1).normal(size=(len(rows), N_SEEN - 3)).astype(np.float32)
    with torch.no_grad():
        added = CubeModule.of(cube)(torch.from_numpy(encode(rows)), torch.from_numpy(seen))
    assert cube.network is not None
    network = evaluator_of(cube.network, bearoff=False)
    pairs = static_outputs(network, rows).reshape(-1, 3, 2)
    signs = (pairs[..., 1] - pairs[..., 0]) / pairs.sum(axis=2)
    first = np.concatenate([seen, signs], axis=1) @ cube.formula["0.weight"].T
    second = np.maximum(first + cube.formula["0.bias"], 0) @ cube.formula["2.weight"].T
    expected = np.maximum(second + cube.formula["2.bias"], 0) @ cube.formula["4.weight"].T
    # The network in integers rounds its weights.
    assert added.numpy() == pytest.approx(expected + cube.formula["4.bias"], abs=2e-3)


def test_files(tmp_path) -> None:
    for cube in (drawn_cube(), nothing()):
        save_cube(tmp_path / "cube.npz", cube)
        found = read_cube(tmp_path / "cube.npz")
        for ours, theirs in zip(found, cube, strict=True):
            assert (ours is None) == (theirs is None)
            for name in theirs or {}:
                assert ours[name].tobytes() == theirs[name].tobytes()
    with pytest.raises(GammonError):
        save_cube(tmp_path / "cube.npz" / "cube.npz", nothing())
    assert list(SHAPES) == [name for name, _ in CubeModule(None).formula.named_parameters()]
    assert tensors(Network(16, 8)).keys() == drawn_cube().network.keys()


def test_other_files_are_refused(tmp_path) -> None:
    path = tmp_path / "cube.npz"

    def refused(words: str) -> None:
        with pytest.raises(ModelError, match=words) as caught:
            read_cube(path)
        assert "\n" not in str(caught.value)

    refused("expected a learned cube, .*: No such file")
    save_cube(path, nothing())
    whole = path.read_bytes()
    for damaged in (b"", b"x", whole[:900], whole[:500] + b"\xff" + whole[501:]):
        path.write_bytes(damaged)
        refused("expected a learned cube")
    with path.open("wb") as file:
        np.save(file, np.zeros(3))
    refused("expected a learned cube")
    np.savez(path, **{"formula.0.weight": np.array(["x"], dtype=object)})
    refused("expected a learned cube, which `learn_cube.py learn` wrote$")
    np.savez(path, a=np.zeros(3))
    refused("other names")
    for name, value, words in (
        ("2.bias", np.zeros(HIDDEN - 1), "other shapes"),
        ("4.bias", np.full(3, np.nan), "a weight of nan"),
    ):
        changed = {**nothing().formula, name: value.astype(np.float32)}
        save_cube(path, LearnedCube(changed))
        refused(words)
    for network in ({"x": np.zeros(3)}, tensors(Network(16, 8)) | {"y": np.zeros(3)}):
        save_cube(path, LearnedCube(nothing().formula, network))
        refused("another name")


def test_other_evaluators_are_refused() -> None:
    with pytest.raises(SettingError, match="expected that of a network in integers"):
        learned_evaluator(BASELINE, nothing())
