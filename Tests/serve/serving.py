"""`reqcli serve` on a small workspace, as a test in any language starts it: the child's first line says where it is."""

import json
import os
import socket
import subprocess
import tempfile
from pathlib import Path

ENDPOINTS = {
    "endpoints": {
        "feed": {
            "path": "user/{{id}}/feed",
            "params": {"id": {"type": "integer"}},
            "stubs": {"default": "standard", "variants": {
                "standard": {"json": [1, 2, 3]},
                "empty": {"json": []},
                "error": {"status": 503, "headers": {"Retry-After": "7"}, "text": "later"},
                "reset": {"error": "reset"},
                "cut": {"like": "standard", "error": "truncated"},
                "silent": {"error": "timeout"},
                "late": {"delay": "300ms", "text": "late"},
                "slow": {"bodyTime": "400ms", "text": "0123456789" * 100},
                "turns": {"sequence": ["empty", "error"], "then": "loop"},
                "large": {"file": "large.bin"},
            }},
        },
        "create": {
            "method": "POST", "path": "user", "body": {"json": {"name": "{{name}}"}},
            "params": {"name": {"type": "string"}},
            "stubs": {"variants": {
                "created": {"status": 201, "fill": True, "headers": {"Location": "/v1/user/7"}, "json": {"name": "{{name}}"}},
            }},
        },
        "login": {
            "method": "POST", "path": "login",
            "stubs": {"variants": {"standard": {"status": 204, "headers": {"Set-Cookie": "sid=crumb; Path=/; HttpOnly"}}}},
        },
        "me": {
            "path": "me",
            "stubs": {"variants": {"standard": {"fill": True, "json": {"cookie": "{{request.header.Cookie}}"}}}},
        },
    },
}


class Serve:
    """The server; the `with` statement ends it by closing its standard input."""

    def __init__(self, *options, status=0, endpoints=None):
        self.options = options
        self.expected = status
        self.endpoints = {"user": ENDPOINTS, **(endpoints or {})}

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="reqcli-serve-")
        root = Path(self.folder.name)
        for name in ["endpoints", "environments", "stubs"]:
            (root / name).mkdir()
        for name, content in self.endpoints.items():
            (root / f"endpoints/{name}.json").write_text(json.dumps(content))
        (root / "environments/development.json").write_text('{"baseURL": "https://api.example.com/v1"}')
        (root / "stubs/large.bin").write_bytes(bytes(range(256)) * 20_000)
        self.process = subprocess.Popen(
            [os.environ["REQCLI"], "serve", "--port", "0", "--json", "--until-eof", *self.options], cwd=root,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={"PATH": "/usr/bin:/bin", "HOME": str(root), "LC_ALL": "C.UTF-8"})
        ready = json.loads(self.process.stdout.readline())
        self.url, self.port, self.token, self.page = ready["url"], ready["port"], ready.get("token"), ready.get("page")
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.events = [json.loads(line) for line in self.process.stdout]
        self.errors = self.process.stderr.read().decode()
        status = self.process.wait(30)
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.cleanup()
        if status != self.expected:
            raise AssertionError(f"status {status}\n{self.errors}")

    @property
    def control(self):
        return {"Authorization": f"Bearer {self.token}"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
