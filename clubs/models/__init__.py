from clubs.models.api import ApiAnswer, ApiCount, ApiToken
from clubs.models.audit import AuditChain, AuditEvent, AuditText
from clubs.models.club import Club, Language, PitWord, Role, SitOutWord
from clubs.models.invitation import Invitation
from clubs.models.logo import ClubLogo
from clubs.models.member import Member, MemberName, MemberQuerySet
from clubs.models.merge import MemberMerge
from clubs.models.upload import Upload
from clubs.models.user import User, UserManager
from clubs.models.versioned import Versioned

__all__ = [
    "ApiAnswer",
    "ApiCount",
    "ApiToken",
    "AuditChain",
    "AuditEvent",
    "AuditText",
    "Club",
    "ClubLogo",
    "Invitation",
    "Language",
    "Member",
    "MemberMerge",
    "MemberName",
    "MemberQuerySet",
    "PitWord",
    "Role",
    "SitOutWord",
    "Upload",
    "User",
    "UserManager",
    "Versioned",
]
