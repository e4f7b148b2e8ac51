"""The parts of `scripts/map_report.py`: how a map of `over_the_edge` is measured and played.

| module | |
|---|---|
| `drawing` | maps from drawings in text files |
| `pilots` | sensible players in plain Python that follow them |
| `contests` | games of such pilots, and what came of them |
| `goals` | the figures of a map, and what is asked of `flat_earth` |
| `report` | the document, and tables for the terminal |
"""
