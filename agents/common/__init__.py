"""What programs and packages share: command lines, configurations, files, run folders, progress, seeds."""
