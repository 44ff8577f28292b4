import contextlib
import hashlib
import io
import socket
import tarfile
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from datamodules import download as download_module
from datamodules.download import DownloadError, Remote, download, unpack
from datamodules.errors import BadFileError

CONTENT = bytes(range(256)) * 2000
CHECKSUM = "md5:" + hashlib.md5(CONTENT).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Paths say how to behave: /good, /cut (half of what is left), /norange, /wrong, /missing."""

    def do_GET(self):
        self.server.asked.append((self.path, self.headers.get("Range")))
        kind = self.path.strip("/")
        if kind == "missing":
            self.send_error(404)
            return
        if kind == "endless":
            self.send_response(200)
            self.end_headers()
            with contextlib.suppress(OSError):  # until the other side has had enough
                while True:
                    self.wfile.write(bytes(2**16))
        content = CONTENT[::-1] if kind == "wrong" else CONTENT
        start = 0
        if (asked := self.headers.get("Range")) and kind != "norange":
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            if start >= len(content):
                self.send_error(416)
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        left = content[start:]
        length = {"claims": "9" * 15, "odd": "many"}.get(kind, str(len(left)))
        self.send_header("Content-Length", length)
        self.end_headers()
        cut = kind == "cut" or (kind == "dies" and start)
        self.wfile.write(left[: len(left) // 2] if cut else b"" if kind == "dies" else left)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def remote(server, *kinds):
    port = server.server_address[1]
    addresses = tuple(f"http://127.0.0.1:{port}/{kind}" for kind in kinds)
    return Remote("data.bin", CHECKSUM, addresses)


def test_a_file_is_fetched_once(server, tmp_path):
    assert download(remote(server, "good"), tmp_path / "new").read_bytes() == CONTENT
    download(remote(server, "good"), tmp_path / "new")
    assert server.asked == [("/good", None)]


@pytest.mark.parametrize("first", ["missing", "wrong", "dies"])
def test_the_next_address_is_asked(server, tmp_path, first):
    assert download(remote(server, first, "good"), tmp_path).read_bytes() == CONTENT


def test_a_transfer_that_breaks_off_goes_on_where_it_was(server, tmp_path, monkeypatch):
    with pytest.raises(DownloadError, match="was interrupted with"):
        download(remote(server, "cut"), tmp_path)
    assert not (tmp_path / "data.bin").exists()
    there = (tmp_path / ".data.bin.part").stat().st_size
    assert 0 < there < len(CONTENT)
    assert len(server.asked) == download_module.ATTEMPTS
    server.asked.clear()
    assert download(remote(server, "good"), tmp_path).read_bytes() == CONTENT
    assert server.asked == [("/good", f"bytes={there}-")]


def test_a_server_without_ranges_starts_over(server, tmp_path):
    (tmp_path / ".data.bin.part").write_bytes(CONTENT[:1000])
    assert download(remote(server, "norange"), tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize("part", [b"rubbish", CONTENT[::-1], CONTENT + b"more"])
def test_a_rotten_part_is_thrown_away(server, tmp_path, part):
    (tmp_path / ".data.bin.part").write_bytes(part)
    assert download(remote(server, "good"), tmp_path).read_bytes() == CONTENT


def test_a_complete_part_needs_no_bytes(server, tmp_path):
    (tmp_path / ".data.bin.part").write_bytes(CONTENT)
    assert download(remote(server, "good"), tmp_path).read_bytes() == CONTENT
    assert len(server.asked) == 1


def test_all_failures_are_told_and_nothing_gets_the_name(server, tmp_path):
    with pytest.raises(DownloadError) as caught:
        download(remote(server, "missing", "wrong"), tmp_path)
    assert "404" in str(caught.value)
    assert "served other bytes than md5:" in str(caught.value)
    assert not (tmp_path / "data.bin").exists()


def test_no_network_is_told(tmp_path):
    with socket.socket() as free:  # a port nobody listens at
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(DownloadError, match="refused"):
        download(Remote("data.bin", CHECKSUM, (f"http://127.0.0.1:{port}/good",)), tmp_path)


@pytest.mark.parametrize("kind", ["endless", "claims"])
def test_an_endless_body_is_not_taken_for_the_file(server, tmp_path, kind):
    asked = replace(remote(server, kind, "good"), limit=2**20)
    assert download(asked, tmp_path).read_bytes() == CONTENT
    with pytest.raises(DownloadError, match="serves more than 1,048,576 bytes"):
        download(replace(asked, addresses=asked.addresses[:1]), tmp_path / "alone")
    assert [path for path in (tmp_path / "alone").iterdir() if path.stat().st_size] == []


def test_a_length_that_is_no_number_is_ignored(server, tmp_path):
    assert download(remote(server, "odd"), tmp_path).read_bytes() == CONTENT


def archive(path, *names, link=None):
    with tarfile.open(path, "w:gz") as tar:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 4
            tar.addfile(member, io.BytesIO(b"data"))
        if link:
            member = tarfile.TarInfo(link[0])
            member.type, member.linkname = tarfile.SYMTYPE, link[1]
            tar.addfile(member)
    return path


def test_an_archive_is_unpacked_beside_itself(tmp_path):
    folder = unpack(archive(tmp_path / "a.tar.gz", "set/one", "set/two"), "set")
    assert sorted(p.name for p in folder.iterdir()) == ["one", "two"]
    assert unpack(tmp_path / "a.tar.gz", "set") == folder


@pytest.mark.parametrize(
    ("names", "link"),
    [(["set/one", "../outside"], None), (["set/one"], ("set/link", "/etc/passwd"))],
)
def test_an_archive_cannot_write_outside_its_folder(tmp_path, names, link):
    (tmp_path / "in").mkdir()
    with pytest.raises(BadFileError, match="outside its folder"):
        unpack(archive(tmp_path / "in" / "a.tar.gz", *names, link=link), "set")
    assert not (tmp_path / "outside").exists()
    assert not (tmp_path / "in" / "set").exists()


def test_a_truncated_or_swollen_archive_is_told(tmp_path):
    path = archive(tmp_path / "a.tar.gz", "set/one")
    with pytest.raises(BadFileError, match="unpacks to 4 bytes, more than 3"):
        unpack(path, "set", limit=3)
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(BadFileError, match="not a complete tar archive"):
        unpack(path, "set")


def test_an_archive_of_too_many_files_is_refused(tmp_path):
    path = archive(tmp_path / "a.tar.gz", *(f"set/{i}" for i in range(1001)))
    with pytest.raises(BadFileError, match="contains more than 1,000 files"):
        unpack(path, "set")
    assert not (tmp_path / "set").exists()
