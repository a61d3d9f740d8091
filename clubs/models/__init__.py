from clubs.models.audit import AuditChain, AuditEvent, AuditText
from clubs.models.club import Club, Language, PitWord, Role, SitOutWord
from clubs.models.member import Member, MemberQuerySet
from clubs.models.user import User, UserManager

__all__ = [
    "AuditChain",
    "AuditEvent",
    "AuditText",
    "Club",
    "Language",
    "Member",
    "MemberQuerySet",
    "PitWord",
    "Role",
    "SitOutWord",
    "User",
    "UserManager",
]
