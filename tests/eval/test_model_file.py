"""Model files: what is written is read, features go by their names, damage is refused."""

import hashlib
import json
import stat

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from gammon.errors import GammonError, ModelError
from gammon.eval.features import COUNTS, FEATURES, N_COUNTS, N_FEATURES, NAMES
from gammon.eval.model_file import (
    find_model,
    load_model,
    network_id,
    save_model,
    shipped_models,
)
from gammon.eval.network import tensors
from gammon.eval.packed import first_layers
from tests.eval.networks import drawn

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
        (FEATURES.replace("prime", "luck"), "sees the feature 'own.luck'"),
        (FEATURES.replace("prime", "shots"), "feature 'own.shots' more than once"),
        (FEATURES.replace(",anchor", ""), f"a first layer of {N_FEATURES} columns"),
        (FEATURES + " own.off.1", "more than once"),
        (".".join(["1-99"] * 20), "sees the feature '1.1"),
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

    refused({"hidden1.weight": weights["parts.0.hidden1.weight"]}, "another name")
    refused(tensors(drawn(8, 6)), "multiple of 4")
    refused(tensors(drawn(8, 4, parts=2)), "expected 1 or 3")
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


def test_files_that_cannot_be_written(tmp_path, weights):
    (tmp_path / "file").write_text("")
    with pytest.raises(GammonError, match="cannot be written"):
        save_model(tmp_path / "file" / "model", weights, CARD)


def test_shipped_models_are_found_by_name():
    assert {path.stem for path in shipped_models()} == {"leaf", "large", "probe"}
    for path in shipped_models():
        assert find_model(path.stem) == path
        model = load_model(path.stem)
        assert model.card["origin"].startswith("self-play")
        inputs = {model.weights[name].shape[1] for name in first_layers(model.weights)}
        assert inputs == {N_COUNTS if path.stem == "probe" else N_FEATURES}
    with pytest.raises(ModelError, match="the shipped models are: large, leaf, probe"):
        find_model("best")
    with pytest.raises(ModelError, match="no such file"):
        find_model("x" * 5000)
