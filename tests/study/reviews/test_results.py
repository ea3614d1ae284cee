"""What results make: a choice for each decision, and nothing where results are missing."""

import pytest

from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon_study.match_files.match_file import read_transcript
from gammon_study.reviews.choice import ChoiceKind
from gammon_study.reviews.results import cube_choice, made_of, play_choice
from gammon_study.reviews.task import items_of, review_facts, review_unit, units_of
from tests.matches import HAND

MATCH, MET = read_transcript(HAND), read_met()


@pytest.fixture(scope="module")
def results() -> list[dict]:
    units = units_of(MATCH.games, review_facts(1, "leaf", MET))
    return [found for unit in units for found in review_unit(unit)]


def test_each_choice_is_of_who_acted(results: list[dict]) -> None:
    """A double of one side is answered by the other, in the action after it."""
    choices, lucks = made_of(MATCH, MET, results)
    for choice in choices:
        actions = MATCH.games[choice.game].actions
        assert choice.player == actions[choice.action].side
        answers = choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
        assert (Position.parse(choice.xgid).context.offer == "D") == answers
        if answers:
            assert actions[choice.action].kind.value == choice.kind.value
            assert actions[choice.action - 1].side == 1 - choice.player
    assert {choice.kind for choice in choices} == set(ChoiceKind)
    rolls = [(c.game, c.action, c.player) for c in choices if c.kind is ChoiceKind.PLAY]
    assert rolls == [luck[:3] for luck in lucks]


def test_one_choice_is_that_of_the_match(results: list[dict]) -> None:
    choices, _ = made_of(MATCH, MET, results)
    items = [(n, item) for n, game in enumerate(MATCH.games) for item in items_of(game)]
    for (game, item), found in zip(items, results, strict=True):
        kinds = [c for c in choices if (c.game, c.action) == (game, item["action"])]
        for expected in kinds:
            cube = expected.kind is not ChoiceKind.PLAY
            if cube != ("cube" in item):
                continue
            one = (
                cube_choice(expected.kind, item, found, MET)
                if cube
                else play_choice(item, found, MET)
            )
            assert one._replace(game=game, player=expected.player) == expected


def test_results_are_as_many_as_items(results: list[dict]) -> None:
    with pytest.raises(ValueError, match="shorter"):
        made_of(MATCH, MET, results[:-1])
    with pytest.raises(ValueError, match="longer"):
        made_of(MATCH, MET, [*results, results[-1]])
