"""The lists of the matches and of the notes of a library for the terminal."""

from pathlib import PurePath

from rich.console import Group, RenderableType
from rich.text import Text

from gammon.formats.characters import one_line
from gammon.formats.context import several
from gammon.view.tables import new_table, numbered, without_last_columns
from gammon_study.library.matches import MatchList
from gammon_study.library.notes import NoteList


def match_list_view(matches: MatchList) -> RenderableType:
    """Return matches for the terminal, one row each."""
    table = new_table(
        "Match", "day", "player", "PR", "won", "opponent", "PR", "to", "analyzed by", "file",
        left=(1, 2, 4, 5, 8, 9), wrap=False,
    )  # fmt: skip
    for match in matches.matches:
        (player, opponent), (own, their) = match.players, match.prs
        table.add_row(
            str(match.match),
            match.played or "-",
            one_line(player),
            _pr(own),
            {True: "yes", False: "no", None: "-"}[match.won],
            one_line(opponent),
            _pr(their),
            str(match.length or "money"),
            one_line(match.analysis),
            one_line(PurePath(match.file).name),
        )
    number, listed = several(matches.number, "match", "es"), len(matches.matches)
    title = number if listed == matches.number else f"The last {listed} of {number}"
    return Group(Text(title), "", without_last_columns(table, 2))


def note_list_view(notes: NoteList) -> RenderableType:
    """Return notes and remarks for the terminal."""
    parts: list[RenderableType] = [] if notes.notes else [Text("No note answers to that.")]
    for rank, note in enumerate(notes.notes, 1):
        lines = [one_line(note.text) or "-", note.xgid]
        if note.match is not None:
            lines.append(f"In the file of match {note.match}, game {note.game}")
        for name, words in (("Tags", note.tags), ("Themes", note.themes)):
            if words:
                lines.append(one_line(f"{name}: {', '.join(words)}"))
        parts.append(numbered(rank, *lines))
    return Group(*parts)


def _pr(pr: float | None) -> str:
    return "-" if pr is None else f"{pr:.2f}"
