"""Model files: what is written is read, features go by their names, damage is refused."""

import hashlib
import json
import math
import stat
import struct
import tracemalloc

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from gammon.base.errors import GammonError, ModelError
from gammon.eval.features import COUNTS, FEATURES, N_COUNTS, N_FEATURES, NAMES
from gammon.eval.model_file import (
    find_model,
    first_layers,
    load_model,
    network_id,
    save_model,
    shipped_models,
)
from gammon.eval.network import tensors
from tests.engine.eval.networks import drawn

CARD = {"origin": "a test", "positions": 3}


@pytest.fixture
def weights():
    return tensors(drawn(8, 4))


def seeing(weights, columns):
    """The weights of a network that sees some of the features, in some order."""
    layers = first_layers(weights)
    return weights | {name: np.ascontiguousarray(weights[name][:, columns]) for name in layers}


def write(path, weights, **header):
    """Write a file by hand; what the header says can be changed, or left out by None."""
    digest = hashlib.sha256()
    for name in sorted(weights):
        digest.update(name.encode() + weights[name].tobytes())
    whole = {
        "format": "gammon-network-4",
        "features": FEATURES,
        "sha256": digest.hexdigest(),
        "card": json.dumps(CARD),
    } | header
    save_file(weights, path, {name: text for name, text in whole.items() if text is not None})
    return path


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert np.array_equal(found[name], value), name


@pytest.mark.parametrize(("tactics", "parts"), [(True, 1), (True, 3), (False, 3)])
def test_what_is_written_is_read(tmp_path, tactics, parts):
    weights = tensors(drawn(8, 4, tactics, parts))
    path = tmp_path / "deep" / "model.safetensors"
    save_model(path, weights, CARD)
    model = load_model(path)
    assert_same(model.weights, weights)
    assert (model.card, model.path) == (CARD, path)
    assert network_id(path) == model.checksum[:12]
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    with safe_open(path, framework="numpy") as file:
        assert file.metadata()["features"] == (FEATURES if tactics else COUNTS)


def test_files_that_do_not_name_their_features(tmp_path, weights):
    for columns in (range(N_FEATURES), range(N_COUNTS)):
        seen = seeing(weights, columns)
        path = write(tmp_path / "old", seen, format="gammon-network-3", features=None)
        assert_same(load_model(path).weights, seen)


def test_features_go_by_their_names(tmp_path, weights):
    columns = np.random.default_rng(2).permutation(N_FEATURES)
    names = " ".join(NAMES[k] for k in columns)
    path = write(tmp_path / "mixed", seeing(weights, columns), features=names)
    assert_same(load_model(path).weights, weights)


def test_a_feature_that_a_model_has_not_seen_has_no_weights(tmp_path, weights):
    unseen = [NAMES.index("own.loss"), NAMES.index("their.8.2")]
    columns = [k for k in range(N_FEATURES) if k not in unseen]
    groups = " ".join(NAMES[k] for k in columns)
    before = seeing(weights, columns)
    path = write(tmp_path / "before", before, features=groups)
    found = load_model(path)
    for name in first_layers(weights):
        assert not found.weights[name][:, unseen].any()
        weights[name][:, unseen] = 0.0
    assert_same(found.weights, weights)
    # The network keeps its identity.
    assert found.checksum == safe_open(path, framework="numpy").metadata()["sha256"]


def test_a_network_without_tactics_gets_none(tmp_path, weights):
    columns = [k for k in range(N_COUNTS) if NAMES[k] != "own.off.2"]
    names = " ".join(NAMES[k] for k in columns)
    path = write(tmp_path / "blind", seeing(weights, columns), features=names)
    assert load_model(path).weights["parts.0.gate.weight"].shape == (8, N_COUNTS)


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        (FEATURES.replace("prime", "luck"), "uses the feature 'own.luck'"),
        (FEATURES.replace("prime", "shots"), "feature 'own.shots' more than once"),
        (FEATURES.replace(",anchor", ""), f"a first layer of {N_FEATURES} columns"),
        (FEATURES + " own.off.1", "more than once"),
        (".".join(["1-99"] * 20), "uses the feature '1.1"),
        (None, f"a first layer of {N_FEATURES} columns"),
    ],
)
def test_features_that_do_not_fit_are_refused(tmp_path, weights, groups, words):
    path = write(tmp_path / "wrong", weights, features=groups)
    with pytest.raises(ModelError, match=words) as caught:
        load_model(path)
    assert "\n" not in str(caught.value)
    assert repr(str(path)) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("hidden1.weight", lambda w: w[:, :-1], "gate is missing or of the wrong shape"),
        ("hidden1.weight", lambda w: w[0, 0], "hidden1 is missing or of the wrong shape"),
        ("gate.bias", lambda w: w[:-1], "gate is missing"),
        ("hidden2.bias", lambda w: w.reshape(2, 2), "hidden2 is missing"),
        ("output.weight", lambda w: w[:, :-1], "output is missing"),
    ],
)
def test_other_shapes_are_refused(tmp_path, weights, name, change, words):
    weights[f"parts.0.{name}"] = np.array(change(weights[f"parts.0.{name}"]))
    with pytest.raises(ModelError, match=words):
        load_model(write(tmp_path / "wrong", weights))
    with pytest.raises(ModelError, match=words):
        save_model(tmp_path / "new", weights, CARD)
    assert not (tmp_path / "new").exists()


def test_other_layers_are_refused(tmp_path, weights):
    def refused(wrong, words):
        with pytest.raises(ModelError, match=words):
            save_model(tmp_path / "new", wrong, CARD)

    refused({"hidden1.weight": weights["parts.0.hidden1.weight"]}, "a name that networks do not have")
    refused(tensors(drawn(8, 6)), "multiple of 4")
    refused(tensors(drawn(8, 4, parts=2)), "expected 1, 3, 5")
    refused(seeing(weights, range(7)), "a first layer of 7 columns")
    few = {name: value for name, value in weights.items() if "gate" not in name}
    refused(few, "gate is missing")


def test_damage_is_refused(tmp_path, weights):
    for header, words in (
        ({"sha256": "0"}, "damaged"),
        ({"format": "gammon-network-2"}, "found 'gammon-network-2'"),
        ({"format": None}, "found None"),
        ({"card": "{"}, "cannot be read"),
    ):
        with pytest.raises(ModelError, match=words):
            load_model(write(tmp_path / "damaged", weights, **header))
    text = tmp_path / "text"
    text.write_text("not a model")
    with pytest.raises(ModelError, match="cannot be read"):
        load_model(text)


def relabelled(whole, change):
    """A file's bytes with another header; `change` edits its JSON in place."""
    size = struct.unpack("<Q", whole[:8])[0]
    header = json.loads(whole[8 : 8 + size])
    change(header)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + whole[8 + size :]


def test_files_of_before_the_checksum_of_the_header_are_read(tmp_path, weights):
    model = load_model(write(tmp_path / "old", weights))
    assert model.card == CARD
    with pytest.raises(ModelError, match="header has 'hdader'"):
        load_model(write(tmp_path / "wrong", weights, hdader="0"))


def test_weights_that_are_no_numbers_are_refused(tmp_path, weights):
    weights["parts.0.output.bias"][2] = np.nan
    words = r"parts\.0\.output\.bias has a weight of .*expected finite numbers"
    with pytest.raises(ModelError, match=words) as caught:
        load_model(write(tmp_path / "wrong", weights))
    assert "\n" not in str(caught.value)
    with pytest.raises(ModelError, match=words):
        save_model(tmp_path / "new", weights, CARD)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("card", ["[1]", "3", "null", '"card"', "[" * 100_000, "9" * 5000])
def test_cards_that_are_no_objects_are_refused(tmp_path, weights, card):
    with pytest.raises(ModelError, match=r"a card of type|cannot be read") as caught:
        load_model(write(tmp_path / "wrong", weights, card=card))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_other_types_and_names_of_tensors_are_refused(tmp_path, weights):
    name = "parts.0.hidden1.bias"
    for kind in (np.float64, np.float16, np.int32, bool):
        with pytest.raises(ModelError, match=rf"'{name}' is \w+; expected F32"):
            changed = weights | {name: weights[name].astype(kind)}
            load_model(write(tmp_path / "wrong", changed))
    others = "parts.\u0660.hidden1.bias", "parts.0.luck.bias", "parts.1.hidden1.bias", "x"
    for other in others:
        with pytest.raises(ModelError, match=r"a name that networks do not have|hidden1 is missing"):
            load_model(write(tmp_path / "wrong", weights | {other: weights[name]}))
    empty = {name: value[:0] for name, value in weights.items()}
    for wrong in ({}, empty, weights | {name: np.zeros((), np.float32)}):
        with pytest.raises(ModelError, match="expected"):
            load_model(write(tmp_path / "wrong", wrong))


@pytest.mark.parametrize("kind", ["BF16", "F8_E4M3", "U64", "C64", "F4", "luck"])
def test_types_that_numpy_does_not_have_are_refused(tmp_path, weights, kind):
    path = write(tmp_path / "model", weights)
    wrong = relabelled(
        path.read_bytes(),
        lambda header: [tensor.update(dtype=kind) for name, tensor in header.items() if name[0] != "_"],
    )
    path.write_bytes(wrong)
    with pytest.raises(ModelError, match=r"expected|cannot be read"):
        load_model(path)


def test_names_without_end_are_not_unfolded(tmp_path, weights):
    groups = ".".join(["1-99"] * 100_000)
    with pytest.raises(ModelError, match="characters of names of features"):
        load_model(write(tmp_path / "wrong", weights, features=groups))


def test_damage_of_any_kind_is_refused_or_harmless(tmp_path, weights):
    """Bits that flip, cuts, and pieces that change places; drawn by a seed."""
    path = tmp_path / "model"
    save_model(path, weights, CARD)
    whole = path.read_bytes()
    assert_same(load_model(path).weights, weights)
    size = 8 + struct.unpack("<Q", whole[:8])[0]
    random = np.random.default_rng(19)
    refused = 0
    for kind in ["bit", "bit of the header", "cut", "swap"] * 75:
        damaged = bytearray(whole)
        at = int(random.integers(size if "header" in kind else len(whole)))
        if kind == "cut":
            del damaged[at:]
        elif kind == "swap":
            to, many = (int(k) for k in random.integers(1, size, 2))
            damaged[at : at + many], damaged[to : to + many] = (
                damaged[to : to + many],
                damaged[at : at + many],
            )
        else:
            damaged[at] ^= 1 << int(random.integers(8))
        path.write_bytes(damaged)
        try:
            found = load_model(path)
        except ModelError as error:
            assert "\n" not in str(error)
            refused += 1
        else:
            assert_same(found.weights, weights)
            assert found.card == CARD
    assert refused > 290


def test_files_that_cannot_be_written(tmp_path, weights):
    (tmp_path / "file").write_text("")
    with pytest.raises(GammonError, match="cannot be written"):
        save_model(tmp_path / "file" / "model", weights, CARD)


def test_shipped_models_are_found_by_name():
    learned = {
        "leaf": "positions and targets of runs/master",
        "large": "positions and targets of leaf",
        "probe": "self-play",
        "width": "revisions of leaf",
    }
    assert {path.stem for path in shipped_models()} == learned.keys()
    for path in shipped_models():
        assert find_model(path.stem) == path
        model = load_model(path.stem)
        assert learned[path.stem] in model.card["origin"]
        inputs = {model.weights[name].shape[1] for name in first_layers(model.weights)}
        assert inputs == {N_COUNTS if path.stem == "probe" else N_FEATURES}
    with pytest.raises(ModelError, match="the shipped models are: large, leaf, probe, width"):
        find_model("best")
    with pytest.raises(ModelError, match="no such file"):
        find_model("x" * 5000)


@pytest.mark.parametrize(
    ("name", "shape", "said"),
    [
        ("evil", [300_000_000], "a name that networks do not have"),
        ("parts.0.hidden1.weight", [300_000, 1000], "hidden1 is missing or of the wrong shape"),
        ("parts.0.gate.bias", [1 << 40], "hidden1 is missing or of the wrong shape"),
    ],
)
def test_a_tensor_is_read_after_its_name_and_shape(tmp_path, name, shape, said):
    """A sparse file of a stranger may have more bytes than there is memory."""
    path = sparse(tmp_path / "sparse.safetensors", {name: shape})
    assert path.stat().st_size > 1_000_000_000
    tracemalloc.start()
    with pytest.raises(ModelError, match=said):
        load_model(path)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_layers_that_are_too_wide_are_not_read(tmp_path):
    """Every shape fits the others, in a file of 3 GB."""
    wide, inputs = 1_500_000, N_FEATURES
    shapes = {"hidden1": [wide, inputs], "gate": [wide, inputs], "hidden2": [4, wide]}
    tensors = {"parts.0.output.weight": [6, 4], "parts.0.output.bias": [6]}
    for layer, shape in shapes.items():
        tensors |= {f"parts.0.{layer}.weight": shape, f"parts.0.{layer}.bias": shape[:1]}
    path = sparse(tmp_path / "sparse.safetensors", tensors)
    tracemalloc.start()
    with pytest.raises(ModelError, match="has 1500000 units; expected no more than 2048"):
        load_model(path)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def sparse(path, shapes):
    """Write a file of tensors that are all zeros and take no room."""
    header = {"__metadata__": {"format": "gammon-network-4", "features": FEATURES}}
    end = 0
    for name, shape in shapes.items():
        begin, end = end, end + 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + end)
    return path
