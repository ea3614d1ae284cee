"""Networks as evaluators of the search."""

from pathlib import Path

import pytest

from gammon.base.errors import ModelError
from gammon.eval import evaluators, kept
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.cube_network import cube_block
from gammon.eval.evaluators import evaluator_of, load_evaluator
from gammon.eval.fold import fold_dead
from gammon.eval.integer_network_kernel import results, scratch_for
from gammon.eval.integers import header_of, pack
from gammon.eval.model_file import load_model, save_model
from gammon.eval.race_network import race_block


@pytest.mark.smoke
def test_an_evaluator_is_a_packed_model():
    weights = load_model("probe").weights
    expected = pack(weights)
    for evaluator in (evaluator_of(weights, bearoff=False), load_evaluator("probe", False)):
        assert evaluator.weights.tobytes() == expected.tobytes()
        assert evaluator[:1] + evaluator[2:5] == (
            results, 6, fold_dead, scratch_for(expected),
        )  # fmt: skip
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
    bearoff: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(kept, "_folder", lambda: tmp_path)
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
    monkeypatch.setattr(kept, "_folder", lambda: tmp_path / "cache")
    path = tmp_path / "mine.safetensors"
    save_model(path, load_model("probe").weights, {})
    load_evaluator(path, False)
    assert not (tmp_path / "cache").exists()
