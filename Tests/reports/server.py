#!/usr/bin/env python3
"""Answers that mean harm to whoever writes them down. Prints its port, then serves until its input ends."""
import base64
import json
import re
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = sys.argv[1]
BIG = 10 << 20


def forms():
    """The secret in every form in which it must not come out again."""
    raw = SECRET.encode()
    yield raw
    yield urllib.parse.quote(SECRET, safe="").encode()
    yield re.sub("%..", lambda escape: escape[0].lower(), urllib.parse.quote(SECRET, safe="")).encode()
    yield urllib.parse.quote_plus(SECRET).encode()
    for lead in (b"", b"a", b"ab"):
        yield base64.b64encode(lead + raw)
        yield base64.urlsafe_b64encode(lead + raw)
    yield json.dumps(SECRET).encode()
    yield json.dumps(SECRET).replace("/", "\\/").encode()


def filler(size):
    """As long as is asked for, and about the same everywhere."""
    return (b"0123456789abcdef " * (size // 17 + 1))[:size]


BODIES = {
    "/controls": bytes(range(32)) + b"\x7f \xc2\x9b31m \x1b[31mred \x1b]0;title\x07 \r\n::error::x\n%0A\nok 1 - y\nnot ok\n",
    "/markup": b"]]> <![CDATA[ --> <script>alert(1)</script> </pre> &amp; &#0; <?xml?> \"' \xef\xbf\xbe \xed\xa0\x80",
    "/invalid": b"\xff\xfe\xc3\x28 \xf0\x9f\x98 \xc0\xaf",
    "/nul": b"before\0after",
    "/big": json.dumps({"items": [{"id": n, "text": "x" * 1000} for n in range(BIG // 1030)]}).encode(),
    "/line": b"y" * BIG,
    "/forms": b" | ".join(forms()) + b"\n",
    "/odd": b"{}",
    "/contract": json.dumps({"id": "]]> <b>\x1b[31m", "<b>&]]>": [1], "forms": [form.decode() for form in forms()]}).encode(),
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path, _, query = self.path.partition("?")
        body = BODIES.get(path, b"?")
        if path == "/cut":
            # The secret stands around where reports cut bodies, in one of its forms.
            values = urllib.parse.parse_qs(query)
            body = filler(int(values["after"][0])) + list(forms())[int(values["form"][0])] + filler(20000)
        self.send_response(200, "A \x1b[31mreason ]]> <b>" if path == "/odd" else "OK")
        self.send_header("Content-Type", "application/json" if path in ("/big", "/odd", "/contract") else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        if path == "/odd":
            self.send_header("X-Markup", "]]><b>&\x1b[31m\x9b\xff")
            self.send_header("Set-Cookie", "session=opens-the-door; Path=/")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
