"""Evaluate agents: matches, confidence intervals, and estimates against perfect play."""
