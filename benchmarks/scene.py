"""What the benchmarks need around them: programs, a server, workspaces and documents.

Each is made when it is asked for."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from functools import cached_property
from pathlib import Path

from measuring import BenchmarkProblem, Command, Launcher, MissingProgram
from serving import BODY, NginxProcess, ServeProcess

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build" / "bench"
MEBIBYTE = 1 << 20

#: What to say where a program is missing.
SOURCES = {
    "curl": "the package curl",
    "jq": "the package jq",
    "nginx": "the package nginx",
    "http": "HTTPie from PyPI: benchmarks/install-httpie",
    "wrk": "the package wrk",
}


class Scene:
    """Lasts as long as the measurements, in a folder of its own; in memory where there is such a folder."""

    def __init__(self):
        memory = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(prefix="reqcli-bench-", dir=memory if memory.is_dir() else None))
        self.folder.chmod(0o755)
        self._server = None
        self._workspaces = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._server:
            self._server.terminate()
            self._server.wait()
        shutil.rmtree(self.folder)

    # Programs

    @cached_property
    def launcher(self):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"}
        return Launcher(BUILD / "release" / "launch", self.folder, environment)

    def reqcli(self, *words, folder=None, **options):
        return Command([ROOT / ".build" / "bench" / "installed" / "bin" / "reqcli", *words], folder=folder or ROOT, **options)

    def sending(self, *words, **options):
        """reqcli with a request to the server, which is started."""
        assert self.base
        return self.reqcli(*words, **options)

    def library(self, *words, **options):
        """The library, in a program that does nothing else."""
        return Command([BUILD / "release" / "exchange-bench", *words], **options)

    def tool(self, name, *words, **options):
        """What a user would take instead."""
        return Command([self.path(name), *words], **options)

    @staticmethod
    def path(name):
        search = os.pathsep.join([os.environ["PATH"], str(BUILD / "httpie" / "bin"), "/usr/sbin"])
        found = shutil.which(name, path=search)
        if not found:
            raise MissingProgram(name, SOURCES[name])
        return found

    # The server

    @cached_property
    def port(self):
        """Where the server listens, once it is started."""
        return _free_port()

    @cached_property
    def pages(self):
        """The folder that the server serves."""
        pages = self.folder / "pages"
        pages.mkdir()
        (pages / "small.json").write_text('{"hello":"world"}\n')
        with open(pages / "large", "wb") as large:
            large.truncate(1024 * MEBIBYTE)
        return pages

    @cached_property
    def base(self):
        """nginx with small answers, large ones and a place to upload to."""
        # First: each row that needs a missing nginx asks again, and gets the same answer.
        nginx = self.path("nginx")
        sink = _free_port()
        temporary = "\n".join(
            f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = self.folder / "nginx.conf"
        configuration.write_text(f"""
            {"user root;" if os.geteuid() == 0 else ""}
            worker_processes 1; daemon off; pid {self.folder}/pid; error_log {self.folder}/error.log;
            events {{ worker_connections 1024; }}
            http {{
                access_log off; sendfile on; keepalive_requests 1000000; client_max_body_size 0; {temporary}
                types {{ application/json json; }} default_type application/octet-stream;
                server {{
                    listen 127.0.0.1:{self.port};
                    location / {{ root {self.pages}; }}
                    location /api/ {{ default_type application/json; return 200 '{json.dumps(ANSWER)}'; }}
                    location /upload {{ proxy_pass http://127.0.0.1:{sink}/; }}
                }}
                server {{ listen 127.0.0.1:{sink}; location / {{ client_body_buffer_size 1m; return 200 ok; }} }}
            }}""")
        self._server = subprocess.Popen([nginx, "-c", configuration, "-e", self.folder / "error.log"])
        _wait_for(self.port)
        return self.address

    @property
    def address(self):
        """Where requests go; what only reads the definitions needs no server there."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def large_file(self):
        """1 GiB, also as /large."""
        return self.pages / "large"

    @cached_property
    def document(self):
        """100 MB of JSON such as APIs give, also as /document.json."""
        path = self.pages / "document.json"
        size, number = 0, 0
        with open(path, "w") as file:
            size += file.write('{"total":1,"items":[')
            while size < 100_000_000:
                size += file.write(("," if number else "") + _record(number))
                number += 1
            file.write("]}")
        return path

    # Servers of stubs

    def serving(self, count, log=None):
        """`reqcli serve` with so many endpoints, once it is started."""
        program = BUILD / "installed" / "bin" / "reqcli"
        return lambda: ServeProcess(program, self.stubs_workspace(count), log=log)

    def serving_slowly(self):
        """`reqcli serve` with a response after 50 ms, once it is started."""
        stubs = {"variants": {"default": {"json": BODY, "delay": "50ms"}}}
        endpoint = {
            "path": "/slow/{{id}}", "params": {"id": {"type": "integer"}}, "expect": {"json": {"$.id": 7}}, "stubs": stubs}
        if "slow" not in self._workspaces:
            self._workspaces["slow"] = self._workspace("slow", {"slow": endpoint})
            _write_table(self._workspaces["slow"], 2000)
        return ServeProcess(BUILD / "installed" / "bin" / "reqcli", self._workspaces["slow"])

    @property
    def waiting_workspace(self):
        """A workspace with `soon`, whose stub responds after 6 ms, and `later`, whose stub responds after 3.9 s."""
        if "waiting" not in self._workspaces:
            self._workspaces["waiting"] = self._workspace("waiting", {
                name: {"path": f"/{name}", "stubs": {"variants": {"default": {"json": BODY, "delay": delay}}}}
                for name, delay in (("soon", "6ms"), ("later", "3900ms"))})
        return self._workspaces["waiting"]

    def serving_late(self):
        """`reqcli serve` with that workspace, once it is started."""
        return ServeProcess(BUILD / "installed" / "bin" / "reqcli", self.waiting_workspace)

    @property
    def slow_workspace(self):
        """The workspace of that server, with a table of 2,000 rows."""
        return self._workspaces["slow"]

    @property
    def plain_nginx(self):
        """nginx with the response of the stubs, once it is started."""
        nginx, pages, folder = self.path("nginx"), self.pages, self.folder / f"nginx-{_free_port()}"
        return lambda: NginxProcess(nginx, folder, pages, _free_port())

    def stubs_workspace(self, count):
        """So many endpoints with stubs; `user`, `order` and `large` are among them."""
        name = f"stubs-of-{count}"
        if name not in self._workspaces:
            files = {"it": {"endpoints": _stub_endpoints()}}
            for number in range(count - 3):
                group = files.setdefault(f"group{number // 20}", {"endpoints": {}})
                group["endpoints"][f"endpoint{number % 20}"] = _endpoint(number)
            folder = self._workspaces[name] = self._workspace(name, files)
            (folder / "stubs").mkdir()
            with open(folder / "stubs" / "large.bin", "wb") as large:
                large.truncate(1024 * MEBIBYTE)
        return self._workspaces[name]

    @cached_property
    def order_script(self):
        """A script of wrk that posts 1 KiB of JSON."""
        order = {"card": "4000 1234", "total": 99, "lines": [{"id": number, "text": "a" * 80} for number in range(8)]}
        path = self.folder / "order.lua"
        path.write_text(
            f"wrk.method = 'POST'\nwrk.body = [[{json.dumps(order)}]]\nwrk.headers['Content-Type'] = 'application/json'\n")
        return path

    def url_list(self, paths, base=None):
        """A configuration of curl that fetches each of these paths, and drops the answers."""
        path = self.folder / f"urls-{len(paths)}"
        base = base or self.base
        path.write_text("".join(f'url = "{base}{target}"\noutput = /dev/null\n' for target in paths))
        return path

    # Workspaces

    @cached_property
    def single_workspace(self):
        """One endpoint, `one`, whose answer is small."""
        return self._workspace("single", {"one": {"path": "small.json", "expect": {"status": 200}}})

    @cached_property
    def files_workspace(self):
        """Endpoints for the large answers and the upload."""
        return self._workspace("files", {
            "large": {"path": "large"},
            "document": {"path": "document.json"},
            "upload": {"method": "PUT", "path": "upload", "body": {"file": str(self.large_file)}},
        })

    def workspace_of(self, count):
        """So many endpoints with params, queries, expectations and stubs: `alone` in a file of its own, the others in
        files of 20."""
        if count not in self._workspaces:
            self._workspaces[count] = self._workspace(f"of-{count}", self._endpoint_files(count))
        return self._workspaces[count]

    def table_of(self, count):
        """A workspace with one endpoint that sends a body, and a table with so many rows for it."""
        name = f"table-of-{count}"
        if name not in self._workspaces:
            body = {"json": {"id": "{{id}}", "name": "Ada", "items": [1, 2, 3], "note": "a body such as requests have"}}
            endpoint = _endpoint(0) | {"method": "GET", "body": body}
            self._workspaces[name] = self._workspace(name, {"it": endpoint})
            _write_table(self._workspaces[name], count)
        return self._workspaces[name]

    def workspace_with_schema(self, count):
        """The same endpoints, each of which expects that its answer fits one schema."""
        name = f"of-{count}-with-schema"
        if name not in self._workspaces:
            files = self._endpoint_files(count)
            for file in files.values():
                for endpoint in file.get("endpoints", {"alone": file}).values():
                    endpoint["expect"] = endpoint["expect"] | {"schema": "answer.json"}
            folder = self._workspaces[name] = self._workspace(name, files)
            (folder / "schemas").mkdir()
            (folder / "schemas" / "answer.json").write_text(json.dumps(_schema(2000), indent=2))
        return self._workspaces[name]

    def workspace_with_scenarios(self, count, scenarios):
        """The same endpoints, and scenarios of five steps, the first of which captures what the others use."""
        name = f"of-{count}-with-{scenarios}-scenarios"
        if name not in self._workspaces:
            files = self._endpoint_files(count)
            folder = self._workspaces[name] = self._workspace(name, files)
            (folder / "scenarios").mkdir()
            for number in range(scenarios):
                text = json.dumps(_scenario(number), indent=2)
                (folder / "scenarios" / f"flow{number}.json").write_text(text)
        return self._workspaces[name]

    def workspace_with_checks(self, count, scenarios):
        """The same endpoints, and a check for each step of as many scenarios."""
        name = f"of-{count}-with-{scenarios}-times-5-checks"
        if name not in self._workspaces:
            files = self._endpoint_files(count)
            for number in range(scenarios * 5):
                group, place = divmod(number, 20)
                endpoint = files[f"group{group}"]["endpoints"][f"endpoint{place}"]
                endpoint["checks"] = [{"name": "step", "with": {"id": 7}, "expect": endpoint["expect"]}]
            self._workspaces[name] = self._workspace(name, files)
        return self._workspaces[name]

    @staticmethod
    def _endpoint_files(count):
        files = {}
        for number in range(count - 1):
            group = files.setdefault(f"group{number // 20}", {"endpoints": {}})
            group["endpoints"][f"endpoint{number % 20}"] = _endpoint(number)
        for name, group in files.items():
            group |= {"description": f"The endpoints of {name}", "defaults": {"headers": {"X-Tenant": "{{tenant}}"}}}
        files["alone"] = _endpoint(count - 1)
        return files

    def _workspace(self, name, files):
        folder = self.folder / "workspaces" / name
        for below in ("endpoints", "environments"):
            (folder / below).mkdir(parents=True)
        environment = {"baseURL": self.address, "variables": {"tenant": "acme"}}
        (folder / "environments" / "development.json").write_text(json.dumps(environment, indent=2))
        for file, content in files.items():
            (folder / "endpoints" / f"{file}.json").write_text(json.dumps(content, indent=2))
        return folder


def _write_table(folder, count):
    """A table with a row for each case."""
    (folder / "rows.csv").write_text("id\n" + "".join(f"{number}\n" for number in range(1, count + 1)))


def _scenario(number):
    steps = []
    for step in range(5):
        group, place = divmod(number * 5 + step, 20)
        call = {"name": f"step{step}", "endpoint": f"group{group}.endpoint{place}"}
        if step == 0:
            call |= {"with": {"id": 7}, "capture": {"id": {"json": "$.id"}}}
        else:
            call |= {"with": {"id": "{{step0.id}}"}}
        steps.append(call)
    return {"description": f"Flow {number}", "steps": steps}


def endpoint_paths(count):
    """The paths that the checks of a workspace of so many endpoints ask for."""
    return [f"/api/group{number // 20}/7/things/{number % 20}?page=1" for number in range(count)]


#: What the server answers below /api/.
ANSWER = {
    "id": 7,
    "name": "Ada",
    "total": 3,
    "items": [{"id": 1, "tag": "red"}, {"id": 2, "tag": "green"}, {"id": 3, "tag": "blue"}],
}


def _endpoint(number):
    group, place = divmod(number, 20)
    return {
        "description": f"Endpoint {place} of group {group}, which does what such endpoints do",
        "path": f"/api/group{group}/{{{{id}}}}/things/{place}",
        "params": {
            "id": {"type": "integer", "minimum": 1, "default": 7, "description": "Which one"},
            "city": {"type": "string", "required": False, "enum": ["Berlin", "San Francisco"]},
        },
        "query": {"city": "{{city}}", "page": 1},
        "headers": {"X-Trace": "{{$uuid}}"},
        "expect": {
            "status": 200,
            "maxTime": "10s",
            "headers": {"content-type": {"startsWith": "application/json"}},
            "json": {
                "$.id": {"type": "integer"},
                "$.name": "Ada",
                "$.items": {"length": 3},
                "$.items[0]": {"includes": {"tag": "red"}},
                "$.items[?@.id > 1].tag": {"in": ["green", "blue"]},
            },
        },
        "stubs": {"variants": {"standard": {"json": ANSWER}, "missing": {"status": 404, "expect": "fail"}}},
    }


def _stub_endpoints():
    """Endpoints whose responses are compared with those of nginx."""
    condition = {"json": {"$.card": {"matches": "^4000"}, "$.lines[7].id": 7}}
    return {
        "user": {
            "path": "/user/{{id}}", "params": {"id": {"type": "integer"}},
            "stubs": {"variants": {"default": {"json": BODY}}},
        },
        "order": {
            "method": "POST", "path": "/order",
            "stubs": {"variants": {"declined": {"when": condition, "json": BODY}, "default": {"status": 500}}},
        },
        "large": {"path": "/large", "stubs": {"variants": {"default": {"file": "large.bin"}}}},
    }


def _schema(lines):
    """A schema of the answers with this many lines: most of it are definitions that other answers would use."""
    item = {
        "type": "object",
        "required": ["id", "tag"],
        "properties": {"id": {"$ref": "#/$defs/id"}, "tag": {"type": "string", "pattern": "^[a-z]+$"}},
        "additionalProperties": False,
    }
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": ["id", "name", "total", "items"],
        "properties": {
            "id": {"$ref": "#/$defs/id"},
            "name": {"type": "string", "minLength": 1},
            "total": {"type": "integer"},
            "items": {"type": "array", "items": {"$ref": "#/$defs/item0"}},
        },
        "unevaluatedProperties": False,
        "$defs": {"id": {"type": "integer", "minimum": 1}},
    }
    while (missing := lines - len(json.dumps(schema, indent=2).splitlines())) > 0:
        schema["$defs"][f"item{len(schema['$defs']) - 1}"] = item if missing > 20 else {"enum": list(range(missing - 4))}
    return schema


def _record(number):
    return json.dumps({
        "id": number,
        "name": f"Person number {number}",
        "mail": f"person{number}@example.com",
        "active": number % 3 == 0,
        "score": number % 1000 + number % 89 / 100,
        "tags": ["one", "zwei", "três"],
        "address": {
            "street": f"Main Street {number % 200}", "city": "San Francisco", "geo": [-122.4194, 37.7749]},
        "note": 'A line with a "quote" and a break\nin it, long enough to be skimmed over quickly.',
        "parent": None,
    }, separators=(",", ":"), ensure_ascii=number % 2 == 0)


def _free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def _wait_for(port):
    for _ in range(200):
        with socket.socket() as connection:
            if connection.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise BenchmarkProblem("nginx doesn't answer")
