"""Tables and form fields that several pages share, and filling markup of hundreds of lines."""

import datetime as dt
import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import django_tables2 as tables
from django import forms
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Member, MemberQuerySet
from clubs.templatetags.ui import icon


def fill(markup: str, *values: object) -> SafeString:
    """`markup` with each `%s` filled by one of `values`, escaped unless it is safe; some four times
    as fast as `format_html`."""
    return SafeString(markup % tuple(map(_escaped, values)))


def fill_each(markup: str, rows: Iterable[Iterable[object]]) -> SafeString:
    """`markup` once for each of `rows`, filled by its values."""
    # Most values are figures: the first test keeps a function call for each of them out.
    lines = [
        markup % tuple([value if type(value) is SafeString else _escaped(value) for value in row])
        for row in rows
    ]
    return SafeString("".join(lines))


def _escaped(value: Any) -> object:
    kind = type(value)
    if kind is str:
        return html.escape(value)
    return value if kind is int or kind is SafeString else conditional_escape(value)


PER_PAGE = 50


def _edit_url(record: Member) -> str:
    return reverse("member_edit", args=[record.club.slug, record.pk])


class MemberTable(tables.Table):
    """People of one club, in the order they come in until a heading is clicked."""

    name = tables.Column(linkify=_edit_url, order_by=("sort_name", "number"))
    number = tables.Column(attrs={"td": {"class": "num"}, "th": {"class": "num"}})
    kind = tables.Column(verbose_name=_("Kind"))
    phone = tables.Column(orderable=False, attrs={"td": {"class": "nowrap"}})
    is_active = tables.Column(verbose_name=_("Active"), orderable=False)

    class Meta:
        model = Member
        fields = ["name", "number", "kind", "phone", "is_active"]
        template_name = "components/table.html"
        empty_text = _("Nobody found.")
        default = ""

    def render_name(self, *, record: Member) -> str:
        return record.desk_name

    def render_kind(self, *, value: str, record: Member) -> str:
        """Member or guest, with a sign for who does not change tables, is not shown by name, or was
        erased."""
        signs = [
            format_html('<span class="mark nowrap">{}</span>', sign) for sign in _signs(record)
        ]
        return format_html_join(" ", "{}", [[value], *([sign] for sign in signs)])

    def render_is_active(self, *, value: bool) -> Any:
        return _("yes") if value else _("no")


def _signs(record: Member) -> list[str]:
    signs: list[str] = []
    if record.keeps_table:
        signs.append(format_html("{} {}", icon("lock"), gettext("fixed table")))
    if record.erased_at is not None:
        signs.append(gettext("erased"))
    elif record.public_as == Member.PublicAs.HIDDEN:
        signs.append(gettext("anonymous"))
    elif record.public_as == Member.PublicAs.INITIALS:
        signs.append(gettext("initials"))
    return signs


def sort_and_page(table: tables.Table, request: HttpRequest, per_page: int) -> None:
    """Sort by `?sort=`, ignoring unknown columns, and turn to `?page=`."""
    requested = request.GET.getlist("sort")
    known = [name for name in requested if name.removeprefix("-") in table.columns.names()]
    if known:
        table.order_by = known
    table.paginate(per_page=per_page)
    table.page = table.paginator.get_page(request.GET.get("page"))


def member_table(request: HttpRequest, members: MemberQuerySet, **options: Any) -> MemberTable:
    """The page of `members` that the request asks for; its caption says how many there are."""
    table = MemberTable(members, **options)
    sort_and_page(table, request, PER_PAGE)
    count = table.paginator.count
    table.caption = ngettext("%(count)s person", "%(count)s people", count) % {"count": count}
    return table


class ExplainedRadios(forms.RadioSelect):
    """Radio buttons with a sentence under each choice that `hints` has one for."""

    def __init__(self, *args: Any, hints: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hints = hints

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The choice as Django makes it, with its `hint` and the id the page gives that."""
        option: dict[str, Any] = super().create_option(*args, **kwargs)
        hint = self.hints.get(str(option["value"]))
        if hint:
            described_by = f"{option['attrs']['id']}_hint"
            option |= {"hint": hint, "hint_id": described_by}
            option["attrs"]["aria-describedby"] = described_by
        return option


@dataclass(frozen=True, slots=True)
class FormPart:
    """Questions of a form that are folded behind what they are about and what is answered now."""

    title: str
    fields: Sequence[forms.BoundField]

    is_needed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it must be looked at, as where something must be answered otherwise."""
        return self.is_needed or any(field.errors for field in self.fields)

    @property
    def answers(self) -> str:
        """What is answered now, as `evening_form.js` says it too."""
        return " · ".join(words for field in self.fields for words in _answered(field))


def _answered(bound: forms.BoundField) -> Iterator[str]:
    value = bound.value()
    match bound.field:
        case forms.BooleanField():
            if value:
                yield str(bound.label)
        case forms.ChoiceField() as field:
            yield from (words for key, words in _choices(field) if key == str(value))
        case forms.DateField() if isinstance(value, dt.date):
            yield f"{bound.label}: {date_format(value)}"
        case _ if value not in (None, ""):
            yield f"{bound.label}: {value}"


def _choices(field: forms.ChoiceField) -> Iterator[tuple[str, str]]:
    for key, words in field.widget.choices:
        yield str(key), str(words)
