"""The API of money, read only: fees with who has paid, packages, and the pot of a season.
All sums are in cents."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import READ_MEMBERS, of_club
from clubs.api.resource import ClubResource, Needs, Pages
from tournaments.models import FeePayment, FeeYear, Season
from tournaments.money.queries import (
    FeePeriod,
    FeeRow,
    FeesOverview,
    PackageRow,
    PotRow,
    fee_list,
    fees_overview,
    package_rows,
    season_pot,
)


class FeesOverviewSerializer(serializers.Serializer[FeesOverview]):
    """A calendar year or a season for which a membership fee is asked."""

    year = serializers.IntegerField(
        source="period.year", allow_null=True, default=None, help_text="Null for a season."
    )
    season = serializers.CharField(
        source="period.slug", allow_null=True, default=None, help_text="Null for a calendar year."
    )
    fee = serializers.IntegerField(source="period.fee", allow_null=True)
    fee_reduced = serializers.IntegerField(source="period.fee_reduced", allow_null=True)
    fee_guest = serializers.IntegerField(source="period.fee_guest", allow_null=True)
    people_paid = serializers.IntegerField(source="people", help_text="How many paid something.")
    paid = serializers.IntegerField(help_text="What came in.")


class FeeRowSerializer(serializers.Serializer[FeeRow]):
    """Somebody's membership fee."""

    member = serializers.IntegerField(source="member.pk")
    name = serializers.CharField(source="member.desk_name")
    number = serializers.IntegerField(source="member.number", allow_null=True)
    rate = serializers.ChoiceField(FeePayment.Rate.choices, source="payment.rate")
    due = serializers.IntegerField(allow_null=True, help_text="Null where nothing is asked.")
    paid = serializers.IntegerField(source="payment.paid", allow_null=True)
    paid_on = serializers.DateField(source="payment.paid_on", allow_null=True)
    owes = serializers.IntegerField(help_text="What is still to come.")


class PackageRowSerializer(serializers.Serializer[PackageRow]):
    """Evenings that somebody paid for beforehand."""

    member = serializers.IntegerField(source="package.member_id")
    name = serializers.CharField(source="package.member.desk_name")
    bought_on = serializers.DateField(source="package.bought_on")
    price = serializers.IntegerField(source="package.price")
    evenings = serializers.IntegerField(source="package.evenings")
    used = serializers.IntegerField()
    left = serializers.IntegerField()


class PotRowSerializer(serializers.Serializer[PotRow]):
    """What an evening, a note, or the prizes of the season added to the pot."""

    day = serializers.DateField(allow_null=True)
    evening = serializers.CharField(
        source="evening.slug", allow_null=True, default=None, help_text="Its slug, if it is one."
    )
    what = serializers.CharField(
        source="entry.what", allow_null=True, default=None, help_text="What a note is for."
    )
    paid_in = serializers.IntegerField()
    paid_out = serializers.IntegerField()
    total = serializers.IntegerField(help_text="What was in the pot then.")


class MoneyResource(ClubResource):
    """Something of money, for who reads the members with their details."""

    tag = "money"
    needs: ClassVar[Needs] = {}


class FeePeriodList(MoneyResource):
    """For what membership fees are asked."""

    needs: ClassVar[Needs] = {"get": READ_MEMBERS}

    @extend_schema(
        operation_id="fee_period_list",
        summary="The years and seasons with a membership fee",
        parameters=Pages.parameters(),
        responses=Pages.answer(FeesOverviewSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Calendar years first, the newest of each first."""
        return Pages.of(self, fees_overview(self.club), FeesOverviewSerializer)


class YearFees(MoneyResource):
    """The membership fees of a calendar year."""

    needs: ClassVar[Needs] = {"get": READ_MEMBERS}

    @extend_schema(
        operation_id="year_fee_list",
        summary="Who has paid the fee of a calendar year",
        parameters=Pages.parameters(),
        responses=Pages.answer(FeeRowSerializer),
    )
    def get(self, request: Request, slug: str, year: int) -> Response:
        """By surname."""
        return _fees(self, of_club(self.club, FeeYear, year=year))


class SeasonFees(MoneyResource):
    """The membership fees of a season."""

    needs: ClassVar[Needs] = {"get": READ_MEMBERS}

    @extend_schema(
        operation_id="season_fee_list",
        summary="Who has paid the fee of a season",
        parameters=Pages.parameters(),
        responses=Pages.answer(FeeRowSerializer),
    )
    def get(self, request: Request, slug: str, season_slug: str) -> Response:
        """By surname."""
        return _fees(self, of_club(self.club, Season, slug=season_slug))


def _fees(view: MoneyResource, period: FeePeriod) -> Response:
    period.club = view.club
    return Pages.of(view, fee_list(period).rows, FeeRowSerializer)


class PackageList(MoneyResource):
    """The packages of evenings of a club."""

    needs: ClassVar[Needs] = {"get": READ_MEMBERS}

    @extend_schema(
        operation_id="package_list",
        summary="Who paid for evenings beforehand",
        parameters=Pages.parameters(),
        responses=Pages.answer(PackageRowSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """By surname, with how many evenings are left."""
        return Pages.of(self, package_rows(self.club), PackageRowSerializer)


class SeasonPot(MoneyResource):
    """The pot of a season."""

    needs: ClassVar[Needs] = {"get": READ_MEMBERS}

    @extend_schema(
        operation_id="season_pot_list",
        summary="What went in and out of the pot of a season",
        parameters=Pages.parameters(),
        responses=Pages.answer(PotRowSerializer),
    )
    def get(self, request: Request, slug: str, season_slug: str) -> Response:
        """In order of time, the prizes of the season last."""
        season = of_club(self.club, Season, slug=season_slug)
        season.club = self.club
        return Pages.of(self, season_pot(season).rows, PotRowSerializer)
