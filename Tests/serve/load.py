#!/usr/bin/env python3
"""What many clients, slow ones and large files cost `reqcli serve` in memory and descriptors, and that others are still answered.

usage: load.py PROGRAM [--idle N] [--slow N] [--requests N] [--file MEBIBYTES]

Times are printed, and no limit is set for them here: `make bench` has those. The number of connections is cut where the system allows
fewer descriptors."""

import argparse
import random
import resource
import selectors
import sys
import time

from server import STATUS, Server, ask, get, is_readable, more, response

#: Memory at rest, and of an idle connection.
MOST_AT_REST = 25 << 10
MOST_IDLE = 1.0
#: KiB that a large file, or a log that isn't read, may take.
MOST_GROWTH = 8 << 10
#: KiB that millions of requests may take.
MOST_OF_REQUESTS = 6 << 10

USER = {
    "path": "user/{{id}}", "params": {"id": {"type": "integer"}},
    "stubs": {"variants": {"default": {"json": {"id": 7, "name": "Ada", "email": "ada@b.invalid"}}}},
}

failures = []


def check(what, holds, found):
    print(f"{'ok  ' if holds else 'FAIL'}  {what}: {found}", flush=True)
    if not holds:
        failures.append(what)


def main():
    arguments = parsed_arguments()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    # The server takes seven eighths of its descriptors for connections, and is to have room for all of these.
    room = (limit[1] if limit[1] != resource.RLIM_INFINITY else 1 << 20) * 7 // 8 - 200
    slow = min(arguments.slow, room // 4)
    idle = min(arguments.idle, 10_000, room - slow - 100)
    at_rest(arguments.program)
    connections(arguments.program, min(idle, 9_900 - slow), slow)
    unread_log(arguments.program)
    large_file(arguments.program, arguments.file)
    mixed(arguments.program, arguments.requests)
    if failures:
        sys.exit(f"failed: {', '.join(failures)}")


def at_rest(program):
    with Server(program, {"user": USER}) as server:
        connection = server.connect()
        status, body = ask(connection, get("/user/42"))
        check("a response", (status, len(body)) == (200, 45), f"{status}, {len(body)} bytes")
        connection.close()
        memory = server.memory
        check("memory at rest", memory <= MOST_AT_REST, f"{memory / 1024:.1f} MiB, at most {MOST_AT_REST >> 10}")


def connections(program, idle_count, slow_count):
    with Server(program, {"user": USER}) as server:
        probe = server.connect()
        for _ in range(2000):
            ask(probe, get("/user/42"))
        descriptors, memory = server.descriptors, server.memory
        idle = opened(server, idle_count, lambda number: get(f"/user/{number}"))
        for connection in idle:
            if response(connection)[0] != 200:
                raise AssertionError("an idle connection had no response to its first request")
        each = (server.memory - memory) / max(1, idle_count)
        check(f"memory of each of {idle_count} idle connections", each <= MOST_IDLE, f"{each:.2f} KiB, at most {MOST_IDLE:.0f}")
        slow = opened(server, slow_count, lambda _: b"GET /user/1 HTTP/1.1\r\nHost: localhost\r\n")
        times = []
        now = time.monotonic()
        end, next_line = now + 6, now
        while time.monotonic() < end:
            if time.monotonic() >= next_line:
                next_line += 0.5
                for connection in slow:
                    connection.send(b"A: b\r\n")
            for _ in range(20):
                start = time.perf_counter()
                if ask(probe, get("/user/42"))[0] != 200:
                    raise AssertionError("a request beside slow ones wasn't answered")
                times.append(time.perf_counter() - start)
        times.sort()
        print(f"      {len(times)} requests beside {idle_count} idle and {slow_count} slow connections: "
              f"median {times[len(times) // 2] * 1000:.2f} ms, p99 {times[len(times) * 99 // 100] * 1000:.2f} ms")
        check("idle connections that are kept", not any(map(is_readable, idle[:200])), "all that were looked at")
        for connection in idle[:20]:
            if ask(connection, get("/user/42"))[0] != 200:
                raise AssertionError("an idle connection has no response to its second request")
        answers = sum(is_408(connection) for connection in slow)
        check("slow heads that end with 408", answers == slow_count, f"{answers} of {slow_count}")
        for connection in [*idle, *slow]:
            connection.close()
        left = server.wait_for_descriptors(descriptors) - descriptors
        check("descriptors left over", left <= 0, left)


def is_408(connection):
    """Whether a head that goes on too long is refused; its time is ten seconds."""
    try:
        return response(connection)[0] == 408
    except (EOFError, OSError):
        return False


def opened(server, count, request):
    connections = []
    for number in range(count):
        connection = server.connect()
        connection.sendall(request(number))
        connections.append(connection)
    return connections


def unread_log(program):
    """Neither the log on standard output nor standard error is read."""
    with Server(program, {"user": USER}, reads_log=False) as server:
        connection = server.connect()
        batch = get("/user/42") * 100
        for _ in range(20):
            answered(connection, batch, 100)
        memory = server.memory
        for _ in range(500):
            answered(connection, batch, 100)
        check("memory of a log that isn't read", server.memory - memory <= MOST_GROWTH,
              f"{(server.memory - memory) / 1024:.1f} MiB after 50,000 requests, at most {MOST_GROWTH >> 10}")
        connection.close()
        start = time.monotonic()
        ends = server.end(10)
        check("an end with a log that isn't read", ends, f"after {time.monotonic() - start:.1f} s")


def answered(connection, batch, count):
    """Sends requests behind one another, and waits for as many responses."""
    connection.sendall(batch)
    received = b""
    while len(STATUS.findall(received)) < count or not received.endswith(b"}"):
        received += more(connection)


def large_file(program, mebibytes):
    endpoint = {"path": "large", "stubs": {"variants": {"default": {"file": "large.bin"}}}}
    size = mebibytes << 20
    with Server(program, {"large": endpoint, "user": USER}, files={"large.bin": size}) as server:
        connection = server.connect()
        ask(connection, get("/user/42"))
        memory = server.memory
        start = time.perf_counter()
        connection.sendall(get("/large"))
        received = b""
        while b"\r\n\r\n" not in received:
            received += more(connection)
        count = len(received) - received.index(b"\r\n\r\n") - 4
        peak = memory
        buffer = bytearray(1 << 20)
        while count < size:
            got = connection.recv_into(buffer)
            if not got:
                break
            count += got
            if count % 64 < 4:
                peak = max(peak, server.memory)
        seconds = time.perf_counter() - start
        check(f"a file of {mebibytes} MiB", count == size, f"{count} bytes in {seconds:.2f} s")
        growth = max(peak, server.memory) - memory
        check("memory of that file", growth <= MOST_GROWTH, f"{growth / 1024:.1f} MiB, at most {MOST_GROWTH >> 10}")
        if ask(connection, get("/user/42"))[0] != 200:
            raise AssertionError("the connection isn't kept behind a file")
        connection.close()


# Many requests of all kinds


ENDPOINTS = {
    "user": USER,
    "feed": {
        "path": "user/{{id}}/feed", "params": {"id": {"type": "integer"}},
        "stubs": {"default": "full", "variants": {
            "full": {"json": list(range(50))}, "empty": {"json": []},
            "large": {"when": {"params": {"id": {">": 1000}}}, "fill": True, "json": {"id": "{{id}}", "n": "{{$count}}"}},
            "turns": {"sequence": ["full", "empty"], "then": "loop"}}}},
    "create": {
        "method": "POST", "path": "user", "body": {"json": {"name": "{{name}}", "age": "{{age}}"}},
        "params": {"name": {"type": "string", "minLength": 2}, "age": {"type": "integer"}},
        "stubs": {"variants": {"created": {"status": 201, "json": {"id": 1}}}}},
    "gone": {"path": "gone", "stubs": {"variants": {"default": {"status": 410, "text": "gone"}}}},
    "bare": {"path": "bare"},
}


def post(path, body, *headers, chunks=0):
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *headers]
    if not chunks:
        return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", body]).encode()
    size = -(-len(body) // chunks)
    text = "".join(f"{len(body[at:at + size]):x};a=b\r\n{body[at:at + size]}\r\n" for at in range(0, len(body), size))
    return "\r\n".join([*lines, "Transfer-Encoding: chunked", "", text + "0\r\nA: b\r\n", ""]).encode()


def good_request(number, generator):
    """A request that gets one response and keeps its connection. HEAD and 204 are left out: they have no body to wait for."""
    kind = generator.randrange(14)
    if kind < 3:
        return get(f"/user/{number % 5000}")
    if kind < 6:
        return get(f"/user/{generator.randrange(2000)}/feed", "Accept: application/json", "X-Trace: " + "a" * generator.randrange(60))
    if kind == 6:
        return get("/user/7/feed", "X-Reqcli-Stub: " + generator.choice(["full", "empty", "turns", "nothing"]))
    if kind == 7:
        return post("/user", '{"name": "Ada", "age": %d}' % generator.randrange(-5, 200))
    if kind == 8:
        return post("/user", '{"name": "Ada Lovelace", "age": "old", "more": [1, 2]}', chunks=generator.randrange(1, 6))
    if kind == 9:
        return get(f"/{generator.choice(['nothing', 'user', 'gone/1', 'bare', 'user//feed', 'us%65r/1'])}/{number % 700}")
    if kind == 10:
        return get("/gone")
    if kind == 11:
        return get("/user/7/feed", f"X-Reqcli-Session: s{generator.randrange(1500)}")
    if kind == 12:
        return get(f"/user/{number % 90}?a={number % 3000}&b=%20", f"Origin: http://localhost:{number % 60000}")
    return get("/bare") if number % 2 else b"DELETE /user/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab"


BAD = [
    b"GET / HTTP/1.1\r\n\r\n", b"GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", b"\x16\x03\x01\x00", b"GET / HTTP/1.1\nHost: h\n\n",
    b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /user HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    b"GET / HTTP/2.0\r\nHost: h\r\n\r\n", b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: h\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: h\r\n" + b"A: b\r\n" * 201 + b"\r\n",
    b"POST /user HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999\r\n\r\n", b"CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n",
]

BATCH = 40


def mixed(program, count):
    """Requests of all kinds over kept connections; one batch in 20 ends with what is no request, one in 20 in the middle of one."""
    generator = random.Random(23)
    batches = []
    for number in range(600):
        requests = [good_request(number * BATCH + place, generator) for place in range(BATCH)]
        ending = generator.choice(BAD) if number % 20 == 0 else requests[0][:-3] if number % 20 == 1 else b""
        batches.append((b"".join(requests) + ending, BATCH + (number % 20 == 0), bool(ending)))
    with Server(program, ENDPOINTS) as server:
        descriptors = server.descriptors
        done, samples = 0, []
        start = time.perf_counter()
        with selectors.DefaultSelector() as selector:
            clients = [MixedClient(server, batches, offset * 97, selector) for offset in range(8)]
            while done < count:
                for key, _ in selector.select(60):
                    done += key.data.receive()
                if done * 10 >= count * (len(samples) + 1):
                    samples.append(server.memory)
            for client in clients:
                client.close()
        seconds = time.perf_counter() - start
        wrong = sum(client.wrong for client in clients)
        check("batches with other numbers of responses", wrong == 0, wrong)
        # The first fifth fills caches and the journal.
        growth = samples[-1] - samples[1]
        print("      MiB after each tenth: " + ", ".join(f"{sample / 1024:.1f}" for sample in samples))
        check(f"memory of {done:,} mixed requests", growth <= MOST_OF_REQUESTS,
              f"{growth / 1024:.1f} MiB more than after a fifth, at most {MOST_OF_REQUESTS >> 10}; {done / seconds:,.0f} a second")
        left = server.wait_for_descriptors(descriptors) - descriptors
        check("descriptors left over by mixed requests", left <= 0, left)


class MixedClient:
    """Sends one batch after the other, and counts the responses."""

    def __init__(self, server, batches, number, selector):
        self.server, self.batches, self.number, self.selector = server, batches, number, selector
        self.wrong = 0
        self.open()
        self.send()

    def open(self):
        self.connection = self.server.connect()
        self.selector.register(self.connection, selectors.EVENT_READ, self)

    def close(self):
        self.selector.unregister(self.connection)
        self.connection.close()

    def send(self):
        bytes, self.expected, self.ends = self.batches[self.number % len(self.batches)]
        self.number += 1
        self.count, self.tail = 0, b""
        self.connection.sendall(bytes)

    def receive(self):
        """The number of requests that are done: all of a batch, or none."""
        received = self.connection.recv(1 << 18)
        # A status line may come in two parts, of which twelve bytes are no whole one. What is left of a last body counts nothing.
        text = self.tail + received
        self.count += len(STATUS.findall(text))
        self.tail = text[-12:]
        if received and self.count < self.expected:
            return 0
        if self.count != self.expected:
            self.wrong += 1
        if self.ends or not received:
            self.close()
            self.open()
        count = self.count
        self.send()
        return count


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("--slow", type=int, default=1000)
    parser.add_argument("--requests", type=int, default=200_000)
    parser.add_argument("--file", type=int, default=1024, metavar="MEBIBYTES")
    return parser.parse_args()


if __name__ == "__main__":
    main()
