from clubs.services.clubs import club_create, password_path, role_grant, role_revoke
from clubs.services.imports import MembersImported, members_import
from clubs.services.members import (
    guest_merge,
    member_activate,
    member_change,
    member_create,
    members_merging,
)

__all__ = [
    "MembersImported",
    "club_create",
    "guest_merge",
    "member_activate",
    "member_change",
    "member_create",
    "members_import",
    "members_merging",
    "password_path",
    "role_grant",
    "role_revoke",
]
