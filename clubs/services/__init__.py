from clubs.services._members_plan import MembersPlan, members_plan
from clubs.services.clubs import (
    address_choose,
    club_change,
    club_create,
    club_lock,
    password_link_make,
    password_mail,
    password_path,
    role_grant,
    role_revoke,
)
from clubs.services.dossiers import dossier_take
from clubs.services.erasing import (
    erasing_asked,
    erasing_obstacles,
    member_erase,
    member_erasing,
    texts_take_away,
)
from clubs.services.imports import MembersImported, members_import
from clubs.services.logos import logo_choose, logo_remove
from clubs.services.members import (
    member_activate,
    member_change,
    member_changed,
    member_create,
)
from clubs.services.merges import (
    MergePreview,
    guest_merge,
    members_merging,
    members_parting,
    merge_asked,
    merge_preview,
    merge_undo,
)
from clubs.services.tokens import TokenMade, token_find, token_make, token_revoke
from clubs.services.uploads import (
    require_as_seen,
    upload_done,
    upload_keep,
    upload_source,
    upload_waiting,
)

__all__ = [
    "MembersImported",
    "MembersPlan",
    "MergePreview",
    "TokenMade",
    "address_choose",
    "club_change",
    "club_create",
    "club_lock",
    "dossier_take",
    "erasing_asked",
    "erasing_obstacles",
    "guest_merge",
    "logo_choose",
    "logo_remove",
    "member_activate",
    "member_change",
    "member_changed",
    "member_create",
    "member_erase",
    "member_erasing",
    "members_import",
    "members_merging",
    "members_parting",
    "members_plan",
    "merge_asked",
    "merge_preview",
    "merge_undo",
    "password_link_make",
    "password_mail",
    "password_path",
    "require_as_seen",
    "role_grant",
    "role_revoke",
    "texts_take_away",
    "token_find",
    "token_make",
    "token_revoke",
    "upload_done",
    "upload_keep",
    "upload_source",
    "upload_waiting",
]
