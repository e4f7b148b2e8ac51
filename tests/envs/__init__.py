"""Tests of environments that need particular games."""
