"""The parts of a page, read back from its HTML."""

from html.parser import HTMLParser

__all__ = ["Page"]


class Page(HTMLParser):
    """The elements of a page: their tags, attributes and texts.

    Attributes:
        found: (tag, attributes) of each element, in their order.
        texts: of all elements but scripts and style sheets, in their order.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._code = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._code = tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._code = False

    def handle_data(self, data: str) -> None:
        if not self._code and data.strip():
            self.texts.append(data.strip())

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def values(self, name: str) -> list[str]:
        """The values of an attribute."""
        return [each[name] or "" for _, each in self.found if name in each]

    def of_class(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of the elements of a class."""
        return [each for _, each in self.found if name in (each.get("class") or "").split()]
