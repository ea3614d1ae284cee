"""Packages for Anki: one card for each decision, which Anki itself can read."""

import json
import re
import sqlite3
import sys
import zipfile
from pathlib import Path

import pytest

from gammon.base.errors import GammonError, MissingExtraError
from gammon_study.library.ask import Selection
from gammon_study.library.errors import Error, errors_found
from gammon_study.library.export import choices_of
from gammon_study.library.library import Library
from gammon_study.view.anki import write_anki

COUNT = 30


def package(library: Path, path: Path) -> list[Error]:
    pytest.importorskip("genanki", reason="packages for Anki need genanki")
    with Library(library) as opened:
        errors, _, _ = errors_found(opened, Selection(), COUNT)
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
        errors, _, _ = errors_found(opened, Selection())
        choices = choices_of(opened, errors)
        for error, choice in zip(errors, choices, strict=True):
            made = choice.choice
            assert (made.xgid, made.kind, made.made) == (error.xgid, error.kind, error.made)
            assert made.error == pytest.approx(error.error)
            assert (choice.why, choice.themes) == (error.why, error.themes)
            assert choice.names[made.player] == error.player
            assert choice.names[1 - made.player] == error.opponent
            assert f"game {error.game}" in choice.where
        with pytest.raises(GammonError, match="not its own"):
            choices_of(opened, [errors[0]._replace(game=99)])


def test_fields(library: Path, tmp_path: Path) -> None:
    """The front has the board and the question alone, the back what is right, and why."""
    errors = package(library, tmp_path / "e.apkg")
    found = notes(tmp_path / "e.apkg", tmp_path)
    assert len({guid for guid, _ in found}) == len(found) == COUNT
    for error, (_, (xgid, asked, front, back)) in zip(errors, found, strict=True):
        assert xgid == error.xgid
        assert asked.count("?") == 1
        assert front.count("<svg") == back.count("<svg") == 1
        assert 'class="arrow"' not in front
        assert ('class="arrow"' in back) == (error.kind == "play")
        assert f"<b>{error.best}</b>" in back
        assert error.why.split(".")[0] in back
        assert "<table" in back


def test_an_error_that_was_made_again_shares_a_card(library: Path, tmp_path: Path) -> None:
    pytest.importorskip("genanki", reason="packages for Anki need genanki")
    with Library(library) as opened:
        errors, _, _ = errors_found(opened, Selection(), 2)
        choices = choices_of(opened, errors)
    again = errors[0]._replace(
        player="Zoe", opponent="Max", made="24/23", error=0.01, themes=("run", "prime")
    )
    path = tmp_path / "e.apkg"
    assert write_anki(path, [*errors, again], [*choices, choices[0]]) == 2
    found = notes(path, tmp_path)
    assert [fields[0] for _, fields in found] == [each.xgid for each in errors]
    back = found[0][1][3]
    assert f"{errors[0].made} loses {errors[0].error:.3f}" in back
    assert "Zoe against Max" in back
    assert "24/23, -0.010" in back
    assert {"run", "prime", *errors[0].themes} <= set(
        re.split(", |<", re.findall(r"<p>([^<]*prime[^<]*)<", back)[0])
    )
    assert "Zoe" not in found[1][1][3]


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


def test_without_genanki_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "genanki", None)
    with pytest.raises(
        MissingExtraError, match=r"a package for Anki needs genanki: .*\[anki\]"
    ):
        write_anki(tmp_path / "e.apkg", [], [])
