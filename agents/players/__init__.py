"""Agents by name: built-in agents, policies and their files, searches, external agents."""
