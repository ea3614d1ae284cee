"""Evaluators of the search: networks, the baseline, networks that err, tensors by name."""

import math
from pathlib import Path

import numpy as np
import pytest

from gammon.base.errors import ModelError, SettingError
from gammon.eval import array_cache, evaluators
from gammon.eval.baseline import BASELINE
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.cube_network import cube_block
from gammon.eval.erring import EQUITY, OUTPUTS, Errors, erring, set_seed
from gammon.eval.evaluators import evaluator_of, load_evaluator
from gammon.eval.fold import fold_dead
from gammon.eval.integer_network_kernel import results, scratch_for
from gammon.eval.integers import header_of, pack
from gammon.eval.model_file import (
    LARGEST,
    MOST_UNITS,
    check_weights,
    first_layers,
    load_model,
    parts_of,
    save_model,
)
from gammon.eval.race_network import race_block
from gammon.games.backgammon import BACKGAMMON, backgammon
from gammon.rules.board import OPENING, flipped
from gammon.rules.terms import NAMED_STAKES
from gammon.search.evaluation import gauss
from tests.boards import by_sides
from tests.engine.eval.drawn import drawn_tensors
from tests.naive.search import outputs

# Networks as evaluators of the search.


@pytest.mark.smoke
def test_an_evaluator_is_a_packed_model():
    weights = load_model("probe").weights
    expected = pack(weights)
    for evaluator in (evaluator_of(weights, bearoff=False), load_evaluator("probe", False)):
        assert evaluator.weights.tobytes() == expected.tobytes()
        assert evaluator[:1] + evaluator[2:5] == (results, 6, fold_dead, scratch_for(expected))
        assert not evaluator.has_turn


def test_the_tables_of_bearoff_and_the_blocks_of_races_and_of_the_cube_come_last():
    packed = load_evaluator("probe").weights
    header, end = header_of(packed), packed.size
    for place, block in (
        (header.cube, cube_block()),
        (header.races, race_block()),
        (header.tables, bearoff_tables()),
    ):
        assert 0 < place < end and place % 16 == 0
        assert packed[place : place + block.size].tobytes() == block.tobytes()
        assert end - place - block.size < 16
        end = place


def test_unknown_models_are_refused():
    with pytest.raises(ModelError, match="'nobody'"):
        load_evaluator("nobody")


def test_what_is_loaded_again_is_there_until_its_file_changes(tmp_path: Path) -> None:
    weights = dict(load_model("probe").weights)
    path = tmp_path / "mine.safetensors"
    save_model(path, weights, {})
    first = load_evaluator(path, False)
    assert load_evaluator(path, False) is first
    assert load_evaluator(path) is not first, "with bearoffs it is another one"
    weights["parts.0.output.bias"] = weights["parts.0.output.bias"] + 1
    save_model(path, weights, {})
    assert load_evaluator(path, False).weights.tobytes() != first.weights.tobytes()


@pytest.mark.parametrize("bearoff", [False, True])
def test_a_packed_network_is_kept_until_its_file_is_damaged(
    bearoff: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(array_cache, "_folder", lambda: tmp_path)
    expected = evaluator_of(load_model("probe").weights, bearoff).weights.tobytes()
    packed = []

    def noted(*arguments):
        packed.append(arguments)
        return pack(*arguments)

    def loaded() -> bytes:
        evaluators._evaluator.cache_clear()  # as in another process
        return load_evaluator("probe", bearoff).weights.tobytes()

    monkeypatch.setattr(evaluators, "pack", noted)
    assert [loaded(), loaded()] == [expected, expected]
    assert len(packed) == 1
    (path,) = tmp_path.glob("*.network")
    assert path.stat().st_size == len(expected) + 32
    path.write_bytes(b"of another program" * 100)
    assert [loaded(), loaded()] == [expected, expected]
    assert len(packed) == 2
    assert caplog.messages == [f"{str(path)!r} is damaged: left out, and made again"]
    evaluators._evaluator.cache_clear()


def test_a_damaged_model_is_refused_though_it_was_sound_before(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    save_model(path, load_model("probe").weights, {})
    load_evaluator(path, False)
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(ModelError, match="is damaged: its checksum"):
        load_evaluator(path, False)


def test_no_other_network_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_cache, "_folder", lambda: tmp_path / "cache")
    path = tmp_path / "mine.safetensors"
    save_model(path, load_model("probe").weights, {})
    load_evaluator(path, False)
    assert not (tmp_path / "cache").exists()


# The baseline's static values, by its own terms.


def value(points):
    """The equity of a position to the player on roll, in (-1, 1)."""
    row = np.array([points], np.int8)
    return float(outputs(BASELINE, row[0], row)[0, 0])


def pips(points):
    """A value as pips: what is inside the hyperbolic tangent."""
    return 50 * math.atanh(value(points))


def test_being_on_roll_is_half_a_roll():
    assert pips(OPENING) == pytest.approx(4, abs=1e-3)


def test_a_race_is_its_pips():
    ahead = by_sides({3: 1, 5: 1}, {1: 1, 13: 1})
    assert pips(ahead) == pytest.approx(4 + 14 - 8, abs=1e-3)
    assert pips(flipped(ahead)) == pytest.approx(4 - 14 + 8, abs=1e-3)


@pytest.mark.parametrize(("place", "worth"), [(13, 0), (12, 2), (7, 2), (6, 4), (1, 4)])
def test_made_points(place, worth):
    points = by_sides({place: 2}, {1: 1})
    assert pips(points) == pytest.approx(4 - 2 * place + 1 + worth, abs=1e-3)


def test_only_a_blot_that_can_be_hit_costs():
    # The opponent's rearmost checker stands on the player's point 5, behind the blot or not.
    safe, exposed = by_sides({4: 1}, {20: 3}), by_sides({8: 1}, {20: 3})
    assert pips(safe) == pytest.approx(4 - 4 + 60, abs=1e-2)
    assert pips(exposed) == pytest.approx(4 - 8 + 60 - 0.2 * (25 - 8), abs=1e-2)


def test_the_bar_costs_more_than_its_pips():
    assert pips(by_sides({25: 1}, {1: 2})) == pytest.approx(4 - 33 + 2 + 4 * -1, abs=1e-3)


def test_all_rows_get_a_value_that_depends_on_the_row_alone(played):
    rows = np.array(played(60, 2), np.int8)
    out = outputs(BASELINE, np.array(OPENING, np.int8), rows)
    assert out[:, 0].tolist() == [value(row) for row in rows.tolist()]
    assert np.abs(out).max() < 1


# Networks that err: how much, how alike, and within what is possible.

GAMMON_GO = NAMED_STAKES["gammon-go"]

NETWORK = load_evaluator("probe", bearoff=False)
HERE = np.array(OPENING, np.int8)
SEEDS = 400


def folded(evaluator, rows, game=BACKGAMMON, stake=0):
    """The outputs of rows, and the values that they stand for."""
    out = outputs(evaluator, HERE, rows)
    values = np.empty(len(rows), np.float32)
    evaluator.fold(out, len(rows), stake, game.params, values)
    return out, values


def errors_of(rows, errors):
    """The errors of the values of rows, [SEEDS, N]."""
    evaluator, found = erring(NETWORK, errors), []
    for seed in range(SEEDS):
        set_seed(evaluator, seed * 0x9E3779B97F4A7C15 % 2**64)
        found.append(folded(evaluator, rows)[1])
    return np.array(found) - folded(NETWORK, rows)[1]


def test_independent_errors_are_the_noise_of_the_search():
    rows = np.array([HERE, -HERE[::-1], np.roll(HERE, 1)])
    evaluator = erring(NETWORK, Errors(0.25, EQUITY))
    for seed in (0, 7, 0xFEDC_BA98_7654_3210):
        set_seed(evaluator, seed)
        noise = [0.25 * gauss(row, np.uint64(seed)) for row in rows]
        clean = folded(NETWORK, rows)[1]
        assert folded(evaluator, rows)[1] == pytest.approx(clean + noise, abs=1e-6)


@pytest.mark.parametrize("window", [1, 3, 8, 25])
def test_positions_share_the_errors_of_their_windows(window):
    near = HERE.copy()
    near[[13, 12]] += (-1, 1)  # windows with one of these points are others
    others = len({(place - back) % 26 for place in (12, 13) for back in range(window)})
    found = errors_of(np.array([HERE, near]), Errors(0.1, window))
    assert found.mean() == pytest.approx(0, abs=0.015)
    assert found.std() == pytest.approx(0.1, rel=0.12)
    alike = np.corrcoef(found.T)[0, 1]
    assert alike == pytest.approx(1 - others / 26, abs=0.15)


def test_errors_of_outputs_are_those_of_cumulative_chances():
    evaluator, found = erring(NETWORK, Errors(0.01, OUTPUTS)), []
    for seed in range(SEEDS):
        set_seed(evaluator, seed)
        found.append(folded(evaluator, HERE[None])[0][0, :6])
    six, clean = np.array(found), folded(NETWORK, HERE[None])[0][0]
    assert six.sum(axis=1) == pytest.approx(np.ones(SEEDS), abs=1e-6)
    assert six.min() >= -1e-7
    for part in (slice(3, 6), slice(4, 6), slice(0, 2)):  # far from 0: won, gammons won, lost
        error = six[:, part].sum(axis=1) - clean[part].sum()
        assert error.mean() == pytest.approx(0, abs=0.0025)
        assert error.std() == pytest.approx(0.01, rel=0.15)


def test_what_cannot_come_stays_impossible():
    ahead = HERE.copy()
    ahead[np.flatnonzero(ahead > 0)[0]] -= 1  # the player on roll has borne one off
    evaluator = erring(NETWORK, Errors(0.3, OUTPUTS))
    for seed in range(20):
        set_seed(evaluator, seed)
        out = folded(evaluator, ahead[None])[0][0]
        assert not out[:2].any()
        assert out[2:6].sum() == pytest.approx(1)


def test_values_stay_within_what_results_are_worth():
    evaluator = erring(NETWORK, Errors(1e9, 3))
    game = backgammon(GAMMON_GO)
    rows = np.array([HERE])
    seen = set()
    for seed in range(20):
        set_seed(evaluator, seed)
        for stake in (1, -1):
            seen.add((stake, float(folded(evaluator, rows, game, stake)[1][0])))
    both = {1: GAMMON_GO, -1: GAMMON_GO.for_opponent()}
    assert seen == {(k, each.payoffs.ascending[end]) for k, each in both.items() for end in (0, -1)}


def test_kinds_have_names():
    assert Errors.named(0.1, "equity") == (0.1, EQUITY)
    assert Errors.named(0.1, "outputs") == (0.1, OUTPUTS)
    assert Errors.named(0.0, "alike-25") == (0.0, 25)
    long = "alike-" + "9" * 5000
    wrong = ("", "alike", "alike-0", "alike-26", "alike--1", "alike-x", "output", long, 5, None)
    for kind in wrong:
        with pytest.raises(SettingError, match="expected equity, outputs, or alike-1"):
            Errors.named(0.1, kind)
    for sigma in (-0.1, 1e92):
        with pytest.raises(SettingError, match="a standard deviation, 0 to 1,000,000"):
            Errors.named(sigma, "equity")


def test_only_networks_err():
    with pytest.raises(SettingError, match="expected a network in integers"):
        erring(BASELINE, Errors(0.1))


# The tensors of a network, by name.


def test_parts_have_the_names_of_one_network() -> None:
    weights = drawn_tensors(8, 4, parts=3)
    parts = parts_of(weights)
    assert len(parts) == 3
    for number, part in enumerate(parts):
        for name, value in part.items():
            assert value is weights[f"parts.{number}.{name}"]
    assert first_layers(weights) == [
        f"parts.{number}.{name}.weight" for number in range(3) for name in ("hidden1", "gate")
    ]


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 3.4e38, -1.1 * LARGEST])
def test_weights_that_are_no_numbers_are_refused(number: float) -> None:
    weights = drawn_tensors(8, 4)
    check_weights(weights, "ours")
    weights["parts.0.gate.weight"][3, 7] = number
    with pytest.raises(ModelError, match=r"ours: parts\.0\.gate\.weight has a weight of"):
        check_weights(weights, "ours")


def test_layers_have_so_many_units_at_most() -> None:
    weights = drawn_tensors(8, 4)
    weights["parts.0.hidden1.bias"] = np.zeros(MOST_UNITS + 1, np.float32)
    with pytest.raises(ModelError, match=r"hidden1\.bias has 2049 units; expected no more than"):
        check_weights(weights, "ours")
