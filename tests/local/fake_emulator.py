"""Stands in for SAM's emulator: takes its options and answers its path as the function's environment says."""

import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Answer `ANSWER`; the word "die" ends the program instead."""
        self.rfile.read(int(self.headers["Content-Length"]))
        if os.environ["ANSWER"] == "die":
            os._exit(1)
        answer = os.environ["ANSWER"].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


def main() -> None:
    """Count this start in the file `STARTS`, end at once for the first `FAILED_STARTS`, then serve."""
    starts = Path(os.environ["STARTS"])
    with starts.open("a") as file:
        file.write(".")
    if len(starts.read_text()) <= int(os.environ["FAILED_STARTS"]):
        sys.exit(1)
    address = sys.argv[sys.argv.index("--runtime-interface-emulator-address") + 1]
    host, port = address.split(":")
    HTTPServer((host, int(port)), _Handler).serve_forever()


if __name__ == "__main__":
    main()
