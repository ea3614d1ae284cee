"""Cube decisions as tables for people."""

from rich.table import Table

from gammon.answers.analysis import Kind
from gammon.answers.cube import CubeAction, CubeAnswer, CubeDecision, CubeValue
from gammon.formats.words import SEATS
from gammon.shown.analysis import CHANCES, chances_cells, depth_words, level_lines
from gammon.shown.sheet import Columns, Sheet, Verdict
from gammon.shown.stakes import terms_words
from gammon.shown.tables import new_table


def cube_view(decision: CubeDecision) -> Sheet:
    """Show a decision about the cube: the three actions, the verdict, and the chances."""
    context = decision.position.context
    player = SEATS[context.on_roll]
    within = "within the filter " if decision.filtered else ""
    says = f"exact {within}to {depth_words(decision.depth)}"
    if decision.stats is None and decision.no_double.kind is Kind.EXACT:
        says = "exact to the end of the game"
    elif decision.no_double.kind is Kind.STATIC:
        says = "static, without a search"
    asked = f"{player} has doubled" if context.offer else f"{player} on roll"
    at_stake = f"At stake: {terms_words(decision.terms, context)}."
    found = level_lines(decision.level, decision.sure, "settled by games")
    errs = [decision.errs] if decision.errs else []
    chances = new_table(*CHANCES, left=())
    chances.add_row(*chances_cells(decision.probabilities))
    blocks = (
        [Columns(_actions(decision), 2)],
        [Verdict(_verdict(decision)), *cost_lines(decision)],
        [Columns(chances, 3)],
    )
    said = f"{asked}, {says}, with the cube"
    return Sheet(decision.position, said, [at_stake, *errs, *found], blocks)


def _actions(decision: CubeDecision) -> Table:
    """Return the table of the actions, the best one first in bold."""
    unit = "EMG" if decision.terms.length else "Equity"
    table = new_table("Action", unit, "Difference", "Value", "MWC%", wrap=False)
    raised = "Redouble" if decision.terms.owner > 0 else "Double"
    rows = [
        ("No double" if raised == "Double" else "No redouble", decision.no_double),
        (f"{raised}, take", decision.double_take),
        (f"{raised}, pass", decision.double_pass),
    ]
    for number, (name, value) in enumerate(rows):
        if value is not None:
            style = "bold" if number == _right(decision) else ""
            table.add_row(name, *_cells(value, decision.equity), style=style)
    if not decision.terms.length:
        table.columns.pop()
    return table


def _right(decision: CubeDecision) -> int:
    """Return the number of the action that right decisions of both lead to."""
    if decision.action is not CubeAction.DOUBLE:
        return 0
    return 2 if decision.answer is CubeAnswer.PASS else 1


def _cells(value: CubeValue, best: float) -> list[str]:
    kind = value.kind.value if value.error is None else f"{value.kind.value} ±{value.error:.4f}"
    cells = [f"{value.equity:+.4f}", f"{round(value.equity - best, 4) + 0.0:+.4f}", kind]
    return cells if value.mwc is None else [*cells, f"{100 * value.mwc:.2f}"]


def _verdict(decision: CubeDecision) -> str:
    """Return the verdict; where a double is on offer, that on the answer to it."""
    if decision.position.context.offer and decision.answer is not None:
        opponent = SEATS[-decision.position.context.on_roll]
        return f"Verdict: {decision.answer} by {opponent} ({decision.verdict})"
    return f"Verdict: {decision.verdict}"


def cost_lines(decision: CubeDecision) -> list[str]:
    """Return what the wrong decisions cost, in the unit of the table."""
    gain, saved = decision.gain, decision.answer_gain
    if gain is None or saved is None:
        return []
    player, opponent = (SEATS[decision.position.context.on_roll * side] for side in (1, -1))
    double = "redouble" if decision.terms.owner > 0 else "double"
    wrong = f"not {double[:-1]}ing" if decision.action is CubeAction.DOUBLE else f"a {double}"
    lost = f"{player} loses {abs(gain):.4f} by {wrong}{_close(decision.close)}"
    if decision.optional:
        lost = f"{player} loses nothing either way"
    answer = "a take" if decision.answer is CubeAnswer.PASS else "a pass"
    return [f"{lost}, {opponent} {saved:.4f} by {answer}{_close(decision.answer_close)}."]


def _close(close: bool) -> str:
    return " (close)" if close else ""
