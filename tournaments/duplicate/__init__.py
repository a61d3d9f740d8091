"""Duplicate klaverjas (portefeuille): everybody plays the same cards."""
