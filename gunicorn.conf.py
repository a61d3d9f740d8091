"""What gunicorn believes of a proxy: nothing but whether people came by https.

It reads this file by itself where it is started, in the folder of `manage.py`.
"""

# By default also where the site begins (SCRIPT_NAME), which Caddy passes on from anybody.
forwarder_headers = ""
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"}
