"""Generated data sets in the true on-disk format of the real ones, read by the real readers.

Every writer takes `root`, the folder to write into; `seed`, of everything random; `images`, how
many usable ones there are at least; `difficulty`, from 0 (classes are plain to see) to 1 (they are
hidden); and `size`, pixels per side.
"""
