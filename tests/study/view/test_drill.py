"""Cards of a drill, and packages for Anki."""

import json
import re
import sqlite3
import zipfile
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gammon.base.errors import GammonError
from gammon.eval.equity import Probabilities
from gammon.formats.position import Position
from gammon.view.tables import plain_text
from gammon_study.library.decks import Card, card_of
from gammon_study.library.drill import Answered
from gammon_study.library.export import choices_of
from gammon_study.library.library import Library
from gammon_study.library.notes import Note
from gammon_study.library.selection import Selection
from gammon_study.library.stats import Error, largest_errors
from gammon_study.reviews.choice import Choice, ChoiceKind, CubeValues, ReviewedPlay
from gammon_study.view.anki import write_anki
from gammon_study.view.cards import answer_view, candidates_table, card_view, question, waits
from tests.engine.view.shown import text_of

# Cards of a drill, and answers to them, for people.

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
CUBE = "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:{}:4:3:0:7:10"
CHANCES = Probabilities(0.7, 0.1, 0.0, 0.1, 0.0)


@pytest.mark.parametrize(
    ("ask", "dice", "said"),
    [
        ("play", "31", "X to play 31: which play? (X 4, O 3 in a match to 7, centred cube)"),
        ("double", "00", "X on roll: double? (X 4, O 3 in a match to 7, centred cube)"),
        ("take", "D", "X doubles: does O take? (X 4, O 3 in a match to 7, centred cube)"),
        ("pips", "00", "How many pips does X have?"),
        ("epc", "00", "What is the effective pip count of X?"),
    ],
)
def test_what_is_asked(ask: str, dice: str, said: str) -> None:
    card = Card(ask, CUBE.format(dice), "errors")
    assert question(card) == said
    shown = plain_text(card_view(card, 3))
    assert shown.startswith("3. errors\n  +13-14")
    assert shown.endswith(said)
    assert ("pips 81" in shown) == (ask != "pips")
    assert Position.parse(card.xgid).pips[0] == 81
    mine = card._replace(xgid=card.xgid.replace("-:0:0:", "-:1:1:"))
    assert question(mine).count("redouble") == (ask in ("double", "take"))
    for width in (20, 60, 200):
        assert all(len(line) <= width for line in plain_text(card_view(card, 3), width).splitlines())


def test_the_rules_of_money_are_told() -> None:
    """Whether to double may depend on them."""
    card = Card("double", "XGID=b-BBBCC-B---dA---cae------:0:0:1:00:0:0:3:0:10", "notes")
    assert question(card) == "X on roll: double? (for money, Jacoby rule, beavers, centred cube)"


@pytest.mark.parametrize(
    ("kind", "grade", "error", "begins"),
    [
        (ChoiceKind.DOUBLE, 3, 0.0, "Right: double.\n"),
        (ChoiceKind.DOUBLE, 2, 0.02, "Nearly right: double loses 0.0200, best is no double.\n"),
        (ChoiceKind.NO_DOUBLE, 1, 0.2, "Wrong: no double loses 0.2000, best is double.\n"),
        (ChoiceKind.NO_DOUBLE, 1, 0.0, "Best is double.\n"),
    ],
)
def test_answers(kind: ChoiceKind, grade: int, error: float, begins: str) -> None:
    best = "no double" if kind is ChoiceKind.DOUBLE and error else "double"
    choice = Choice(
        0, 0, 0, kind, CUBE.format("00"), kind.value, best, error, error, True, True, 3,
        CubeValues(0.5, 0.7, 1.0), CHANCES,
    )  # fmt: skip
    card = Card("double", choice.xgid, "errors", "A note[b]")
    shown = plain_text(answer_view(Answered(card, grade, choice, None, NOW)))
    assert shown.startswith(begins)
    assert "Double, take  +0.7000" in shown
    assert ("is worth +0.500" in shown) == bool(error)
    assert shown.rstrip().endswith("A note[b]")
    mine = choice._replace(xgid=choice.xgid.replace("-:0:0:", "-:1:1:"))
    shown = plain_text(answer_view(Answered(card, grade, mine, None, NOW)))
    assert "Redouble, take  +0.7000" in shown
    assert ("No redouble is worth +0.500" in shown) == bool(error)


def test_a_take_and_a_pass_are_as_the_player_sees_them_who_answers() -> None:
    xgid = CUBE.format("D")
    for kind, taken, rows in (
        (ChoiceKind.TAKE, 1.3, ["Pass -1.0000 0.0000", "Take -1.3000 0.3000"]),
        (ChoiceKind.PASS, 0.7, ["Take -0.7000 0.0000", "Pass -1.0000 0.3000"]),
    ):
        choice = Choice(
            0, 0, 0, kind, xgid, kind.value, "", 0.3, 0.3, True, True, 3, CubeValues(0.5, taken, 1.0), CHANCES
        )
        shown = plain_text(answer_view(Answered(Card("take", xgid, "", ""), 1, choice, None, NOW)))
        lines = [" ".join(line.split()) for line in shown.splitlines()]
        first = lines.index("Answer EMG Loss")
        assert lines[first + 1 : first + 3] == rows


def test_a_less_deep_play_that_seems_better_has_no_loss() -> None:
    plays = [("24/23", -0.6187, "XG 3-ply"), ("6/5", -0.7462, "XG 3-ply"), ("8/7", -0.6067, "XG 1-ply")]
    choice = Choice(
        0, 0, 0, ChoiceKind.PLAY, CUBE.format("31"), "6/5", "24/23", 0.1275, 0.1, True, True, 0,
        plays=tuple(ReviewedPlay(play, equity, CHANCES, level) for play, equity, level in plays),
    )  # fmt: skip
    rows = [line.split() for line in plain_text(candidates_table(choice)).splitlines()[1:]]
    assert [row[3:5] for row in rows] == [["-0.6187", "0.0000"], ["-0.7462", "0.1275"], ["-0.6067", "70.0"]]


def test_numbers() -> None:
    for ask, right, said in (("pips", 121.0, "121 pips"), ("epc", 8.1667, "8.167 effective pips")):
        answered = Answered(Card(ask, CUBE.format("00"), "races"), 1, None, right, NOW)
        assert plain_text(answer_view(answered)).strip() == f"Wrong: {said}."


@pytest.mark.parametrize("note", ["", "A note"])
def test_one_blank_line_follows_an_answer(note: str) -> None:
    choice = Choice(
        0, 0, 0, ChoiceKind.DOUBLE, CUBE.format("00"), "double", "double", 0.0, 0.0, True, True,
        3, CubeValues(0.5, 0.7, 1.0), CHANCES,
    )  # fmt: skip
    card = Card("double", choice.xgid, "cubes", note)
    *_, last, blank = text_of(answer_view(Answered(card, 3, choice, None, NOW)))
    assert blank == ""
    assert last == note if note else last.startswith("  Double, pass")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "a moment"),
        (10, "a moment"),
        (60, "1 minute"),
        (600, "10 minutes"),
        (7200, "2 hours"),
        (86_400, "1 day"),
        (900_000, "10 days"),
    ],
)
def test_how_long_it_waits(seconds: int, said: str) -> None:
    assert waits(NOW + timedelta(seconds=seconds), NOW) == said


# Packages for Anki: one card for each decision, which Anki itself can read.

COUNT = 30


def package(library: Path, path: Path) -> list[Error]:
    with Library(library) as opened:
        errors, _, _ = largest_errors(opened, Selection(), COUNT)
        write_anki(path, errors, choices_of(opened, errors))
    return errors


def notes(path: Path, folder: Path) -> list[tuple[str, list[str]]]:
    """Return the identities and the fields of the notes of a package."""
    with zipfile.ZipFile(path) as opened:
        opened.extract("collection.anki2", folder)
        assert json.loads(opened.read("media")) == {}
    base = sqlite3.connect(folder / "collection.anki2")
    rows = base.execute("SELECT guid, flds FROM notes ORDER BY id").fetchall()
    base.close()
    return [(guid, fields.split("\x1f")) for guid, fields in rows]


def test_choices_are_those_of_the_errors(library: Path) -> None:
    with Library(library) as opened:
        errors, _, _ = largest_errors(opened, Selection())
        choices = choices_of(opened, errors)
        for error, choice in zip(errors, choices, strict=True):
            made = choice.choice
            assert (made.xgid, made.kind, made.made) == (error.xgid, error.kind, error.made)
            assert made.error == pytest.approx(error.error)
            assert (choice.explanation, choice.themes) == (error.explanation, error.themes)
            assert choice.names[made.player] == error.player
            assert choice.names[1 - made.player] == error.opponent
            assert f"game {error.game}" in choice.source
        with pytest.raises(GammonError, match="not in its review"):
            choices_of(opened, [errors[0]._replace(game=99)])


def test_fields(library: Path, tmp_path: Path) -> None:
    """The front has the board and the question alone, the back what is right, and why."""
    errors = package(library, tmp_path / "e.apkg")
    found = notes(tmp_path / "e.apkg", tmp_path)
    assert len({guid for guid, _ in found}) == len(found) == COUNT
    fields = {xgid: rest for _, (xgid, *rest) in found}
    for error in errors:
        asked, front, back = fields[error.xgid]
        assert asked.count("?") == 1
        options = re.findall("<li>(.*?)</li>", front)
        # The order of the options has nothing to do with their values.
        assert options == sorted(options) or {*options} in ({"No double", "Double"}, {"Take", "Pass"})
        best = "no double" if error.best.startswith("too good") else error.best
        assert {best, error.made} <= {*options} | {option.lower() for option in options}
        assert front.count("<svg") == back.count("<svg") == 1
        assert 'class="arrow"' not in front
        assert ('class="arrow"' in back) == (error.kind == "play")
        assert f"<b>{error.best}</b>" in back
        assert error.explanation.split(".")[0] in back
        assert "<table" in back


def test_an_error_that_was_made_again_shares_a_card(library: Path, tmp_path: Path) -> None:
    with Library(library) as opened:
        errors, _, _ = largest_errors(opened, Selection(), 2)
        choices = choices_of(opened, errors)
    again = errors[0]._replace(
        player="Zoe", opponent="Max", made="24/23", error=0.01, themes=("run", "prime")
    )
    path = tmp_path / "e.apkg"
    assert write_anki(path, [*errors, again], [*choices, choices[0]]) == 2
    found = notes(path, tmp_path)
    found.sort(key=lambda note: note[1][0] != errors[0].xgid)
    assert [fields[0] for _, fields in found] == [each.xgid for each in errors]
    back = found[0][1][3]
    assert f"{errors[0].made} loses {errors[0].error:.3f}" in back
    assert "Zoe against Max" in back
    assert "24/23, -0.010" in back
    assert {"run", "prime", *errors[0].themes} <= set(
        re.split(", |<", re.findall(r"<p>([^<]*prime[^<]*)<", back)[0])
    )
    assert "Zoe" not in found[1][1][3]


def test_decks_by_kind_and_the_notes_of_the_user(library: Path, tmp_path: Path) -> None:
    path = tmp_path / "e.apkg"
    with Library(library) as opened:
        errors, _, _ = largest_errors(opened, Selection(), COUNT)
        choices = [choice._replace(remark="[bad] <greedy>") for choice in choices_of(opened, errors)]
    first = errors[0].xgid
    write_anki(path, errors, choices, {first: Note(first, "my own words", ("one tag",), ())})
    backs = {fields[0]: fields[3] for _, fields in notes(path, tmp_path)}
    assert {xgid for xgid, back in backs.items() if "<p>my own words</p>" in back} == {first}
    assert all("<p>[bad] &lt;greedy&gt;</p>" in back for back in backs.values())
    with closing(sqlite3.connect(tmp_path / "collection.anki2")) as base:
        (tags,) = base.execute("SELECT tags FROM notes WHERE flds LIKE ?", [f"{first}%"]).fetchone()
        (decks,) = base.execute("SELECT decks FROM col").fetchone()
        counts = dict(base.execute("SELECT did, COUNT(*) FROM cards GROUP BY did"))
    assert "one-tag" in tags.split()
    names = {int(number): deck["name"] for number, deck in json.loads(decks).items()}
    kinds = Counter(f"gammon::{card_of(error).ask}s" for error in errors)
    assert {names[number]: count for number, count in counts.items()} == kinds
    assert len(kinds) > 1


def test_the_same_errors_get_the_same_notes(library: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        package(library, tmp_path / name / "e.apkg")
    one, two = (notes(tmp_path / name / "e.apkg", tmp_path) for name in ("one", "two"))
    assert one == two


def test_anki_opens_it(library: Path, tmp_path: Path) -> None:
    """Anki's own library shows each card; who imports the package again gets none twice."""
    reason = "needs anki, Anki's own library: pip install anki"
    collection = pytest.importorskip("anki.collection", reason=reason)
    path = tmp_path / "e.apkg"
    package(library, path)
    opened = collection.Collection(str(tmp_path / "c.anki2"))
    request = collection.ImportAnkiPackageRequest(
        package_path=str(path), options=collection.ImportAnkiPackageOptions()
    )
    for new in (COUNT, 0):
        assert len(opened.import_anki_package(request).log.new) == new
        assert opened.card_count() == COUNT
    shown = [opened.get_card(card).render_output() for card in opened.find_cards("")]
    opened.close()
    for output in shown:
        for text in (output.question_text, output.answer_text):
            assert "{{" not in text
            assert not re.search(r' id="|href=', text)
