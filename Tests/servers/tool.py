"""The program, run on a small workspace of its own."""

import json
import os
import subprocess
import tempfile
from pathlib import Path


class Run:
    def __init__(self, status, output, errors):
        self.status = status
        self.output = output
        self.errors = errors

    @property
    def text(self):
        return self.output.decode()

    @property
    def json(self):
        return json.loads(self.output)

    def __repr__(self):
        return f"status {self.status}\n{self.output[:2000]!r}\n{self.errors}"


def send(base, endpoint, *flags, params=(), environment=None, variables=None, files=None):
    """Sends an endpoint (a path, or the definition) below a base URL; `files` lie in the workspace's root."""
    if isinstance(endpoint, str):
        endpoint = {"path": endpoint}
    with tempfile.TemporaryDirectory(prefix="reqcli-workspace-") as folder:
        root = Path(folder)
        (root / "endpoints").mkdir()
        (root / "environments").mkdir()
        (root / "endpoints/it.json").write_text(json.dumps(endpoint))
        (root / "environments/development.json").write_text(json.dumps({"baseURL": base, **(environment or {})}))
        for name, content in (files or {}).items():
            (root / name).write_bytes(content)
        process = subprocess.run(
            [os.environ["REQCLI"], "send", "it", *params, *flags], cwd=root, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=120,
            env={"PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8", **(variables or {})})
        run = Run(process.returncode, process.stdout, process.stderr.decode())
        # What it wrote: files that are new or have changed.
        run.files = {path.name: path.read_bytes() for path in root.iterdir()
                     if path.is_file() and path.read_bytes() != (files or {}).get(path.name)}
        return run
