"""The matches of the noise study."""

import pytest

from gammon.experiments.noise_design import (
    BEST,
    MEASURED,
    Meeting,
    Source,
    games_of,
    meetings,
    players_of,
    sizes_of,
)

MODELS = {"leaf": "leaf", "probe": "probe", "early": "here/early", "middle": "here/middle"}


@pytest.mark.parametrize("quick", [False, True])
def test_each_match_has_a_folder_and_players(quick):
    played = meetings(quick)
    assert len({meeting.folder for meeting in played}) == len(played)
    for meeting in played:
        deep, shallow = players_of(meeting, MODELS)
        assert (deep.depth, shallow.depth) == (meeting.depth, 1)
        assert str(deep) != str(shallow), "equal players do not meet"
        if meeting.clean:
            assert (shallow.noise, shallow.model) == (0, BEST)
        else:
            assert deep[2:4] == shallow[2:4], "the same network and errors"
            assert deep.errors == shallow.errors
        games, until = games_of(meeting, quick)
        assert games % 2 == 0
        assert until is None or (until == 0.015) == (meeting.depth == 5)
        assert bool(deep.filter) == (meeting.depth == 7)


def test_the_study_has_what_the_question_needs():
    played = set(meetings(False))
    for size in (0.0, 0.03, 0.1):
        assert {Meeting(Source("equity", size), depth) for depth in (3, 5, 7)} <= played
    for name in ("early", "middle", "probe"):
        assert Meeting(Source(name), 1, True) in played
        assert Meeting(Source(name), 3) in played
    precise = {each.source for each in played if games_of(each, False) == (600, None)}
    assert precise == {("equity", 0.03), ("outputs", 0.03)}
    assert MEASURED.keys() == sizes_of(False).keys()


def test_a_weak_network_has_errors_of_its_own():
    deep, shallow = players_of(Meeting(Source("early"), 3), MODELS)
    assert str(deep) == "depth=3,model=here/early"
    assert str(shallow) == "depth=1,model=here/early"
    assert (
        str(Meeting(Source("early"), 3))
        == "early, depth 3 against depth 1 with the same errors"
    )
