"""Compiled loops over state records, generic over games."""
