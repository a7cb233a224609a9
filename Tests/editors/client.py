"""A client of the Language Server Protocol that is written by hand: it can also send what no editor sends."""
import json, os, select, subprocess, time


class Client:
    def __init__(self, program, folder, capabilities=None, environment=None, settings=None):
        self.process = subprocess.Popen(
            [program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=environment)
        self.buffer, self.last, self.pushed, self.answers, self.orphans = b"", 0, {}, {}, []
        if capabilities is not None:
            self.initialized = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities, "initializationOptions": settings})
            self.tell("initialized", {})

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def tell(self, method, params): self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method, params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        return self.last

    def ask(self, method, params, seconds=20):
        found = self.answer(self.request(method, params), seconds)
        if "error" in found: raise RuntimeError(f"{method}: {found['error']}")
        return found["result"]

    def answer(self, id, seconds=20):
        end = time.monotonic() + seconds
        while id not in self.answers:
            if not self.read(end - time.monotonic()): raise TimeoutError(f"no answer to request {id}")
        return self.answers.pop(id)

    def read(self, seconds):
        """Takes one message; false if none comes in time."""
        end = time.monotonic() + seconds
        while True:
            head, separator, rest = self.buffer.partition(b"\r\n\r\n")
            if separator:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    self.take(json.loads(rest[:length]))
                    return True
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]: return False
            piece = os.read(self.process.stdout.fileno(), 1 << 20)
            if not piece: raise EOFError(f"the server has ended: {self.process.stderr.read().decode()[-500:]}")
            self.buffer += piece

    def take(self, message):
        if "method" in message:
            if message["method"] == "textDocument/publishDiagnostics":
                self.pushed[message["params"]["uri"]] = message["params"]["diagnostics"]
            elif "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
        elif message["id"] is None:
            self.orphans.append(message["error"]["code"])
        else:
            assert message["id"] not in self.answers, f"two answers to request {message['id']}"
            self.answers[message["id"]] = message

    def settle(self, calm=0.6):
        """Waits until the server has been silent."""
        while self.read(calm): pass

    def open(self, path, text=None):
        text = path.read_text() if text is None else text
        self.tell("textDocument/didOpen", {"textDocument": {"uri": path.as_uri(), "languageId": "json", "version": 1, "text": text}})

    def close(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.stdin.close()
        return self.process.wait(10)
