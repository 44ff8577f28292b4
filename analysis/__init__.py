"""Records in; tables, law fits, figures and a report out. Nothing is trained here.

    python -m analysis runs/konz2024                   # everything that can be drawn
    python -m analysis runs/konz2024 --figure gen_ddata

`analysis/papers/<paper>/exhibits.toml` lists every figure, table and claim with its texts and the
function that makes or decides it; adding one is an entry there and a function. A function that
returns the runs it used beside its figure has the figure marked as stand-in data only where these
runs are.
"""
