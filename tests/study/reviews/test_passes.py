"""Reviews in passes: what is done is kept, shown, and gone on from."""

from collections.abc import Callable
from typing import Any

import pytest

from gammon.base.errors import SettingError
from gammon.search import Stop
from gammon_study.match_files.match_file import parse_transcript, read_transcript
from gammon_study.match_files.transcript import Transcript
from gammon_study.reviews import passes
from gammon_study.reviews.passes import review_passes
from gammon_study.reviews.review import Review, review
from gammon_study.reviews.task import items_of, review_unit
from tests.matches import HAND, SHORT


@pytest.fixture(scope="module")
def match() -> Transcript:
    return read_transcript(HAND)


@pytest.fixture(scope="module")
def quick(match: Transcript) -> Review:
    return review(match, depth=3)


@pytest.fixture(scope="module")
def deep(match: Transcript) -> Review:
    return review(match, depth=5)


@pytest.fixture
def ended_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], tuple[Stop, list[Any]]]:
    """Gives a stop that is set once so many units are done, and the units that were begun."""

    def make(units: int) -> tuple[Stop, list[Any]]:
        stop, begun = Stop(), []

        def counted(unit: Any, given: Stop) -> Any:
            begun.append(unit)
            if len(begun) > units:
                stop.set()
            return review_unit(unit, given)

        monkeypatch.setattr(passes, "review_unit", counted)
        return stop, begun

    return make


def test_a_quick_pass_comes_first(match: Transcript, quick: Review, deep: Review) -> None:
    told: list[tuple[int, int, int]] = []
    found = review_passes(match, {}, Stop(), on_done=lambda *done: told.append(done))
    assert list(found) == [quick, deep]
    items = sum(1 for game in match.games for _ in items_of(game))
    for depth in (3, 5):
        mine = [done for done, of, plies in told if (of, plies) == (items, depth)]
        assert mine == sorted(mine)
        assert (mine[0], mine[-1]) == (0, items)
    assert len(told) == sum(plies in (3, 5) for _, _, plies in told)


@pytest.mark.parametrize("depth", [1, 3])
def test_what_is_quick_has_one_pass(match: Transcript, depth: int) -> None:
    assert list(review_passes(match, {}, Stop(), depth)) == [review(match, depth=depth)]


def test_a_level_has_a_quick_pass_too() -> None:
    match = parse_transcript(SHORT.encode())
    first, last = review_passes(match, {}, Stop(), level="roller", seed=2)
    assert first == review(match, depth=3)
    assert last == review(match, level="roller", seed=2)


def test_what_the_time_leaves_is_as_the_quick_pass_has_it(
    match: Transcript,
    quick: Review,
    deep: Review,
    ended_after: Callable[[int], tuple[Stop, list[Any]]],
) -> None:
    kept: dict[str, Any] = {}
    quick_units = 2  # one for each game
    stop, begun = ended_after(quick_units + 3)
    first, cut = review_passes(match, kept, stop)
    assert len(begun) == quick_units + 4
    assert first == quick
    assert cut.left > 0
    depths = [choice.depth for choice in cut.choices]
    known = depths.count(5)
    assert depths == [5] * known + [3] * (len(depths) - known)
    assert 0 < known < len(depths)
    assert cut.choices == deep.choices[:known] + quick.choices[known:]
    lucks = [each.equity for each in deep.lucks]
    assert [each.equity for each in cut.lucks] == pytest.approx(lucks)
    assert cut.adjusted(0) == pytest.approx(deep.adjusted(0))
    (note,) = [each for each in cut.notes if "time was over" in each]
    assert f"{cut.left} decisions not yet analyzed by depth 5" in note
    assert "gammon serve --seconds" in note
    done = len(kept)
    stop, begun = ended_after(10_000)
    assert list(review_passes(match, kept, stop)) == [quick, deep]
    assert len(kept) == done + len(begun), "nothing that was done is done again"
    assert deep.left == 0
    assert deep.notes == []


def test_a_quick_pass_that_is_cut_off_has_what_it_has(
    match: Transcript, quick: Review, ended_after: Callable[[int], tuple[Stop, list[Any]]]
) -> None:
    stop, _ = ended_after(1)
    (cut,) = review_passes(match, {}, stop)
    assert 0 < len(cut.choices) < len(quick.choices)
    assert cut.choices == quick.choices[: len(cut.choices)]
    assert cut.lucks == quick.lucks[: len(cut.lucks)]
    assert cut.adjusted(0) is None
    assert cut.result(0) == quick.result(0)
    assert str(cut)
    stop.set()
    (nothing,) = review_passes(match, {}, stop)
    assert (nothing.choices, nothing.lucks) == ((), ())
    assert nothing.left == sum(1 for game in match.games for _ in items_of(game))


def test_what_is_refused(match: Transcript) -> None:
    with pytest.raises(SettingError, match="depth 2"):
        next(review_passes(match, {}, Stop(), 2))
