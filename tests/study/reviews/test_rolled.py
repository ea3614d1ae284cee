"""Rollouts of costly decisions: those of `gammon.rollout`, beside what the search says."""

from pathlib import Path

import pytest

import gammon
from gammon.base.errors import SettingError
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon_study.reviews.choice import ChoiceKind
from gammon_study.reviews.review import Review, review
from gammon_study.reviews.rolled import (
    rolled_choice,
    rollout_fits,
    rollout_unit,
    unit_of_rollout,
)
from tests.matches import HAND


@pytest.fixture(scope="module")
def plain() -> Review:
    return review(HAND, depth=1)


@pytest.fixture(scope="module")
def over(plain: Review) -> float:
    """The error of the worst play; choices about the cube lost more."""
    return max(choice.error for choice in plain.choices if choice.kind is ChoiceKind.PLAY)


@pytest.fixture(scope="module")
def found(over: float) -> Review:
    return review(HAND, depth=1, rollout_over=over, trials=36)


def test_the_dear_ones_are_rolled_out(plain: Review, found: Review, over: float) -> None:
    assert [c._replace(rollout=None) for c in found.choices] == [*plain.choices]
    assert found.totals(0) == plain.totals(0)
    rolled = [choice for choice in found.choices if choice.rollout is not None]
    assert rolled == [choice for choice in found.choices if choice.error >= over]
    assert {choice.kind is ChoiceKind.PLAY for choice in rolled} == {True, False}


def test_they_are_those_of_a_rollout(found: Review) -> None:
    for choice in found.choices:
        if choice.rollout is None:
            continue
        position = Position.parse(choice.xgid)
        plays = [each.play for each in choice.plays] or None
        expected = gammon.rollout(position, plays=plays, trials=36)
        for ours, theirs in zip(choice.rollout.candidates, expected.candidates, strict=True):
            assert (ours.name, ours.equity, ours.error, ours.loss) == (
                theirs.name, theirs.equity, theirs.error, theirs.loss,
            )  # fmt: skip
            if ours.loss and ours.loss_error:
                assert ours.loss / ours.loss_error == pytest.approx(theirs.jsd)
        verdict = expected.cube.verdict if expected.cube else ""
        assert choice.rollout.verdict == verdict


def test_it_goes_on_where_it_was_interrupted(
    plain: Review, found: Review, over: float, tmp_path: Path
) -> None:
    assert review(HAND, depth=1, out=tmp_path) == plain
    assert review(HAND, depth=1, out=tmp_path, rollout_over=over, trials=36) == found
    store = tmp_path / "rollouts.jsonl"
    lines = store.read_text().splitlines(keepends=True)
    store.write_text(lines[0] + lines[1][:30])
    told: list[tuple[int, int]] = []
    again = review(
        HAND, depth=1, out=tmp_path, rollout_over=over, trials=36, workers=2,
        on_done=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert again == found
    assert told[-1] == (len(lines), len(lines))


def test_words(found: Review) -> None:
    for choice in found.choices:
        if choice.rollout is None:
            continue
        said = choice.rollout.words(choice.made)
        if choice.kind is not ChoiceKind.PLAY:
            assert said.startswith(f"{choice.rollout.verdict} (no double ")
            continue
        (mine,) = [c for c in choice.rollout.candidates if c.name == choice.made]
        if mine.loss:
            best = choice.rollout.candidates[0].name
            assert said.startswith(f"{-mine.loss:+.3f} ± ")
            assert said.endswith(f"best {best}")
        assert "is the best one" in choice.rollout.words(choice.rollout.candidates[0].name)


def test_what_can_be_a_result() -> None:
    unit = unit_of_rollout(
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", ["8/5 6/5"], 36, "leaf",
        read_met(),
    )  # fmt: skip
    result = rollout_unit(unit)
    assert rollout_fits(unit, result)
    assert rolled_choice(result).candidates[0].loss_error == 0.0
    for damaged in (None, 3, {}, {**result, "candidates": [[1]]}, {**result, "candidates": []}):
        assert not rollout_fits(unit, damaged)


@pytest.mark.parametrize(
    "settings", [{"rollout_over": -0.1}, {"rollout_over": "x"}, {"trials": 35}]
)
def test_what_is_refused(settings: dict) -> None:
    with pytest.raises(SettingError, match=next(iter(settings))):
        review(HAND, depth=1, **settings)
