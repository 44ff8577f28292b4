"""Records in; tables, law fits, figures and a report out. Nothing is trained here.

    python -m analysis runs/konz2024                   # everything that can be drawn
    python -m analysis runs/konz2024 --figure gen_ddata

A figure is a file of `analysis/figures` with a function `draw`, a table one of `analysis/tables`
with a function `build`; putting a file there is all it takes to add one. Those that need no code of
their own are listed as data in the `__init__` of their paper. A function that returns the runs it
used beside its figure has the figure marked as stand-in data only where these runs are.
"""
