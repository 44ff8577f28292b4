"""MNIST: handwritten digits (LeCun, Cortes & Burges)."""

from typing import ClassVar

from datamodules.readers.idx import IdxImages


class Mnist(IdxImages):
    """60,000 + 10,000 grey images of 28 x 28 pixels, ten digits."""

    NAME = "mnist"
    FOLDER = "MNIST"
    CLASSES = tuple(str(digit) for digit in range(10))
    MD5: ClassVar = {
        "train-images-idx3-ubyte.gz": "f68b3c2dcbeaaa9fbdd348bbdeb94873",
        "train-labels-idx1-ubyte.gz": "d53e105ee54ea40749a09fcbcd1e9432",
        "t10k-images-idx3-ubyte.gz": "9fb629c4189551a2d022fa330f9573f3",
        "t10k-labels-idx1-ubyte.gz": "ec29112dd5afa0611ce80d1b7f02629c",
    }
    # the author's own page has refused downloads since 2021, so it is last
    MIRRORS = (
        "https://storage.googleapis.com/cvdf-datasets/mnist/",
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        "https://raw.githubusercontent.com/fgnt/mnist/master/",
        "http://yann.lecun.com/exdb/mnist/",
    )
