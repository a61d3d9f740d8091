"""What the design system's tags write into a page."""

from decimal import Decimal
from types import SimpleNamespace

import pytest
from django import forms
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils.html import strip_tags
from django.utils.translation import override

from tournaments.results.standing import StandingLine


def render(source: str, **context: object) -> str:
    return Template("{% load ui %}" + source).render(Context(context))


def words(html: str) -> str:
    return " ".join(strip_tags(html.replace("<", " <")).split())


class PlayerForm(forms.Form):
    name = forms.CharField(label="Naam", help_text="Zoals op de lijst.")
    trump = forms.ChoiceField(
        label="Troef", choices=[("C", "klaveren"), ("H", "harten")], widget=forms.RadioSelect
    )


@pytest.mark.parametrize(
    ("code", "dutch", "english"),
    [
        ("C", "klaveren", "clubs"),
        ("D", "ruiten", "diamonds"),
        ("H", "harten", "hearts"),
        ("S", "schoppen", "spades"),
    ],
)
def test_suit_has_a_name_in_both_languages(code: str, dutch: str, english: str) -> None:
    assert f'role="img" aria-label="{dutch}"' in render("{% suit code %}", code=code)
    with override("en"):
        assert f'role="img" aria-label="{english}"' in render("{% suit code %}", code=code)


def test_red_suits_have_inlaid_rings_and_black_ones_are_solid() -> None:
    shapes = {code: render("{% pip code %}", code=code).count("z") for code in "CDHS"}
    assert shapes == {"C": 1, "D": 3, "H": 3, "S": 1}


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1530, "1.530"), (0, "0"), (-40, "−40"), (None, "–"), (Decimal("4512.5"), "4.512,5")],
)
def test_number_is_written_as_dutch_people_write_it(value: object, shown: str) -> None:
    assert render("{{ value|number }}", value=value) == shown


def test_number_takes_decimals_and_english() -> None:
    assert render("{{ value|number:2 }}", value=Decimal(1530)) == "1.530,00"
    with override("en"):
        assert render("{{ value|number:2 }}", value=Decimal(1530)) == "1,530.00"


@pytest.mark.parametrize(("value", "shown"), [(120, "+120"), (-1040, "−1.040"), (0, "0")])
def test_signed_shows_the_sign_of_a_difference(value: int, shown: str) -> None:
    assert render("{{ value|signed }}", value=value) == shown


def test_status_says_in_words_what_its_colour_says() -> None:
    assert words(render('{% status "frozen" %}')) == "geheim"
    assert words(render('{% status "live" "12 van 16" %}')) == "12 van 16"


@pytest.mark.parametrize(
    ("cookie", "attribute"),
    [("dark", ' data-theme="dark"'), ("light", ' data-theme="light"'), ('"><script>', "")],
)
def test_theme_follows_the_cookie_and_only_known_values(cookie: str, attribute: str) -> None:
    request = RequestFactory().get("/")
    request.COOKIES["theme"] = cookie
    assert render("{% theme_attribute %}", request=request) == attribute


def test_theme_follows_the_device_without_a_choice() -> None:
    assert render("{% theme_attribute %}", request=RequestFactory().get("/")) == ""
    assert render("{% theme_attribute %}") == ""


def test_breadcrumbs_end_with_this_page() -> None:
    html = render('{% breadcrumbs "Wedstrijdleiding" "/desk/" "Leden" %}')
    assert '<a href="/desk/">Wedstrijdleiding</a>' in html
    assert '<span aria-current="page">Leden</span>' in html


def test_field_is_described_by_its_hint_and_its_error() -> None:
    html = render_to_string("components/form.html", {"form": PlayerForm({"name": ""})})
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert 'id="id_name_error"' in html
    assert 'id="id_name_helptext"' in html


def test_every_link_of_the_error_summary_has_a_target() -> None:
    html = render_to_string("components/form.html", {"form": PlayerForm({})})
    targets = [part.split('"')[0] for part in html.split('href="#')[1:]]
    assert targets == ["id_name", "id_trump"]
    assert [html.count(f'id="{target}"') for target in targets] == [1, 1]


def test_a_form_without_errors_has_no_summary() -> None:
    assert "error-summary" not in render_to_string("components/form.html", {"form": PlayerForm()})


def test_error_pages_need_no_context() -> None:
    titles = {
        "400.html": "Dat verzoek begrepen wij niet",
        "403.html": "U kunt deze pagina niet openen",
        "404.html": "Deze pagina is er niet",
        "500.html": "Er ging bij ons iets mis",
        "503.html": "Even geduld",
    }
    for name, title in titles.items():
        assert f"<h1>{title}</h1>" in render_to_string(name)


def test_scoresheet_shows_a_nat_deal_in_words() -> None:
    cell = SimpleNamespace(points=None, roem=0, running=167, mark="nat", nat=True)
    other = SimpleNamespace(points=162, roem=20, running=182, mark="", nat=False)
    row = SimpleNamespace(
        number=2, url="/deal/2/", declarer="Riet", trump="H", dealer="", note="", ns=cell, ew=other
    )
    total = {"points": 97, "roem": 70, "total": 167}
    html = render_to_string(
        "components/scoresheet.html",
        {"caption": "Tellijst", "rows": [row], "totals": {"ns": total, "ew": total}},
    )
    body = html.split("<tbody>")[1].split("</tbody>")[0]
    assert words(body) == "Spel 2 Riet nat 167 162 20 182"
    assert 'aria-label="harten"' in body


def test_totals_say_who_leads_and_by_how_much() -> None:
    html = render_to_string(
        "components/totals.html",
        {
            "sides": [
                {"side": "NS", "names": "Riet – Jan", "total": 1612, "leads": True, "lead": 126},
                {"side": "EW", "names": "Wil – Toos", "total": 1486, "leads": False, "lead": 0},
            ]
        },
    )
    assert words(html) == "Wij Riet – Jan 126 voor 1.612 Zij Wil – Toos 1.486"


def test_standings_share_a_place_and_keep_a_dash_for_a_missed_round() -> None:
    rows = [
        StandingLine(7, 1, "Riet", 3200, "players/7/", [1600, 1600], 2),
        StandingLine(8, 1, "<Wil>", 3200, "", [3200, None], 0),
    ]
    html = render_to_string(
        "components/standings.html",
        {"rows": rows, "caption": "Stand", "round_labels": ["R1", "R2"], "pits_label": "Pits"},
    )
    body = html.split("<tbody>")[1].split("</tbody>")[0]
    assert words(body) == "1 Riet 3.200 1.600 1.600 2 1 &lt;Wil&gt; 3.200 3.200 – 0"
