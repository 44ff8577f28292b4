"""A real Slurm of one or more nodes on this machine, from Debian's packages, without systemd.

    apt-get install slurm-wlm munge slurmdbd mariadb-server

Accounting is part of it: submitit asks `sacct` alone, and without it never learns of an end.
Everything lies in one folder and is stopped by its process id.
"""

import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

PROGRAMS = ("munged", "mariadbd", "mariadb-install-db", "slurmdbd", "slurmctld", "slurmd", "sbatch")
SYSTEM = "/usr/sbin:/sbin"


def missing() -> str:
    """Why a cluster cannot be started here; empty when it can."""
    lacking = [name for name in PROGRAMS if not shutil.which(name, path=_path())]
    if lacking:
        return f"not installed: {', '.join(lacking)}"
    return "" if os.geteuid() == 0 else "Slurm's daemons want root"


def _path() -> str:
    return f"{os.environ['PATH']}:{SYSTEM}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def cluster(folder: Path, cores: int = 4, nodes: int = 1) -> Iterator[dict[str, str]]:
    """Start everything below `folder`; yields the environment in which `sbatch` finds it.

    Each node is a `slurmd` of its own, with a name and a port; all are on this machine.
    """
    settings = _write_settings(folder, cores, nodes)
    environment = {**os.environ, "PATH": _path(), "SLURM_CONF": str(folder / "slurm.conf")}
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> None:
        log = (folder / f"{Path(words[0]).name}.out").open("wb")
        started.append(subprocess.Popen(words, env=environment, stdout=log, stderr=log))

    try:
        start("munged", "--foreground", "--force", f"--key-file={folder}/munge.key",
              f"--socket={folder}/munge.socket", f"--pid-file={folder}/munged.pid",
              f"--log-file={folder}/munged.log", f"--seed-file={folder}/munge.seed")  # fmt: skip
        database = [f"--datadir={folder}/database", f"--user={getpass.getuser()}"]
        by_password = "--auth-root-authentication-method=normal"
        subprocess.run(
            ["mariadb-install-db", "--no-defaults", *database, by_password],
            env=environment, check=True, capture_output=True,
        )  # fmt: skip
        start("mariadbd", "--no-defaults", *database, f"--socket={folder}/database.socket",
              f"--pid-file={folder}/database.pid", f"--port={settings['database']}",
              "--bind-address=127.0.0.1", "--innodb-buffer-pool-size=64M")  # fmt: skip
        _wait(lambda: (folder / "database.socket").exists(), "the database")
        start("slurmdbd", "-D")
        _wait(lambda: _listens(settings["slurmdbd"]), "slurmdbd")
        subprocess.run(
            ["sacctmgr", "-i", "add", "cluster", "test"],
            env=environment, check=True, capture_output=True,
        )  # fmt: skip
        start("slurmctld", "-D", "-c")
        for node in range(nodes):
            start("slurmd", "-D", "-N", f"node{node}")
        _wait(lambda: _ask(environment, "sinfo", "-h", "-o", "%D %T") == f"{nodes} idle", "a node")
        yield environment
    finally:
        subprocess.run(["scancel", "--user", getpass.getuser()], env=environment, check=False)
        with contextlib.suppress(TimeoutError):  # the daemons hear of the ends of their jobs
            _wait(lambda: not _ask(environment, "squeue", "-h"), "an empty queue", 20)
        for process in reversed(started):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()
        _kill_rest(folder)


def _write_settings(folder: Path, cores: int, nodes: int) -> dict[str, int]:
    ports = {name: _free_port() for name in ("database", "slurmdbd", "slurmctld")}
    host = socket.gethostname().split(".")[0]
    for name in ("state", "database", *(f"spool-node{node}" for node in range(nodes))):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    socket_path = folder / "munge.socket"
    user = getpass.getuser()
    (folder / "slurm.conf").write_text(f"""\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports["slurmctld"]}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
AuthType=auth/munge
AuthInfo=socket={socket_path}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
JobRequeue=1
KillWait=5
MpiDefault=none
SchedulerParameters=sched_interval=2,batch_sched_delay=0
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={ports["slurmdbd"]}
AccountingStoragePass={socket_path}
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
{_lines_of(nodes, host, cores)}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
    database = folder / "slurmdbd.conf"
    database.write_text(f"""\
AuthType=auth/munge
AuthInfo=socket={socket_path}
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort={ports["slurmdbd"]}
SlurmUser={user}
PidFile={folder}/slurmdbd.pid
LogFile={folder}/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={ports["database"]}
StorageUser=root
StorageLoc=accounting
""")
    database.chmod(0o600)
    return ports


def _lines_of(nodes: int, host: str, cores: int) -> str:
    common = f"NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN"
    return "\n".join(f"NodeName=node{n} Port={_free_port()} {common}" for n in range(nodes))


def _kill_rest(folder: Path) -> None:
    """End what the daemons started and did not take along: by its environment, nothing else."""
    mark = f"SLURM_CONF={folder}/".encode()
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if int(place.name) != os.getpid() and mark in (place / "environ").read_bytes():
                os.kill(int(place.name), signal.SIGKILL)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _ask(environment: dict[str, str], *words: str) -> str:
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    return done.stdout.strip()


def _wait(ready: object, what: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not ready():  # type: ignore[operator]
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} did not start in {seconds:.0f} s")
        time.sleep(0.2)
