"""The program, run on a small workspace of its own."""

import json
import os
import subprocess
import sys
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


def _workspace(folder, base, endpoint, environment, files):
    """Makes a workspace with an endpoint (a path, or the definition) below a base URL; `files` lie in its root."""
    if isinstance(endpoint, str):
        endpoint = {"path": endpoint}
    root = Path(folder)
    (root / "endpoints").mkdir()
    (root / "environments").mkdir()
    (root / "endpoints/it.json").write_text(json.dumps(endpoint))
    (root / "environments/development.json").write_text(json.dumps({"baseURL": base, **(environment or {})}))
    for name, content in (files or {}).items():
        (root / name).write_bytes(content)
    return root


def send(base, endpoint, *flags, params=(), environment=None, variables=None, files=None):
    """Sends an endpoint and waits for the end."""
    with tempfile.TemporaryDirectory(prefix="reqcli-workspace-") as folder:
        root = _workspace(folder, base, endpoint, environment, files)
        process = subprocess.run(
            [os.environ["REQCLI"], "send", "it", *params, *flags], cwd=root, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=120,
            env={"PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8", **(variables or {})})
        run = Run(process.returncode, process.stdout, process.stderr.decode())
        # What it wrote: files that are new or have changed.
        run.files = {path.name: path.read_bytes() for path in root.iterdir()
                     if path.is_file() and path.read_bytes() != (files or {}).get(path.name)}
        return run


def peak(base, endpoint, *flags, command="send", prepare=None, read=None):
    """The most memory that a command takes, in MiB; `read` reads what it prints, `prepare` fills the folder."""
    with tempfile.TemporaryDirectory(prefix="reqcli-workspace-") as folder:
        root = _workspace(folder, base, endpoint, None, None)
        if prepare:
            prepare(root)
        process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("peak.py")), os.environ["REQCLI"], command, "it", *flags],
            cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={"PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"})
        (read or (lambda stream: stream.read()))(process.stdout)
        errors = process.stderr.read().decode()
        if process.wait() != 0:
            raise AssertionError(errors)
        return int(errors.split()[-1]) / 1024
