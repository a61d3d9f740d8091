"""All tables, as the first version had them."""

import datetime
import uuid

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import tournaments.models.evening


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("clubs", "0001_initial"),
        ("scoring", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Cup",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                (
                    "wins_to_keep",
                    models.PositiveSmallIntegerField(
                        default=3, verbose_name="kept after how many wins"
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="cups",
                        to="clubs.club",
                    ),
                ),
            ],
            options={
                "ordering": ["name", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "name"), name="cup_name_once_per_club"),
                    models.CheckConstraint(
                        condition=models.Q(("wins_to_keep__gte", 1)), name="cup_kept_from_1_win"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Evening",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("date", models.DateField(verbose_name="date")),
                ("starts_at", models.TimeField(blank=True, null=True, verbose_name="start")),
                ("sequence", models.PositiveSmallIntegerField(default=1, editable=False)),
                ("name", models.CharField(blank=True, max_length=80, verbose_name="name")),
                (
                    "rounds_planned",
                    models.PositiveSmallIntegerField(
                        default=3,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(20),
                        ],
                        verbose_name="rounds",
                    ),
                ),
                (
                    "deals_per_round",
                    models.PositiveSmallIntegerField(
                        default=16,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(99),
                        ],
                        verbose_name="deals per round",
                    ),
                ),
                (
                    "target",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(162),
                            django.core.validators.MaxValueValidator(5000),
                        ],
                        verbose_name="points that end a round",
                    ),
                ),
                (
                    "first_dealer",
                    models.CharField(
                        choices=[
                            ("left", "who sits left of the scorekeeper"),
                            ("drawn", "whoever draws the highest card"),
                        ],
                        default="left",
                        max_length=5,
                        verbose_name="who deals first",
                    ),
                ),
                (
                    "first_trump_clubs",
                    models.BooleanField(
                        default=False, verbose_name="in the first deal clubs are trump"
                    ),
                ),
                (
                    "maker_holds_trump",
                    models.BooleanField(
                        default=False, verbose_name="who makes trump must hold a card of it"
                    ),
                ),
                (
                    "roem_by",
                    models.CharField(
                        choices=[
                            ("winner", "the side that takes the trick"),
                            ("completer", "whoever completes it"),
                            ("anyone", "anyone at the table, opponents too"),
                            ("always", "nobody: it is always written"),
                        ],
                        default="winner",
                        max_length=9,
                        verbose_name="who announces roem",
                    ),
                ),
                (
                    "reneging_until",
                    models.CharField(
                        choices=[
                            ("count", "until the points are counted"),
                            ("next_trick", "until the next trick is led"),
                        ],
                        default="count",
                        max_length=10,
                        verbose_name="how long reneging can be charged",
                    ),
                ),
                (
                    "reneging_escalates",
                    models.BooleanField(
                        default=False,
                        verbose_name="the first reneging at a table only costs a new deal",
                    ),
                ),
                (
                    "tie",
                    models.CharField(
                        choices=[
                            ("shared", "they share the place"),
                            ("play_off", "four more deals for the first place, one per dealer"),
                            ("tie_breaks", "something else decides, such as the most pits"),
                        ],
                        default="shared",
                        max_length=10,
                        verbose_name="equal after the last round",
                    ),
                ),
                (
                    "tie_breaks",
                    models.JSONField(default=tournaments.models.evening.usual_tie_breaks),
                ),
                (
                    "twice_replaces",
                    models.BooleanField(
                        default=False,
                        verbose_name="a round played twice may replace a lower one of one's own",
                    ),
                ),
                (
                    "method",
                    models.CharField(
                        choices=[
                            ("rotation", "tables stay together, everybody partners everybody"),
                            (
                                "balanced",
                                "new tables each round, meeting as many people as possible",
                            ),
                            ("lottery", "a fresh draw each round"),
                            ("pairs", "fixed pairs"),
                            ("typed_in", "drawn by hand, typed in"),
                        ],
                        default="rotation",
                        max_length=10,
                        verbose_name="who plays with whom",
                    ),
                ),
                (
                    "leftover",
                    models.CharField(
                        choices=[
                            ("sit_out", "they sit out, in turn"),
                            ("three_handed", "tables of three, with a dummy"),
                        ],
                        default="sit_out",
                        max_length=12,
                        verbose_name="when the number cannot be divided by four",
                    ),
                ),
                (
                    "last_ranked",
                    models.BooleanField(
                        default=False, verbose_name="the last round is drawn by standing"
                    ),
                ),
                (
                    "sit_out_score",
                    models.PositiveIntegerField(
                        default=1600,
                        validators=[django.core.validators.MaxValueValidator(99999)],
                        verbose_name="score for sitting out a round",
                    ),
                ),
                (
                    "missed_score",
                    models.PositiveIntegerField(
                        default=0,
                        validators=[django.core.validators.MaxValueValidator(99999)],
                        verbose_name="score for a missed round",
                    ),
                ),
                (
                    "phones",
                    models.BooleanField(
                        default=True, verbose_name="deals may be written on a phone at the table"
                    ),
                ),
                (
                    "writing",
                    models.CharField(
                        choices=[
                            ("one", "one writes for the whole table"),
                            ("deal", "one side writes, the other confirms each deal"),
                            ("round", "one side writes, the other confirms the finished round"),
                            ("both", "both sides write, and the two are compared"),
                        ],
                        default="one",
                        max_length=5,
                        verbose_name="who writes at the table",
                    ),
                ),
                (
                    "stake_member",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(9999999)],
                        verbose_name="stake for a member",
                    ),
                ),
                (
                    "stake_guest",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(9999999)],
                        verbose_name="stake for a guest",
                    ),
                ),
                ("prizes", models.JSONField(blank=True, default=dict)),
                (
                    "frozen",
                    models.BooleanField(
                        default=False, verbose_name="standings hidden until the prizes"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "planned"),
                            ("running", "running"),
                            ("closed", "closed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="planned",
                        max_length=10,
                    ),
                ),
                ("is_history", models.BooleanField(default=False, editable=False)),
                ("seed", models.PositiveIntegerField(default=0, editable=False)),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evenings",
                        to="clubs.club",
                    ),
                ),
                (
                    "regulation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="evenings",
                        to="scoring.regulation",
                        verbose_name="regulation",
                    ),
                ),
            ],
            options={
                "ordering": ["-date", "-sequence"],
            },
        ),
        migrations.CreateModel(
            name="EveningSummary",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("revision", models.PositiveIntegerField()),
                ("results", models.JSONField()),
                (
                    "evening",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="summary",
                        to="tournaments.evening",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PastResult",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("score", models.IntegerField(blank=True, null=True)),
                ("pits", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("roem", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "absence",
                    models.CharField(
                        blank=True,
                        choices=[("notice", "signed off"), ("none", "stayed away")],
                        max_length=6,
                    ),
                ),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="past_results",
                        to="tournaments.evening",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="past_results",
                        to="clubs.member",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("evening", "member", "round"), name="past_result_once_per_round"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("round", None)),
                        fields=("evening", "member"),
                        name="past_result_once_per_evening",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("score__isnull", True), ("absence", ""), _connector="XOR"
                        ),
                        name="past_result_score_or_absence",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PinGuard",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table_number", models.PositiveSmallIntegerField()),
                ("failures", models.PositiveIntegerField(default=0)),
                ("blocked_until", models.DateTimeField(blank=True, null=True)),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pin_guards",
                        to="tournaments.evening",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("evening", "table_number"), name="pin_guard_once_per_table"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PlayOffScore",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("score", models.IntegerField()),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="play_off_scores",
                        to="tournaments.evening",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="play_off_scores",
                        to="clubs.member",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("evening", "member"), name="play_off_score_once_per_member"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="tournaments.evening",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="clubs.member",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["member", "evening"], name="rating_by_member")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("evening", "member"), name="rating_once_per_evening"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("sigma__gt", 0)), name="rating_never_certain"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Registration",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("present", models.BooleanField(default=True)),
                (
                    "absence",
                    models.CharField(
                        blank=True,
                        choices=[("notice", "signed off"), ("none", "stayed away")],
                        max_length=6,
                    ),
                ),
                ("pair", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "paid",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(9999999)],
                        verbose_name="paid",
                    ),
                ),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="registrations",
                        to="tournaments.evening",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="registrations",
                        to="clubs.member",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("evening", "member"), name="registration_once_per_evening"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("pair", None), ("pair__gte", 1), _connector="OR"),
                        name="registration_pair_from_1",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("absence__in", ["", "notice", "none"])),
                        name="registration_absence_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("present", False), ("absence", ""), _connector="OR"),
                        name="registration_present_or_absent",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Release",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("standings", models.JSONField()),
                ("changes", models.JSONField(default=list)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("evening_revision", models.PositiveIntegerField(blank=True, null=True)),
                ("seal", models.CharField(max_length=64)),
                ("published_at", models.DateTimeField(auto_now_add=True)),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="releases",
                        to="tournaments.evening",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("evening", "number"), name="release_number_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="release_number_from_1"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("drawn", "drawn"),
                            ("running", "running"),
                            ("closed", "closed"),
                        ],
                        default="draft",
                        max_length=7,
                    ),
                ),
                ("seed", models.PositiveIntegerField(default=0)),
                ("seal", models.CharField(blank=True, max_length=64)),
                ("search_ms", models.PositiveIntegerField(default=0)),
                (
                    "drawn_by",
                    models.CharField(
                        choices=[("program", "Program"), ("hand", "Hand")],
                        default="program",
                        max_length=7,
                    ),
                ),
                ("swaps", models.JSONField(blank=True, default=list)),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rounds",
                        to="tournaments.evening",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("evening", "number"), name="round_once_per_evening"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["draft", "drawn", "running", "closed"])),
                        name="round_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="round_number_from_1"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("drawn_by__in", ["program", "hand"])),
                        name="round_drawn_by_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("slug", models.SlugField(max_length=60)),
                ("starts", models.DateField(blank=True, null=True, verbose_name="first day")),
                ("ends", models.DateField(blank=True, null=True, verbose_name="last day")),
                (
                    "fee",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(9999999)],
                        verbose_name="membership fee",
                    ),
                ),
                ("prizes", models.JSONField(blank=True, default=dict)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seasons",
                        to="clubs.club",
                    ),
                ),
            ],
            options={
                "ordering": [
                    models.OrderBy(models.F("starts"), descending=True, nulls_last=True),
                    "-pk",
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "slug"), name="season_slug_once_per_club"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("starts", None),
                            ("ends", None),
                            ("ends__gte", models.F("starts")),
                            _connector="OR",
                        ),
                        name="season_ends_after_it_starts",
                        violation_error_message="The last day must not be before the first day.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("starts", None),
                            models.Q(
                                ("starts__gte", datetime.date(1900, 1, 1)),
                                ("starts__lte", datetime.date(2199, 12, 31)),
                            ),
                            _connector="OR",
                        ),
                        name="season_starts_within_reach",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ends", None),
                            models.Q(
                                ("ends__gte", datetime.date(1900, 1, 1)),
                                ("ends__lte", datetime.date(2199, 12, 31)),
                            ),
                            _connector="OR",
                        ),
                        name="season_ends_within_reach",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PaperJob",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("done", models.PositiveIntegerField(default=0)),
                ("parts", models.PositiveIntegerField(default=1)),
                ("failed", models.BooleanField(default=False)),
                ("pdf", models.BinaryField(null=True)),
                ("started_at", models.DateTimeField(auto_now_add=True)),
                ("touched_at", models.DateTimeField(auto_now=True)),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="paper_jobs",
                        to="tournaments.season",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("done__lte", models.F("parts"))),
                        name="paper_job_done_of_all",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="evening",
            name="season",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="evenings",
                to="tournaments.season",
                verbose_name="season",
            ),
        ),
        migrations.CreateModel(
            name="CupWin",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("won_on", models.DateField(verbose_name="won on")),
                (
                    "cup",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="wins",
                        to="tournaments.cup",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="cup_wins",
                        to="clubs.member",
                    ),
                ),
                (
                    "evening",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to="tournaments.evening",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to="tournaments.season",
                    ),
                ),
            ],
            options={
                "ordering": ["won_on", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("cup", "member", "won_on"), name="cup_won_once_a_day"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("won_on__gte", datetime.date(1900, 1, 1)),
                            ("won_on__lte", datetime.date(2199, 12, 31)),
                        ),
                        name="cup_won_within_reach",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SeasonRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("position", models.PositiveSmallIntegerField(default=1)),
                ("settings", models.JSONField(default=dict)),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rules",
                        to="tournaments.season",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("season", "position"), name="season_rule_position_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables",
                        to="tournaments.round",
                    ),
                ),
                (
                    "sheet",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="table",
                        to="scoring.scoresheet",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("round", "number"), name="table_number_once_per_round"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="table_number_from_1"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Placement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.CharField(blank=True, max_length=1)),
                ("substitute", models.BooleanField(default=False)),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="placements",
                        to="clubs.member",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="placements",
                        to="tournaments.round",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="placements",
                        to="tournaments.table",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("substitute", False)),
                        fields=("round", "member"),
                        name="placement_once_per_round",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("substitute", False), ("table__isnull", False)),
                        fields=("table", "seat"),
                        name="placement_seat_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("seat", ""), ("substitute", False), ("table", None)),
                            models.Q(("seat__in", ["N", "E", "S", "W"]), ("table__isnull", False)),
                            _connector="OR",
                        ),
                        name="placement_at_a_seat_or_out",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TableDevice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table_number", models.PositiveSmallIntegerField()),
                ("round_number", models.PositiveSmallIntegerField()),
                ("digest", models.CharField(max_length=64)),
                ("number", models.PositiveSmallIntegerField()),
                ("side", models.CharField(blank=True, max_length=2)),
                ("name", models.CharField(blank=True, max_length=60)),
                ("first_at", models.DateTimeField(auto_now_add=True)),
                ("last_at", models.DateTimeField()),
                ("cut_off_at", models.DateTimeField(blank=True, null=True)),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="devices",
                        to="tournaments.evening",
                    ),
                ),
            ],
            options={
                "ordering": ["table_number", "round_number", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("evening", "table_number", "round_number", "digest"),
                        name="table_device_once_per_round",
                    ),
                    models.UniqueConstraint(
                        fields=("evening", "table_number", "round_number", "number"),
                        name="table_device_number_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("side__in", ["", "NS", "EW"])),
                        name="table_device_side_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="table_device_number_from_1"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TableToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table_number", models.PositiveSmallIntegerField()),
                ("side", models.CharField(blank=True, max_length=2)),
                ("generation", models.PositiveSmallIntegerField(default=1)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to="tournaments.evening",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("revoked_at", None)),
                        fields=("evening", "table_number", "side"),
                        name="table_token_one_valid_per_side",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("side__in", ["", "NS", "EW"])),
                        name="table_token_side_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClubText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("message", "message for the group"),
                            ("newspaper", "piece for the newspaper"),
                        ],
                        max_length=9,
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[("nl", "Nederlands"), ("en", "English")], max_length=2
                    ),
                ),
                ("wording", models.TextField(blank=True, max_length=4000, verbose_name="wording")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="texts",
                        to="clubs.club",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "kind", "language"),
                        name="club_text_once_per_kind_and_language",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["message", "newspaper"])),
                        name="club_text_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("language__in", ["nl", "en"])),
                        name="club_text_language_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CoupleRule",
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
                        choices=[("fixed", "always partners"), ("apart", "never at one table")],
                        max_length=5,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="couple_rules",
                        to="clubs.club",
                    ),
                ),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clubs.member",
                    ),
                ),
                (
                    "two",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clubs.member",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("one", "two"), name="couple_rule_once_per_couple"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("one__lt", models.F("two"))),
                        name="couple_rule_lower_id_first",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["fixed", "apart"])),
                        name="couple_rule_kind_known",
                    ),
                ],
            },
        ),
        migrations.AddIndex(
            model_name="evening",
            index=models.Index(fields=["season", "date"], name="evening_by_season"),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.UniqueConstraint(
                fields=("club", "date", "sequence"), name="evening_once_per_club_and_date"
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["planned", "running", "closed", "cancelled"])),
                name="evening_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("method__in", ["rotation", "balanced", "lottery", "pairs", "typed_in"])
                ),
                name="evening_method_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("leftover__in", ["sit_out", "three_handed"])),
                name="evening_leftover_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("rounds_planned__gte", 1), ("rounds_planned__lte", 20)),
                name="evening_rounds_1_to_20",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("deals_per_round__gte", 1), ("deals_per_round__lte", 99)),
                name="evening_deals_1_to_99",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("target", None),
                    models.Q(("target__gte", 162), ("target__lte", 5000)),
                    _connector="OR",
                ),
                name="evening_target_162_to_5000",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("first_dealer__in", ["left", "drawn"])),
                name="evening_first_dealer_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("roem_by__in", ["winner", "completer", "anyone", "always"])),
                name="evening_roem_by_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("reneging_until__in", ["count", "next_trick"])),
                name="evening_reneging_until_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("tie__in", ["shared", "play_off", "tie_breaks"])),
                name="evening_tie_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("writing__in", ["one", "deal", "round", "both"])),
                name="evening_writing_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("is_history", True), ("regulation__isnull", False), _connector="OR"
                ),
                name="evening_has_a_regulation_unless_history",
            ),
        ),
        migrations.RemoveConstraint(
            model_name="pinguard",
            name="pin_guard_once_per_table",
        ),
        migrations.AddField(
            model_name="pinguard",
            name="client",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddConstraint(
            model_name="pinguard",
            constraint=models.UniqueConstraint(
                fields=("evening", "table_number", "client"), name="pin_guard_once_per_table"
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("date__gte", datetime.date(1900, 1, 1)),
                    ("date__lte", datetime.date(2199, 12, 31)),
                ),
                name="evening_date_within_reach",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("sequence__gte", 1), ("sequence__lte", 99)),
                name="evening_sequence_1_to_99",
            ),
        ),
        migrations.RemoveConstraint(
            model_name="paperjob",
            name="paper_job_done_of_all",
        ),
        migrations.RenameModel(
            old_name="PaperJob",
            new_name="SeasonFile",
        ),
        migrations.RenameField(
            model_name="seasonfile",
            old_name="pdf",
            new_name="content",
        ),
        migrations.AlterField(
            model_name="seasonfile",
            name="season",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="files",
                to="tournaments.season",
            ),
        ),
        migrations.AddField(
            model_name="seasonfile",
            name="what",
            field=models.CharField(default="booklet", max_length=200),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="seasonfile",
            name="version",
            field=models.CharField(blank=True, default="", max_length=16),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name="seasonfile",
            constraint=models.CheckConstraint(
                condition=models.Q(("done__lte", models.F("parts"))), name="season_file_done_of_all"
            ),
        ),
        migrations.AddField(
            model_name="release",
            name="salts",
            field=models.JSONField(default=list),
        ),
    ]
