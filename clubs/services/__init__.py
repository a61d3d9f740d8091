from clubs.services._members_plan import MembersPlan, members_plan
from clubs.services.accounts import (
    email_change,
    logins_end,
    name_change,
    password_change,
    password_mail,
    password_set,
)
from clubs.services.clubs import (
    address_choose,
    club_change,
    club_create,
    club_lock,
    password_link_make,
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
)
from clubs.services.imports import MembersImported, members_import
from clubs.services.invitations import (
    has_login,
    invitation_accept,
    invitation_find,
    invitation_join,
    invitation_link,
    invitation_mail,
    invitation_make,
    invitation_withdraw,
)
from clubs.services.logos import logo_choose, logo_remove
from clubs.services.members import (
    member_activate,
    member_change,
    member_changed,
    member_create,
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
    "TokenMade",
    "address_choose",
    "club_change",
    "club_create",
    "club_lock",
    "dossier_take",
    "email_change",
    "erasing_asked",
    "erasing_obstacles",
    "has_login",
    "invitation_accept",
    "invitation_find",
    "invitation_join",
    "invitation_link",
    "invitation_mail",
    "invitation_make",
    "invitation_withdraw",
    "logins_end",
    "logo_choose",
    "logo_remove",
    "member_activate",
    "member_change",
    "member_changed",
    "member_create",
    "member_erase",
    "member_erasing",
    "members_import",
    "members_plan",
    "name_change",
    "password_change",
    "password_link_make",
    "password_mail",
    "password_path",
    "password_set",
    "require_as_seen",
    "role_grant",
    "role_revoke",
    "token_find",
    "token_make",
    "token_revoke",
    "upload_done",
    "upload_keep",
    "upload_source",
    "upload_waiting",
]
