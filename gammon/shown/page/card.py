"""A turn on the page: the board with arrows, and what is said of each of its choices."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from gammon.answers.play import find_play
from gammon.formats.position import Position
from gammon.formats.stored import StoredAnalysis
from gammon.reviews.choice import ALIKE, Choice, ChoiceKind
from gammon.reviews.rolled import RolledChoice, RolledPlay
from gammon.shown.analysis import CHANCES, chances_cells
from gammon.shown.page.parts import badge, grid, player_mark
from gammon.shown.page.turns import Turn
from gammon.study.explain import why
from gammon.svg.sheet import sheet_board

__all__ = ["choice_html", "turn_card"]

#: Errors from which on a turn is open.
_OPEN = 0.02
_ACTIONS = "No double", "Double, take", "Double, pass"
#: The action of `_ACTIONS` that a choice makes.
_MADE = {
    ChoiceKind.NO_DOUBLE: 0, ChoiceKind.DOUBLE: 1, ChoiceKind.TAKE: 1, ChoiceKind.PASS: 2,
}  # fmt: skip


def turn_card(turn: Turn, players: Sequence[str]) -> str:
    """Return a turn, folded unless something was lost in it.

    Args:
        turn: the turn.
        players: the names of sides 0 and 1.
    """
    first, last = turn.choices[0], turn.choices[-1]
    position = Position.parse(last.xgid if last.kind is ChoiceKind.PLAY else first.xgid)
    best = made = None
    if last.kind is ChoiceKind.PLAY and position.dice is not None:
        best = find_play(position, position.dice, last.best)
        if last.error:
            made = find_play(position, position.dice, last.made)
    said = [
        choice_html(choice, stored)
        for choice, stored in zip(turn.choices, turn.stored, strict=True)
        if choice.active or choice.counted or choice.error
    ]
    if turn.luck is not None:
        said.append(f"<p class=s>Luck of the roll {turn.luck:+.3f}</p>")
    state = " open" if turn.worst.error >= _OPEN else ""
    return (
        f'<details class=t id="{turn.name}"{state}><summary>{_line(turn, players)}</summary>'
        f"<div class=c><div class=b>{sheet_board(position, best=best, made=made)}"
        f"{_ids(turn.choices)}</div><div class=a>{''.join(said)}</div></div></details>\n"
    )


def _ids(choices: Sequence[Choice]) -> str:
    """Return the XGIDs of the choices that are decisions; that of the last one in any case."""
    wanted = [each for each in choices[:-1] if each.active or each.error] + [choices[-1]]
    names = dict.fromkeys(each.xgid for each in wanted)
    return "".join(f"<p class=id><code>{escape(name)}</code></p>" for name in names)


def _line(turn: Turn, players: Sequence[str]) -> str:
    """Return the line of a turn that is always seen: who did what, and what it lost."""
    parts = [f"<span class=n>{turn.number}</span>"]
    for number, choice in enumerate(turn.choices):
        if choice.kind is ChoiceKind.NO_DOUBLE:
            continue
        if choice.kind is ChoiceKind.PLAY:
            a, b = turn.action.dice or (0, 0)
            did = f"<span class=d>{a}{b}</span> {escape(choice.made)}"
        else:
            did = choice.kind.value
        who = (
            f"{player_mark(choice.player)}<span class=u>{escape(players[choice.player])}</span>"
        )
        before = turn.choices[0] if number else choice
        missed = ""
        if before.kind is ChoiceKind.NO_DOUBLE and before.error:
            missed = f" {badge(before)}<span class=s>no double</span>"
        parts.append(f"{who} {did} {badge(choice)}{missed}")
    return " ".join(parts)


def choice_html(choice: Choice, stored: StoredAnalysis | None = None) -> str:
    """Return the verdict on a choice and the table of its candidates."""
    verdict = f"<p>{_verdict(choice)}{_cost(choice)}</p>"
    if reason := why(choice, Position.parse(choice.xgid)):
        verdict += f"<p class=s>{escape(reason)}</p>"
    return verdict + (_plays if choice.kind is ChoiceKind.PLAY else _cube)(choice, stored)


def _verdict(choice: Choice) -> str:
    """Return in words whether a choice was right."""
    if choice.kind is ChoiceKind.PLAY:
        if not choice.active:
            return "The only play"
        said = f"Best: <b>{escape(choice.best)}</b>"
        return f"{said} {badge(choice)}" if choice.error else said
    said = f"{choice.kind.capitalize()}: "
    if choice.error < ALIKE:
        return said + "right"
    return f"{said}best is <b>{escape(choice.best)}</b> {badge(choice)}"


def _cost(choice: Choice) -> str:
    """Return the chance to win the match that a choice lost, or nothing."""
    if choice.error < ALIKE or not _in_match(choice):
        return ""
    return f" <span class=s>{-100.0 * choice.cost:+.2f} % MWC</span>"


def _in_match(choice: Choice) -> bool:
    return Position.parse(choice.xgid).context.length > 0


class _Column(NamedTuple):
    """The candidates by one source: their equities and a number beside each.

    Attributes:
        title: names the source.
        cells: two texts by the name of the candidate.
        second: names the second number.
    """

    title: str
    cells: dict[str, tuple[str, str]]
    second: str


def _table(
    choice: Choice,
    names: Sequence[str],
    columns: Sequence[_Column],
    chances: dict[str, list[str]],
    styles: dict[str, str],
) -> str:
    """Return the table of the candidates, what each source says of them beside each other.

    Args:
        choice: between them.
        names: of the candidates.
        columns: of the sources.
        chances: our cells of the chances by name.
        styles: the classes of rows by name.
    """
    unit = "EMG" if _in_match(choice) else "equity"
    head, above = [""], "<tr><th>"
    for column in columns:
        head += [unit, column.second]
        above += f"<th colspan=2>{escape(column.title)}"
    rows = [
        [name, *(c for column in columns for c in column.cells.get(name, ("", "")))]
        for name in names
    ]
    if chances:
        head += CHANCES
        above += f"<th colspan={len(CHANCES)}>"
        rows = [[*row, *chances.get(row[0], [])] for row in rows]
    marks = [styles.get(name, "") for name in names]
    return grid(head, rows, marks, above if len(columns) > 1 else "")


def _plays(choice: Choice, stored: StoredAnalysis | None) -> str:
    best = choice.plays[0].equity
    own = {
        each.play: (f"{each.equity:+.3f}", _loss(best - each.equity)) for each in choice.plays
    }
    names = dict.fromkeys(own)
    columns = [_Column(f"gammon, depth {choice.depth}", own, "loss")]
    if stored is not None and stored.plays:
        highest = stored.plays[0].equity
        shown = {play.play for play in stored.plays[:2]} | set(names)
        theirs = {
            each.play: (f"{each.equity:+.3f}", _loss(highest - each.equity))
            for each in stored.plays
            if each.play in shown
        }
        names |= dict.fromkeys(theirs)
        columns.append(_Column(f"in the file, {stored.plays[0].level}", theirs, "loss"))
    if choice.rollout is not None:
        columns.append(_rolled(choice.rollout))
    chances = {each.play: chances_cells(each.probabilities) for each in choice.plays}
    styles = {choice.best: "k", choice.made: "m" if choice.error else "k"}
    return _table(choice, list(names), columns, chances, styles)


def _cube(choice: Choice, stored: StoredAnalysis | None) -> str:
    values = choice.values
    assert values is not None, "a choice about the cube has values"
    made, in_answer = _MADE[choice.kind], choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)

    def cells(equities: Sequence[float]) -> dict[str, tuple[str, str]]:
        """Return the equities, and how much the player on roll gains or loses by each."""
        stay, taken, passed = equities
        right = max(stay, min(taken, passed))
        return {
            name: (f"{value:+.3f}", f"{value - right:+.3f}" if value != right else "")
            for name, value in zip(_ACTIONS, equities, strict=True)
        }

    columns = [_Column(f"gammon, depth {choice.depth}", cells(values), "difference")]
    if stored is not None and stored.cube is not None:
        found = cells((stored.cube.no_double, stored.cube.double_take, 1.0))
        columns.append(_Column(f"in the file, {stored.cube.level}", found, "difference"))
    if choice.rollout is not None:
        columns.append(_rolled(choice.rollout))
    marked = {_ACTIONS[made]: "m" if choice.error else "k"}
    if not in_answer and made == 1:
        marked = {name: style for name in _ACTIONS[1:] for style in marked.values()}
    chances = {}
    if choice.chances is not None:
        chances = {"No double": chances_cells(choice.chances)}
    return _table(choice, _ACTIONS, columns, chances, marked)


def _rolled(rollout: RolledChoice) -> _Column:
    """Return the columns of a rollout."""

    def cells(each: RolledPlay) -> tuple[str, str]:
        return f"{each.equity:+.3f}", f"{each.error:.3f}"

    found = {each.name: cells(each) for each in rollout.candidates}
    return _Column(f"rollout, {rollout.trials:,} games", found, "s.e.")


def _loss(loss: float) -> str:
    return f"{-loss:+.3f}" if loss > 0.0005 else ""
