from django.db import migrations, models


class Migration(migrations.Migration):
    """A release keeps a row for each pair and team."""

    dependencies = [("tournaments", "0003_competitions")]

    operations = [
        migrations.AddField(
            model_name="release",
            name="competitors",
            field=models.JSONField(null=True),
        ),
    ]
