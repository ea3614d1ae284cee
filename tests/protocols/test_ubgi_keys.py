"""The settings of the Universal Backgammon Interface."""

import pytest

from gammon.answers.engine import DEPTHS, FILTERS
from gammon.base.errors import SettingError
from gammon.eval.model_file import shipped_models
from gammon.protocols.ubgi_keys import KEYS, OLD_NAMES, Key, changed, key_of
from gammon.search import MAX_THREADS


def named(name: str) -> Key:
    found = key_of(name)
    assert found is not None
    return found


def test_their_lines() -> None:
    lines = [key.line for key in KEYS]
    assert "key engine.ply int 1..4 2 plies as XG counts them: 1 is static" in lines
    assert "key engine.threads int 1..256 1 ! processors for one decision" in lines
    assert any(line.startswith("key engine.cube bool true ") for line in lines)
    assert any(
        line.startswith("key game.variant enum backgammon backgammon ") for line in lines
    )
    assert len({key.name for key in KEYS}) == len(KEYS)


def test_limits_and_choices_are_those_that_there_are() -> None:
    assert (2 * named("engine.ply").low - 1, 2 * named("engine.ply").high - 1) == (
        DEPTHS[0], DEPTHS[-1],
    )  # fmt: skip
    assert set(named("engine.filter").choices) == {"none", *FILTERS}
    assert set(named("engine.model").choices) == {path.stem for path in shipped_models()}
    assert named("engine.threads").high == MAX_THREADS


def test_old_names_are_of_settings() -> None:
    assert all(key_of(name) for name in OLD_NAMES.values())
    assert key_of("engine.hash") is None


def test_a_change() -> None:
    values = {key.name: key.default for key in KEYS}
    found = changed(values, "engine.cube", "OFF")
    assert found == values | {"engine.cube": False}
    for name, text in (("engine.ply", "٣"), ("engine.ply", "9" * 20), ("engine.cube", "")):
        with pytest.raises(SettingError, match=f"{name} .* must_be"):
            changed(values, name, text)
