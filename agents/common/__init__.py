"""Shared by programs and packages: command lines, configurations, files, run folders, progress, seeds."""
