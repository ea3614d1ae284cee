"""A package of cards for Anki: errors, each with its board, the candidates, and why.

The boards share their parts, which are in the templates of the cards. The extra `anki` has
genanki, which writes the package.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from gammon.base.extras import extra
from gammon.base.files import written_whole
from gammon.reviews.choice import Choice
from gammon.shown.drill import question
from gammon.shown.page.card import choice_html
from gammon.shown.page.errors import error_board
from gammon.shown.page.style import style
from gammon.study.decks import card_of
from gammon.study.errors import Error
from gammon.svg.sheet import sheet_parts

__all__ = ["write_anki"]

#: Anki knows the deck and the kind of card by these numbers, drawn once.
_DECK, _MODEL = 1_724_816_205, 1_350_972_641
_NAME = "gammon"
_FIELDS = "Position", "Question", "Front", "Back"
_CSS = ".gammon-board{max-width:34rem;margin:0 auto}.q{font-weight:600}.card{padding:0 .6rem}"


def write_anki(path: Path, errors: Sequence[Error], choices: Sequence[Choice]) -> None:
    """Write a package. Who imports it again gets no card twice.

    Args:
        path: of the file.
        errors: a card each.
        choices: the same decisions.

    Raises:
        MissingExtraError: the extra `anki` is not installed.
        GammonError: the file cannot be written.
    """
    with extra("anki", "a package for Anki"):
        import genanki
    parts = sheet_parts()
    front = f"{parts}{{{{Front}}}}<p class=q>{{{{Question}}}}</p>"
    template = {"name": "Card", "qfmt": front, "afmt": f"{parts}{{{{Back}}}}"}
    model = genanki.Model(
        _MODEL, _NAME, fields=[{"name": name} for name in _FIELDS], templates=[template],
        css=f"{style('.nightMode,.night_mode')}{_CSS}",
    )  # fmt: skip
    deck = genanki.Deck(_DECK, _NAME)
    for error, choice in zip(errors, choices, strict=True):
        card = card_of(error)
        asked = escape(question(card))
        back = f"{error_board(error)}<p class=q>{asked}</p>{choice_html(choice)}"
        if error.themes:
            back += f"<p class=s>{escape(', '.join(error.themes))}</p>"
        back += f"<p class=s>{escape(card.note)}</p>"
        fields = [error.xgid, asked, error_board(error, False), back]
        deck.add_note(
            genanki.Note(
                model,
                fields,
                guid=genanki.guid_for(card.ask, error.xgid),
                tags=[theme.replace(" ", "-") for theme in (error.phase, *error.themes)],
            )
        )
    with written_whole(path) as beside:
        genanki.Package(deck).write_to_file(str(beside))
