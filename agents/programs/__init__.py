"""The table of programs with a configuration, and the command line of trainers."""
