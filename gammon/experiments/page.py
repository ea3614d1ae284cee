"""A page of the documentation, in which a command writes its figures."""

import re
from pathlib import Path

from gammon.errors import GammonError
from gammon.experiments.origin import Origin
from gammon.files import write_text

__all__ = ["Page"]

_END = "<!-- so far -->"


class Page:
    """A page with a place for the figures of a command.

    The place begins with the line of an `Origin`, and ends with the line `<!-- so far -->`.

    Args:
        path: of the page.
        name: of the command, such as `gammon bench`. The origin's command begins so.

    Raises:
        GammonError: the page cannot be read, or has no such place or several.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self._name = name
        self._place = re.compile(
            rf"^<!-- made by `{re.escape(name)}\b[^`]*`[^>]*-->$.*?^{_END}$",
            re.DOTALL | re.MULTILINE,
        )
        self._filled("")

    def fill(self, origin: Origin, text: str) -> None:
        """Write figures there; all else of the page stays as it is.

        Args:
            origin: of the figures.
            text: the figures, as Markdown.

        Raises:
            GammonError: also if the page cannot be written.
        """
        write_text(self.path, self._filled(f"{origin}\n\n{text}\n{_END}"))

    def _filled(self, text: str) -> str:
        try:
            page = self.path.read_text(encoding="utf-8")
        except OSError as error:
            raise GammonError(f"{str(self.path)!r} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise GammonError(f"{str(self.path)!r}: expected text in UTF-8") from None
        filled, count = self._place.subn(lambda _: text, page)
        if count != 1:
            raise GammonError(
                f"{str(self.path)!r}: expected one line <!-- made by `{self._name}`, ... --> "
                f"and below it the line {_END}, found {count} of these"
            )
        return filled
