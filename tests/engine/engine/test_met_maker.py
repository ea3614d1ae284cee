"""Our own match equity table: each chance follows from those with fewer points."""

import pytest

import gammon
from gammon.engine.met_maker import make_met
from gammon.rules.dice import ROLLS
from gammon.rules.terms import Terms

SMALL = make_met(4, 1)


def test_it_is_near_the_one_in_use() -> None:
    table = gammon.read_met()
    for own in range(1, 5):
        for their in range(1, 5):
            assert SMALL.mwc(own, their) == pytest.approx(table.mwc(own, their), abs=0.03)
        assert SMALL.mwc(own, 1, True) == pytest.approx(table.mwc(own, 1, True), abs=0.03)


@pytest.mark.parametrize(
    "terms",
    [Terms(3, (3, 1)), Terms(4, (4, 1), crawford=True), Terms(4, (4, 3)), Terms(2, (2, 2))],
    ids=str,
)
def test_a_chance_is_the_mean_over_who_begins_and_how(terms: Terms) -> None:
    engine = gammon.Engine(depth=1, met=SMALL)
    chances = []
    for mine in (True, False):
        position = gammon.Position.opening().with_terms(terms if mine else terms.turned())
        for roll in ROLLS:
            if roll[0] != roll[1]:
                mwc = engine.analyze(position, roll).candidates[0].mwc
                assert mwc is not None
                chances.append(mwc if mine else 1 - mwc)
    late = 1 in terms.away and not terms.crawford
    expected = sum(chances) / len(chances)
    assert SMALL.mwc(*terms.away, late) == pytest.approx(expected, abs=1e-9)


def test_progress_and_settings() -> None:
    told: list[tuple[int, int]] = []
    make_met(2, 1, on_score=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    for length, depth in ((1, 1), (65, 1), (3, 2)):
        with pytest.raises(gammon.SettingError):
            make_met(length, depth)
