"""Fetch published files: several addresses, a checksum, whole or not at all, resumable."""

import errno
import hashlib
import http.client
import tarfile
import tempfile
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from datamodules.errors import BadFileError, DataError, reading
from datamodules.progress import progress
from records.lock import Lock

TIMEOUT = 5.0  # seconds without a sign of life; a break costs nothing, the transfer is resumed
ATTEMPTS = 5  # times that one address may break off
CHUNK = 2**16


AGAIN = "Delete it and start again; it is fetched anew."


class DownloadError(DataError):
    """No address served the file."""


@dataclass(frozen=True)
class Remote:
    """A published file.

    Args:
        name: of the file on disk.
        checksum: `md5:...` or `sha256:...`, as published.
        addresses: the official one first, then mirrors.
    """

    name: str
    checksum: str
    addresses: tuple[str, ...]


def download(remote: Remote, folder: Path) -> Path:
    """The file in `folder`, fetched if it is not there.

    Bytes gather in `.<name>.part`, which a later call continues from whatever address; only a file
    whose checksum is right gets its name.

    Raises:
        DownloadError: no address served it; says why, address by address.
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
            _transfer(address, remote.name, part)
        except (OSError, http.client.HTTPException):
            if _size(part) <= before or attempt == ATTEMPTS - 1:
                raise
            continue  # it broke off, but moved: go on from here
        if _checksum(part, remote.checksum) == remote.checksum:
            return
        part.unlink()
        if before == 0:
            break  # all of it came from here
    raise ConnectionError(f"served other bytes than {remote.checksum} has")


def _transfer(address: str, title: str, part: Path) -> None:
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
        expected = response.headers.get("Content-Length")
        left = int(expected) if expected else None
        with progress(f"downloading {title}", left, unit="bytes") as advance:
            while chunk := response.read(CHUNK):
                file.write(chunk)
                advance(len(chunk))
                left = None if left is None else left - len(chunk)
        if left:
            raise ConnectionError(f"broke off with {left:,} bytes to come")


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


def unpack(archive: Path, wanted: str, limit: int = 2**30) -> Path:
    """Extract the folder `wanted` of a tar archive beside it, whole or not at all.

    Raises:
        BadFileError: the archive is damaged, lacks the folder, unpacks to more than `limit` bytes,
            or has members that would be written outside its folder.
    """
    folder = archive.parent
    with (
        Lock(folder / f".{wanted}.lock", leaves_file=False),
        tempfile.TemporaryDirectory(prefix=f".{wanted}.", dir=folder) as temporary,
    ):
        if (folder / wanted).exists():
            return folder / wanted
        with reading(archive, "is no whole tar archive", AGAIN), tarfile.open(archive) as tar:
            size = sum(member.size for member in tar)
            if size > limit:
                raise BadFileError(
                    archive, f"unpacks to {size:,} bytes, more than {limit:,}.", AGAIN
                )
            try:
                tar.extractall(temporary, filter="data")
            except tarfile.FilterError as error:
                reason = f"would write outside its folder ({error})."
                raise BadFileError(archive, reason, AGAIN) from error
        if not (Path(temporary) / wanted).is_dir():
            raise BadFileError(archive, f"has no folder {wanted}.", AGAIN)
        (Path(temporary) / wanted).rename(folder / wanted)
    return folder / wanted
