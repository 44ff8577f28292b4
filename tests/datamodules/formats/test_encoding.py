import codecs

import pytest

from datamodules.errors import BadFileError
from datamodules.formats.encoding import PART, text_encoding
from datamodules.formats.tables import read_table


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
def test_tables_of_every_usual_encoding_have_the_same_text(tmp_path, encoding):
    path = tmp_path / "labels.csv"
    path.write_bytes("ID;Größe\n1;Kröte\n2;Kräte\n".encode(encoding))
    assert read_table(path, ["größe"], separator=None)["größe"].tolist() == ["Kröte", "Kräte"]


def test_big_endian_utf_16_is_known_by_its_mark(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_bytes(codecs.BOM_UTF16_BE + "ID\nKröte\n".encode("utf-16-be"))
    assert read_table(path, ["ID"])["ID"].tolist() == ["Kröte"]


def test_a_letter_across_two_parts_of_a_large_file_is_utf_8(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_bytes(b"a" * (PART - 1) + "ö".encode())
    assert text_encoding(path) == "utf-8"


def test_a_byte_of_no_encoding_is_named_with_its_place(tmp_path):
    path = tmp_path / "labels.csv"
    start = ("ID\n" + "ä\n" * (PART // 2)).encode() + b"\xe4\n"
    path.write_bytes(start + b"\x81\n")
    reason = rf"labels\.csv: is not text in utf-8 or cp1252: byte {len(start):,} is 0x81\. Save it"
    with pytest.raises(BadFileError, match=reason):
        read_table(path, ["ID"])
