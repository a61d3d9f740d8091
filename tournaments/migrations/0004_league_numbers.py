"""Numbers of people in leagues on other servers; how a club elsewhere shows somebody; an evening
that counts for rankings says by itself of which club it is."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0003_leagues"),
        ("tournaments", "0003_competitions"),
    ]

    operations = [
        migrations.RemoveField(model_name="rankedevening", name="club_uuid"),
        migrations.AddField(
            model_name="personlink",
            name="name",
            field=models.CharField(blank=True, editable=False, max_length=200),
        ),
        migrations.CreateModel(
            name="NumberElsewhere",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.SlugField(verbose_name="web name of the league"),
                ),
                ("number", models.PositiveIntegerField(verbose_name="league number")),
                ("code", models.CharField(max_length=20)),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="numbers_elsewhere",
                        to="clubs.member",
                    ),
                ),
            ],
            options={
                "ordering": ["league", "number", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("member", "league"), name="number_elsewhere_once_per_member"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("number__gte", 1), models.Q(("code", ""), _negated=True)
                        ),
                        name="number_elsewhere_with_its_code",
                    ),
                ],
            },
        ),
    ]
