"""Bridges to other libraries: one module per library, imported explicitly, which requires that library."""
