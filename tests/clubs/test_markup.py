"""HTML of long tables: everything is escaped but what says that it is safe."""

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from clubs.http.pages import fill, fill_each


def test_texts_are_escaped_and_safe_ones_are_not() -> None:
    made = fill('<a href="%s">%s</a>%s', "/?a=1&b='2'", "<Jan>", SafeString("<b>1</b>"))

    assert made == '<a href="/?a=1&amp;b=&#x27;2&#x27;">&lt;Jan&gt;</a><b>1</b>'
    assert isinstance(made, SafeString)


def test_figures_and_lazy_texts_are_written() -> None:
    assert fill("%s %s %s", 12, None, gettext_lazy("<not in a catalogue>")) == (
        "12 None &lt;not in a catalogue&gt;"
    )


def test_each_row_fills_the_markup_once() -> None:
    assert fill_each("<td>%s</td>", [["a&b"], [2]]) == "<td>a&amp;b</td><td>2</td>"
    assert fill_each("<td>%s</td>", []) == ""
