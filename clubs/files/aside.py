"""A thread of a server process that does work aside, so that no page waits for it."""

from collections.abc import Callable
from queue import Full, Queue
from threading import Lock, Thread

from django.db import connections

Job = Callable[[], None]


class Aside:
    """A thread, begun by the first job, that does one job after the other."""

    def __init__(self, most_waiting: int) -> None:
        self._waiting: Queue[Job] = Queue(most_waiting)
        self._starting = Lock()
        self._thread: Thread | None = None

    def put(self, job: Job) -> bool:
        """Have a job done, which raises nothing; False if too many wait before it."""
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._work, daemon=True)
                self._thread.start()
        try:
            self._waiting.put_nowait(job)
        except Full:
            return False
        return True

    def _work(self) -> None:
        while True:
            job = self._waiting.get()
            try:
                job()
            finally:
                connections.close_all()
