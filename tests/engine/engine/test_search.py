"""Plays and cube decisions against slower ways, their stakes, and lists of plays."""

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

import gammon
from gammon import Kind, Position
from gammon.base.errors import SettingError
from gammon.engine.analysis import deep_kind
from gammon.engine.bot import Bot
from gammon.engine.question import Question
from gammon.engine.scale import Scale, by_terms
from gammon.engine.search import Search
from gammon.eval.equity import Probabilities, for_opponent
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import results_of
from gammon.formats.met_file import read_met
from gammon.games.backgammon import filter_named
from gammon.match.player import DepthPlayer, Player
from gammon.rules.board import Points
from gammon.rules.dice import ROLLS, WEIGHTS, outcome_of
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Terms
from gammon.view.cube import cube_view
from gammon.view.tables import plain_text
from gammon_lab.algorithms import GAMMA
from tests.boards import points_of
from tests.conftest import Played
from tests.naive.cube import leaf_value

# Cube decisions and plays with the cube: the engine against slower and plainer ways.

MET = read_met()

TERMS = [
    Terms(), Terms(jacoby=True, beavers=True), Terms(cube=2, owner=1), Terms(cube=4, owner=-1),
    Terms(7, (7, 7)), Terms(5, (2, 4)), Terms(5, (3, 2), cube=2, owner=1),
    Terms(3, (1, 3), crawford=True), Terms(3, (3, 1)), Terms(2, (2, 2)), Terms(1, (1, 1)),
]  # fmt: skip


def contact(played: Played, count: int, seed: int) -> list[Points]:
    """Positions of which no exact bearoff is known."""
    found = [p for p in played(30 * count, seed) if any(p[7:]) and any(n < 0 for n in p[:18])]
    return found[:: len(found) // count][:count]


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_without_a_search_a_decision_is_that_of_its_chances(terms: Terms, played: Played) -> None:
    for points in contact(played, 12, 3):
        position = gammon.Position(points).with_terms(terms)
        found = gammon.Engine(depth=1).cube(position)
        plain = gammon.cube_from_chances(position, found.probabilities)
        row = np.array([points], np.int8)
        six = results_of(row, load_evaluator("leaf").weights)[0].tolist()
        for name in ("no_double", "double_take", "double_pass"):
            ours, theirs = getattr(found, name), getattr(plain, name)
            assert (ours is None) == (theirs is None) == (name != "no_double" and not terms.may_double)
            if ours is None:
                continue
            if name == "double_pass":
                assert ours.equity == pytest.approx(theirs.equity)
                continue
            at, factor = (terms, 1.0) if name == "no_double" else (terms.doubled(), 2.0)
            value = leaf_value(points, six, at, MET)
            if terms.length:
                assert ours.mwc == pytest.approx(value, abs=2e-6)
                value, factor = MET.emg(value, terms), 1.0
            assert ours.equity == pytest.approx(factor * value, abs=2e-5)
        assert found.no_double.kind is gammon.Kind.STATIC


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_a_play_is_worth_the_opposite_of_what_the_opponent_gets(terms: Terms) -> None:
    engine = gammon.Engine(depth=3)
    position = gammon.Position.parse("4HPiATCYc8kBIg").with_terms(terms)
    analysis = engine.analyze(position, (6, 2), top=3)
    for candidate in analysis.candidates[:3]:
        theirs = engine.cube(candidate.play.position)
        assert theirs.depth == 3 and theirs.stats is not None and theirs.seconds > 0
        values = theirs.no_double, theirs.double_take, theirs.double_pass
        assert {value.kind for value in values if value} == {gammon.Kind.EXACT}
        assert candidate.equity == pytest.approx(-theirs.equity, abs=1e-9)
        assert candidate.equity == pytest.approx(-engine.evaluate(candidate.play.position).equity, abs=1e-9)
        if terms.length:
            assert candidate.mwc is not None
            emg = gammon.read_met().emg(candidate.mwc, terms)
            assert candidate.equity == pytest.approx(emg, abs=1e-9)


@pytest.mark.parametrize("terms", TERMS[:6], ids=str)
def test_rolling_is_worth_the_mean_of_the_rolls(terms: Terms) -> None:
    position = gammon.Position.parse("4HPiATCYc8kBIg").with_terms(terms)
    rolls = gammon.Engine(depth=1).analyze_rolls(position)
    deeper = gammon.Engine(depth=3).cube(position)
    assert rolls.equity == pytest.approx(deeper.no_double.equity, abs=1e-6)
    assert rolls.terms == terms
    assert np.dot(WEIGHTS, [a.candidates[0].equity for a in rolls.analyses]) / 36 == (
        pytest.approx(rolls.equity)
    )


def test_where_the_cube_is_dead_it_does_not_matter() -> None:
    position = gammon.Position.parse("4HPiATCYc8kBIg").with_terms(Terms(1, (1, 1)))
    dmp = gammon.Engine(depth=3).analyze(position, (6, 2), top=5)
    cubeless = gammon.Engine(depth=3, stakes="dmp").analyze(position, (6, 2), top=5)
    for ours, theirs in zip(dmp.candidates[:5], cubeless.candidates[:5], strict=True):
        assert ours.play == theirs.play
        assert ours.equity == pytest.approx(theirs.equity, abs=1e-6)
        assert ours.mwc == pytest.approx(ours.probabilities.win, abs=1e-6)


def test_where_all_plays_end_in_a_pass_the_better_one_without_the_cube_comes_first() -> None:
    position = gammon.Position(points_of({1: 2, 6: 3}, {24: 2, 19: 10}))
    analysis = gammon.Engine(depth=3).analyze(position, (2, 1), top=100)
    cubeless = [c.cubeless_equity or math.nan for c in analysis.candidates]
    assert len({round(c.equity, 9) for c in analysis.candidates}) < len(cubeless)
    for first, second in zip(analysis.candidates, analysis.candidates[1:], strict=False):
        assert first.equity >= second.equity - 1e-9
        if abs(first.equity - second.equity) < 1e-10:
            assert first.cubeless_equity >= second.cubeless_equity  # type: ignore[operator]


def test_noise_in_a_match_is_in_its_unit() -> None:
    """Errors are those of equities, as large at any score as cubeless."""
    position = gammon.Position.parse("4HPiATCYc8kBIg")
    same = [gammon.Engine(depth=1, noise=0.1, noise_seed=4), gammon.Engine(depth=1)]
    dmp = [
        gammon.Engine(depth=1, stakes="dmp", noise=noise, noise_seed=4).evaluate(position).equity
        for noise in (0.1, 0.0)
    ]
    for terms in (Terms(25, (1, 1)), Terms(7, (7, 7))):
        at = position.with_terms(terms)
        noisy, plain = (engine.evaluate(at).equity for engine in same)
        assert noisy - plain == pytest.approx(dmp[0] - dmp[1], abs=1e-6)


def test_a_filter_is_told() -> None:
    position = gammon.Position.parse("4HPiATCYc8kBIg")
    tiny = gammon.Engine(depth=5, move_filter="tiny").cube(position)
    assert tiny.filtered
    assert "exact within the filter to depth 5" in plain_text(cube_view(tiny))
    assert not gammon.Engine(depth=3).cube(position).filtered


def test_a_cubeless_engine_decides_nothing() -> None:
    for engine in (gammon.Engine(cubeless=True), gammon.Engine(stakes="dmp")):
        assert not engine.cubeful
        with pytest.raises(gammon.SettingError, match="cubeless"):
            engine.cube(gammon.Position.opening())
    assert gammon.Engine(algorithm=GAMMA).stakes == gammon.parse_stakes("money")


def test_what_an_engine_answers_at_some_terms_depends_on_no_others() -> None:
    row = np.array([gammon.Position.opening().points], np.int8)
    scores = [Terms(21, (a, b)) for a in range(1, 22) for b in range(1, 22, 1 + a % 2)]
    used = gammon.Engine(depth=1)
    first, again = ([float(used.evaluate_many(row, terms).equities[0]) for terms in scores] for _ in "ab")
    assert len(scores) > 300
    assert first == again
    for terms, equity in list(zip(scores, first, strict=True))[::29]:
        assert gammon.Engine(depth=1).evaluate_many(row, terms).equities[0] == equity


def test_terms_that_no_game_has_are_refused() -> None:
    late = gammon.Position.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:65:10")
    for ask in (gammon.Engine(depth=1).cube, gammon.Engine(depth=1).evaluate):
        with pytest.raises(gammon.SettingError, match="match length 65"):
            ask(late)
    with pytest.raises(gammon.SettingError, match="cube 3"):
        gammon.Engine(depth=1).evaluate_many([gammon.Position.opening().points], Terms(cube=3))


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_small_bearoffs_are_known_to_the_end(terms: Terms) -> None:
    position = gammon.Position.parse("XGID=-B--A--------------c-a----:0:0:1:00:0:0:0:0:10")
    position = position.with_terms(terms)
    known = gammon.Engine(depth=1).cube(position)
    assert known.stats is None
    assert known.no_double.kind is gammon.Kind.EXACT
    # Noise of no size that matters makes it search, in this case to the end of the game.
    searched = gammon.Engine(depth=7, noise=1e-12).cube(position)
    assert searched.stats is not None
    for name in ("no_double", "double_take", "double_pass"):
        ours, theirs = getattr(known, name), getattr(searched, name)
        assert (ours is None) == (theirs is None)
        if ours is not None:
            assert ours.equity == pytest.approx(theirs.equity, abs=2e-6)
    assert known.verdict == searched.verdict


@pytest.mark.parametrize("terms", TERMS, ids=str)
@pytest.mark.parametrize("depth", [1, 5])
def test_plays_of_small_bearoffs_are_worth_what_the_cube_says(terms: Terms, depth: int) -> None:
    engine = gammon.Engine(depth)
    position = gammon.Position.parse("XGID=----B-A------------b----b-:0:0:1:00:0:0:0:0:10").with_terms(terms)
    found = engine.analyze(position, (2, 1), plays=["4/1"])
    for candidate in found.candidates:
        theirs = engine.cube(candidate.play.position)
        assert candidate.equity == pytest.approx(-theirs.equity, abs=2e-6)
        assert candidate.kind is not gammon.Kind.SHALLOW
    solved = terms.length > 0 and not terms.dead
    assert ("exact to the end" in str(found)) == (found.algorithm is None) == solved
    assert engine.evaluate(position).equity == pytest.approx(engine.cube(position).equity, abs=2e-6)
    board, at = [position.points], position.context.terms()
    assert engine.evaluate_many(board, at).equities == pytest.approx(engine.evaluate(position).equity)
    listed = engine.values_of_plays(board, [(2, 1)], at).equities
    assert listed == pytest.approx([candidate.equity for candidate in found.candidates])


@pytest.mark.parametrize("terms", [Terms(), Terms(7, (7, 7)), Terms(9, (4, 6))], ids=str)
def test_where_the_game_is_decided_a_double_is_optional(terms: Terms) -> None:
    position = gammon.Position.parse("XGID=-A-----------------c-c----:0:0:1:00:0:0:0:0:10")
    decision = gammon.Engine(depth=1).cube(position.with_terms(terms))
    assert decision.no_double.equity == pytest.approx(1)
    assert decision.verdict == "optional double, pass"


def test_plays_that_are_named_hear_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, asked, evaluate = gammon.Stop(), [], Search.evaluate

    def stopped(*arguments: Any) -> Any:
        asked.append(arguments)
        found = evaluate(*arguments)
        stop.set()
        return found

    monkeypatch.setattr(Search, "evaluate", stopped)
    names = ["8/5 6/5", "24/23 13/10", "13/9", "6/2"]
    position = gammon.Position.opening()
    found = gammon.Engine(3).analyze(position, (3, 1), 1, plays=names, stop=stop)
    assert len(asked) == 1
    exact = [each.kind is gammon.Kind.EXACT for each in found.candidates]
    assert exact.count(True) < len(names)


OPENING = Position.opening()


def test_a_search_is_set_up_once() -> None:
    kept = gammon.Engine(1)
    first = kept._search(Question(position=OPENING, depth=1))
    assert kept._search(Question(position=OPENING, depth=1, top=3, dice=(3, 1))) is first
    for other in (
        Question(position=OPENING, depth=3),
        Question(position=OPENING, depth=1, noise=0.1),
        Question(position=OPENING, depth=1, cube=2, owner="roller"),
        Question(position=OPENING, depth=1, cubeless=True),
    ):
        assert kept._search(other) is not first


def test_the_margin_of_a_filter_is_one_of_equities() -> None:
    kept, question = gammon.Engine(1), Question(depth=3, move_filter="tiny")
    for terms in (Terms(), Terms(7, (3, 5))):
        here = kept._search(question, terms)
        assert here.tree.problem.filter == filter_named("tiny", here.scale.unit)


def test_searches_are_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon.engine.engine._MOST_SEARCHES", 3)
    kept, question = gammon.Engine(1), Question(depth=1)
    first = kept._search(question, Terms(7, (7, 7)))
    assert kept._search(question, Terms(7, (7, 7))) is first
    for away in range(1, 4):
        kept._search(question, Terms(7, (7, away)))
    assert kept._search(question, Terms(7, (7, 7))) is not first


def test_the_cube_counts_where_there_is_room_for_it() -> None:
    kept = gammon.Engine(1)
    assert kept._cubeless_terms(Question()) is None
    assert kept._cubeless_terms(Question(cubeless=True)) == CUBELESS
    assert kept._cubeless_terms(Question(algorithm=GAMMA)) == CUBELESS
    with pytest.raises(SettingError, match="which knows no doubles"):
        kept._cubeless_terms(Question(algorithm=GAMMA, cubeless=False))


def test_all_searches_share_the_networks() -> None:
    """With the cube, a network has tables of its own, of 24 MB."""
    kept, question = gammon.Engine(1), Question(depth=1)
    first, second = (kept._search(question, Terms(7, (7, away))) for away in (1, 2))
    assert first is not second
    assert first.tree.evaluator.weights is second.tree.evaluator.weights


# The stakes: the units of values, equities without the cube, and boards of like terms.

GAMMON_GO = NAMED_STAKES["gammon-go"]

WORTH_MET = gammon.read_met()
CHANCES = Probabilities(0.6, 0.2, 0.05, 0.1, 0.02)
MATCH = Terms(7, (3, 5), cube=2, owner=1)


def test_equities_of_money_and_of_stakes_are_their_values() -> None:
    for worth in (Scale.at(GAMMON_GO), Scale.at(Terms(cube=4, owner=-1), None)):
        assert worth.equity(0.25) == 0.25
        assert worth.mwc(0.25) is None
        assert worth.unit == 1.0


def test_equities_of_a_match_are_emg() -> None:
    worth = Scale.at(MATCH, WORTH_MET)
    for points, equity in ((2, 1.0), (-2, -1.0)):
        mwc = WORTH_MET.after(MATCH, points)
        assert worth.equity(2 * mwc - 1) == pytest.approx(equity)
        assert worth.mwc(2 * mwc - 1) == pytest.approx(mwc)
    values = np.array([0.1, 0.3])
    found = worth.equity(values)
    assert found == pytest.approx([WORTH_MET.emg(0.5 * (1 + value), MATCH) for value in values])
    assert found[1] - found[0] == pytest.approx(0.2 / worth.unit)


def without_cube(worth: Scale, chances: Probabilities = CHANCES) -> float:
    """The equity of chances; those of several positions are found one by one."""
    others = np.array([[0.0, 0.0, 0.0, 1.0, 1.0], chances])
    return float(worth.without_cube(others)[1])


def test_chances_without_the_cube() -> None:
    assert without_cube(Scale.at(Terms(), None)) == pytest.approx(CHANCES.equity)
    jacoby = Scale.at(Terms(jacoby=True), None)
    assert without_cube(jacoby) == pytest.approx(2 * CHANCES.win - 1)
    turned = Scale.at(Terms(jacoby=True, cube=2, owner=1), None)
    assert without_cube(turned) == pytest.approx(CHANCES.equity)
    win, win_g, win_bg, lose_g, lose_bg = CHANCES
    shares = {
        2: win - win_g,
        4: win_g - win_bg,
        6: win_bg,
        -2: 1 - win - lose_g,
        -4: lose_g - lose_bg,
        -6: lose_bg,
    }
    mwc = sum(chance * WORTH_MET.after(MATCH, points) for points, chance in shares.items())
    worth = Scale.at(MATCH, WORTH_MET)
    assert without_cube(worth) == pytest.approx(WORTH_MET.emg(mwc, MATCH))


@pytest.mark.parametrize("terms", [Terms(), MATCH, GAMMON_GO], ids=str)
def test_the_opponent_sees_the_opposite(terms: Terms) -> None:
    worth = Scale.at(terms, WORTH_MET)
    other = worth.for_opponent()
    assert other.game.stake == -worth.game.stake
    assert other.equity(-0.3) == pytest.approx(-worth.equity(0.3))
    theirs = Probabilities(*for_opponent(np.array(CHANCES)))
    assert without_cube(other, theirs) == pytest.approx(-without_cube(worth))


def test_only_the_owner_tells_terms_for_money_apart() -> None:
    money = [
        Terms(),
        Terms(cube=2, owner=1),
        Terms(cube=8, owner=1),
        Terms(cube=2, owner=-1),
        Terms(cube=4, owner=-1),
    ]
    assert list(by_terms(money).values()) == [[0], [1, 2], [3, 4]]
    assert all(each.checked() for each in by_terms(money))
    last = Terms(cube=64, owner=1, live=False)
    assert len(by_terms([last, Terms(cube=2, owner=1)])) == 2


def test_in_a_match_all_of_the_terms_count() -> None:
    match = [
        Terms(7, (3, 5), cube=2, owner=1),
        Terms(7, (3, 5), cube=4, owner=1),
        Terms(7, (5, 3), cube=2, owner=1),
        Terms(7, (3, 5), cube=2, owner=1),
    ]
    assert by_terms(match) == {match[0]: [0, 3], match[1]: [1], match[2]: [2]}


@pytest.mark.parametrize("at", [Terms(), Terms(7, (3, 5), cube=2, owner=1)], ids=str)
def test_a_point_in_the_values_of_the_game(at: Terms) -> None:
    """Equity 1 and -1 are the worth of winning and of losing a single game."""
    game, state = Scale.at(at).game, np.zeros(26, np.int8)
    state[1] = 1  # the opponent has borne off all, and won a single game
    lost = game.terminal(state, game.stake, game.params)
    won = -game.terminal(state, -game.stake, game.params)
    if at.length:
        assert 0.5 * (1.0 + won) == pytest.approx(WORTH_MET.after(at, at.cube))
    assert Scale.at(at).unit == pytest.approx(0.5 * (won - lost))


def test_a_chance_to_win_the_match_is_none_beyond_what_is_certain() -> None:
    """Neither of a search, whose sums are rounded, nor of games, whose mean has an error."""
    worth = Scale.at(Terms(7, (7, 7)), WORTH_MET)
    for value, chance in ((1.0 + 4e-16, 1.0), (-1.1, 0.0), (0.5, 0.75)):
        assert worth.mwc(value) == chance
    found = worth.mwc(np.array([1.1, 0.5, -1.1]))
    assert found is not None
    assert found.tolist() == [1.0, 0.75, 0.0]


# Lists of plays: each play has a value, in an order that a search of all plays confirms.

#: The rolls that begin a game.
OPENING_ROLLS = [(high, low) for high, low in ROLLS if high != low]


@cache
def engine(depth: int, top: int) -> gammon.Engine:
    return gammon.Engine(depth=depth)


def listed(position: Position, dice: tuple[int, int], depth: int, top: int) -> list[gammon.Candidate]:
    return engine(depth, top).analyze(position, dice, top).candidates


def rank_correlation(first: list[float], second: list[float]) -> float:
    """Spearman's, of values in one order."""
    ranks = [np.argsort(np.argsort(values)) for values in (first, second)]
    return float(np.corrcoef(*ranks)[0, 1])


def check(position: Position, dice: tuple[int, int], depth: int, top: int) -> float:
    """Check a list against a search of all plays; return the correlation of their values."""
    found = listed(position, dice, depth, top)
    every = {each.play: each.equity for each in listed(position, dice, depth, 1000)}
    for each in found:
        if each.deep:
            assert (each.kind, each.depth, each.bound) == (deep_kind(depth, "bounded"), depth, None)
            assert each.equity == pytest.approx(every[each.play], abs=1e-9)
        else:
            assert (each.kind, each.depth) == (Kind.SHALLOW, max(1, depth - 2))
            assert every[each.play] <= each.bound + 1e-9
            assert each.equity <= found[top - 1].equity
    assert sum(each.deep for each in found) >= min(top, len(found))
    equities = [each.equity for each in found]
    assert equities == sorted(equities, reverse=True)
    assert [each.loss for each in found] == pytest.approx([equities[0] - e for e in equities])
    if len(found) < 3:
        return 1.0
    return rank_correlation(equities, [every[each.play] for each in found])


@pytest.mark.parametrize("depth", [3, 5])
def test_the_opening_rolls(depth: int) -> None:
    found = [check(OPENING, dice, depth, 10) for dice in OPENING_ROLLS[:: depth - 2]]
    assert min(found) > 0.97
    assert np.mean(found) > 0.99


def test_positions_of_games(played: Played) -> None:
    boards = played(900, 3)[::30]
    found = [check(Position(p), ROLLS[n % 21], 3, 10) for n, p in enumerate(boards)]
    found += [check(Position(p), ROLLS[n % 21], 3, 3) for n, p in enumerate(boards[:10])]
    assert np.mean(found) > 0.99


def test_values_of_shallow_plays_are_those_of_the_shallower_search() -> None:
    found = listed(OPENING, (4, 3), 5, 4)
    shallower = {each.play: each for each in listed(OPENING, (4, 3), 3, 1000)}
    others = [each for each in found if not each.deep]
    assert len(others) >= 10
    for each in others:
        assert each.equity == shallower[each.play].equity
        assert each.probabilities == shallower[each.play].probabilities


def test_a_sixth_play_that_was_shown_with_a_bound() -> None:
    """Opening 43: 6/3 6/2 stood sixth, by a bound; it is the sixteenth of seventeen."""
    found = listed(OPENING, (4, 3), 5, 10)
    places = {each.play.notation: place for place, each in enumerate(found, 1)}
    assert places["13/6"] == 5
    assert places["6/3 6/2"] == 16
    assert found[15].loss == pytest.approx(0.307, abs=0.02)


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_ubgi_and_matches_choose_the_play_that_is_listed_first(depth: int) -> None:
    engine, match_player = gammon.Engine(depth=depth), DepthPlayer(Player(depth=depth))
    boards = [
        "XGID=-BBBCCB-----------bbccb-c-:0:0:1:00:0:0:0:0:10",
        "XGID=-B---B--------------j-----:0:0:1:00:0:0:0:0:10",
        "XGID=-a-B--C-bbBcBBbBb-----B---:0:0:1:00:0:0:0:0:10",
        "XGID=-CCC-BB--a----------ac-be-:0:0:1:00:0:0:0:0:10",
    ]
    for text in boards:
        position = Position.parse(text)
        for dice in [(6, 1), (4, 2), (6, 5), (3, 3)][: 4 if depth < 5 else 2]:
            listed = engine.analyze(position, dice).candidates[0].play
            assert Bot(engine).play(position, dice) == listed, (text, dice)
            (played,) = engine.best_plays([position.points], [dice])
            assert tuple(played.tolist()) == listed.points, (text, dice)
            boards, terms = np.array([position.points], np.int8), position.context.terms()
            (played,) = match_player.plays(boards, [outcome_of(dice)], [terms], [0])
            assert tuple(played.tolist()) == listed.points, (text, dice)


@pytest.mark.parametrize("algorithm", ["star1", "star2.5", "expectimax"])
def test_the_list_is_the_same_by_any_algorithm(algorithm: str) -> None:
    other = gammon.Engine(depth=3, algorithm=algorithm)
    for text, dice in (
        # The first three plays lead to a pass.
        ("XGID=-AACACBA---A-----c-eBbbab-:0:0:1:00:0:0:0:0:10", (5, 2)),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", (4, 3)),
    ):
        position = Position.parse(text)
        found = other.analyze(position, dice).candidates
        for ours, theirs in zip(
            listed(position, dice, 3, 10), other.analyze(position, dice).candidates, strict=True
        ):
            assert (ours.play, ours.kind, ours.depth) == (theirs.play, theirs.kind, theirs.depth)
            assert ours.equity == pytest.approx(theirs.equity, abs=1e-9)
            assert ours.probabilities == pytest.approx(theirs.probabilities, abs=1e-9)
        assert [each.exact for each in found[:10]] == [True] * 10
