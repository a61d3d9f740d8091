"""A proxy that gives each request to the next server, so that nobody meets the same one twice."""

import http.client
import itertools
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NOT_PASSED_ON = {"connection", "keep-alive", "transfer-encoding", "content-length"}


@dataclass
class Proxy:
    """Where the proxy is, and how many requests each server had."""

    url: str = ""
    answered: Counter[int] = field(default_factory=Counter)


@contextmanager
def round_robin(ports: Sequence[int]) -> Iterator[Proxy]:
    """A proxy before the servers on these ports."""
    proxy, turns = Proxy(), itertools.cycle(ports)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            port = next(turns)
            proxy.answered[port] += 1
            _pass_on(self, port)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_line: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        proxy.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield proxy
        server.shutdown()


def _pass_on(asked: BaseHTTPRequestHandler, port: int) -> None:
    length = int(asked.headers.get("Content-Length", 0))
    body = asked.rfile.read(length) if length else None
    headers = {name: value for name, value in asked.headers.items() if _is_passed_on(name)}
    server = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    server.request(asked.command, asked.path, body, headers)
    answer = server.getresponse()
    content = answer.read()
    server.close()
    asked.send_response_only(answer.status, answer.reason)
    for name, value in answer.getheaders():
        if _is_passed_on(name):
            asked.send_header(name, value)
    asked.send_header("Content-Length", str(len(content)))
    asked.end_headers()
    asked.wfile.write(content)


def _is_passed_on(name: str) -> bool:
    return name.lower() not in NOT_PASSED_ON
