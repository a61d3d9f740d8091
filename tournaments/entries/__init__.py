"""Entries before an evening: who enters, the waiting list, the list of the desk, the door."""
