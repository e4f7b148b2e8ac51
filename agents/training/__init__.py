"""What all trainers share: configuration, run folder, evaluations and learning curves, opponents."""
