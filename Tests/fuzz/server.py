"""A server whose responses are damaged, large or strange."""

import gzip
import random
import socket
import threading
import zlib

SECRET = "s3cr3t-value-4711"


def deep(levels):
    return b"[" * levels + b"]" * levels


def packed(size, unit=b"0,"):
    """JSON of this many bytes, as gzip: small on its way, large when it has come."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    block = unit * ((1 << 20) // len(unit))
    blocks = [b"["] + [block] * (size >> 20) + [b"0]"]
    return b"".join(map(packer.compress, blocks)) + packer.flush()


class Server:
    """Answers each connection with bytes that follow from the run's number and the connection's."""

    GOOD = (b'{"id": 1, "token": "t0ken", "name": "Ada", '
            b'"items": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Grace"}]}')
    BODIES = [
        b"", b"ok", b"[]", b"null", b'{"a":1,"a":2}', b'{"id":1e400,"b":-0.0,"c":"\\ud800"}', b"\xef\xbb\xbf{}",
        b"\xff\xfe{\x00}\x00", b"\x00" * 100, b"\x1b]0;x\x07\x1b[2J", b"<html>\xc3\xa9</html>", b"a\r\n" * 3000, deep(500),
        deep(100_000), b'{"a":' * 600, b"[" + b",".join(b'{"id":%d}' % n for n in range(20_000)) + b"]",
        b'"' + b"a" * 3_000_000 + b'"', b"\xe9" * 12_000_000,
        b"{" + b",".join(b'"k%d":%d' % (n, n) for n in range(20_000)) + b"}",
    ]
    # A call of many endpoints gets several: these are the sizes with which it stays within the bounds of program.py.
    BOMBS = [packed(2 << 20), packed(2 << 20, b"[[],{}],"), packed(100 << 20, b"        ")]
    HEADERS = [
        b"Content-Type: application/json", b"Content-Type: text/html; charset=latin1",
        b"Content-Type: multipart/x; boundary=", b" folded: x", b"X-\xe9: \xff\x1b[2J", b"X: a\x00b", b": x", b"no colon",
        b"X:", b"X: " + b"a" * 90_000, b"\r\n".join(b"X-%d: y" % n for n in range(400)), b"Retry-After: 0",
        b"Retry-After: 99999999999999999999", b"Retry-After: Wed, 21 Oct 2015 07:28:00 GMT", b"Set-Cookie: a=\x7f",
        b"Set-Cookie: =", b"Set-Cookie: token=" + SECRET.encode() + b"; Path=/; Max-Age=99999999999999999999",
        b"Set-Cookie: a=b; Domain=127.0.0.1; Expires=x; Secure",
        b"\r\n".join(b"Set-Cookie: c%d=%d; Path=/%d" % (n, n, n) for n in range(300)), b"Set-Cookie: long=" + b"c" * 5000,
        b'WWW-Authenticate: Digest realm="a", nonce="b", qop="auth"',
        b'WWW-Authenticate: Digest realm="\xff, nonce=' + b"n" * 9000,
        b'Content-Disposition: attachment; filename="../../a\x1b"',
        b"Content-Disposition: attachment; filename*=UTF-8''%2e%2e%2f%00",
        b'Content-Disposition: attachment; filename="' + b"n" * 400 + b'"', b"Connection: close", b"Connection: token",
        b"Trailer: X", b"Upgrade: h2c",
    ]
    PLACES = [
        b"/next", b"next?a=b#c", b"", b"?", b"//[::1", b"http://127.0.0.1:1/", b"http://localhost:%d/", b"ftp://x/",
        b"http://a:b@127.0.0.1:%d/", b"/\xff\x00", b"/" + b"a" * 9000, b"https://127.0.0.1:%d/", b"/{{x}}",
        b"file:///etc/passwd",
    ]

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.socket.getsockname()[1]
        self.begin(0)
        threading.Thread(target=self.serve, daemon=True).start()

    def begin(self, run):
        self.run, self.connections = run, 0

    def serve(self):
        while True:
            connection, _ = self.socket.accept()
            self.connections += 1
            chance = random.Random(f"{self.run}/{self.connections}")
            threading.Thread(target=self.answer, args=(connection, chance), daemon=True).start()

    def answer(self, connection, chance):
        connection.settimeout(1.5)
        try:
            for _ in range(20):
                head = b""
                while b"\r\n\r\n" not in head:
                    data = connection.recv(65536)
                    if not data:
                        return
                    head = (head + data)[-70000:]
                connection.sendall(self.response(chance))
                how = chance.random()
                if how < 0.5:
                    connection.shutdown(socket.SHUT_WR)
                if how < 0.6:
                    while connection.recv(65536):
                        pass
                    return
        except OSError:
            pass
        finally:
            connection.close()

    def response(self, chance):
        status = chance.choice([200] * 20 + [301, 302, 303, 307, 308] * 2 + [201, 204, 206, 304, 400, 401, 404, 429, 500, 503, 0, 999])
        headers = chance.sample(self.HEADERS, chance.choice([0, 0, 0, 1, 1, 3]))
        if 300 < status < 309 and status != 304:
            place = chance.choice(self.PLACES[:2] * 8 + self.PLACES)
            headers.append(b"Location: " + place.replace(b"%d", b"%d" % self.port))
        body = self.GOOD if chance.random() < 0.6 else chance.choice(self.BODIES)
        if chance.random() < 0.15:
            coding = chance.choice([b"gzip", b"gzip", b"deflate", b"br", b"gzip, gzip", b"x" * 300])
            headers.append(b"Content-Encoding: " + coding)
            packed_body = gzip.compress(body, 1)
            body = chance.choice([body, packed_body, packed_body[:-5], zlib.compress(body, 1)] + self.BOMBS[: chance.choice([0, 2, 3])])
        if body == self.GOOD:
            headers += [b"Content-Type: application/json", b"ETag: x"]
        framing = chance.random()
        if framing < 0.55:
            headers.append(b"Content-Length: %d" % len(body))
        elif framing < 0.8:
            size = max(1, len(body) // chance.choice([1, 3, 50]))
            chunks = [body[at : at + size] for at in range(0, len(body), size)]
            trailer = chance.choice([b"", b"", b"X: y\r\n" * 99])
            body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n" + trailer + b"\r\n"
            headers.append(b"Transfer-Encoding: chunked")
        elif framing < 0.9:
            lengths = [b"Content-Length: 7, 100", b"Content-Length: -1", b"Content-Length: " + b"9" * 20, b"Transfer-Encoding: x"]
            headers.append(chance.choice(lengths))
        hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 40
        early = chance.choice([b""] * 12 + [hints, b"\r\n", b"HTTP/1.1 101 Switching\r\n\r\n"])
        version = chance.choice([b"HTTP/1.1"] * 12 + [b"HTTP/1.0", b"HTTP/2", b"ICY"])
        head = bytearray(early + b"%s %03d Some\x1b words\r\n%s\r\n\r\n" % (version, status, b"\r\n".join(headers)))
        for _ in range(chance.choice([0] * 6 + [1, 3])):
            head[chance.randrange(len(head))] = chance.choice(b"\x00\n\r :;,=\xffz")
        return bytes(head) + body
