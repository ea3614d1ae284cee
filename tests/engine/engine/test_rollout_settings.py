"""Settings of rollouts that are out of range are one line."""

import pytest

from gammon.base.errors import SettingError
from gammon.engine.rollout_settings import RolloutSettings


@pytest.mark.parametrize(
    "settings",
    [
        {"trials": 0}, {"trials": 37}, {"trials": "36"}, {"trials": 36_000_036},
        {"depth": 2}, {"depth": 7}, {"cube_depth": 0}, {"truncate": 0}, {"truncate": 1.5},
        {"seed": -1}, {"seed": 2**64}, {"model": ""}, {"model": 3}, {"move_filter": "wide"},
        {"until_se": 0.0}, {"until_jsd": -1.0}, {"max_seconds": float("nan")}, {"exact": 1},
        {"drop": None},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_out_of_range(settings):
    with pytest.raises(SettingError, match="expected") as caught:
        RolloutSettings(**settings)
    assert next(iter(settings)) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_next_number_of_trials_is_named():
    assert RolloutSettings(trials=1_000_008).trials == 1_000_008
    with pytest.raises(
        SettingError, match="trials 1000000: expected a multiple of 36, such as"
    ):
        RolloutSettings(trials=1_000_000)


def test_the_cube_is_played_as_deep_as_the_rest_unless_asked():
    assert RolloutSettings(depth=3).plies_of_cube == 3
    assert RolloutSettings(depth=3, cube_depth=1).plies_of_cube == 1
