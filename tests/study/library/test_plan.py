"""What to work on: difficulty, plans, biases and progress, against their twins and by simulation."""

from collections import Counter
from pathlib import Path
from shutil import copy

import numpy as np
import pytest

from gammon.base.errors import SettingError
from gammon.base.mean import Interval, ratio_interval
from gammon.formats.position import Position
from gammon_study.library.decks import REACH, reference_positions
from gammon_study.library.judged_decisions import judged_decisions
from gammon_study.library.library import Library
from gammon_study.library.matches import rename_player
from gammon_study.library.plan import plan_of, progress_of
from gammon_study.library.selection import Selection
from gammon_study.library.stats import ERRORS_OF, groups_of, largest_errors
from gammon_study.reviews.choice import Choice
from gammon_study.reviews.difficulty import (
    difficulty,
    exposed_blots,
    intervals_of,
    leanings,
    reference_chances,
)
from gammon_study.reviews.names import BIASES, KINDS_BY_PART, RULES
from gammon_study.reviews.rates import RATING
from gammon_study.reviews.review import Review
from tests.matches import reviewed_file
from tests.naive import study as naive
from tests.study.library.libraries import FILES
from tests.study.simulated import decisions, recoverable, remember_judgements, simulate


@pytest.fixture(scope="module")
def reviews() -> list[Review]:
    return [reviewed_file(path) for path in FILES]


#: The side of Ann in each match.
SIDES = 0, 0, 1


@pytest.fixture
def ann(library: Library, reviews: list[Review], tmp_path: Path) -> Library:
    """A library in which Ann has played all three matches."""
    opened = Library(copy(library.path, tmp_path / "ann.db"))
    for found, side in zip(reviews, SIDES, strict=True):
        rename_player(opened, found.transcript.players[side], "Ann")
    return opened


@pytest.fixture(scope="module")
def own(reviews: list[Review]) -> list[Choice]:
    pairs = zip(reviews, SIDES, strict=True)
    return [choice for found, side in pairs for choice in found.choices if choice.player == side]


# Difficulty.


def test_difficulty_is_the_mean_loss_of_the_reference_player(reviews: list[Review]) -> None:
    for found in reviews:
        for choice in found.choices:
            assert difficulty(choice) == pytest.approx(naive.difficulty(choice), abs=1e-12)
            assert 0.0 <= difficulty(choice) <= max(naive.candidates(choice).values())


def test_the_reference_player_has_pr_5(own: list[Choice]) -> None:
    """In decisions of `gammon grade` with a choice, and in those of real matches that count."""
    means = []
    for reference in judged_decisions():
        losses = sorted(max(reference.equities.values()) - equity for equity in reference.equities.values())
        if losses[-1] >= 0.0001:
            chances = reference_chances(losses[:5])
            means.append(sum(chance * loss for chance, loss in zip(chances, losses[:5], strict=True)))
    assert RATING * np.mean(means) == pytest.approx(5.0, abs=0.2)
    counted = [difficulty(choice) for choice in own if choice.counted]
    assert RATING * np.mean(counted) == pytest.approx(5.0, abs=1.0)


def test_a_match_has_figures_by_its_games_and_decisions_to_look_at(reviews: list[Review]) -> None:
    for found in reviews:
        for side in (0, 1):
            figures = intervals_of(found, side)
            assert figures.name == found.transcript.players[side]
            kinds = {"pr": sum(KINDS_BY_PART.values(), ()), **KINDS_BY_PART}
            for name, of in kinds.items():
                games: dict[int, list[Choice]] = {}
                for choice in found.choices:
                    if choice.player == side and choice.kind in of:
                        games.setdefault(choice.game, []).append(choice)
                counts = [sum(choice.counted for choice in game) for game in games.values()]
                interval = getattr(figures, name)
                errors = [sum(choice.error for choice in game) for game in games.values()]
                if len(games) < 3 or not sum(errors):
                    assert interval is None
                    continue
                assert interval == of_pr(errors, counts)
            avoidable = {
                number: choice.error - naive.difficulty(choice)
                for number, choice in enumerate(found.choices)
                if choice.player == side and choice.error > naive.difficulty(choice)
            }
            largest = sorted(avoidable, key=lambda number: -avoidable[number])[:3]
            assert [loss.choice for loss in figures.look_at] == largest
            for loss in figures.look_at:
                assert loss.error - loss.difficulty == pytest.approx(avoidable[loss.choice])


# Intervals.


def test_intervals_are_those_of_the_twin() -> None:
    rng = np.random.default_rng(1)
    for units in (3, 4, 5, 10, 20):
        sums, counts = rng.exponential(size=units) ** 2, rng.integers(1, 40, units)
        interval = ratio_interval(sums, counts, 2.0)
        assert interval == pytest.approx([2.0 * end for end in naive.interval([*sums], [*counts])], rel=1e-3)
        low, high = ratio_interval(-sums, counts, 2.0)[1:]
        assert (-high, -low) == pytest.approx(interval[1:]), "neither side is preferred"
    assert ratio_interval([1.0, 1.0, 1.0], [2, 2, 2]) is None
    assert ratio_interval([1.0, 2.0], [1, 1]) is None
    assert ratio_interval([0.0] * 3, [0] * 3) is None


def of_pr(errors: list[float], counts: list[int]) -> object:
    """The interval of a PR as the twin has it; None with fewer than three matches or games."""
    if len(errors) < 3:
        return None
    value, low, high = (RATING * number for number in naive.interval(errors, counts))
    return pytest.approx((value, max(low, 0.0), high), rel=1e-3, abs=1e-3)


def test_statistics_have_intervals_between_matches(ann: Library, reviews: list[Review]) -> None:
    (group,) = groups_of(ann, Selection(player="Ann"))
    parts = {"all": group, **{name: getattr(group, name) for name in KINDS_BY_PART}}
    for name, part in parts.items():
        totals = [getattr(found.totals(side), name) for found, side in zip(reviews, SIDES, strict=True)]
        some = [each for each in totals if each.choices]
        assert part.interval == of_pr([each.error for each in some], [each.counted for each in some])
        assert part.interval is None or part.interval.value == pytest.approx(part.pr)
    assert group.interval is not None
    assert {each.interval for each in groups_of(ann, Selection(player="Ann"), "match")} == {None}
    # Of both sides, a match is one unit: the errors of its sides are not independent.
    (both,) = groups_of(ann, Selection())
    for name in ("all", "plays"):
        sides = [[getattr(found.totals(side), name) for side in (0, 1)] for found in reviews]
        part = both if name == "all" else both.plays
        assert part is not None
        errors = [one.error + other.error for one, other in sides]
        assert part.interval == of_pr(errors, [one.counted + other.counted for one, other in sides])
    themes = {each.name: each for each in groups_of(ann, Selection(player="Ann"), "theme")}
    assert themes["opening"].interval is not None
    assert all(each.interval is None for name, each in themes.items() if name in ERRORS_OF)


# Plans.


def test_the_themes_of_a_plan_are_those_of_the_twin(ann: Library, reviews: list[Review]) -> None:
    plan = plan_of(ann, Selection(player="Ann"))
    assert (plan.player, plan.matches, plan.unit) == ("Ann", 3, "match")
    sums = [naive.recoverable(found, side) for found, side in zip(reviews, SIDES, strict=True)]
    groups = {each.name: each for each in groups_of(ann, Selection(player="Ann"), "theme")}
    names = set().union(*sums) - ERRORS_OF.keys()
    assert {theme.name for theme in plan.themes} == names
    assert {"doubles", "takes", "prime"} <= names
    for theme in plan.themes:
        if theme.name in groups:
            group = groups[theme.name]
            assert (theme.decisions, theme.errors) == (group.counted, group.wrong)
        if theme.errors < 5:
            assert theme.recoverable is None
            continue
        wanted = naive.interval([each.get(theme.name, 0.0) for each in sums], [1] * 3)
        assert theme.recoverable == pytest.approx(wanted, rel=1e-3, abs=1e-9)
    known = [theme.recoverable for theme in plan.themes if theme.recoverable is not None]
    assert 5 < len(known) < len(plan.themes)
    assert known == sorted(known, key=lambda interval: (interval.low <= 0.0, -interval.value))
    assert all(theme.recoverable is None for theme in plan.themes[len(known) :])


def test_biases_are_those_of_the_twin(ann: Library, reviews: list[Review]) -> None:
    plan = plan_of(ann, Selection(player="Ann"))
    pairs = zip(reviews, SIDES, strict=True)
    own = [[choice for choice in found.choices if choice.player == side] for found, side in pairs]
    assert [bias.name for bias in plan.biases] == list(BIASES)
    for bias in plan.biases:
        leaning = [[choice for choice in match if bias.name in naive.can_lean(choice)] for match in own]
        assert bias.decisions == sum(map(len, leaning))
        if bias.decisions < 20:
            assert (bias.lean, bias.verdict) == (None, "not enough yet")
        else:
            assert bias.lean == pytest.approx(naive.lean_interval(leaning), rel=1e-3, abs=1e-6)
    assert {bias.name for bias in plan.biases if bias.lean} >= {"doubles", "blots"}


def test_each_decision_leans_as_the_twin_says(reviews: list[Review]) -> None:
    for found in reviews:
        for choice in found.choices:
            leans = leanings(choice, Position.parse(choice.xgid))
            assert leans.keys() == naive.can_lean(choice)
            for lean in leans.values():
                made = choice.made.replace("redouble", "double")
                assert lean.loss == pytest.approx(naive.side(choice, made) * choice.error)


def test_only_blots_that_can_be_hit_are_exposed() -> None:
    start = Position.opening().points
    assert exposed_blots(start) == 0
    split = list(start)
    split[24], split[23], split[6], split[5] = 1, 1, 4, 1
    assert exposed_blots(tuple(split)) == 1, "not those in the other home board"
    past = [0] * 26
    past[3], past[5], past[20] = 1, 1, -2
    assert exposed_blots(tuple(past)) == 0
    past[4] = -1
    assert exposed_blots(tuple(past)) == 1


def test_little_is_not_enough(library: Library) -> None:
    plan = plan_of(library, Selection(player="root"))
    assert plan.matches == 1
    assert {theme.recoverable for theme in plan.themes} == {None}
    assert {(bias.lean, bias.verdict) for bias in plan.biases} == {(None, "not enough yet")}


@pytest.mark.parametrize(
    ("selection", "said"),
    [
        (Selection(), "player: expected a name"),
        (Selection(player="root", theme="prime"), "plan: expected no theme, phase or kind"),
        (Selection(player="root", since="soon"), "since 'soon'"),
    ],
)
def test_a_plan_of_nobody_is_refused(library: Library, selection: Selection, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        plan_of(library, selection)


def test_rows_of_an_earlier_gammon_are_no_plan(ann: Library) -> None:
    ann.ask("UPDATE match SET rules = 7")
    with pytest.raises(SettingError, match="of an earlier gammon"):
        plan_of(ann, Selection(player="Ann"))
    ann.ask("UPDATE match SET rules = ? WHERE length = 3", [-RULES])
    ann.ask("UPDATE match SET rules = ? WHERE length = 5", [RULES])
    assert plan_of(ann, Selection(player="Ann")).matches == 2, "without the match that is damaged"


def test_sessions_for_money_have_a_plan_of_their_own(ann: Library) -> None:
    ann.ask("UPDATE match SET length = 0 WHERE length = 3")
    for selection, wanted in ((Selection("Ann"), ("match", 2)), (Selection("Ann", length=0), ("money", 1))):
        plan = plan_of(ann, selection)
        assert (plan.unit, plan.matches) == wanted


# Simulated players.


def inside(interval: Interval, truth: float) -> bool:
    return interval.low <= truth <= interval.high


@pytest.mark.parametrize(
    ("players", "first", "covered"),
    [(7, 0.8, (0.85, 1.0)), pytest.param(100, 0.9, (0.92, 0.98), marks=pytest.mark.nightly)],
)
def test_a_plan_finds_the_planted_theme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: int, first: float, covered: tuple[float, float]
) -> None:
    """Of players who play 20 matches; 100 players play 2,000."""
    remember_judgements(monkeypatch)
    met = Counter(name for decision in decisions() for name in decision.families[0])
    planted = sorted(name for name, count in met.items() if name != "plays" and count >= 8)
    right, hits = 0, []
    with Library(tmp_path / "l.db", make=True) as library:
        for number in range(players):
            name, theme = f"Player {number}", planted[number * 4 % len(planted)]
            simulate(library, name, theme, 20, number)
            plan, truth = plan_of(library, Selection(player=name)), recoverable(theme)
            right += plan.themes[0].name == theme
            known = [each.recoverable for each in plan.themes if each.recoverable is not None]
            assert known == sorted(known, key=lambda interval: (interval.low <= 0.0, -interval.value))
            hits += [
                inside(theme.recoverable, truth[theme.name])
                for theme in plan.themes
                if theme.recoverable is not None
            ]
    print(f"{right} of {players} first, {np.mean(hits):.3f} of {len(hits)} intervals have the truth")
    assert right >= first * players
    assert covered[0] <= np.mean(hits) <= covered[1]


@pytest.mark.parametrize("count", [3, pytest.param(60, marks=pytest.mark.nightly)])
def test_a_habit_is_a_bias_and_weakness_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    remember_judgements(monkeypatch)
    verdicts: dict[str, list[str]] = {"takes too much": [], "everywhere": [], "": []}
    with Library(tmp_path / "l.db", make=True) as library:
        for number in range(count):
            for planted, said in verdicts.items():
                name = f"{planted} {number}"
                simulate(library, name, planted, 20, number)
                biases = {bias.name: bias for bias in plan_of(library, Selection(player=name)).biases}
                assert biases["takes"].decisions >= 20
                said.append(biases["takes"].verdict)
    print({planted: {verdict: said.count(verdict) for verdict in said} for planted, said in verdicts.items()})
    assert verdicts.pop("takes too much").count("takes too much") >= 0.8 * count
    for said in verdicts.values():
        assert said.count("no clear bias") >= 0.8 * count


# DrillProgress.


@pytest.fixture
def two_periods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """A player who was weak in races for 28 matches, and has drilled them on the 1st of February."""
    remember_judgements(monkeypatch)
    library = Library(tmp_path / "l.db", make=True)
    simulate(library, "Ann", "race", 28, 1)
    simulate(library, "Eve", "", 28, 2)
    library.ask("UPDATE match SET played = replace(played, '2026-01', '2026-02') WHERE id > 28")
    rename_player(library, "Eve", "Ann")
    return library


def test_progress_is_the_change_of_the_avoidable_loss(two_periods: Library) -> None:
    found = progress_of(two_periods, Selection(player="Ann", theme="race"), "2026-02")
    for period, months in ((found.before, "2026-01"), (found.after, "2026-02")):
        (group,) = groups_of(two_periods, Selection(player="Ann", theme="race", since=months, until=months))
        assert (period.matches, period.decisions) == (group.matches, group.counted)
        assert period.pr is not None
        assert period.pr.value == pytest.approx(group.pr)
        assert period.pr == pytest.approx(group.interval), "a PR has one interval everywhere"
    assert found.change is not None
    assert found.elsewhere is not None
    assert found.change.high < 0.0 < found.elsewhere.high
    assert found.elsewhere.low < 0.0
    rows = two_periods.ask(
        "SELECT match > 28 AS later, SUM(sums.error - difficulty) AS avoidable, SUM(counted) AS counted "
        "FROM sums WHERE side = 0 AND part = 'theme' AND name = 'race' GROUP BY 1"
    )
    before, after = (RATING * row["avoidable"] / row["counted"] for row in rows)
    assert found.change.value == pytest.approx(after - before)


@pytest.mark.parametrize("deck", ["errors", "reference", "notes"])
def test_the_first_drill_of_the_theme_parts_the_matches(two_periods: Library, deck: str) -> None:
    selection = Selection(player="Ann", theme="race")
    with pytest.raises(SettingError, match="no card with such an error was answered yet"):
        progress_of(two_periods, selection)
    error = largest_errors(two_periods, selection, 1).errors[0]
    others = largest_errors(two_periods, Selection(player="Ann")).errors
    other = next(each for each in others if "race" not in each.themes)
    card = {"ask": "play", "deck": deck, "note": "", "state": "{}", "due": "", "answers": 1, "lost": 0.0}
    for xgid, began in ((error.xgid, "2026-02-01"), (other.xgid, "2026-01-10")):
        two_periods.keep_card({**card, "xgid": xgid, "began": began})
    found = progress_of(two_periods, selection)
    assert found == progress_of(two_periods, selection, "2026-02-01")
    assert (found.day, found.before.matches) == ("2026-02-01", 28)


def test_few_decisions_are_no_progress(two_periods: Library) -> None:
    found = progress_of(two_periods, Selection(player="Ann", theme="race"), "2026-01-03")
    assert found.before.matches < 3
    assert (found.before.pr, found.change, found.elsewhere) == (None, None, None)
    assert found.after.pr is not None
    found = progress_of(two_periods, Selection(player="Ann", theme="back game"), "2026-02")
    assert min(found.before.decisions, found.after.decisions) < 30
    assert found.change is None
    # Elsewhere has also the matches in which the theme did not occur.
    rows = two_periods.ask(
        "SELECT match > 28 AS later, part, SUM(error - difficulty) AS avoidable, SUM(counted) AS decisions, "
        "COUNT(*) AS matches FROM sums "
        "WHERE side = 0 AND (name = 'back game' OR (part, name) = ('all', 'all')) GROUP BY 1, 2"
    )
    means = []
    for later, period in enumerate((found.before, found.after)):
        every, theme = (row for row in rows if row["later"] == later)
        assert period.matches == theme["matches"] < every["matches"]
        others = every["decisions"] - theme["decisions"]
        means.append(RATING * (every["avoidable"] - theme["avoidable"]) / others)
    assert found.elsewhere is not None
    assert found.elsewhere.value == pytest.approx(means[1] - means[0])


@pytest.mark.parametrize(
    ("selection", "day", "said"),
    [
        (Selection(theme="race"), None, "player: expected a name"),
        (Selection(player="Ann"), None, "progress: expected a theme"),
        (Selection(player="Ann", theme="wrong take"), None, "progress: expected a theme"),
        (Selection(player="Ann", theme="race"), "soon", "day 'soon'"),
    ],
)
def test_progress_of_nothing_is_refused(
    ann: Library, selection: Selection, day: str | None, said: str
) -> None:
    with pytest.raises(SettingError, match=said):
        progress_of(ann, selection, day)


# Reference positions.


@pytest.mark.parametrize("kind", [None, "play", "cube"])
def test_reference_positions_cover_as_the_twin_does(library: Library, kind: str | None) -> None:
    selection = Selection(kind=kind)
    found = reference_positions(library, selection, 1000)
    errors = largest_errors(library, selection)
    assert (found.number, found.total_error) == errors[1:]
    assert [position[:2] for position in found.positions] == naive.cover(errors.errors, REACH)
    assert sum(position.covers for position in found.positions) == found.number > len(found.positions)
    assert sum(position.total_error for position in found.positions) == pytest.approx(found.total_error)
    assert reference_positions(library, selection, 3).positions == found.positions[:3]


def test_without_errors_there_are_no_reference_positions(library: Library) -> None:
    assert reference_positions(library, Selection(least=9.0), 3) == ([], 0, 0.0)
