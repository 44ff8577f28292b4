"""Download published files: several addresses, a checksum, atomic, resumable."""

import errno
import hashlib
import http.client
import tarfile
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from datamodules.errors import BadArchiveError, DataError, reading
from datamodules.formats.packed import open_packed
from datamodules.progress import progress
from records.lock import Lock
from records.scratch_folder import scratch_folder, writer_lock

TIMEOUT = 5.0  # seconds without data; an interruption costs nothing, the transfer is resumed
ATTEMPTS = 5  # interrupted transfers per address
CHUNK = 2**16
MOST_BYTES = 2**28  # of a download, by default; CIFAR-10 has 170 million
MOST_FILES = 1000  # of an archive; CIFAR-10 has 8


class DownloadError(DataError):
    """No address served the file."""


class TooLargeError(ConnectionError):
    """An address serves more bytes than the file can have: not this file."""


@dataclass(frozen=True)
class Remote:
    """A published file."""

    name: str  # on disk
    checksum: str  # `md5:...` or `sha256:...`, as published
    addresses: tuple[str, ...]  # the official one first, then mirrors
    limit: int = MOST_BYTES  # an address that serves more has another file


def download(remote: Remote, folder: Path) -> Path:
    """The file in `folder`, downloaded if it is not there.

    Bytes are written to `.<name>.part`, which a later call resumes from any address; the file gets
    its name once its checksum is right.

    Raises:
        DownloadError: no address served it; with the reason for each address.
    """
    target, part = folder / remote.name, folder / f".{remote.name}.part"
    if target.exists():
        return target
    try:
        with Lock(folder / f".{remote.name}.lock", leaves_file=False):
            if not target.exists():  # another process may have fetched it while we waited
                _from_any(remote, part)
                part.replace(target)
    except OSError as error:
        raise DownloadError(f"{folder} cannot be written ({error.strerror}).") from error
    return target


def _from_any(remote: Remote, part: Path) -> None:
    failures = []
    for address in remote.addresses:
        try:
            _from_one(address, remote, part)
            return
        except (OSError, http.client.HTTPException) as error:  # every network error is an OSError
            if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT, errno.EACCES):
                raise
            failures.append(f"{address}: {_reason(error)}")
    raise DownloadError(f"{remote.name} could not be downloaded:\n" + "\n".join(failures))


def _from_one(address: str, remote: Remote, part: Path) -> None:
    for attempt in range(ATTEMPTS):
        before = _size(part)
        try:
            _transfer(address, remote, part)
        except TooLargeError:
            part.unlink()
            raise
        except (OSError, http.client.HTTPException):
            if _size(part) <= before or attempt == ATTEMPTS - 1:
                raise
            continue  # interrupted after some bytes: resume from here
        if _checksum(part, remote.checksum) == remote.checksum:
            return
        part.unlink()
        if before == 0:
            break  # all bytes came from this address
    raise ConnectionError(f"served other bytes than {remote.checksum} has")


def _transfer(address: str, remote: Remote, part: Path) -> None:
    start = _size(part)
    headers = {"User-Agent": "plumbline"} | ({"Range": f"bytes={start}-"} if start else {})
    request = urllib.request.Request(address, headers=headers)
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            return  # nothing is missing; the checksum decides
        raise
    with response, part.open("ab") as file:
        resumed = response.headers.get("Content-Range", "").startswith(f"bytes {start}-")
        if not resumed:
            start = 0
            file.truncate(0)
        expected = response.headers.get("Content-Length", "")
        left = int(expected) if expected.isdecimal() else None
        room = remote.limit - start
        with progress(f"downloading {remote.name}", left, unit="bytes") as advance:
            while chunk := response.read(CHUNK):
                room -= len(chunk)
                if room < 0 or (left or 0) > room + len(chunk):
                    raise TooLargeError(f"serves more than {remote.limit:,} bytes")
                file.write(chunk)
                advance(len(chunk))
                left = None if left is None else left - len(chunk)
        if left:
            raise ConnectionError(f"was interrupted with {left:,} bytes missing")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _checksum(path: Path, like: str) -> str:
    kind = like.partition(":")[0]
    with path.open("rb") as file:
        return f"{kind}:{hashlib.file_digest(file, kind).hexdigest()}"


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"{error.code} {error.reason}"
    return str(getattr(error, "reason", error)) or type(error).__name__


def _check_members(archive: Path, tar: tarfile.TarFile, limit: int) -> None:
    size = 0
    for count, member in enumerate(tar, start=1):
        size += member.size
        if size > limit:
            raise BadArchiveError(archive, f"unpacks to {size:,} bytes, more than {limit:,}.")
        if count > MOST_FILES:
            raise BadArchiveError(archive, f"contains more than {MOST_FILES:,} files.")


def unpack(archive: Path, wanted: str, limit: int = 2**30) -> Path:
    """Extract the folder `wanted` of a tar archive beside it, atomically.

    Raises:
        BadArchiveError: it is damaged, lacks the folder, unpacks to more than `limit` bytes or
            `MOST_FILES` files, or has members that would be written outside its folder.
    """
    folder = archive.parent
    with writer_lock(folder / wanted), scratch_folder(folder / wanted) as temporary:
        if (folder / wanted).exists():
            return folder / wanted
        with (
            reading(archive, "is not a complete tar archive", kind=BadArchiveError),
            open_packed(archive) as file,
            tarfile.open(fileobj=file, mode="r:") as tar,
        ):
            _check_members(archive, tar, limit)
            try:
                tar.extractall(temporary, filter="data")
            except tarfile.FilterError as error:
                reason = f"would write outside its folder ({error})."
                raise BadArchiveError(archive, reason) from error
        if not (temporary / wanted).is_dir():
            raise BadArchiveError(archive, f"has no folder {wanted}.")
        (temporary / wanted).rename(folder / wanted)
    return folder / wanted
