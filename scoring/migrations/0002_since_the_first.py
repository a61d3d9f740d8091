"""What came since: addresses and namesakes, what clubs show outside, first steps and practice,
totals handed in whole, photos, kinds of evening, copies, deleted evenings, the hall, money and mail."""

from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("scoring", "0003_totals_handed_in_whole")]

    dependencies = [
        ("scoring", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="sidetotal",
            name="total",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="seat",
            name="pits",
            field=models.PositiveSmallIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="seat",
            name="roem",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="sidetotal",
            name="pits",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="sidetotal",
            name="points",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="sidetotal",
            name="roem",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="sidetotal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("total__isnull", False),
                    models.Q(
                        ("pits__isnull", False), ("points__isnull", False), ("roem__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="side_total_or_its_parts",
            ),
        ),
    ]
