"""Fashion-MNIST: pictures of clothes in MNIST's format (Xiao, Rasul & Vollgraf 2017)."""

from typing import ClassVar

from datamodules.readers.idx import IdxImages


class FashionMnist(IdxImages):
    """60,000 + 10,000 grey images of 28 x 28 pixels, ten kinds of clothes."""

    NAME = "fashion_mnist"
    FOLDER = "FashionMNIST"
    CLASSES = (
        "t-shirt", "trouser", "pullover", "dress", "coat",
        "sandal", "shirt", "sneaker", "bag", "ankle boot",
    )  # fmt: skip
    MD5: ClassVar = {
        "train-images-idx3-ubyte.gz": "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
        "train-labels-idx1-ubyte.gz": "25c81989df183df01b3e8a0aad5dffbe",
        "t10k-images-idx3-ubyte.gz": "bef4ecab320f06d8554ea6380940ec79",
        "t10k-labels-idx1-ubyte.gz": "bb300cfdad3c16e7a12a480ee83cd310",
    }
    MIRRORS = (
        "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
        "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
        "https://storage.googleapis.com/tensorflow/tf-keras-datasets/",
    )
