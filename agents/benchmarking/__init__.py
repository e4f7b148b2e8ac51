"""The benchmark: a fixed protocol of boards, opponents, games and seeds, and scores that can be compared."""
