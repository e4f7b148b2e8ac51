"""Checks on positions that are set up."""
