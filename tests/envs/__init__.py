"""Situations in the environments that take a particular game to bring about."""
