"""Lists of the desk, in pages."""

from typing import Any

import django_tables2 as tables
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from clubs.models import Member, MemberQuerySet

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

    def render_is_active(self, *, value: bool) -> Any:
        return _("yes") if value else _("no")


def member_table(request: HttpRequest, members: MemberQuerySet, **options: Any) -> MemberTable:
    """The page of `members` that the request asks for; its caption says how many there are."""
    table = MemberTable(members, **options)
    tables.RequestConfig(request, paginate={"per_page": PER_PAGE}).configure(table)
    count = table.paginator.count
    table.caption = ngettext("%(count)s person", "%(count)s people", count) % {"count": count}
    return table
