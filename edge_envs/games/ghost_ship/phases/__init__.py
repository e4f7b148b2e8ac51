"""The rules, phase by phase."""
