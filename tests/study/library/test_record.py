"""The rows of a match: its name, its day, and the sums of its review."""

from dataclasses import replace

import pytest

from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon_study.library.library import Kept, Library
from gammon_study.library.record import (
    begins,
    day_of,
    digest_of,
    review_kept,
    stem_of,
    stems_of,
    tables_of,
)
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.sgf import format_sgf
from gammon_study.match_files.transcript import Action, ActionKind, Transcript
from gammon_study.reviews.choice import ALIKE, ChoiceKind
from gammon_study.reviews.review import review
from gammon_study.reviews.task import review_facts
from gammon_study.reviews.totals import ErrorSums
from tests.matches import HAND, MATCH5, MATCH5_SGF, random_match


def test_a_match_is_known_in_any_format() -> None:
    assert digest_of(read_transcript(MATCH5)) == digest_of(read_transcript(MATCH5_SGF))


def test_it_does_not_matter_who_stands_on_the_left() -> None:
    match = random_match(3, 5)
    turned = replace(
        match,
        players=match.players[::-1],
        games=tuple(
            replace(
                game,
                score=game.score._replace(points=game.score.points[::-1]),
                actions=tuple(each._replace(side=1 - each.side) for each in game.actions),
            )
            for game in match.games
        ),
    )
    assert digest_of(turned) == digest_of(match)


def test_a_resignation_may_stand_for_the_rest_of_a_game() -> None:
    """Of a match whose last game could not be read, its winner is known."""
    whole = read_transcript(MATCH5)
    first = whole.games[0]

    def ended(count: int) -> Transcript:
        last = first.actions[count - 1]
        resigned = Action(ActionKind.RESIGN, 1 - last.side, points=1)
        actions = (*first.actions[:count], resigned)
        return replace(whole, games=(replace(first, actions=actions),))

    saved = replace(whole, games=(replace(first, actions=first.actions[:9]),))
    for count in (1, 3, 9):
        assert begins(ended(count), whole)
        assert not begins(whole, ended(count))
        assert stem_of(ended(count)) in stems_of(whole)
    assert begins(saved, ended(9)), "the resignation came after it was saved"
    assert not begins(ended(9), saved)
    assert digest_of(saved) != digest_of(ended(9))
    assert not begins(ended(9), ended(8))
    given_up = replace(whole, games=(replace(first, actions=ended(1).games[0].actions[-1:]),))
    assert not begins(given_up, whole), "nobody has rolled in it"


def test_a_match_is_known_in_any_case_of_its_names() -> None:
    match = random_match(3, 5)
    other = replace(match, players=("ANN", "bob"))
    assert digest_of(other) == digest_of(match)
    assert stems_of(other) == stems_of(match)
    begun = replace(other, games=match.games[:1])
    assert begins(begun, match)


def test_another_match_has_another_name() -> None:
    match = random_match(3, 5)
    others = [
        replace(match, players=("Ann", "Eve")), replace(match, length=5),
        replace(match, games=match.games[:-1]), random_match(3, 6),
        replace(match, players=match.players[::-1]),
    ]  # fmt: skip
    assert len({digest_of(each) for each in (match, *others)}) == len(others) + 1


@pytest.mark.parametrize(
    ("details", "day"),
    [
        ((("EventDate", "2026.1.2"),), "2026-01-02"),
        ((("Date", "on 2026/11/22"),), "2026-11-22"),
        ((("Date", "31.4.2026, 2026-4-31"), ("EventDate", "2026.04.30")), "2026-04-30"),
        ((("EventDate", "2026.13.45"),), None), ((("EventDate", "0000.01.01"),), None),
        ((("EventDate", "yesterday"),), None), ((("Event", "2026.01.02"),), None), ((), None),
    ],
)  # fmt: skip
def test_the_day(details: tuple[tuple[str, str], ...], day: str | None) -> None:
    assert day_of(Transcript(("a", "b"), 1, (), details)) == day


def test_the_review_is_kept_whole(library: Library) -> None:
    (row,) = library.ask("SELECT id FROM match WHERE file LIKE '%hand.mat'")
    found, fresh = review_kept(library.kept(row["id"])), review(HAND, depth=1)
    assert (found.choices, found.lucks) == (fresh.choices, fresh.lucks)


def test_sums_are_those_of_the_totals() -> None:
    found = review(HAND, depth=1)
    tables = tables_of(found)
    sums = {(row["side"], row["part"], row["name"]): row for row in tables["sums"]}
    for side in (0, 1):
        totals = found.totals(side)
        expected: dict[tuple[str, str], ErrorSums] = {
            ("all", "all"): totals.all, ("all", "plays"): totals.plays,
            ("all", "cube"): totals.cube,
            **{("kind", kind.value): totals.kinds[kind] for kind in ChoiceKind},
        }  # fmt: skip
        for part, each in expected.items():
            row = sums.get((side, *part))
            if row is None:
                assert each.choices == 0
                continue
            assert (row["counted"], row["wrong"]) == (each.counted, each.wrong)
            assert row["error"] == pytest.approx(each.error)
            assert row["bad"] == each.marks[1] + each.marks[2]
        phases = [row for (who, part, _), row in sums.items() if (who, part) == (side, "phase")]
        assert sum(row["choices"] for row in phases) == totals.all.choices
        assert tables["side"][side]["luck"] == totals.luck
    assert len(tables["error"]) == sum(each.error >= ALIKE for each in found.choices)
    assert all(row["luck"] is None for row in tables_of(found, lucky=False)["side"])


def test_a_match_without_its_end_is_nobodys() -> None:
    """For money each game has an end of its own."""
    whole = review(HAND, depth=1)
    results = [row["result"] for row in tables_of(whole)["side"]]
    assert results == [whole.result(0), whole.result(1)]
    begun = replace(whole.transcript, games=whole.transcript.games[:1])
    assert begun.final_score == (1, 0)
    sides = tables_of(review(begun, depth=1))["side"]
    assert [row["result"] for row in sides] == [None, None]
    score = begun.games[0].score._replace(length=0)
    money = replace(begun, length=0, games=(replace(begun.games[0], score=score),))
    sides = tables_of(review(money, depth=1))["side"]
    assert [row["result"] for row in sides] == [1.0, -1.0]


def test_a_side_without_a_decision_is_there() -> None:
    first = read_transcript(HAND).games[0]
    resigned = Action(ActionKind.RESIGN, 1 - first.actions[0].side, points=3)
    game = replace(first, actions=(first.actions[0], resigned))
    rows = tables_of(review(replace(read_transcript(HAND), games=(game,)), depth=1))["sums"]
    sums = {row["side"]: row for row in rows if (row["part"], row["name"]) == ("all", "all")}
    assert [sums[side]["choices"] for side in (0, 1)] == [resigned.side, 1 - resigned.side]
    assert all(row["choices"] for row in rows if row is not sums[resigned.side])


def test_an_error_is_told_for_the_one_who_decides() -> None:
    """Away scores of a take are those of who takes; boards are seen from the player on roll."""
    found = review(MATCH5, depth=1)
    rows = tables_of(found)["error"]
    takes = [row for row in rows if row["kind"] == "take"]
    assert takes
    for row in takes:
        score = found.transcript.games[row["game"]].score
        assert (row["own"], row["their"]) == (
            5 - score.points[row["side"]], 5 - score.points[1 - row["side"]],
        )  # fmt: skip
    for row in rows:
        seen = Position.parse(f"XGID={row['board']}:0:0:1:00:0:0:0:0:10")
        assert seen.points == Position.parse(row["xgid"]).points


def test_damage_is_not_a_review() -> None:
    facts = review_facts(1, "leaf", read_met())
    kept = Kept(format_sgf(random_match(1, 1)), facts, [])
    with pytest.raises(ValueError, match="shorter"):
        review_kept(kept)
    with pytest.raises(LookupError):
        review_kept(Kept(kept.transcript, {}, []))
