"""The API of what a club gives leagues on other servers: the links by which they read its evenings,
one evening as a document, and the league numbers that go along."""

from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import of_club, owned
from clubs.api.resource import ClubResource, Needs, Pages, StrictSerializer
from clubs.http.network import absolute_url
from clubs.http.problems import FieldError, Problem
from clubs.models import Member
from tournaments.evenings.api_base import LARGEST
from tournaments.leagues.event_documents import event_document
from tournaments.leagues.people import (
    league_name,
    number_elsewhere_remove,
    number_elsewhere_write,
)
from tournaments.leagues.permissions import GIVE_EVENTS
from tournaments.leagues.pulling import pull_link_make, pull_link_withdraw
from tournaments.models import Evening, NumberElsewhere, PullLink


class PullLinkSerializer(serializers.Serializer[Any]):
    """A link by which a league reads the club's evenings. Its address is shown once."""

    id = serializers.IntegerField()
    league = serializers.CharField(help_text="The web name of the league.")
    made_at = serializers.DateTimeField()
    seen_at = serializers.DateTimeField(allow_null=True, help_text="When it was read last.")


class PullLinkMadeSerializer(PullLinkSerializer):
    """A new link, with its address."""

    address = serializers.CharField(help_text="For the leader of the league, and nobody else.")


class PullLinkMakeSerializer(StrictSerializer):
    """For which league a link is made."""

    league = serializers.CharField(max_length=50)


class NumberElsewhereSerializer(serializers.Serializer[Any]):
    """The number that somebody of the club has in a league on another server."""

    id = serializers.IntegerField()
    league = serializers.CharField()
    member = serializers.IntegerField(source="member_id")
    number = serializers.IntegerField()


class NumberElsewhereWriteSerializer(StrictSerializer):
    """Whose number it is, with the code that the league gave with it."""

    league = serializers.CharField(max_length=50)
    member = serializers.IntegerField(min_value=1, max_value=LARGEST)
    number = serializers.IntegerField(min_value=1, max_value=999_999)
    code = serializers.CharField(max_length=20)


class PullLinkListing(ClubResource):
    """The links by which leagues on other servers read a club's evenings."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"get": GIVE_EVENTS, "post": GIVE_EVENTS}

    @extend_schema(
        operation_id="pull_link_list",
        summary="The links by which leagues read the club's evenings",
        parameters=Pages.parameters(),
        responses=Pages.answer(PullLinkSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Without their addresses, of which only a hash is stored."""
        links = self.club.pull_links.filter(withdrawn_at=None)
        return Pages.of(self, links, PullLinkSerializer)

    @extend_schema(
        operation_id="pull_link_make",
        summary="Make a link for a league",
        request=PullLinkMakeSerializer,
        responses={201: PullLinkMadeSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """The address is in this answer only, so it takes no key."""
        given = self.given(PullLinkMakeSerializer)
        made = pull_link_make(club=self.club, actor=self.actor, **given)
        address = absolute_url(self.club, made.path)
        return Response({**PullLinkSerializer(made.link).data, "address": address}, 201)


class PullLinkDetail(ClubResource):
    """A link by which a league reads a club's evenings."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"delete": GIVE_EVENTS}

    @extend_schema(
        operation_id="pull_link_withdraw", summary="Withdraw a link", responses={204: None}
    )
    def delete(self, request: Request, slug: str, link: int) -> Response:
        """From then on it opens nothing."""
        pull_link_withdraw(link=of_club(self.club, PullLink, pk=link), actor=self.actor)
        return Response(status=204)


class EventDocument(ClubResource):
    """A published evening as a document for a league."""

    tag = "leagues"
    read_is_refused = True
    needs: ClassVar[Needs] = {"get": GIVE_EVENTS}

    @extend_schema(
        operation_id="event_document_read",
        summary="A published evening as a signed document for a league",
        parameters=[
            OpenApiParameter("league", required=True, description="The web name of the league.")
        ],
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, slug: str, evening_slug: str) -> Response:
        """As `docs/event.schema.json` has it; 422 while it, or a correction, is not published."""
        evening = get_object_or_404(Evening.objects.of(self.club).by_slug(evening_slug))
        asked = request.query_params.get("league", "")
        if not asked.strip():
            message = "Say for which league: its web name."
            raise Problem(
                400, "required", message, errors=[FieldError("league", "required", message)]
            )
        return Response(event_document(evening, league_name(asked)))


class NumberElsewhereListing(ClubResource):
    """The numbers of a club's people in leagues on other servers."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"get": GIVE_EVENTS, "put": GIVE_EVENTS}

    @extend_schema(
        operation_id="number_elsewhere_list",
        summary="Numbers of the club's people in leagues on other servers",
        parameters=Pages.parameters(),
        responses=Pages.answer(NumberElsewhereSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """They go along with each evening; their codes are not shown."""
        return Pages.of(self, owned(self.club, NumberElsewhere), NumberElsewhereSerializer)

    @extend_schema(
        operation_id="number_elsewhere_write",
        summary="Note a number",
        request=NumberElsewhereWriteSerializer,
        responses=NumberElsewhereSerializer,
    )
    def put(self, request: Request, slug: str) -> Response:
        """In place of what was noted of this member in this league."""
        given = self.given(NumberElsewhereWriteSerializer)
        member = of_club(self.club, Member, pk=given.pop("member"))
        row = number_elsewhere_write(member=member, actor=self.actor, **given)
        return Response(NumberElsewhereSerializer(row).data)


class NumberElsewhereDetail(ClubResource):
    """A number of somebody of a club in a league on another server."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"delete": GIVE_EVENTS}

    @extend_schema(
        operation_id="number_elsewhere_remove", summary="Remove a number", responses={204: None}
    )
    def delete(self, request: Request, slug: str, number_pk: int) -> Response:
        """It goes along no more."""
        found = of_club(self.club, NumberElsewhere, pk=number_pk)
        number_elsewhere_remove(row=found, actor=self.actor)
        return Response(status=204)
