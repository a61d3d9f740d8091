from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0003_days_within_reach"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="paperjob", name="paper_job_done_of_all"),
        migrations.RenameModel("PaperJob", "SeasonFile"),
        migrations.RenameField("seasonfile", "pdf", "content"),
        migrations.AlterField(
            model_name="seasonfile",
            name="season",
            field=models.ForeignKey(
                on_delete=models.CASCADE, related_name="files", to="tournaments.season"
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
                condition=models.Q(done__lte=models.F("parts")), name="season_file_done_of_all"
            ),
        ),
    ]
