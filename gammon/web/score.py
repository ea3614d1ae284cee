"""The score of a match that is played on the page, and how its next game begins."""

from gammon.base.checks import is_whole
from gammon.formats.position import Position
from gammon.rules.score import Score
from gammon.rules.terms import LONGEST_MATCH
from gammon.web import answers
from gammon.web.asked import Asked, read_flag, read_whole
from gammon.web.client import Client
from gammon.web.refusal import bad, shown

#: Games, and points of one.
_MOST = 10_000


def score(asked: Asked, client: Client) -> answers.MatchScore:
    """Answer `POST /score`: the score after some games. Points beyond the length are none."""
    body = asked.json()
    length = read_whole(body, "length", 0, 0, LONGEST_MATCH)
    jacoby, live = read_flag(body, "jacoby"), read_flag(body, "cube", True)
    found, won = Score(length, jacoby=jacoby, live=live), body.get("won")
    if not isinstance(won, list) or len(won) > _MOST:
        raise bad(f"won {shown(won)}: expected a list of at most {_MOST}", "won")
    for number, points in enumerate(won):
        if not is_whole(points, -_MOST, _MOST) or not points:
            raise bad(f"won[{number}] {shown(points)}: expected the points of a game", "won")
        if length and found.over:
            raise bad(f"won[{number}]: the match is over before this game", "won")
        found = found.after(points)
    bottom, top = (min(each, length) if length else each for each in found.points)
    over = found.over and length > 0
    opening = None if over else Position.opening().with_terms(found.terms(0)).xgid
    return {"score": (bottom, top), "crawford": found.crawford, "opening": opening}
