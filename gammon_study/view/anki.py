"""A package of cards for Anki: errors or pasted positions, with candidates and an explanation.

A deck each has the plays, the doubles and the takes. The front of a card lists the candidates in an
order that does not depend on their values. genanki writes the package.
"""

import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from types import MappingProxyType
from zipfile import ZIP_DEFLATED, ZipFile

from gammon.base.errors import GammonError
from gammon.base.files import written_whole
from gammon.formats.context import doubling_words
from gammon.formats.play import find_play
from gammon.formats.position import Position
from gammon.view.svg import board
from gammon.view.view import table_html
from gammon_study.library.decks import card_of
from gammon_study.library.export import StudiedChoice
from gammon_study.library.notes import Note
from gammon_study.library.stats import Error
from gammon_study.reviews.choice import Choice, ChoiceKind
from gammon_study.view.cards import candidates_table, question

#: Anki identifies a deck and the kind of card by these random numbers.
_DECKS = {"play": 1_724_816_206, "double": 1_724_816_207, "take": 1_724_816_208}
_MODEL = 1_350_972_641
_NAME = "gammon"
_FIELDS = "Position", "Question", "Front", "Back"
#: Drawings and tables follow Anki's light or dark cards.
_CSS = (
    ".gammon-board{display:block;max-width:34rem;margin:0 auto}.q{font-weight:600}"
    ".card{padding:0 .6rem}ul{display:table;margin:0 auto}table{margin:0 auto;font-size:.9em}"
)


def write_anki(
    path: Path,
    errors: Sequence[Error],
    choices: Sequence[StudiedChoice],
    own_notes: Mapping[str, Note] = MappingProxyType({}),
) -> int:
    """Write a package, and return the number of its cards. An import adds no card twice.

    Errors that ask for the same decision share a card: its back shows the first one, and lists the
    others.

    Args:
        path: the file.
        errors: the errors, the largest first.
        choices: the decisions of the errors.
        own_notes: the user's notes by their positions.

    Raises:
        GammonError: the file cannot be written.
    """
    import genanki

    template = {"name": "Card", "qfmt": "{{Front}}<p class=q>{{Question}}</p>", "afmt": "{{Back}}"}
    model = genanki.Model(
        _MODEL, _NAME, fields=[{"name": name} for name in _FIELDS], templates=[template], css=_CSS
    )
    decks = {ask: genanki.Deck(number, f"{_NAME}::{ask}s") for ask, number in _DECKS.items()}
    alike: dict[tuple[str, str], list[tuple[Error, StudiedChoice]]] = defaultdict(list)
    for error, choice in zip(errors, choices, strict=True):
        alike[(card_of(error).ask, error.xgid)].append((error, choice))
    for (ask, xgid), decisions in alike.items():
        error, choice = decisions[0]
        card = card_of(error)
        themes = dict.fromkeys(theme for twin, _ in decisions for theme in twin.themes)
        notes = dict.fromkeys(card_of(twin).note for twin, _ in decisions if twin.player)
        own = own_notes.get(xgid, Note(xgid, "", (), ()))
        asked_text = escape(question(card))
        lost = f"; {escape(error.made)} loses {error.error:.3f}" * bool(error.error)
        back = (
            f"{_board(error)}<p class=q>{asked_text}</p><p>Best: <b>{escape(error.best)}</b>{lost}</p>"
            f"<p>{escape(error.explanation)}</p>{table_html(candidates_table(choice.choice))}"
        )
        remarks = dict.fromkeys(twin.remark for _, twin in decisions)
        lines = ", ".join(themes), *notes, *remarks, own.text
        back += "".join(f"<p>{escape(line)}</p>" for line in lines if line)
        options = "".join(f"<li>{escape(option)}</li>" for option in _options(choice.choice))
        fields = [xgid, asked_text, f"{_board(error, False)}<ul>{options}</ul>", back]
        decks[ask].add_note(
            genanki.Note(
                model,
                fields,
                guid=genanki.guid_for(ask, xgid),
                tags=[theme.replace(" ", "-") for theme in (error.phase, *themes, *own.tags)],
            )
        )
    with written_whole(path) as beside:
        plain = io.BytesIO()
        genanki.Package([deck for deck in decks.values() if deck.notes]).write_to_file(plain)
        _pack(plain, beside)
    return len(alike)


def _options(choice: Choice) -> list[str]:
    """Return the candidates: plays from the first point on, or the actions as players name them."""
    if choice.kind is ChoiceKind.PLAY:
        return sorted(play.play for play in choice.plays)
    owner = Position.parse(choice.xgid).context.terms().owner
    answers = choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
    actions = ("Take", "Pass") if answers else ("No double", "Double")
    return [doubling_words(action, owner) for action in actions]


def _pack(plain: io.BytesIO, path: Path) -> None:
    """Write a package compressed, a tenth as large: genanki only collects its files."""
    with ZipFile(plain) as old, ZipFile(path, "w", ZIP_DEFLATED) as new:
        for entry in old.infolist():
            new.writestr(entry.filename, old.read(entry))


def _board(error: Error, arrows: bool = True) -> str:
    """Return the board of an error, or an empty text if the library has no valid position.

    Args:
        error: the error.
        arrows: whether to show the best play.
    """
    try:
        position = Position.parse(error.xgid)
        best = None
        if arrows and position.dice is not None:
            best = find_play(position, position.dice, error.best)
        return board(position, play=best, size=None)
    except GammonError:
        return ""
