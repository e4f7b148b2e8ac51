"""Agents of others: objects that a module of theirs makes, and programs in any language."""
