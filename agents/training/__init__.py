"""What trainings have in common, whatever learns: configuration, folder, evaluations and curves, opponents."""
