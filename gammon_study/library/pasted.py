"""Positions that were pasted, judged as if they were decisions of a library."""

from gammon.base.errors import FormatError
from gammon.engine.cube import decision_terms
from gammon.formats.met_file import read_met
from gammon.formats.pasted import read_pasted
from gammon.formats.position import Position
from gammon_study.library.decks import Card, ask_of
from gammon_study.library.drill import GIVEN_UP, judged
from gammon_study.library.export import StudiedChoice
from gammon_study.library.stats import Error
from gammon_study.reviews.explain import explained, game_phase
from gammon_study.reviews.task import review_facts


def judged_position(text: str, depth: int) -> tuple[Error, StudiedChoice]:
    """Return the right decision at a pasted position, as an error without a loss and without players.

    Args:
        text: a text with the position.
        depth: plies of the search.

    Raises:
        FormatError: the text has no position, or the player cannot decide anything there.
        GammonError: no game has this position or score.
    """
    position, met = Position(*read_pasted(text)), read_met()
    ask = ask_of(position)
    if ask == "double" and not decision_terms(position).may_offer:
        raise FormatError(f"{position.xgid}: the player on roll cannot double")
    choice = judged(Card(ask, position.xgid, "notes"), GIVEN_UP, review_facts(depth, "leaf", met), met)
    choice = choice._replace(made=choice.best, error=0.0, cost=0.0)
    text, themes = explained(choice, position)
    terms = position.context.terms()
    error = Error(
        0, "", None, "", "", terms.length, 0, choice.kind.value, game_phase(position.points), themes,
        choice.xgid, choice.made, choice.best, 0.0, 0.0, text,
    )  # fmt: skip
    return error, StudiedChoice(choice, None, text, themes, ("", ""), "")
