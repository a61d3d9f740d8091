"""`python -m tests.launch.without_posix …`: the command `klaverclub` without anything that only
POSIX has, as far as Linux can be made a system of that kind."""

import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

BEFORE = "asyncio", "multiprocessing.util", "subprocess"
"""What the standard library does here by the name of the system is not what is tried."""
MODULES = (
    "crypt curses fcntl grp gunicorn nis posixshmem pty pwd readline resource spwd syslog termios"
    " tty uvloop"
).split()
OF_OS = (
    "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK chown chroot fchmod fchown fork forkpty"
    " getegid geteuid getgid getgroups getloadavg getpgid getpgrp getuid initgroups killpg"
    " lchown mkfifo nice openpty posix_spawn register_at_fork sched_getaffinity setegid"
    " seteuid setgid setpgid setsid setuid sysconf uname"
).split()


class Refuses(MetaPathFinder):
    """Finds none of the modules that only POSIX has."""

    def find_spec(
        self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}: only POSIX has it", name=name)
        return None


def forget() -> None:
    """Take away what only POSIX has."""
    for name in BEFORE:
        import_module(name)
    sys.meta_path.insert(0, Refuses())
    for name in MODULES:
        sys.modules.pop(name, None)
    for owner, names in (
        (os, OF_OS),
        (select, ["poll", "epoll"]),
        (signal, ["SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "alarm", "setitimer"]),
        (time, ["tzset"]),
    ):
        for name in names:
            if hasattr(owner, name):
                delattr(owner, name)


if __name__ == "__main__":
    forget()
    from config.launch import main

    sys.exit(main())
