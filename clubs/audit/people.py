"""Verifies members and team: everybody is what the trail last recorded."""

from collections.abc import Iterator

from clubs.models import AuditEvent, AuditText, Club, Member, Role

ABOUT_SOMEBODY = (
    "member_added",
    "member_changed",
    "member_activated",
    "member_deactivated",
    "member_erased",
)
ABOUT_THE_TEAM = "role_granted", "role_revoked", "invitation_accepted", "team_moved"


def people_faults(club: Club | None = None) -> Iterator[str]:
    """The people of a club, or of all, who have another name than the trail last gave them, or who
    were erased without a word in it."""
    recorded = _last_recorded(club)
    names = dict(
        AuditText.objects.filter(event__in=[pk for pk, _action in recorded.values()], field="name")
        .values_list("event", "text")
        .iterator()
    )
    members = Member.objects.filter(**({"club": club} if club else {})).select_related("club")
    for member in members.order_by("pk").iterator():
        event_id, action = recorded.get((member.club_id, f"member:{member.uuid}"), (None, ""))
        if event_id is None:
            continue
        is_erased = member.erased_at is not None
        named = names.get(event_id, member.name) == member.name
        if not named or is_erased != (action == "member_erased"):
            yield f"member {member.club.slug} {member.pk}: the name is not as the trail has it"


def _last_recorded(club: Club | None) -> dict[tuple[int, str], tuple[int, str]]:
    """By club and reference the last event that tells of somebody: its id and action."""
    events = AuditEvent.objects.filter(
        chain__startswith="club:",
        action__in=ABOUT_SOMEBODY,
        **({"club": club} if club else {}),
    )
    columns = events.order_by("club", "number").values_list("club", "object_ref", "pk", "action")
    return {(club_id, about): (pk, action) for club_id, about, pk, action in columns.iterator()}


def team_faults(club: Club | None = None) -> Iterator[str]:
    """The roles at a club, or at all, that the trail does not tell of, and the other way round.
    A club whose trail tells of no role has no team to compare with."""
    recorded = _teams_recorded(club)
    roles = Role.objects.filter(club__in=recorded).select_related("user", "club").order_by("pk")
    for role in roles:
        if recorded[role.club_id].pop(str(role.user.uuid), "") != role.kind:
            yield f"team {role.club.slug}: the trail tells of no {role.kind} {role.user.uuid}"
    slugs = dict(Club.objects.values_list("pk", "slug"))
    for club_id, team in recorded.items():
        for uuid, kind in team.items():
            yield f"team {slugs[club_id]}: {kind} {uuid} is missing"


def _teams_recorded(club: Club | None) -> dict[int, dict[str, str]]:
    """By club, what each user is by UUID."""
    events = AuditEvent.objects.filter(
        chain__startswith="club:",
        action__in=ABOUT_THE_TEAM,
        **({"club": club} if club else {}),
    )
    columns = events.order_by("club", "number").values_list("club", "action", "object_ref", "data")
    teams: dict[int, dict[str, str]] = {}
    for club_id, action, about, data in columns.iterator():
        team, uuid = teams.setdefault(club_id, {}), about.removeprefix("user:")
        if action == "team_moved":
            teams[club_id] = dict(data["team"])
        elif action == "role_revoked":
            team.pop(uuid, None)
        else:
            team[uuid] = data["kind"]
    return teams
