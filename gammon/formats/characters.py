"""Texts of strangers: what they may hold, how files hold them, and how messages quote them.

All text of a file or a request that is kept or shown comes through `visible`.
"""

import codecs
import unicodedata
from typing import Any

#: A message shows no more of a text: enough for any XGID.
_SHOWN = 72
_LAST = 20  # of them from its end
_QUOTES = "\"'`´"
_MINUS = "\N{MINUS SIGN}"
_LONG_DASHES = "\N{EN DASH}\N{EM DASH}"
#: Punctuation that an East Asian keyboard gives, and that an ID or a play may hold.
_FULL_WIDTH = {"：": ":", "＝": "=", "／": "/", "＋": "+"}
#: What `visible` keeps of the characters that nobody sees. The last two join or part letters in
#: the words of some scripts, and the parts of an emoji.
_KEPT = "\n\t\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


def decoded(data: bytes) -> str:
    """Return the text of a file's bytes, made `visible`, with all ends of lines as `\\n`.

    A file is UTF-8, or UTF-16 as Windows writes it, with its mark or else with a zero in each
    of its first two characters. Any other file is Windows-1252, of which Latin-1 is a part.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", "replace")
    elif data[1:4:2] == b"\0\0" or data[0:4:2] == b"\0\0":
        text = data.decode("utf-16-be" if data[0] == 0 else "utf-16-le", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "ignore")  # five bytes mean nothing
    return visible(text.replace("\r\n", "\n").replace("\r", "\n"))


def visible(text: str) -> str:
    """Return a text without the characters that steer what shows them instead of being seen.

    Control characters (with them all escape sequences), marks of direction, and other
    characters that nobody sees are left out. A separator of lines or paragraphs becomes a
    blank, and half of a character becomes U+FFFD. Tabs and ends of lines stay.
    """
    if text.isprintable():
        return text
    # Halves that belong together become one character here.
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.translate({ord(character): _visible(character) for character in set(whole)})


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Zl", "Zp"):
        return " "
    return "" if category in ("Cc", "Cf") and character not in _KEPT else character


def visible_in(value: Any) -> Any:
    """Return plain JSON values with all texts among them made `visible`."""
    if isinstance(value, list):
        return [visible_in(each) for each in value]
    if isinstance(value, dict):
        return {visible(name): visible_in(each) for name, each in value.items()}
    return visible(value) if isinstance(value, str) else value


def one_line(text: str) -> str:
    """Return a text in one line, with single blanks, made `visible`."""
    return " ".join(visible(text).split())


def folded(text: str) -> str:
    """Return what texts share that differ in case alone, or in how accents are stored."""
    return unicodedata.normalize("NFC", text.casefold())


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
