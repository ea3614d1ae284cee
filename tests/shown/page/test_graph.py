"""The graph: what each position was worth, by a plain count of its own."""

from dataclasses import replace

import pytest

from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.formats.transcript import Transcript
from gammon.reviews.choice import ChoiceKind
from gammon.reviews.review import Review, review
from gammon.shown.page.graph import graph, places_of
from tests.matches import random_match
from tests.svg.drawn import parsed, parts


def test_what_positions_are_worth(match5: Review) -> None:
    """Chances of the player on roll come from EMG by the two ends of its scale."""
    places, met = list(places_of(match5)), read_met()
    found = [place.choice for place in places if place.choice is not None]
    assert found == [*match5.choices]
    for place in places:
        choice = place.choice
        if choice is None:
            continue
        terms = Position.parse(choice.xgid).context.terms()
        win, lose = met.after(terms, terms.cube), met.after(terms, -terms.cube)
        mine = 0.5 * (win + lose) + 0.5 * (win - lose) * _after(choice)
        doubler = choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
        on_roll = 1 - choice.player if doubler else choice.player
        assert place.worth == pytest.approx(mine if on_roll == 0 else 1.0 - mine)


def _after(choice) -> float:
    """The equity of what happened, to the player on roll."""
    if choice.kind is ChoiceKind.PLAY:
        return choice.plays[0].equity - choice.error
    stay, taken, passed = choice.values
    return {
        "no double": stay, "double": min(taken, passed), "take": taken, "pass": passed,
    }[choice.kind]  # fmt: skip


def test_games_begin_and_end_with_the_score(match5: Review) -> None:
    ends = [place.worth for place in places_of(match5) if place.choice is None]
    assert len(ends) == 8
    assert ends[0] == 0.5
    assert ends[-1] == 0.0
    for before, after in zip(ends[1::2], ends[2::2], strict=False):
        assert before == pytest.approx(after)


def test_money() -> None:
    match = random_match(0, 3)
    found = review(Transcript(match.players, 0, match.games[:2]), depth=1)
    places = list(places_of(found))
    first = found.transcript.games[0]
    won = first.points if first.winner == 0 else -first.points
    ends = [place.worth for place in places if place.choice is None]
    score = found.transcript.games[1].score.points
    assert ends == [0.0, won, score[0] - score[1], pytest.approx(ends[3])]
    for place in places:
        if place.game == 0 and place.choice is not None:
            cube = Position.parse(place.choice.xgid).context.terms().cube
            equity = place.choice.equity * (1 if place.choice.player == 0 else -1)
            assert place.worth == pytest.approx(cube * equity)
    assert len(parts(graph(found), "gl")) == 1


def test_the_drawing(match5: Review) -> None:
    drawing = graph(match5)
    places = list(places_of(match5))
    (line,) = parts(drawing, "gl")
    spots = [tuple(map(float, spot.split(","))) for spot in line.get("points", "").split()]
    assert len(spots) == len(places)
    heights = [spot[1] for spot in spots]
    order = sorted(range(len(places)), key=lambda i: places[i].worth)
    assert heights[order[0]] == max(heights)
    assert heights[order[-1]] == min(heights)
    marked = [choice for choice in match5.choices if choice.mark]
    for player, shape in ((0, "circle"), (1, "rect")):
        dots = [each for each in parts(drawing, "dot") if each.tag.endswith(shape)]
        assert len(dots) == sum(choice.player == player for choice in marked)
    links = [each.get("href") for each in parsed(drawing).iter() if each.get("href")]
    assert len(links) == len(marked) + 4


def test_a_match_without_an_end(hand: Review) -> None:
    game = replace(hand.transcript.games[0], winner=None)
    cut = replace(hand, transcript=replace(hand.transcript, games=(game,)))
    assert list(places_of(cut))[-1].choice is not None
    assert graph(cut)
