"""moto's server on loopback, with DynamoDB's requests one at a time.

DynamoDB changes an item as one step, whatever else happens; moto checks a condition and then writes, and lets another
thread in between. The tests that count under concurrency fail without this.
"""

import threading
from collections.abc import Callable, Iterable
from typing import Any, Final

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import make_server

type Application = Callable[[dict[str, Any], Any], Iterable[bytes]]
"""Source: PEP 3333."""

_TARGET: Final = "HTTP_X_AMZ_TARGET"


class EmbeddedServer:
    """A running server; `stop` ends it."""

    def __init__(self) -> None:
        application = one_at_a_time(DomainDispatcherApplication(create_backend_app))
        self._server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=MotoRequestHandler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="embedded-aws", daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def stop(self) -> None:
        """Take no more requests."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def one_at_a_time(application: Application) -> Application:
    """Return *application* with the requests of DynamoDB in a row. SQS's long polls would hold the others up."""
    lock = threading.Lock()

    def serialized(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not environ.get(_TARGET, "").startswith("DynamoDB"):
            return application(environ, start_response)
        # Read outside of the lock: a client that sends half a request holds nobody up. The server closes its socket.
        with lock:
            return [*application(environ, start_response)]

    return serialized
