"""Texts from outside: decoding, removal of invisible characters, and quotes in messages.

All text from a file or a request that is stored or shown passes through `visible`.
"""

import codecs
import unicodedata
from typing import Any

#: The most characters of a text in a message: enough for any XGID.
_SHOWN = 72
_LAST = 20  # of these, the last ones of the text
_QUOTES = "\"'`´"
_MINUS = "\N{MINUS SIGN}"
_LONG_DASHES = "\N{EN DASH}\N{EM DASH}"
#: Full-width punctuation of East Asian keyboards that may occur in an ID or a play.
_FULL_WIDTH = {"：": ":", "＝": "=", "／": "/", "＋": "+"}
#: The invisible characters that `visible` leaves in. The last two join or separate letters in
#: some scripts, and the parts of an emoji.
_ALLOWED = "\n\t\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


def decoded(data: bytes) -> str:
    """Decode the bytes of a file into `visible` text, with all ends of lines as `\\n`.

    A file is UTF-8, or UTF-16 as Windows writes it, with a byte order mark or with a zero byte in
    each of its first two characters. Any other file is Windows-1252, which includes Latin-1.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", "replace")
    elif data[1:4:2] == b"\0\0" or data[0:4:2] == b"\0\0":
        text = data.decode("utf-16-be" if data[0] == 0 else "utf-16-le", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "ignore")  # five bytes are undefined
    return visible(text.replace("\r\n", "\n").replace("\r", "\n"))


def visible(text: str) -> str:
    """Return a text without control characters and other invisible characters.

    Control characters (and so all escape sequences), direction marks, and other invisible
    characters are removed. A separator of lines or paragraphs becomes a blank, and half of a
    surrogate pair becomes U+FFFD. Tabs and ends of lines stay.
    """
    if text.isprintable():
        return text
    # Matching halves of a surrogate pair become one character.
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.translate({ord(character): _visible(character) for character in set(whole)})


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Zl", "Zp"):
        return " "
    return "" if category in ("Cc", "Cf") and character not in _ALLOWED else character


def visible_in(value: Any) -> Any:
    """Return JSON values with all texts made `visible`."""
    if isinstance(value, list):
        return [visible_in(entry) for entry in value]
    if isinstance(value, dict):
        return {visible(name): visible_in(entry) for name, entry in value.items()}
    return visible(value) if isinstance(value, str) else value


def one_line(text: str) -> str:
    """Return a text on one line, with single blanks, made `visible`."""
    return " ".join(visible(text).split())


def folded(text: str) -> str:
    """Return a text such that case and the encoding of accents do not matter in comparisons."""
    return unicodedata.normalize("NFC", text.casefold())


def plain(text: str, long_dash: str = "-") -> str:
    """Return a text with plain characters in place of typographic ones.

    Dashes and the minus sign become hyphens. Quotes, backticks, and blanks of any width become
    blanks. Invisible characters (a byte order mark, a soft hyphen, a zero-width blank) are
    removed. Letters and digits stay, so that a parser can refuse other scripts.

    Args:
        text: a pasted text.
        long_dash: replaces an en or em dash. Some editors put one in place of two hyphens.
    """
    table = {ord(character): _plain(character) for character in set(text)}
    table.update({ord(character): sign for character, sign in _FULL_WIDTH.items()})
    table.update({ord(dash): long_dash for dash in _LONG_DASHES})
    return text.translate(table)


def _plain(character: str) -> str:
    category = unicodedata.category(character)
    if character in _QUOTES or category in ("Pi", "Pf", "Zs", "Zl", "Zp"):
        return " "
    if character == _MINUS or category == "Pd":
        return "-"
    return "" if category == "Cf" else character


def shortened(text: str) -> str:
    """Return a short text unchanged, and of a long text its beginning and end."""
    if len(text) <= _SHOWN:
        return text
    return f"{text[: _SHOWN - _LAST - 3]}...{text[-_LAST:]}"


def quoted(text: str) -> str:
    """Return a text in quotes, on one line, shortened if it is long."""
    return repr(shortened(text))
