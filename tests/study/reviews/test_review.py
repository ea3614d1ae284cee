"""Reviews: the same in every way they are made, in units and in passes."""

import json
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

import gammon
import gammon_study
from gammon.base.errors import FormatError, GammonError, SettingError, UnfinishedError
from gammon.engine.cube import CubeAction
from gammon.engine.engine import Engine
from gammon.engine.question import DEPTHS
from gammon.formats.notation import parse_play
from gammon.formats.position import Position
from gammon.rules.terms import Score
from gammon.search import Stop
from gammon_study.match_files.match_file import parse_transcript, read_transcript
from gammon_study.match_files.transcript import Action, ActionKind, GameReplay, GameTranscript, Transcript
from gammon_study.reviews import review as reviews
from gammon_study.reviews.choice import ChoiceKind, counts_for_gnu, unit_cost
from gammon_study.reviews.review import Review, review, review_passes
from gammon_study.reviews.task import fits, items_of, review_unit, units_of
from tests.boards import FLAT, written
from tests.engine.commands.program import run
from tests.matches import HAND, MATCH5, SHORT, random_match, reviewed_file
from tests.processes import ROOT
from tests.study.reviews.stored import lucks, match5

# Reviews: the same in every way they are made; errors, results and luck add up.


@pytest.fixture(scope="module")
def found() -> Review:
    return review(HAND, depth=3)


@pytest.fixture(scope="module")
def flat() -> Review:
    """By another table, in which some choices are right that were wrong."""
    return review(HAND, depth=1, met=FLAT)


@pytest.mark.smoke
@pytest.mark.parametrize("by", ["found", "flat"])
def test_errors_are_what_an_analysis_says(by: str, request: pytest.FixtureRequest) -> None:
    found: Review = request.getfixturevalue(by)
    engine, seen = Engine(depth=found.depth, met=found.met), set()
    for choice in found.choices:
        seen.add(choice.kind)
        position = Position.parse(choice.xgid)
        terms = position.context.terms()
        assert choice.cost == pytest.approx(choice.error * unit_cost(terms, found.met))
        if choice.kind is ChoiceKind.PLAY:
            plays = engine.analyze(position, position.dice, top=1, plays=[choice.made])
            losses = [each.loss for each in plays.candidates if each.named]
            assert choice.error == pytest.approx(losses[0], abs=1e-9)
            assert choice.active == (len(plays.candidates) > 1)
            continue
        decision = engine.cube(position)
        stay, doubled, saved = decision.no_double.equity, decision.doubled, decision.answer_gain
        assert doubled is not None
        assert saved is not None
        values = choice.values
        assert values is not None
        lost = {
            ChoiceKind.NO_DOUBLE: doubled - stay,
            ChoiceKind.DOUBLE: stay - doubled,
            ChoiceKind.TAKE: saved if decision.answer == "pass" else 0.0,
            ChoiceKind.PASS: saved if decision.answer == "take" else 0.0,
        }
        assert choice.error == pytest.approx(max(lost[choice.kind], 0.0), abs=1e-9)
        assert (position.context.offer == "D") == (choice.kind in ("take", "pass"))
        assert choice.active == (choice.kind != "no double" or counts_for_gnu(values))
    assert seen == set(ChoiceKind)


def test_luck_and_results_go_by_the_table(found: Review, flat: Review) -> None:
    """A point is worth 1/32 at each score of a match of which no game is post-Crawford."""
    assert (found.met, flat.met) == (gammon.read_met(), FLAT)
    first, last = (flat.transcript.games[at] for at in (0, -1))
    a, b = first.score.points
    assert FLAT.before(first.score) == FLAT.mwc(3 - a, 3 - b) == 0.5
    won = last.points if last.winner == 0 else -last.points
    assert flat.result(0) == FLAT.before(last.score.after(won)) - 0.5
    second = replace(found, transcript=replace(found.transcript, games=(last,)))
    before, after = map(found.met.before, (last.score, last.score.after(won)))
    assert before != 0.5, "a file may begin with any score"
    assert second.result(0) == after - before
    luck, other = (each.lucks[0] for each in (found, flat))
    assert luck.equity == pytest.approx(other.equity, abs=0.2)
    assert other.value == pytest.approx(other.equity / 32)
    assert luck.value != pytest.approx(luck.equity / 32, rel=0.05)
    assert "the table flat" in str(flat)
    assert "table" not in str(found)


def test_a_table_may_be_a_file(flat: Review, tmp_path: Path) -> None:
    path, out = written(FLAT, tmp_path), tmp_path / "out"
    assert review(HAND, depth=1, met=path, workers=2, out=out) == flat
    with pytest.raises(GammonError, match=r"met \{'name': 'flat'.* not none"):
        review(HAND, depth=1, out=out)
    with pytest.raises(SettingError, match="met 5: expected a table"):
        review(HAND, met=5)  # type: ignore[arg-type]


def test_rollouts_go_by_the_table() -> None:
    found = review(HAND, depth=1, rollout_over=0.1, trials=36, met=FLAT)
    (first, *_) = (each for each in found.choices if each.rollout and not each.plays)
    assert first.rollout is not None
    position = Position.parse(first.xgid)
    context = replace(position.context, offer="", to_decide=0)
    rolled = gammon.rollout(replace(position, context=context), trials=36, met=FLAT)
    assert [each.equity for each in first.rollout.candidates] == [each.equity for each in rolled.candidates]


def test_the_result_does_not_depend_on_how_it_is_made(found: Review, tmp_path: Path) -> None:
    assert review(gammon_study.read_transcript(HAND), 3, workers=2, out=tmp_path / "a") == found
    units = tmp_path / "a" / "units.jsonl"
    lines = units.read_text().splitlines(keepends=True)
    assert len(lines) > 1
    units.write_text(lines[0] + lines[1][:20])
    assert review(str(HAND), 3, out=tmp_path / "a") == found
    assert len(units.read_text().splitlines()) >= len(lines)


def test_a_folder_belongs_to_one_review(tmp_path: Path) -> None:
    review(HAND, depth=1, out=tmp_path)
    card = json.loads((tmp_path / "run.json").read_text())
    assert card["run"] == "a review of Ann and Bob"
    with pytest.raises(GammonError, match="with depth 1, not 3"):
        review(HAND, depth=3, out=tmp_path)
    with pytest.raises(GammonError, match="holds a review of Ann and Bob, not a review of gnubg"):
        review(MATCH5, depth=1, out=tmp_path)


def test_totals_of_games_add_up(found: Review) -> None:
    for player in (0, 1):
        games = [found.totals(player, game) for game in (0, 1)]
        whole = found.totals(player)
        assert sum(each.all.error for each in games) == pytest.approx(whole.all.error)
        assert sum(each.rolls for each in games) == whole.rolls == len(found.lucks)


def test_only_its_players_and_games_have_figures(found: Review) -> None:
    games = len(found.transcript.games)
    for wrong in (
        lambda: found.result(2),
        lambda: found.adjusted(2),
        lambda: found.totals(2),
        lambda: found.totals(0, games),
        lambda: found.worst(-1),
        lambda: found.worst(0, -1),
    ):
        with pytest.raises(SettingError):
            wrong()


def test_the_worst_come_first(found: Review) -> None:
    worst = found.worst(most=None)
    assert [choice.error for choice in worst] == sorted(
        (choice.error for choice in found.choices if choice.error > 0), reverse=True
    )
    assert {choice.player for choice in found.worst(1)} == {1}
    assert len(found.worst(most=2)) == 2


def test_results_without_the_luck_as_gnu_backgammon_has_them() -> None:
    stored = Review(match5(), 1, (), tuple(lucks()))
    assert stored.result(0) == -stored.result(1) == -0.5
    assert stored.adjusted(0) == pytest.approx(-0.1488, abs=2e-5)
    assert stored.adjusted(1) == pytest.approx(0.1488, abs=2e-5)


def test_decisions_that_gnu_backgammon_counts() -> None:
    """93 and 99 plays that are not forced, 46 and 35 choices about the cube."""
    found = reviewed_file(MATCH5)
    totals = [found.totals(player) for player in (0, 1)]
    assert [each.plays.choices for each in totals] == [111, 111]
    assert [each.plays.active for each in totals] == [93, 99]
    assert [each.cube.choices for each in totals] == [46, 35]
    assert [each.kinds[ChoiceKind.DOUBLE].choices for each in totals] == [2, 2]
    # The luck of each roll is near to GNU Backgammon's, an evaluator of another kind.
    apart = [abs(ours.equity - theirs.equity) for ours, theirs in zip(found.lucks, lucks(), strict=True)]
    assert sum(apart) / len(apart) < 0.03


def test_money() -> None:
    match = random_match(0, 3)
    found = review(Transcript(match.players, 0, match.games[:1]), depth=1)
    game = match.games[0]
    assert found.result(0) == (game.points if game.winner == 0 else -game.points)
    for luck in found.lucks:
        assert luck.value == pytest.approx(luck.equity * _cube(found, luck.action))
    assert "points" in str(found)


def _cube(found: Review, action: int) -> int:
    moment = list(found.transcript.games[0].moments())[action]
    return 1 << moment.position.context.cube_log2


def test_a_match_without_an_end() -> None:
    match = gammon_study.read_transcript(HAND)
    games = match.games[0], match.games[1].__class__(match.games[1].score, match.games[1].actions[:5])
    found = review(Transcript(match.players, 3, games), depth=1)
    assert found.result(0) is found.adjusted(1) is None
    assert "-" in str(found)


def test_luck_that_is_not_known_is_not_taken_out(tmp_path: Path) -> None:
    """The rest of a game is left out, and its winner known."""
    file = tmp_path / "cut.mat"
    file.write_text(HAND.read_text().replace("2) 65: Bar/14", "2) 65: 24/13 "))
    found = review(file, depth=1)
    assert "the rest of game 1 is left out" in found.notes[0]
    whole = gammon_study.read_transcript(HAND)
    assert [game.complete for game in whole.games] == [True, True]
    assert [game.complete for game in found.transcript.games] == [False, True]
    assert found.result(0) == Review(whole, 1, (), ()).result(0)
    assert found.adjusted(0) is found.adjusted(1) is None
    (row,) = (line for line in str(found).splitlines() if "luck taken out" in line)
    assert row.split()[-2:] == ["-", "-"]
    # A game is missing: a match then lacks its luck, a session for money its result, too.
    later = replace(whole.games[1], score=whole.games[1].score._replace(points=(2, 0)))
    for length, known in ((3, False), (0, True)):
        missing = Review(replace(whole, length=length, games=(whole.games[0], later)), 1, (), ())
        assert missing.result(0) is not None
        assert (missing.adjusted(0) is not None) == known


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="depth 2"):
        review(HAND, depth=2)
    with pytest.raises(SettingError, match="workers 0"):
        review(HAND, workers=0)
    with pytest.raises(SettingError, match="model 3"):
        review(HAND, model=3)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="expected a path or a Transcript"):
        review(3)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match=r"stop 5: expected a gammon\.Stop"):
        review(HAND, 1, stop=5)  # type: ignore[arg-type]
    with pytest.raises(FormatError, match="expected two names"):
        review(replace(read_transcript(HAND), players=("A",)))  # type: ignore[arg-type]
    (tmp_path / "a.mat").write_text("nothing")
    with pytest.raises(FormatError, match=r"a\.mat"):
        review(tmp_path / "a.mat")


def test_it_is_a_public_name() -> None:
    assert gammon_study.review is review
    assert repr(reviewed_file(HAND)) == "<Review of Ann and Bob: 57 choices, depth 1>"


def test_a_review_is_to_depth_5_unless_asked_otherwise(tmp_path: Path) -> None:
    """In Python, at the command line, in a library, and at the server: see tests/web."""
    path = tmp_path / "short.mat"
    path.write_text(SHORT)
    assert review(path).depth == 5
    assert {choice.depth for choice in review(path).choices} == {5}
    assert json.loads(run("review", str(path), "--json").stdout)["depth"] == 5
    library = str(tmp_path / "l.db")
    run("study", "add", str(path), "--library", library, "--workers", "1")
    assert "gammon, depth 5" in run("study", "stats", "--library", library).stdout


def test_another_thread_ends_it(tmp_path: Path) -> None:
    """Units of depth 7 take hours, and rollouts of all choices minutes."""
    with pytest.raises(UnfinishedError):
        review(HAND, depth=7, stop=gammon.Stop(0.3))
    stop = gammon.Stop()

    def rollouts_begin(done: int, total: int) -> None:
        if (tmp_path / "rollouts.jsonl").exists():
            Timer(0.2, stop.set).start()

    with pytest.raises(UnfinishedError):
        review(
            HAND, depth=1, out=tmp_path, rollout_over=0.0, trials=36_000, stop=stop, on_done=rollouts_begin
        )
    assert (tmp_path / "rollouts.jsonl").read_bytes() == b""


def test_a_match_without_games_has_no_result() -> None:
    empty = review(Transcript(("Ann", "Ben"), 0, ()), depth=1)
    assert empty.result(0) is None
    assert "Ann" in str(empty)
    assert [each["result"] for each in gammon.to_json(empty)["players"]] == [None, None]


# Units of a review: the items of a game, and what is said of them.

FACTS = {"depth": 1, "model": "leaf", "networks": {}, "met": None}


@pytest.mark.parametrize("depth", DEPTHS)
def test_no_unit_has_items_of_two_games(depth: int) -> None:
    games = read_transcript(HAND).games
    units = units_of(games, FACTS | {"depth": depth})
    assert [unit["game"] for unit in units] == sorted(unit["game"] for unit in units)
    for number, game in enumerate(games):
        items = [item for unit in units if unit["game"] == number for item in unit["items"]]
        assert items == list(items_of(game))


@pytest.fixture(scope="module")
def unit() -> dict:
    return units_of(read_transcript(HAND).games, FACTS | {"depth": 3})[0]


def test_against_the_engine(unit: dict) -> None:
    """Losses are those of an analysis of all plays, cubes those of the engine."""
    engine = Engine(depth=3)
    for item, found in zip(unit["items"], review_unit(unit), strict=True):
        position = Position.parse(item.get("roll") or item["cube"])
        if "cube" in item:
            decision = engine.cube(position)
            assert decision.double_take
            assert decision.double_pass
            values = decision.no_double, decision.double_take, decision.double_pass
            assert found["values"] == [pytest.approx(each.equity) for each in values]
            continue
        plays = engine.analyze(position, position.dice, top=1000).candidates
        losses = {each.play.notation: each.loss for each in plays}
        assert found["count"] == len(plays)
        static = Engine(depth=1).analyze(position, position.dice).candidates
        valued = plays if len(plays) > 1 else static  # the only play is not searched
        equities = {each.play.notation: each.equity for each in valued}
        shown = [play for play, _, _ in found["plays"]]
        assert shown[:5] == list(equities)[: min(5, len(plays))]
        assert {*shown[5:]} <= {item["play"]}
        for play, equity, chances in found["plays"]:
            assert equity == pytest.approx(equities[play], abs=1e-6)
            assert len(chances) == 5
        assert found["loss"] == pytest.approx(losses[item["play"]], abs=1e-9)
        assert losses[found["best"]] == pytest.approx(0.0, abs=1e-9)
        assert found["spread"] == pytest.approx(static[0].equity - static[-1].equity)


def test_a_double_that_cannot_gain() -> None:
    """At 1-away 4-away post-Crawford the leader doubles: the double kills nothing but hope."""
    replay = GameReplay(Score(5, (4, 1)))
    actions = []
    for side, dice, play in ((0, (3, 1), "8/5 6/5"), (1, (4, 2), "8/4 6/4")):
        moves = replay.find(dice, parse_play(play))
        actions.append(Action(ActionKind.ROLL, side, dice, moves))
        replay.do(actions[-1])
    actions += [Action(ActionKind.DOUBLE, 0), Action(ActionKind.TAKE, 1)]
    game = GameTranscript(Score(5, (4, 1)), tuple(actions))
    (unit,) = units_of([game], FACTS | {"depth": 1})
    *_, found = review_unit(unit)
    stay, taken, passed = found["values"]
    assert found["best"] == CubeAction.NO_DOUBLE.value
    assert taken < stay < passed == 1.0
    position = list(game.moments())[2].position
    context = replace(position.context, cube_log2=1, cube_owner=-1)
    assert Engine(depth=1).evaluate(replace(position, context=context)).mwc == pytest.approx(
        0.5 * (1 + taken) * 1.0 + 0.5 * (1 - taken) * _after_loss(1), abs=1e-6
    )


def _after_loss(points: int) -> float:
    """The leader's chance 1-away post-Crawford when the other one has won some points."""
    from gammon.formats.met_file import read_met

    return read_met().mwc(1, 4 - points, True)


def test_what_can_be_a_result(unit: dict) -> None:
    result = review_unit(unit)
    assert fits(unit, result)
    assert not fits(unit, result[:-1])
    assert not fits(unit, [*result[:-1], {}])
    assert not fits(unit, [{**each, "best": 3} for each in result])
    assert not fits(unit, None)
    assert not fits(unit, [{**each, "depth": "3"} for each in result])
    for plays in (3, [], [["8/5", 0.1]], [["8/5", "x", [0.1] * 5]], [["8/5", 0.1, [0.1]]]):
        damaged = [{**each, "plays": plays} if "plays" in each else each for each in result]
        assert not fits(unit, damaged), plays


def test_a_unit_hears_a_stop_at_each_of_its_items(unit: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    stop, asked = gammon.Stop(), []

    def analyze(engine: Engine, *arguments: object, **settings: object) -> object:
        asked.append(settings["stop"])
        stop.set()
        return analyzed(engine, *arguments, **settings)

    analyzed = Engine.analyze
    monkeypatch.setattr(Engine, "analyze", analyze)
    with pytest.raises(UnfinishedError):
        review_unit(unit, stop)
    assert asked == [stop]


def test_the_script_that_measures_a_review_does_its_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    script = import_module("measure_scaling")
    monkeypatch.setattr(script, "_MATCH", HAND)
    monkeypatch.setattr(script, "memory", lambda *_: 1.0)  # which Linux alone tells
    assert script.memory_of({"memory": "review", "depth": 1, "model": "leaf"}) == 1.0


def test_nobody_is_asked_about_a_cube_that_nobody_may_turn() -> None:
    """For money the cube goes to 64, and there a player cannot have missed a double."""
    replay, actions = GameReplay(Score()), []

    def add(kind: ActionKind, side: int, *rest: object) -> None:
        actions.append(Action(kind, side, *rest))
        replay.do(actions[-1])

    for turn in range(12):
        side, dice = turn % 2, (3, 1)
        if 1 <= turn <= 6:
            add(ActionKind.DOUBLE, side)
            add(ActionKind.TAKE, 1 - side)
        play = gammon.legal_plays(replay.position(side), dice)[0]
        add(ActionKind.ROLL, side, dice, play.moves)
    items = list(items_of(GameTranscript(Score(), tuple(actions))))
    asked = [Position.parse(item["cube"]).context.cube_log2 for item in items if "cube" in item]
    assert asked == [0, 1, 2, 3, 4, 5]


# Reviews in passes: what is done is kept, shown, and gone on from.

#: Two games of few decisions, since depth 5 takes its time for each.
TWO_GAMES = """ 3 point match

 Game 1
 Ann : 0                          Ben : 0
  1) 54: 24/20 13/8               61: 13/7 8/7
  2) 61: 13/7 8/7                 25: 24/22 13/8
  3)  Doubles => 2                 Drops
      Wins 1 point

 Game 2
 Ann : 1                          Ben : 0
  1) 31: 8/5 6/5                  64: 24/14
  2)  Doubles => 2                 Takes
  3) 42: 8/4 6/4                  65: 14/8 13/8
      Wins 2 points and the match
"""


@pytest.fixture(scope="module")
def match() -> Transcript:
    return parse_transcript(TWO_GAMES.encode())


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

        monkeypatch.setattr(reviews, "review_unit", counted)
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
    match: Transcript, quick: Review, deep: Review, ended_after: Callable[[int], tuple[Stop, list[Any]]]
) -> None:
    kept: dict[str, Any] = {}
    quick_units = 2  # one for each game
    stop, begun = ended_after(quick_units + 3)
    first, cut = review_passes(match, kept, stop)
    assert len(begun) == quick_units + 4
    assert first == quick
    assert cut.unfinished > 0
    depths = [choice.depth for choice in cut.choices]
    known = depths.count(5)
    assert depths == [5] * known + [3] * (len(depths) - known)
    assert 0 < known < len(depths)
    assert cut.choices == deep.choices[:known] + quick.choices[known:]
    lucks = [each.equity for each in deep.lucks]
    assert [each.equity for each in cut.lucks] == pytest.approx(lucks)
    assert cut.adjusted(0) == pytest.approx(deep.adjusted(0))
    (note,) = [each for each in cut.notes if "time was over" in each]
    assert f"{cut.unfinished} decisions not yet analyzed by depth 5" in note
    assert "gammon serve --seconds" in note
    done = len(kept)
    stop, begun = ended_after(10_000)
    assert list(review_passes(match, kept, stop)) == [quick, deep]
    assert len(kept) == done + len(begun), "nothing that was done is done again"
    assert deep.unfinished == 0
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
    assert nothing.unfinished == sum(1 for game in match.games for _ in items_of(game))


def test_passes_what_is_refused(match: Transcript) -> None:
    with pytest.raises(SettingError, match="depth 2"):
        next(review_passes(match, {}, Stop(), 2))
