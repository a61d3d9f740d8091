"""All tables, as the first version had them."""

import uuid

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import clubs.text.numbers


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "email",
                    models.EmailField(max_length=254, unique=True, verbose_name="e-mail address"),
                ),
                ("name", models.CharField(blank=True, max_length=100, verbose_name="name")),
                ("is_active", models.BooleanField(default=True)),
                ("date_joined", models.DateTimeField(auto_now_add=True)),
                ("logins_version", models.PositiveIntegerField(default=0, editable=False)),
                ("password_mailed_at", models.DateTimeField(editable=False, null=True)),
                ("email_proved_at", models.DateTimeField(editable=False, null=True)),
                ("email_wanted", models.EmailField(blank=True, editable=False, max_length=254)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("email"),
                        name="user_email_without_regard_to_case",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("email_wanted", models.F("email")), _negated=True),
                        name="user_email_wanted_is_another",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("who", models.CharField(max_length=64)),
                ("minute", models.PositiveIntegerField(db_index=True)),
                ("taken", models.PositiveIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("who", "minute"), name="api_count_once_per_minute"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Club",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("chain_length", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "chain_head",
                    models.CharField(blank=True, default="", editable=False, max_length=64),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                (
                    "slug",
                    models.CharField(
                        max_length=50,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[a-z0-9]+(-[a-z0-9]+)*\\Z",
                                "Use small letters, digits and single dashes.",
                            )
                        ],
                        verbose_name="web name",
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[("nl", "Nederlands"), ("en", "English")],
                        default="nl",
                        max_length=2,
                        verbose_name="language",
                    ),
                ),
                (
                    "pit_word",
                    models.CharField(default="pit", max_length=20, verbose_name="word for pit"),
                ),
                (
                    "sit_out_word",
                    models.CharField(
                        default="sit_out", max_length=20, verbose_name="word for sitting out"
                    ),
                ),
                (
                    "roem_letters",
                    models.CharField(
                        blank=True,
                        help_text="The letters your scorekeepers write instead of numbers, each with its value, for example D=20 V=50. People who type sheets can then use them too.",
                        max_length=60,
                        validators=[clubs.text.numbers.roem_letters_valid],
                        verbose_name="letters for roem on paper sheets",
                    ),
                ),
                (
                    "address",
                    models.URLField(
                        blank=True,
                        help_text="The address phones open; it is used in every link and QR code.",
                        verbose_name="address on the hall's network",
                    ),
                ),
                ("logo_version", models.PositiveIntegerField(default=0, editable=False)),
                ("rule_notes_version", models.PositiveIntegerField(default=1, editable=False)),
                ("is_demo", models.BooleanField(default=False, editable=False)),
                (
                    "chain_seal",
                    models.CharField(blank=True, default="", editable=False, max_length=64),
                ),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("language__in", ["nl", "en"])),
                        name="club_language_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("chain", models.CharField(max_length=50)),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("actor", models.CharField(max_length=60)),
                ("action", models.CharField(max_length=40)),
                ("object_ref", models.CharField(max_length=80)),
                ("data", models.JSONField(default=dict)),
                ("commitments", models.JSONField(default=dict)),
                ("previous", models.CharField(blank=True, max_length=64)),
                ("hash", models.CharField(max_length=64)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audit_events",
                        to="clubs.club",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["club", "-at"], name="audit_event_by_club")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("chain", "number"), name="audit_event_number_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ClubLogo",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("png", models.BinaryField()),
                ("width", models.PositiveSmallIntegerField()),
                ("height", models.PositiveSmallIntegerField()),
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="logo",
                        to="clubs.club",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("email", models.EmailField(max_length=254, verbose_name="e-mail address")),
                ("name", models.CharField(blank=True, max_length=100, verbose_name="name")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("organiser", "organiser"),
                            ("director", "director"),
                            ("scorekeeper", "scorekeeper"),
                        ],
                        max_length=12,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="clubs.club",
                    ),
                ),
            ],
            options={
                "ordering": ["made_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("club"),
                        django.db.models.functions.text.Lower("email"),
                        name="invitation_one_per_club_and_address",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["organiser", "director", "scorekeeper"])),
                        name="invitation_kind_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "number",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="number",
                    ),
                ),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                (
                    "public_name",
                    models.CharField(
                        blank=True,
                        help_text="Leave empty to show the full name.",
                        max_length=100,
                        verbose_name="name on public pages",
                    ),
                ),
                (
                    "public_as",
                    models.CharField(
                        choices=[
                            ("name", "with the name"),
                            ("initials", "with initials only"),
                            ("hidden", "not at all"),
                        ],
                        default="name",
                        max_length=8,
                        verbose_name="on public pages",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("member", "member"), ("guest", "guest")],
                        default="member",
                        max_length=6,
                        verbose_name="member or guest",
                    ),
                ),
                ("is_active", models.BooleanField(default=True, verbose_name="active")),
                (
                    "keeps_table",
                    models.BooleanField(
                        default=False,
                        help_text="For people who cannot walk from table to table.",
                        verbose_name="keeps the same table all evening",
                    ),
                ),
                (
                    "email",
                    models.EmailField(blank=True, max_length=254, verbose_name="e-mail address"),
                ),
                ("phone", models.CharField(blank=True, max_length=30, verbose_name="telephone")),
                ("erased_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("name_key", models.CharField(editable=False, max_length=200)),
                ("sort_name", models.CharField(editable=False, max_length=200)),
                ("first_id", models.PositiveBigIntegerField(editable=False, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="clubs.club",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["club", "sort_name"], name="member_by_surname"),
                    models.Index(fields=["club", "name_key"], name="member_by_name"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "number"),
                        name="member_number_once_per_club",
                        violation_error_message="This number is already taken.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["member", "guest"])),
                        name="member_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name_key", ""), _negated=True),
                        name="member_has_a_name",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("public_as__in", ["name", "initials", "hidden"])),
                        name="member_public_as_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("erased_at", None),
                            models.Q(
                                ("email", ""),
                                ("is_active", False),
                                ("number", None),
                                ("phone", ""),
                                ("public_name", ""),
                            ),
                            _connector="OR",
                        ),
                        name="member_erased_keeps_nothing",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MemberMerge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("guest", models.JSONField()),
                ("handed_over", models.JSONField(default=dict)),
                ("merged_at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="merges",
                        to="clubs.club",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="merges",
                        to="clubs.member",
                    ),
                ),
            ],
            options={
                "ordering": ["-merged_at", "-pk"],
                "indexes": [models.Index(fields=["member", "-merged_at"], name="merge_by_member")],
            },
        ),
        migrations.CreateModel(
            name="Role",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("organiser", "organiser"),
                            ("director", "director"),
                            ("scorekeeper", "scorekeeper"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="roles",
                        to="clubs.club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="roles",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "club"), name="role_one_per_user_and_club"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["organiser", "director", "scorekeeper"])),
                        name="role_kind_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("members", "members"),
                            ("results", "results"),
                            ("evening", "an evening with its deals"),
                        ],
                        max_length=7,
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("content", models.BinaryField()),
                ("details", models.JSONField(default=dict)),
                ("outcome", models.JSONField(default=dict)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="uploads",
                        to="clubs.club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-done_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["members", "results", "evening"])),
                        name="upload_kind_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("about", models.CharField(max_length=200)),
                ("key", models.UUIDField()),
                ("body_hash", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField()),
                ("body", models.JSONField(null=True)),
                ("made_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "caller",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("caller", "about", "key"), name="api_answer_once_per_caller_and_key"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("status__gte", 200), ("status__lt", 300)),
                        name="api_answer_was_successful",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("field", models.CharField(max_length=40)),
                ("salt", models.CharField(max_length=32)),
                ("text", models.TextField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="texts",
                        to="clubs.auditevent",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("event", "field"), name="audit_text_field_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="CspReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("directive", models.CharField(max_length=40)),
                ("blocked", models.CharField(max_length=120)),
                ("route", models.CharField(max_length=120)),
                ("times", models.PositiveIntegerField(default=1)),
                ("first_at", models.DateTimeField()),
                ("last_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "ordering": ["-last_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("directive", "blocked", "route"), name="csp_report_once_per_kind"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("times__gte", 1)), name="csp_report_was_seen"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="HealthProbe",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("written_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("pk", 1)), name="health_probe_is_one_row"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60, verbose_name="what is it for?")),
                ("secret_hash", models.CharField(editable=False, max_length=64, unique=True)),
                ("hint", models.CharField(editable=False, max_length=6)),
                ("scopes", models.JSONField(default=list)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clubs.club",
                    ),
                ),
                ("networks", models.JSONField(default=list)),
            ],
            options={
                "ordering": ["-made_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("scopes", []), _negated=True),
                        name="api_token_has_scopes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="api_token_has_name"
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="club",
            name="asks_second_factor",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.CreateModel(
            name="LoginSession",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40, primary_key=True, serialize=False, verbose_name="session key"
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("seen_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="CodeSecret",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("secret", models.CharField(editable=False, max_length=200)),
                ("last_step", models.PositiveBigIntegerField(default=0, editable=False)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="code_secret",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("secret", ""), _negated=True),
                        name="code_secret_is_there",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Passkey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("credential_id", models.CharField(editable=False, max_length=1400, unique=True)),
                ("credential", models.BinaryField()),
                ("sign_count", models.PositiveBigIntegerField(default=0, editable=False)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passkeys",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["made_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="passkey_has_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RecoveryCode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code_hash", models.CharField(editable=False, max_length=64)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recovery_codes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "code_hash"), name="recovery_code_once")
                ],
            },
        ),
    ]
