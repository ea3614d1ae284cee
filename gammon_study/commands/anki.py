"""`gammon anki`: cards for Anki of positions."""

from contextlib import nullcontext
from pathlib import Path

import click

from gammon.base.errors import GammonError, SettingError
from gammon.commands.options import FILE_OR_INPUT, PLACE, record_options, with_default
from gammon.commands.process import input_lines
from gammon.commands.shared import check_apart
from gammon.engine.question import Question
from gammon.formats.context import several
from gammon_study.commands.study import LIBRARY, opened_library


@click.command()
@click.argument("files", nargs=-1, type=FILE_OR_INPUT, metavar="[FILE...]")
@click.option("--tag", metavar="TAG", help="Also the positions of the library with this tag.")
@click.option(
    "--out",
    type=PLACE,
    metavar="FILE",
    default="gammon.apkg",
    show_default=True,
    help="The package of cards.",
)
@record_options(Question, "asked", with_default("depth", 5, "Plies of the search behind the answers."))
@LIBRARY
def anki(files: tuple[Path, ...], tag: str | None, out: Path, asked: Question, library: Path) -> None:
    """Make cards for Anki of positions.

    Each FILE is a position of eXtreme Gammon (.xgp), or a text with a position a line, such as pasted
    IDs; - is standard input. A position with a roll asks for a play, without a roll for a double, and with a
    double on offer for a take. The comment of a file and the library's note on a position are on its
    card. The cards are in three decks: plays, doubles and takes.

    \b
    gammon anki positions.txt *.xgp --out cards.apkg
    gammon anki --tag openings
    """
    from gammon.base.files import read_bytes
    from gammon.formats.characters import decoded
    from gammon.formats.pasted import MOST, texts_of_positions
    from gammon_study.library.drill import judged_position
    from gammon_study.library.notes import Note, find_notes, notes_by_position
    from gammon_study.match_files.xg import XG, parse_xgp
    from gammon_study.view.anki import write_anki

    if not files and tag is None:
        raise SettingError("no positions: expected a file or --tag")
    for file in files:
        check_apart("--out", out, "FILE", file)
    check_apart("--out", out, "--library", library)
    texts: list[str] = []
    comments: dict[str, str] = {}
    for file in files:
        if str(file) == "-":
            texts += texts_of_positions(input_lines())
            continue
        data = read_bytes(file, 1000 * MOST)
        if not data.startswith(XG):
            texts += texts_of_positions(decoded(data).splitlines())
            continue
        try:
            saved = parse_xgp(data)
        except GammonError as problem:
            click.echo(f"left out: {str(file)!r}: {problem}", err=True)
            continue
        texts.append(saved.position.xgid)
        comments[saved.position.xgid] = saved.comment
    with opened_library(library) if tag is not None or library.exists() else nullcontext() as opened:
        notes = {} if opened is None else notes_by_position(opened)
        if opened is not None and tag is not None:
            texts += [note.xgid for note in find_notes(opened, tag=tag, remarks=False).notes]
    for xgid, comment in comments.items():
        note = notes.get(xgid, Note(xgid, "", (), ()))
        notes[xgid] = note._replace(text="\n".join(filter(None, (comment, note.text))))
    errors, choices = [], []
    for text in texts:
        try:
            error, choice = judged_position(text, asked.depth)
        except GammonError as problem:
            click.echo(f"left out: {problem}", err=True)
            continue
        errors.append(error)
        choices.append(choice)
    if not errors:
        raise SettingError("no positions to make cards of")
    click.echo(f"wrote {several(write_anki(out, errors, choices, notes), 'card')} into {out}")
