"""Matches: the adjustment is fair, and files do not depend on the workers."""

import json

import numpy as np
import pytest

from gammon.errors import SettingError
from gammon.eval.model_file import find_model
from gammon.match import MatchSettings, parse_player, run_match
from gammon.match.match import Effort
from gammon.match.player import mind_of
from gammon.match.result import result_of
from gammon.parallel import Pool
from gammon.rules.stakes import GAMMON_GO, MONEY, Stakes, parse_stakes

QUICK, PROBE, NOISY = (parse_player(text) for text in ("depth=1", "model=probe", "noise=0.1"))


def played(a, b, games, out, **more):
    return run_match(MatchSettings(a, b, games, out, **more))


def test_the_adjustment_is_unbiased_and_helps(tmp_path):
    """Two players of the same strength, whose errors are independent, over 20 seeds."""
    raw, adjusted = [], []
    for seed in range(20):
        result, _ = played(NOISY, NOISY, 30, tmp_path / str(seed), seed=seed)
        raw.append(result.points)
        adjusted.append(result.adjusted)
    means = np.array([each.mean for each in adjusted])
    error = means.std(ddof=1) / np.sqrt(len(means))
    assert abs(means.mean()) < 3 * error
    claimed = np.sqrt(np.mean([each.error**2 for each in adjusted]))
    assert 0.6 < means.std(ddof=1) / claimed < 1.6
    assert claimed < 0.5 * np.sqrt(np.mean([each.error**2 for each in raw]))


def test_a_player_equals_itself(tmp_path):
    result, _ = played(QUICK, QUICK, 20, tmp_path)
    assert result.points.mean == result.points.error == 0
    assert result.adjusted.mean == pytest.approx(0)


def test_files_do_not_depend_on_workers_or_interruptions(tmp_path):
    files = []
    for name, workers in (("one", 1), ("two", 2), ("three", 3)):
        out = tmp_path / name
        result, work = played(NOISY, PROBE, 220, out, pool=Pool(workers))
        assert isinstance(work, Effort)
        files.append([(out / f).read_bytes() for f in ("games.jsonl", "result.json")])
    assert files[0] == files[1] == files[2]

    out = tmp_path / "cut"
    out.mkdir()
    units = (tmp_path / "one" / "units.jsonl").read_bytes()
    (out / "units.jsonl").write_bytes(units[: len(units) // 3])
    assert played(NOISY, PROBE, 220, out)[0] == result
    assert [(out / f).read_bytes() for f in ("games.jsonl", "result.json")] == files[0]

    games = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    assert result_of(games) == result
    assert json.loads((out / "result.json").read_text())["games"] == 220


def test_another_network_of_the_same_name_plays_anew(tmp_path):
    file = tmp_path / "mine.safetensors"
    results = []
    for name in ("probe", "leaf", "probe"):
        file.write_bytes(find_model(name).read_bytes())
        mind_of.cache_clear()  # as in another session
        mine = QUICK._replace(model=str(file))
        results.append(played(mine, PROBE, 8, tmp_path, luck=None)[0])
    assert results[0] == results[2] != results[1]


def test_enough_is_enough(tmp_path):
    seen = []
    result, _ = played(
        QUICK, PROBE, 2000, tmp_path / "a", until_se=0.03,
        on_result=lambda result: seen.append(result.games),
    )  # fmt: skip
    assert seen == [100 * k for k in range(1, len(seen) + 1)]
    assert result.games == seen[-1] < 2000
    assert result.adjusted.error <= 0.03
    again, _ = played(QUICK, PROBE, 2000, tmp_path / "b", until_se=0.03, pool=Pool(2))
    assert again == result


def test_stakes_are_other_units_and_are_written_down(tmp_path):
    odd = Stakes(1 / 3, 2 / 3, 1.0, -1 / 3, -1 / 3, -1 / 3)
    for stakes in (MONEY, GAMMON_GO, odd, MONEY):
        result, _ = played(QUICK, PROBE, 20, tmp_path, stakes=stakes)
        games = [
            json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()
        ]
        assert result_of(games, stakes) == result
        facts = json.loads((tmp_path / "result.json").read_text())
        assert parse_stakes(facts.get("stakes", "money")) == stakes
        assert ("stakes" in facts) == (stakes != MONEY)
    units = [json.loads(line) for line in (tmp_path / "units.jsonl").read_text().splitlines()]
    assert len(units) == 3, "money is played once"


@pytest.mark.parametrize(
    "change",
    [
        {"games": 7}, {"until_se": 0.0}, {"seed": -1}, {"stakes": Stakes(1, 0, 0, -1, -1, -1)},
        {"b": parse_player("gnubg=0"), "stakes": GAMMON_GO},
    ],
    ids=str,
)  # fmt: skip
def test_bad_settings_are_refused(tmp_path, change):
    with pytest.raises(SettingError, match=r"expected|plays for money"):
        run_match(
            MatchSettings(**{"a": QUICK, "b": QUICK, "games": 20, "out": tmp_path} | change)
        )
