"""Report on maps, for their authors: `scripts/map_report.py` runs this package.

| module | purpose |
|---|---|
| `drawings` | read maps from drawings in text files |
| `pilots` | sensible players in plain Python that follow planned routes |
| `contests` | play games among such pilots and count their results |
| `figures` | measure a map and its games, and compare `flat_earth` with its targets |
| `tables` | the document for machines and the tables for the terminal |
"""
