"""Cube decisions as tables for people; and with the best plays by score and by the owner of the cube."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from rich.table import Table

from gammon.core.level import ROLLERS
from gammon.engine.analysis import Analysis, Kind
from gammon.engine.cube import CubeAction, CubeAnswer, CubeDecision, CubeValue
from gammon.engine.score_grid import PlayGrid, Score, ScoreGrid
from gammon.eval.equity import Probabilities, for_opponent
from gammon.formats.context import SEATS, Context, cube_words, doubling_words
from gammon.view.analysis import CHANCES, chances_cells, exact_words, is_filtered, level_lines
from gammon.view.heading import cube_notes, grid_notes, terms_words, unit_of
from gammon.view.tables import new_table
from gammon.view.view import Columns, Part, Verdict, View


def cube_view(decision: CubeDecision) -> View:
    """Return the view of a cube decision: the three actions, the verdict, and the chances."""
    context = decision.position.context
    static = decision.no_double.kind is Kind.STATIC
    exactness = exact_words(
        decision.depth, filtered=decision.filtered, static=static, algorithm=decision.algorithm
    )
    if decision.level is None and decision.no_double.kind is Kind.ROLLOUT:
        exactness = "rolled out"
    terms_line = terms_words(decision.terms, context)
    without = _without_games(decision)
    lines = level_lines(decision.level, decision.confidence, "rolled out", without)
    noted = cube_notes(decision)
    noted += [decision.noise_note] if decision.noise_note else []
    chances = new_table(*CHANCES, left=())
    blocks: list[list[Part]]
    if is_answered(decision):
        theirs = for_opponent(np.array(decision.probabilities))
        chances.add_row(*chances_cells(Probabilities(*theirs.tolist())))
        whose = f"These are the chances of {SEATS[-context.on_roll]}."
        blocks = [answer_parts(decision), verdict_lines(decision), [Columns(chances, 3, whose)]]
    else:
        chances.add_row(*chances_cells(decision.probabilities))
        blocks = [[Columns(_actions(decision), 2)], verdict_lines(decision), [Columns(chances, 3)]]
    title = f"{asked_words(context)}, {exactness}, with the cube"
    return View(decision.position, title, [terms_line, *noted, *lines], blocks)


def _without_games(decision: CubeDecision) -> str:
    """Return the reason why a level has played no games, if it has not."""
    if decision.margin is None:
        return "nobody gains by a double"
    if decision.stats is None:
        return "exact tables have the values"
    reach = ROLLERS[decision.level].reach if decision.level else 0.0
    return "nothing is close" if decision.margin > reach else "time was over"


def is_answered(decision: CubeDecision) -> bool:
    """Return whether a double is on offer and both answers to it have values."""
    return bool(decision.position.context.offer) and decision.answer_gain is not None


def answer_parts(decision: CubeDecision) -> list[Part]:
    """Return the table of the answers to a double, seen from the player who must answer.

    The best answer is first. A line below judges the double itself.
    """
    unit = unit_of(decision.terms)
    table = new_table("Answer", unit, "Loss", "Value", "MWC%", left=(0,), wrap=False)
    values = [(name, _turned(value)) for name, value in _answers(decision).items()]
    values.sort(key=lambda answer: -answer[1].equity)
    best = values[0][1].equity
    for place, (name, value) in enumerate(values):
        equity, _, *more = _cells(value, best)
        loss = f"{best - value.equity:.4f}" if place else "best"
        table.add_row(name, equity, loss, *more, style="" if place else "bold")
    if not decision.terms.length:
        table.columns.pop()
    return [Columns(table, 3, _doubled_words(decision))]


def _answers(decision: CubeDecision) -> dict[str, CubeValue]:
    """Return the values of the answers to a double, for the player who doubled."""
    taken, passed = decision.double_take, decision.double_pass
    assert taken is not None and passed is not None, "the double can be answered"
    answers = {"Pass": passed, "Take": taken}
    beaver = other_answers(decision).get("Double, beaver")
    return answers if beaver is None else {"Beaver": beaver, **answers}


def _turned(value: CubeValue) -> CubeValue:
    """Return a value as the opponent sees it."""
    mwc = None if value.mwc is None else 1.0 - value.mwc
    return replace(value, equity=-value.equity, mwc=mwc)


def _doubled_words(decision: CubeDecision) -> str:
    """Return a sentence that judges an offered double, for the player who doubled."""
    doubler = SEATS[decision.position.context.on_roll]
    gain, terms = decision.gain or 0.0, decision.terms
    verdict = f"{'gains' if gain > 0 else 'loses'} {abs(gain):.4f}"
    if decision.optional:
        verdict = "loses nothing"
    values = ", ".join(f"{name.lower()} {value.equity:+z.4f}" for name, value in _values(decision).items())
    double, values = (doubling_words(words, terms.owner) for words in ("double", values))
    return f"{doubler}'s {double} {verdict}: {values}."


def _actions(decision: CubeDecision) -> Table:
    """Return the table of the actions, with the right one in bold."""
    table = new_table("Action", unit_of(decision.terms), "Difference", "Value", "MWC%", wrap=False)
    for name, value in _values(decision).items():
        label = doubling_words(name, decision.terms.owner)
        style = "bold" if name == _right(decision) else ""
        table.add_row(label, *_cells(value, decision.equity), style=style)
    if not decision.terms.length:
        table.columns.pop()
    return table


def _values(decision: CubeDecision) -> dict[str, CubeValue]:
    """Return the values of all that both players can do."""
    values = {"No double": decision.no_double, "Double, take": decision.double_take}
    return {name: value for name, value in (values | other_answers(decision)).items() if value is not None}


def other_answers(decision: CubeDecision) -> dict[str, CubeValue | None]:
    """Return the values of a double that is passed and, if it is right, of one that is beavered."""
    answers, taken = {"Double, pass": decision.double_pass}, decision.double_take
    if taken is not None and decision.answer is CubeAnswer.BEAVER:
        error = None if taken.error is None else 2.0 * taken.error
        beaver = replace(taken, equity=2.0 * taken.equity, error=error)
        answers = {"Double, beaver": beaver, **answers}
    return answers


def _right(decision: CubeDecision) -> str:
    """Return the row that the right decisions of both players lead to."""
    doubles = decision.action is CubeAction.DOUBLE
    return f"Double, {decision.answer}" if doubles else "No double"


def _cells(value: CubeValue, best: float) -> list[str]:
    kind = value.kind.value if value.error is None else f"{value.kind} ±{value.error:.4f}"
    cells = [f"{value.equity:+z.4f}", f"{value.equity - best:+z.4f}", kind]
    return cells if value.mwc is None else [*cells, f"{100 * value.mwc:.2f}"]


def asked_words(context: Context) -> str:
    """Return a phrase with the player who is on roll or has doubled."""
    return f"{SEATS[context.on_roll]} {'has doubled' if context.offer else 'on roll'}"


def verdict_lines(decision: CubeDecision) -> list[Part]:
    """Return the verdict and the costs of errors; if a double is on offer, on the answer."""
    if decision.position.context.offer and decision.answer is not None:
        answered = f"{decision.answer} by {SEATS[-decision.position.context.on_roll]}"
        close = _close(decision.answer_close)
        return [Verdict(f"Verdict: {answered}{close} ({decision.verdict})")]
    return [Verdict(f"Verdict: {decision.verdict}"), *cost_lines(decision)]


def cost_lines(decision: CubeDecision) -> list[str]:
    """Return a line about the costs of wrong decisions, in the unit of the table."""
    gain, saved = decision.gain, decision.answer_gain
    if gain is None or saved is None:
        return []
    player, opponent = (SEATS[decision.position.context.on_roll * side] for side in (1, -1))
    wrong = "not doubling" if decision.action is CubeAction.DOUBLE else "a double"
    wrong = doubling_words(wrong, decision.terms.owner)
    lost = f"{player} loses {abs(gain):.4f} by {wrong}{_close(decision.close)}"
    if decision.optional:
        lost = f"{player} loses nothing either way"
    answer = "a take" if decision.answer is CubeAnswer.PASS else "a pass"
    return [f"{lost}, {opponent} {saved:.4f} by {answer}{_close(decision.answer_close)}."]


def _close(close: bool) -> str:
    return " (close)" if close else ""


_KEY = (
    "N no double, D double, T too good; then t take, p pass, b beaver; then the EMG that a "
    "double gains. A dash: no cube to turn."
)


def score_grid_view(grid: ScoreGrid) -> View:
    """Return the view of the cube decisions at each score."""
    named = new_table("", "Decision", "No double", "Take", left=(0, 1))
    for name, decision in grid.named.items():
        taken = decision.double_take
        double = "" if taken is None else f"{taken.equity:+z.4f}"
        named.add_row(name, decision.verdict, f"{decision.no_double.equity:+z.4f}", double)
    return _view(grid, "on roll", lambda score: _cell(grid.scores[score]), _KEY, named)


def play_grid_view(grid: PlayGrid) -> View:
    """Return the view of the best plays at each score, as letters, and the first play's losses."""
    letter = {play: _letter(number) for number, play in enumerate(grid.plays)}
    first = "Money's play" if "money" in grid.named else "The first play"
    named = new_table("", "Best", "Equity", f"{first} loses", left=(0, 1))
    for name, analysis in grid.named.items():
        best = analysis.candidates[0]
        plays = analysis.candidates
        lost = next(candidate.loss for candidate in plays if candidate.play.notation == grid.plays[0])
        play = f"{letter[best.play.notation]} {best.play}"
        named.add_row(name, play, f"{best.equity:+z.4f}", f"{lost:.4f}")
    key = "; ".join(f"{sign} {play}" for play, sign in letter.items())
    assert grid.position.dice is not None, "a grid of plays has a roll"
    roll = "to play {}{}".format(*grid.position.dice)

    def cell(score: Score) -> str:
        return letter[grid.scores[score].candidates[0].play.notation]

    return _view(grid, roll, cell, f"{key}.", named)


def _letter(number: int) -> str:
    """Return A, B, ... Z, A1, B1, ..."""
    more, place = divmod(number, 26)
    return f"{chr(ord('A') + place)}{more or ''}"


def _view(
    grid: ScoreGrid | PlayGrid, does: str, cell: Callable[[Score], str], key: str, named: Table
) -> View:
    """Return the view of a grid.

    Args:
        grid: the grid.
        does: the end of the phrase "X ...", such as "on roll".
        cell: returns the cell of a score.
        key: the meaning of the cells.
        named: the table of the named scores and the owners of the cube.
    """
    context = grid.position.context
    player, opponent = SEATS[context.on_roll], SEATS[-context.on_roll]
    aways = range(1, grid.away + 1)
    table = new_table(f"{player} needs", *(f"{opponent} {away}" for away in aways), wrap=False)
    for own in aways:
        table.add_row(str(own), *(cell((own, their)) for their in aways))
    filtered = any(map(_filtered, grid.every))
    exact = exact_words(grid.depth, grid.level, filtered, any(map(_static, grid.every)), grid.algorithm)
    if any(answer.depth > grid.depth for answer in grid.every):
        exact += ", some deeper"
    title = f"{player} {does}, {exact}, "
    notes = grid_notes(grid.every, context)
    notes += [grid.noise_note] if grid.noise_note else []
    named.columns[0].no_wrap = True
    blocks: list[list[Part]] = [[Columns(named, len(named.columns))], [f"{grid.seconds:.2f} s"]]
    if "cube-mine" in grid.named:
        turned = grid.named["cube-mine"].terms.cube
        unit = f"Equities are in units of the row's cube: 1 in the centre, {turned} with an owner."
        blocks.insert(1, [unit])
    if not grid.away:
        return View(grid.position, f"{title}by the cube's place", notes, blocks)
    terms = grid.scores[grid.away, grid.away].terms
    title += f"{cube_words(terms.cube, terms.owner * context.on_roll)}, by score"
    about_scores = "Where a side needs 1, it is a game after the Crawford game."
    if terms.owner:
        about_scores += " At dmp, gammon-go and gammon-save the cube is centred."
    return View(grid.position, title, notes, [[Columns(table, 2)], [key, about_scores], *blocks])


def _filtered(answer: Analysis | CubeDecision) -> bool:
    return answer.filtered if isinstance(answer, CubeDecision) else is_filtered(answer)


def _static(answer: Analysis | CubeDecision) -> bool:
    return isinstance(answer, CubeDecision) and answer.no_double.kind is Kind.STATIC


def _cell(decision: CubeDecision) -> str:
    """Return a decision as letters, with the gain of a double; see `_KEY`."""
    gain = decision.gain
    if gain is None or decision.answer is None:
        return "-"
    action = {CubeAction.NO_DOUBLE: "N", CubeAction.DOUBLE: "D", CubeAction.TOO_GOOD: "T"}
    answer = {CubeAnswer.TAKE: "t", CubeAnswer.PASS: "p", CubeAnswer.BEAVER: "b"}
    return f"{action[decision.action]}{answer[decision.answer]} {gain:+z.2f}"
