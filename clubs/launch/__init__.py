"""The command `klaverclub`: what it needs before Django, and how it serves."""
