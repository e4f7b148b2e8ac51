"""What a web page runs for a learner or an author: tutorials, and editors of positions and parameters."""
