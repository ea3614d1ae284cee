"""Totals and ratings against plain sums, rollouts of errors, and the figures of the page."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import gammon
import gammon_study
from gammon.base.errors import SettingError
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.view import to_json
from gammon_study.match_files.match_file import read_transcript
from gammon_study.reviews.choice import Choice, ChoiceKind, Luck
from gammon_study.reviews.rates import LEAST_DECISIONS, ErrorSums
from gammon_study.reviews.review import (
    Review,
    review,
    rolled_choice,
    rollout_fits,
    rollout_unit,
    unit_of_rollout,
)
from gammon_study.reviews.task import (
    cube_choice,
    items_of,
    made_of,
    play_choice,
    review_facts,
    review_unit,
    units_of,
)
from gammon_study.reviews.totals import Totals, errors_of, totals_of
from tests.matches import HAND, MATCH5, SAMPLE, random_match, reviewed_file
from tests.study.reviews.stored import cube_choices, lucks

# Totals and ratings, against GNU Backgammon's own figures and plain sums.


def choice(player: int, kind: ChoiceKind, error: float, counted: bool, active: bool) -> Choice:
    return Choice(0, 0, player, kind, "", "", "", error, error / 10, counted, active, 1)


CHOICES = [
    choice(0, ChoiceKind.PLAY, 0.0, False, False),
    choice(0, ChoiceKind.PLAY, 0.04, True, True),
    choice(0, ChoiceKind.NO_DOUBLE, 0.13, True, True),
    choice(0, ChoiceKind.TAKE, 0.0, False, True),
    choice(1, ChoiceKind.PLAY, 0.5, True, True),
]


def test_sums() -> None:
    rolls = [Luck(0, 0, 0, 0.2, 0.02), Luck(0, 1, 1, 0.3, 0.03), Luck(0, 2, 0, -0.1, -0.01)]
    found = totals_of(CHOICES, rolls, 0)
    assert found.all[:7] == (4, 2, 3, 2, pytest.approx(0.17), pytest.approx(0.017), (1, 0, 1))
    assert found.plays[:4] == (2, 1, 1, 1)
    assert found.cube[:4] == (2, 1, 2, 1)
    assert found.doubles[:4] == (1, 1, 1, 1)
    assert found.takes[:4] == (1, 0, 1, 0)
    assert found.kinds[ChoiceKind.DOUBLE].choices == 0
    assert found.all.pr == pytest.approx(500 * 0.17 / 2)
    assert found.all.rate == pytest.approx(1000 * 0.17 / 3)
    assert found.snowie == pytest.approx(1000 * 0.17 / 3)
    assert (found.luck, found.luck_value) == (pytest.approx(0.1), pytest.approx(0.01))
    assert totals_of(CHOICES * 10, rolls, 0).rating == "awful"


def test_nobody_is_rated_without_decisions() -> None:
    found = totals_of([], [], 0)
    assert found.all.pr is found.all.rate is found.snowie is found.rating is None
    assert errors_of([]).marks == (0, 0, 0)


@pytest.mark.parametrize(
    ("rate", "word"),
    [  # thousandths of a point, and the words of match5_stats.txt for them
        (8.9, "advanced"),
        (3.8, "world class"),
        (84.9, "awful"),
        (33.1, "beginner"),
        (18.8, "casual player"),
        (6.2, "expert"),
        (1.9, "supernatural"),
        (17.9, "intermediate"),
    ],
)
def test_words_of_gnu_backgammon(rate: float, word: str) -> None:
    one = errors_of([choice(0, ChoiceKind.PLAY, rate / 1000, True, True)] * 30)
    assert Totals(*[one] * 5, {}, 1, 0.0, 0.0).rating == word


@pytest.mark.parametrize(
    ("pr", "word"),
    [
        (0.1, "world champ"),
        (2.4, "world champ"),
        (2.6, "world class"),
        (7.02, "expert"),
        (9.4, "advanced"),
        (14.9, "intermediate"),
        (20.0, "casual player"),
        (25.0, "beginner"),
        (31.0, "distracted"),
    ],
)
def test_the_class_is_of_the_pr(pr: float, word: str) -> None:
    found = errors_of([choice(0, ChoiceKind.PLAY, pr / 500, True, True)] * 30)
    assert found.pr == pytest.approx(pr)
    assert found.pr_class == word
    assert not found.flawless


def test_few_decisions_have_no_class() -> None:
    errors = [choice(0, ChoiceKind.PLAY, 0.02, True, True)] * LEAST_DECISIONS
    easy = [choice(0, ChoiceKind.PLAY, 0.0, False, False)] * 100
    for few, words in ((1, (None, None)), (0, ("advanced", "casual player"))):
        found = totals_of(errors[few:] + easy, [], 0)
        assert found.all.pr == pytest.approx(10.0)
        assert (found.all.pr_class, found.rating) == words


@pytest.mark.parametrize("error", [float("inf"), float("nan")])
def test_a_pr_that_is_no_number_has_no_class(error: float) -> None:
    found = errors_of([choice(0, ChoiceKind.PLAY, error, True, True)] * 30)
    assert found.pr_class is None
    assert Totals(*[found] * 5, {}, 1, 0.0, 0.0).rating is None


@pytest.mark.parametrize("error", [0.0, 9e-6])
def test_a_pr_of_nought_has_no_class(error: float) -> None:
    """A program that is judged by its own search has it."""
    found = errors_of([choice(0, ChoiceKind.PLAY, error, True, True)] * 20)
    assert (found.flawless, found.pr_class) == (True, None)
    nothing: ErrorSums = errors_of([])
    assert (nothing.flawless, nothing.pr_class) == (False, None)


def test_rates_of_gnu_backgammon() -> None:
    """Of its own values: 84.9 and 33.1 for the cube; luck of -17.283 and +17.834 per cent."""
    for player, rate, luck, worth in ((0, 84.9, 0.624, -0.17283), (1, 33.1, 1.867, 0.17834)):
        found = totals_of(cube_choices(), lucks(), player)
        assert found.cube.rate == pytest.approx(rate, abs=0.06)
        assert found.rolls == 222
        assert found.luck == pytest.approx(luck, abs=6e-4)
        assert found.luck_value == pytest.approx(worth, abs=2e-5)


# What results make: a choice for each decision, and nothing where results are missing.

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
            one = cube_choice(expected.kind, item, found, MET) if cube else play_choice(item, found, MET)
            assert one._replace(game=game, player=expected.player) == expected


def test_results_are_as_many_as_items(results: list[dict]) -> None:
    with pytest.raises(ValueError, match="shorter"):
        made_of(MATCH, MET, results[:-1])
    with pytest.raises(ValueError, match="longer"):
        made_of(MATCH, MET, [*results, results[-1]])


# Rollouts of costly decisions: those of `gammon.rollout`, beside what the search says.


@pytest.fixture(scope="module")
def plain() -> Review:
    return reviewed_file(HAND)


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
                theirs.name,
                theirs.equity,
                theirs.error,
                theirs.loss,
            )
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
        HAND,
        depth=1,
        out=tmp_path,
        rollout_over=over,
        trials=36,
        workers=2,
        on_done=lambda done, total: told.append((done, total)),
    )
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
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", ["8/5 6/5"], 36, "leaf", read_met()
    )
    result = rollout_unit(unit)
    assert rollout_fits(unit, result)
    assert rolled_choice(result).candidates[0].loss_error == 0.0
    for damaged in (None, 3, {}, {**result, "candidates": [[1]]}, {**result, "candidates": []}):
        assert not rollout_fits(unit, damaged)


@pytest.mark.parametrize("settings", [{"rollout_over": -0.1}, {"rollout_over": "x"}, {"trials": 35}])
def test_what_is_refused(settings: dict) -> None:
    with pytest.raises(SettingError, match=next(iter(settings))):
        review(HAND, depth=1, **settings)


# The figures of a review, by own sums of the choices and rolls that its JSON lists.
#
# Other tests have how many choices there are, count and are marked, with PR
# (tests/study/view/test_review.py), and the report's data (tests/web/test_review.py).

PARTS = {
    "all": ("play", "no double", "double", "take", "pass"),
    "plays": ("play",),
    "cube": ("no double", "double", "take", "pass"),
    "doubles": ("no double", "double"),
    "takes": ("take", "pass"),
}
MATCHES = [MATCH5, HAND, SAMPLE, "money"]


@cache
def reviewed(match: Path | str) -> Review:
    return review(random_match(0, 86), depth=1) if match == "money" else reviewed_file(Path(match))


@cache
def displayed_sums_plain(match: Path | str) -> dict[str, Any]:
    return to_json(reviewed(match))


def before(score: tuple[int, int], length: int, crawford: bool) -> float:
    """The first player's chance before a game, by the numbers of the table as they are."""
    table = read_met()
    own, their = (length - points for points in score)
    if own <= 0 or their <= 0:
        return float(own <= 0)
    if crawford or 1 not in (own, their):
        return float(table.main[own - 1, their - 1])
    if own == 1:
        return 0.5 if their == 1 else 1.0 - float(table.post_crawford[their - 1])
    return float(table.post_crawford[own - 1])


def swing(xgid: str) -> float:
    """Half of what a single game won is worth more than one lost: the cost of 1 EMG."""
    terms, table = Position.parse(xgid).context.terms(), read_met()
    if not terms.length:
        return float(terms.cube)
    chances = []
    for won, lost in ((terms.cube, 0), (0, terms.cube)):
        own, their = terms.away[0] - won, terms.away[1] - lost
        if own <= 0 or their <= 0:
            chances.append(float(own <= 0))
        elif 1 not in terms.away:
            chances.append(float(table.main[own - 1, their - 1]))
        else:
            points = terms.length - own, terms.length - their
            chances.append(before(points, terms.length, False))
    return 0.5 * (chances[0] - chances[1])


def total(entries: Iterable[dict[str, Any]], name: str) -> Any:
    return pytest.approx(sum(entry[name] for entry in entries), abs=1e-12)


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: Path(match).stem)
def test_costs_rates_and_luck(match: Path | str) -> None:
    found = displayed_sums_plain(match)
    games = [(number, each["players"]) for number, each in enumerate(found["games"])]
    for game, players in [(None, found["players"]), *games]:
        rolls = [each for each in found["rolls"] if game in (None, each["game"])]
        for player, figures in enumerate(players):
            mine = [
                each for each in found["choices"] if each["player"] == player and game in (None, each["game"])
            ]
            sums = {name: (figures[name], kinds) for name, kinds in PARTS.items()}
            sums |= {kind: (each, (kind,)) for kind, each in figures["kinds"].items()}
            for shown, kinds in sums.values():
                some = [each for each in mine if each["kind"] in kinds]
                active = sum(each["active"] for each in some)
                assert shown["error"] == total(some, "error")
                assert shown["cost"] == total(some, "cost")
                assert shown["active"] == active
                rate = 1000.0 * shown["error"] / active if active else None
                assert shown["rate"] == (None if rate is None else pytest.approx(rate))
            error = figures["all"]["error"]
            snowie = pytest.approx(1000.0 * error / len(rolls)) if rolls else None
            assert figures["snowie_rate"] == snowie
            own = [each for each in rolls if each["player"] == player]
            assert figures["luck"] == total(own, "equity")
            assert figures["luck_value"] == total(own, "value")


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: Path(match).stem)
def test_an_error_costs_half_a_swing(match: Path | str) -> None:
    for each in displayed_sums_plain(match)["choices"]:
        assert each["cost"] == pytest.approx(each["error"] * swing(each["xgid"]), abs=1e-12)


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: Path(match).stem)
def test_errors_are_those_of_the_values_beside_them(match: Path | str) -> None:
    for each in displayed_sums_plain(match)["choices"]:
        if each["kind"] == "play":
            equities = {play["play"]: play["equity"] for play in each["plays"]}
            lost = max(equities.values()) - equities[each["made"]]
        else:
            stay, taken, passed = each["values"].values()
            doubled = min(taken, passed)
            lost = {
                "no double": doubled - stay,
                "double": stay - doubled,
                "take": taken - passed,
                "pass": passed - taken,
            }[each["kind"]]
        assert each["error"] == pytest.approx(max(lost, 0.0), abs=2e-9)


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: Path(match).stem)
def test_results_and_what_the_luck_leaves_of_them(match: Path | str) -> None:
    found = displayed_sums_plain(match)
    games, length = found["games"], found["length"]
    one, other = found["players"]
    won = [each["points"] * (1 if each["winner"] == 0 else -1) for each in games]
    if length:
        first, last = games[0], games[-1]
        score = [
            points + max(won[-1] if side == 0 else -won[-1], 0) for side, points in enumerate(last["score"])
        ]
        begun = before(tuple(first["score"]), length, first["crawford"])
        crawford = length - 1 in score and length - 1 not in last["score"]
        result = before((score[0], score[1]), length, crawford) - begun
    else:
        result = float(sum(won))
    assert one["result"] == pytest.approx(result)
    assert other["result"] == pytest.approx(-result)
    luck = sum(each["value"] if each["player"] == 0 else -each["value"] for each in found["rolls"])
    assert one["luck_adjusted_result"] == pytest.approx(result - luck)
    assert other["luck_adjusted_result"] == pytest.approx(luck - result)


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: Path(match).stem)
def test_the_table_has_the_figures_of_the_json(match: Path | str) -> None:
    """Each figure that people read is a rounded number of the JSON."""
    found = displayed_sums_plain(match)
    scale, unit = (100.0, " %") if found["length"] else (1.0, "")
    digits = 2 if found["length"] else 3

    def pair(equity: float, worth: float) -> str:
        return f"{equity:+z.3f} ({scale * worth:+z.{digits}f}{unit})"

    def lost(sums: dict[str, Any]) -> str:
        return pair(-sums["error"], -sums["cost"])

    rows = {each["name"]: each["values"] for each in found["figures"]}
    text = str(reviewed(match))
    for side, figures in enumerate(found["players"]):
        shown = {name: values[side] for name, values in rows.items()}
        wrong = figures["plays"]["wrong"]
        assert shown["PR"] == f"{figures['pr']:.2f}"
        assert shown["decisions"] == str(figures["all"]["counted"])
        assert shown["errors"] == lost(figures["all"])
        assert shown["Plays"] == (f"{wrong}: {lost(figures['plays'])}" if wrong else "0")
        assert shown["Cube"] == lost(figures["cube"])
        assert shown["GNU rate: all"] == f"{figures['all']['rate']:.1f}"
        assert shown["Snowie rate"] == f"{figures['snowie_rate']:.1f}"
        assert shown["Luck"] == pair(figures["luck"], figures["luck_value"])
        for name in ("PR", "errors", "Plays", "Cube", "Luck"):
            assert shown[name] in text


# The figures of a review in docs/experiments/judge.md that are ours.

ROOT = Path(__file__).parents[3]
#: Rows of the page's table, and lines of a review.
ROWS = {
    "errors of plays, EMG": "Plays",
    "errors with the cube, EMG": "Cube",
    "GNU's rate": "GNU rate: all",
    "Snowie rate": "Snowie rate",
    "luck, EMG": "Luck",
    "result without luck, %": "Result, luck taken out",
}


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"[-+]?\d*\.\d+", text.replace("−", "-"))]


@pytest.mark.parametrize(("depth", "column"), [(1, 2), (3, 4)])
def test_the_table_beside_gnu_backgammon_is_of_today(depth: int, column: int) -> None:
    review = gammon_study.review(ROOT / "tests" / "golden" / "matches" / "match5.mat", depth=depth)
    lines = [re.sub(r"\(.*?\)", "", line).strip() for line in str(review).splitlines()]
    page = (ROOT / "docs" / "experiments" / "judge.md").read_text(encoding="utf-8").splitlines()
    for row, name in ROWS.items():
        said = next(line for line in page if line.startswith(f"| {row} |"))
        found = next(line for line in lines if line.startswith(name))
        assert numbers(said)[column : column + 2] == numbers(found), row
