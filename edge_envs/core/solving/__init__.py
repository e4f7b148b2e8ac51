"""Exact solutions: tables, proof-number search and certificates."""
