"""The desk's lists of evenings and seasons, sorted and paged by django-tables2."""

import django_tables2 as tables
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubs.templatetags.ui import status
from tournaments.models import Evening, EveningQuerySet, Season

NUMBER = {"th": {"class": "num"}, "td": {"class": "num"}}
STATUS_OF = {"running": "live", "closed": "closed", "cancelled": "cancelled"}


class EveningListTable(tables.Table):
    """A club's evenings; needs `players` annotated."""

    date = tables.Column(verbose_name=_("Date"))
    name = tables.Column(verbose_name=_("Name"), orderable=False)
    season = tables.Column(verbose_name=_("Season"), order_by=("season__name",))
    players = tables.Column(verbose_name=_("Players"), attrs=NUMBER)
    state = tables.Column(verbose_name=_("State"))

    class Meta:
        template_name = "components/table.html"
        order_by = "-date"
        empty_text = _("No evenings yet.")

    def render_date(self, record: Evening) -> SafeString:
        url = reverse("evening_desk", args=[record.club.slug, record.slug])
        day = date_format(record.date, "D j b Y")
        return format_html('<a class="nowrap" href="{}">{}</a>', url, day)

    def render_state(self, record: Evening) -> SafeString | str:
        known = STATUS_OF.get(record.state)
        return status(known) if known else record.get_state_display()

    def order_date(
        self, queryset: EveningQuerySet, is_descending: bool
    ) -> tuple[EveningQuerySet, bool]:
        sign = "-" if is_descending else ""
        return queryset.order_by(f"{sign}date", f"{sign}sequence"), True


class SeasonListTable(tables.Table):
    """A club's seasons; needs `evening_count` annotated."""

    name = tables.Column(verbose_name=_("Season"))
    starts = tables.DateColumn(verbose_name=_("First day"), format="j F Y")
    ends = tables.DateColumn(verbose_name=_("Last day"), format="j F Y")
    evening_count = tables.Column(verbose_name=_("Evenings"), attrs=NUMBER)

    class Meta:
        template_name = "components/table.html"
        order_by = "-starts"
        empty_text = _("No seasons yet.")

    def render_name(self, record: Season) -> SafeString:
        url = reverse("season_edit", args=[record.club.slug, record.slug])
        return format_html('<a href="{}">{}</a>', url, record.name)
