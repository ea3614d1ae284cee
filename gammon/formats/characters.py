"""Characters of a pasted text: typographic ones as plain ones, long texts cut for messages."""

import unicodedata

__all__ = ["plain", "quoted", "shortened"]

#: A message shows no more of a text: enough for any XGID.
_SHOWN = 72
_LAST = 20  # of them from its end
_QUOTES = "\"'`´"
_MINUS = "\N{MINUS SIGN}"
_LONG_DASHES = "\N{EN DASH}\N{EM DASH}"
#: Punctuation that an East Asian keyboard gives, and that an ID or a play may hold.
_FULL_WIDTH = {"：": ":", "＝": "=", "／": "/", "＋": "+"}


def plain(text: str, long_dash: str = "-") -> str:
    """Return a text with plain characters where an editor or a web page has put others.

    Dashes and the minus sign become hyphens. Quotes, backticks, and blanks of any width become
    blanks. Characters that nobody sees (a byte order mark, a soft hyphen, a blank of no width)
    are left out. Letters and digits stay as they are, so those of other scripts can be refused.

    Args:
        text: what was pasted.
        long_dash: replaces an en or em dash. Some editors put one in place of two hyphens.
    """
    others = {ord(character): _plain(character) for character in set(text)}
    others.update({ord(character): sign for character, sign in _FULL_WIDTH.items()})
    others.update({ord(dash): long_dash for dash in _LONG_DASHES})
    return text.translate(others)


def _plain(character: str) -> str:
    category = unicodedata.category(character)
    if character in _QUOTES or category in ("Pi", "Pf", "Zs", "Zl", "Zp"):
        return " "
    if character == _MINUS or category == "Pd":
        return "-"
    return "" if category == "Cf" else character


def shortened(text: str) -> str:
    """Return a text whole if it is short, else its beginning and its end."""
    if len(text) <= _SHOWN:
        return text
    return f"{text[: _SHOWN - _LAST - 3]}...{text[-_LAST:]}"


def quoted(text: str) -> str:
    """Return a text in quotes, in one line, shortened where it is long."""
    return repr(shortened(text))
