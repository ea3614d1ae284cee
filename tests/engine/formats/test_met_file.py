"""Match equity tables in files: two formats, and files that are not tables."""

from itertools import pairwise
from pathlib import Path

import pytest

import gammon
from gammon.base.errors import FormatError, GammonError, SettingError
from gammon.formats.met_file import format_met, read_met
from gammon.rules.match_equity import MatchEquityTable

PLAIN = """# A table of two points
# with a second comment

away, 1, 2
1, 0.5, 7e-1
2, .3, 0.5
post, 0.5, 0.48
"""
XML = """<?xml version = "1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<!-- A comment -->
<met>
  <info>
    <name>A &amp; B</name><description>of two points</description><length>2</length>
  </info>
  <pre-crawford-table type="explicit">
    <row> <me>0.5</me> <me> 0.7 </me> </row>
    <row> <me>0.3</me> <me>0.5</me> </row>
  </pre-crawford-table>
  <post-crawford-table type="explicit" player="both">
    <row> <me>0.5</me> <me>0.48</me> </row>
  </post-crawford-table>
</met>
"""


@pytest.fixture
def written(tmp_path: Path):
    def write(content: str | bytes) -> Path:
        path = tmp_path / "mine.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("content", "name"),
    [
        (PLAIN, "A table of two points"),
        ("\ufeff" + PLAIN, "A table of two points"),
        (PLAIN.replace("\n", "\r\n"), "A table of two points"),
        (XML, "A & B"),
        ("\ufeff" + XML, "A & B"),
        (PLAIN.split("comment\n")[1], "mine"),
        (XML.replace("A &amp; B", ""), "mine"),
        (PLAIN.replace("A table", "A\x1b[31m\ttable"), "A[31m table of two points"),
        (XML.replace("A &amp;", "A\n  &lt;"), "A < B"),
        (PLAIN.replace("A table", "A" * 99), "A" * 60),
    ],
)
def test_both_formats(written, content: str | bytes, name: str) -> None:
    table = read_met(written(content))
    assert (table.name, table.length) == (name, 2)
    assert table.mwc(1, 2) == 0.7
    assert table.mwc(2, 1) == 0.3
    # P(2) is not the file's: the recursion begins there.
    assert table.mwc(2, 1, post_crawford=True) == 0.5


def test_the_table_that_comes_with_it() -> None:
    table = read_met()
    assert table is read_met(None)
    (kept,) = (Path(read_met.__code__.co_filename).parents[1] / "data").glob("kazaross*")
    again = read_met(str(kept))
    assert (again.main == table.main).all()
    text = kept.read_text()
    assert "Copyright (C) 2011 Neil Kazaross" in text
    assert "this notice are preserved" in " ".join(text.replace("#", " ").split())


def test_xml_and_plain_lines_of_one_table_say_the_same(written) -> None:
    main, post = read_met().main[:25, :25], read_met().post_crawford[:24]

    def row(numbers) -> str:
        cells = "".join(f"<me>{number!r}</me>" for number in numbers.tolist())
        return f"<row>{cells}</row>"

    text = (
        "<met><info><name>Copy</name></info><pre-crawford-table type='explicit'>"
        f"{''.join(map(row, main))}</pre-crawford-table>"
        f"<post-crawford-table type='explicit'>{row(post)}</post-crawford-table></met>"
    )
    copy = read_met(written(text))
    assert (copy.main == read_met().main).all()
    assert (copy.post_crawford == read_met().post_crawford).all()


ENTITY = '<!DOCTYPE met [<!ENTITY a "0.5">]>'
BOMB = (
    '<!DOCTYPE met [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {b} "&{a};&{a};&{a};&{a};">' for a, b in pairwise("abcdefg"))
    + "]><met>&g;</met>"
)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        # plain
        ("", "nothing: expected a line away,1,2,...,N"),
        ("# only a name", "nothing: expected a line away"),
        ("hello", "'hello': expected a line away"),
        ("0.5,0.7\n0.3,0.5", "'0.5,0.7': expected a line away"),
        ("away,1\n1,0.5", "'away,1': expected a line away"),
        (PLAIN.replace("away, 1", "away, 0"), "'away,0,2': expected a line away"),
        (PLAIN.replace("2, .3", "3, .3"), "row '3': expected row 2"),
        (PLAIN.replace("post", "pre"), "row 'pre': expected row post"),
        (PLAIN.replace(".3", "30%"), "'30%': expected a chance such as 0.5"),
        (PLAIN.replace(".3", "nan"), "'nan': expected a chance"),
        (PLAIN.replace(".3", "0_3"), "'0_3': expected a chance"),
        (PLAIN.replace(".3", "-.3"), "'-.3': expected a chance"),
        (PLAIN.replace(".3", "\u0663"), "expected a chance"),
        (PLAIN.replace(".3", "30"), "30: expected a chance from 0 to 1"),
        (PLAIN.replace(".3", ".3, .4"), "row 2 of 3 numbers: expected 2"),
        (b"away,1\n1,0.5\xff\npost,.5", "'0.5ÿ': expected a chance"),
        (b"\0" * 50, "expected a line away"),
        ("0.5," * 300_000, "expected a file of at most 1,000,000 bytes"),
        # XML
        ("<", "expected XML of GNU Backgammon"),
        (XML.replace("</met>", ""), "expected XML of GNU Backgammon"),
        (XML.replace("met>", "meet>"), "<meet>: expected GNU Backgammon's <met>"),
        ("<svg/>", "<svg>: expected GNU Backgammon's <met>"),
        ("<met/>", "0 rows: expected 1 to 64"),
        (XML.replace("explicit", "zadeh"), "pre-crawford-table of type 'zadeh': expected"),
        (XML.replace('"both"', '"0"'), "post-crawford-table of player '0': expected 'both'"),
        (XML.replace("0.7", "70"), "70: expected a chance from 0 to 1"),
        (XML.replace("0.7", "x"), "'x': expected a chance such as 0.5"),
        (XML.replace("<me>0.5</me> <me> 0.7 </me>", "<me/>"), "'': expected a chance"),
        (XML.replace("0.7", "&lost;"), "entity 'lost': expected none"),
        (ENTITY + "<met/>", "entity 'a': expected none"),
        (BOMB, "entity 'a': expected none"),
        ('<!DOCTYPE met [<!ENTITY a SYSTEM "/etc/passwd">]><met>&a;</met>', "entity 'a'"),
        ('<!DOCTYPE met [<!ENTITY % a SYSTEM "http://x/y"> %a;]><met/>', "entity 'a'"),
        ("<met>" + "<row>" * 100_000, "expected XML of GNU Backgammon"),
        ("<met>" + "<a>" * 140_000 + "</a>" * 140_000 + "</met>", "0 rows: expected 1 to 64"),
        (b"<?xml version='1.0' encoding='no-such'?><met/>", "expected XML"),
        (b"<?xml version='1.0' encoding='euc-jp'?><met/>", "expected XML"),
        (f"{ENTITY}<met/>".encode("utf-16"), "entity 'a': expected none"),
    ],
)
def test_what_is_no_table_gets_one_line(written, content: str | bytes, words: str) -> None:
    path = written(content)
    with pytest.raises(FormatError) as caught:
        read_met(path)
    message = str(caught.value)
    assert message.startswith(f"table {str(path)!r}: ")
    assert words in message
    assert "\n" not in message
    assert len(message) < len(str(path)) + 250


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(GammonError, match="cannot be read: ") as caught:
            read_met(path)
        assert "\n" not in str(caught.value)
    with pytest.raises(SettingError, match=r"table 'nul\\x00l': expected a path"):
        read_met("nul\0l")


def test_a_table_written_is_read_again(tmp_path: Path) -> None:
    for length in (3, 25):
        part = read_met().main[:length, :length].tolist()
        table = MatchEquityTable.extended("Ours", part, read_met().post_crawford.tolist())
        path = tmp_path / "table.csv"
        path.write_text(format_met(table))
        again = read_met(path)
        assert (again.name, again.length) == ("Ours", length)
        assert again.main == pytest.approx(table.main, abs=1e-6)
        assert again.post_crawford == pytest.approx(table.post_crawford, abs=1e-6)


def test_the_notice_that_goes_with_engines_is_that_of_the_table() -> None:
    data = Path(gammon.__file__).with_name("data")
    table = (data / "kazaross_xg2.csv").read_text()
    head = table.partition("\n#\n")[0].replace("# ", "")
    assert (data / "NOTICE.txt").read_text().partition("\n\n")[2] == f"{head}\n"
