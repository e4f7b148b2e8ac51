"""Bridges to other libraries, each a module that is imported by itself and needs its library."""
