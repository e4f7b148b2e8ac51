"""Tests of n-tuple networks and of the search of whole turns."""
