"""gunicorn's worker with threads, which nobody holds up by leaving a connection open."""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import Any, Final

from gunicorn.workers.gthread import TConn, ThreadWorker

LINGERING: Final = 8
"""So many connections at a time are closed with patience."""


class Worker(ThreadWorker):
    """Closes connections beside the loop that hands out requests.

    After its last answer gunicorn waits up to two seconds for the other side to close first, so
    that the answer arrives whole where something sent was not read. It does so in its loop: whoever
    asks with `Connection: close` and stays on the line would stop every request of this worker for
    that long, each time.
    """

    def init_process(self) -> None:
        self._closers = ThreadPoolExecutor(LINGERING, "close")
        self._free = BoundedSemaphore(LINGERING)
        super().init_process()

    def finish_request(self, conn: TConn, fs: "Future[Any]") -> None:
        """What follows an answer: the next request on this connection, or its end."""
        if fs.cancelled() or fs.exception() or fs.result():
            super().finish_request(conn, fs)
            return
        self.nr_conns -= 1
        if self._free.acquire(blocking=False):
            self._closers.submit(self._close, conn)
        else:
            conn.close()

    def _close(self, conn: TConn) -> None:
        try:
            conn.close(graceful=True)
        finally:
            self._free.release()
