"""Elements as text."""

from xml.etree import ElementTree

from gammon.svg.elements import Svg, element, text


def test_an_element() -> None:
    assert element("rect", x=1, y=2.0, rx=1 / 3) == '<rect x="1" y="2" rx="0.33"/>'
    assert (
        element("g", "a", "b", class_="c", data_point=3) == '<g class="c" data-point="3">ab</g>'
    )


def test_texts_and_attributes_come_back_as_they_were() -> None:
    odd = "<&\"'>]]>"
    found = ElementTree.fromstring(text(1, 2, odd, 10, fill=odd))
    assert (found.text, found.get("fill")) == (odd, odd)


def test_a_text_is_centred_on_its_line() -> None:
    found = ElementTree.fromstring(text(1, 2, "X", 10))
    assert (found.get("x"), found.get("y"), found.get("font-size")) == ("1", "5.6", "10")


def test_a_drawing_is_a_text_and_a_picture() -> None:
    drawing = Svg("<svg/>")
    assert drawing == "<svg/>" == drawing._repr_svg_()
    assert type(drawing._repr_svg_()) is str
