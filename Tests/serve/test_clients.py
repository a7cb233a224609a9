"""What real clients see of `reqcli serve`: every kind of variant, delay and fault, connections that are kept, browsers, proxies."""

import json
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

import httpx
import requests

from serving import Serve, free_port

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "site"))
from check import Page  # noqa: E402


def stub(name):
    return {"X-Reqcli-Stub": name}


class Curl(unittest.TestCase):
    def test_variants_and_faults(self):
        def curl(server, *arguments):
            run = subprocess.run(["curl", "-sS", "-m", "2", *arguments, f"{server.url}/v1/user/1/feed"],
                                 capture_output=True, timeout=20)
            return run.returncode, run.stdout.decode()

        with Serve() as server:
            self.assertEqual(curl(server), (0, "[1,2,3]"))
            self.assertEqual(curl(server, "--http1.0"), (0, "[1,2,3]"))
            self.assertEqual(curl(server, "-H", "X-Reqcli-Stub: reset")[0], 56)
            self.assertEqual(curl(server, "-H", "X-Reqcli-Stub: cut"), (18, "[1,"))
            self.assertEqual(curl(server, "-H", "X-Reqcli-Stub: silent")[0], 28)
            self.assertEqual(curl(server, "-I", "-o", "/dev/null", "-w", "%{http_code} %header{content-length}"), (0, "200 7"))
            for address in ["127.0.0.1", "[::1]"]:
                self.assertEqual(curl(server, "--resolve", f"localhost:{server.port}:{address}"), (0, "[1,2,3]"))

    def test_a_large_upload_waits_for_100_continue(self):
        with Serve() as server:
            run = subprocess.run(
                ["curl", "-sSv", "-H", "Content-Type: application/json", "-d", "@-", f"{server.url}/v1/user"],
                input=json.dumps({"name": "x" * 2_000_000}).encode(), capture_output=True, timeout=20)
            self.assertIn(b"HTTP/1.1 100 Continue", run.stderr)
            self.assertEqual(json.loads(run.stdout)["name"], "x" * 2_000_000)


class Requests(unittest.TestCase):
    def test_variants_sequences_and_faults(self):
        with Serve() as server, requests.Session() as session:
            feed = f"{server.url}/v1/user/1/feed"
            self.assertEqual(session.get(feed).json(), [1, 2, 3])
            late = session.get(feed, headers=stub("error"))
            self.assertEqual((late.status_code, late.headers["Retry-After"], late.text), (503, "7", "later"))
            statuses = [session.get(feed, headers=stub("turns")).status_code for _ in range(4)]
            self.assertEqual(statuses, [200, 503, 200, 503])
            self.assertEqual(len(session.get(feed, headers=stub("large")).content), 5_120_000)
            with self.assertRaises(requests.ConnectionError):
                requests.get(feed, headers=stub("reset"))
            with self.assertRaises(requests.exceptions.ChunkedEncodingError):
                requests.get(feed, headers=stub("cut"))
            with self.assertRaises(requests.ReadTimeout):
                requests.get(feed, headers=stub("silent"), timeout=0.5)
            begin = time.monotonic()
            self.assertEqual(session.get(feed, headers=stub("late")).text, "late")
            self.assertGreater(time.monotonic() - begin, 0.29)

    def test_sessions_choices_and_the_journal(self):
        with Serve() as server:
            control = f"{server.url}/__reqcli"
            requests.put(f"{control}/stubs?session=one", json={"user.feed": "empty"}, headers=server.control).raise_for_status()
            self.assertEqual(requests.get(f"{control}/s/one/v1/user/1/feed").json(), [])
            self.assertEqual(requests.get(f"{server.url}/v1/user/1/feed", auth=("ada", "hush")).json(), [1, 2, 3])
            journal = requests.get(f"{control}/requests", headers=server.control).json()["requests"]
            self.assertEqual([each["stub"] for each in journal], ["user.feed=standard"])
            self.assertIn(["Authorization", "***"], journal[0]["headers"])
            failed = requests.post(f"{control}/verify", json={"user.feed": 2}, headers=server.control)
            self.assertEqual(failed.status_code, 409)
            self.assertIn("user.feed: 2 calls expected, 1 received", failed.json()["problems"])


class Httpx(unittest.TestCase):
    def test_variants_and_faults(self):
        with Serve() as server, httpx.Client(base_url=server.url + "/v1") as client:
            self.assertEqual(client.get("/user/1/feed").json(), [1, 2, 3])
            created = client.post("/user", json={"name": "Ada"})
            self.assertEqual((created.status_code, created.headers["location"], created.json()), (201, "/v1/user/7", {"name": "Ada"}))
            with self.assertRaises(httpx.ReadError):
                client.get("/user/1/feed", headers=stub("reset"))
            with self.assertRaises(httpx.RemoteProtocolError):
                client.get("/user/1/feed", headers=stub("cut"))
            with self.assertRaises(httpx.ReadTimeout):
                client.get("/user/1/feed", headers=stub("silent"), timeout=0.5)

    def test_a_slow_body_comes_evenly(self):
        with Serve() as server, httpx.Client(base_url=server.url + "/v1") as client:
            with client.stream("GET", "/user/1/feed", headers=stub("slow")) as response:
                begin = time.monotonic()
                times = [time.monotonic() - begin for _ in response.iter_raw()]
            self.assertGreater(len(times), 5)
            self.assertGreater(times[-1], 0.3)
            self.assertLess(times[0], 0.2)


class Node(unittest.TestCase):
    def test_fetch(self):
        with Serve() as server:
            run = subprocess.run(["node", str(HERE / "fetch.mjs"), server.url], capture_output=True, timeout=60)
            self.assertEqual(run.returncode, 0, run.stdout.decode() + run.stderr.decode())


class Browser(unittest.TestCase):
    def test_cors_cookies_and_preflights(self):
        with Serve() as own, Serve("--no-cors") as none, Serve("--cors", "*") as everybody, \
                Serve("--cors", "http://localhost:1") as other:
            urls = [server.url for server in (own, none, everybody, other)]
            run = subprocess.run(
                ["node", str(HERE / "page.mjs"), *urls, own.token], capture_output=True, timeout=120)
            self.assertEqual(run.returncode, 0, run.stdout.decode() + run.stderr.decode())


class ServedPage(unittest.TestCase):
    """The page at /__reqcli/page. PAGE_SHOTS names a folder for pictures of it."""

    ODD = {"endpoints": {"a_very_long_name_of_an_endpoint_that_does_not_break_anywhere_because_it_has_no_hyphens_and_no_dots": {
        "method": "DELETE",
        "description": "פריט שנמחק, مع نص عربي (and English), and a-very-long-word-without-an-end-" + "x" * 80,
        "path": ["user", "{{id}}", "פריטים", "with/slashes-and-" + "long" * 30, "{{item}}"],
        "params": {
            "id": {"type": "integer", "example": 7, "description": "מספר המשתמש"},
            "item": {"type": "string", "enum": ["ראשון", "second", "y" * 90], "example": "ראשון"},
            "kinds": {"type": "list", "items": {"type": "string"}, "required": False},
            "options": {"type": "json", "required": False, "example": {"a": [1, None]}},
            "key": {"type": "string", "secret": True}},
        "query": {"kind": "{{kinds}}", "options": "{{options}}"}, "headers": {"X-Key": "{{key}}"},
        "stubs": {"variants": {name: {"status": 204} for name in ["done", "z" * 90, *(f"variant{n}" for n in range(30))]}},
    }}}

    PIECES = [
        "<img src=x onerror=hit()>", "\"><script>hit()</script>", "'><svg onload=hit()>", "</textarea><svg/onload=hit()>",
        "javascript:hit()", "</code></details><iframe srcdoc='<script>parent.hit()</script>'>", "<base href=//evil.example>",
        "<meta http-equiv=refresh content='0;url=//evil.example'>", "</script><script src=//evil.example/x.js></script>",
        "<style>*{display:none}</style>", "' onfocus=hit() autofocus x='", "&lt;script&gt;hit()&lt;/script&gt;", "<!-- ", "]]>",
        "${hit()}", "`+hit()+`", "\\u003cscript>hit()", "\u202egnp.exe", "\u2028hit()", "<\u0338script>hit()</script>",
        "__proto__", "constructor", "%3Cscript%3Ehit()%3C/script%3E", "<math><mtext><table><mglyph><style><img src=x onerror=hit()>",
        "<a href=javascript:hit() autofocus>", "<form action=//evil.example><button>", "\t\u0001\u001b[31m", "𝔸́<b>",
    ]

    def hostile(self):
        texts = [f"{number} {self.PIECES[number % len(self.PIECES)]}{self.PIECES[number * 7 % len(self.PIECES)]}" for number in range(500)]
        return {"hostile": {"endpoints": {f"h{number}": {
            "description": text, "path": ["hostile", str(number), "{{value}}"], "query": {"q": text.replace("{", "(")},
            "params": {"value": {"type": "string", "example": text.replace("/", "|"), "description": f"param {text}"}},
            "stubs": {"variants": {"one": {
                "text": text, "headers": {"Content-Type": "text/html", "X-Text": text.encode("ascii", "ignore").decode().translate(
                    {code: None for code in range(32)}) or "none"}}}},
        } for number, text in enumerate(texts)}}}

    def test_tags_and_size(self):
        folder = HERE.parent.parent / "Sources/Program/Commands/Serving/Page"
        page = Page(folder, folder / "page.html")
        self.assertEqual(page.problems, [])
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertEqual(page.parts, ["data:,", "page.css", "page.js"])
        script = (folder / "page.js").read_text()
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "DOMParser"]:
            self.assertNotIn(word, script)
        self.assertLess(sum(file.stat().st_size for file in folder.iterdir()), 40 * 1024)

    def test_looks_keyboard_hostile_text_and_other_origins(self):
        more = {f"group{group}": {"endpoints": {f"call{number}": {
            "path": f"group{group}/{number}/{{{{id}}}}", "params": {"id": {"type": "integer", "example": number}},
            "stubs": {"variants": {"standard": {"json": [number]}, "broken": {"status": 500}}}} for number in range(30)}}
            for group in range(10)}
        with Serve("--verify", endpoints={"odd": self.ODD}, status=1) as few, Serve(endpoints={**more, **self.hostile()}) as many, \
                Serve("--no-control") as reading:
            shots = os.environ.get("PAGE_SHOTS")
            run = subprocess.run(
                ["node", str(HERE / "served-page.mjs"), few.page, many.page, reading.page, *([shots] if shots else [])],
                capture_output=True, timeout=280)
            if shots:
                print(run.stdout.decode())
            self.assertEqual(run.returncode, 0, run.stdout.decode() + run.stderr.decode())


class ApacheBench(unittest.TestCase):
    def test_keep_alive(self):
        with Serve("--verify", "--expect", "user.feed=20000") as server:
            run = subprocess.run(
                ["ab", "-q", "-k", "-n", "20000", "-c", "16", f"http://127.0.0.1:{server.port}/v1/user/1/feed"],
                capture_output=True, timeout=120, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertRegex(run.stdout, r"Failed requests: +0\n")
            self.assertNotIn("Non-2xx", run.stdout)
            self.assertRegex(run.stdout, r"Keep-Alive requests: +20000\n")


class Pages(unittest.TestCase):
    """The examples of docs/how-to/serve-tests.md, in this repository's workspace."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="reqcli-example-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        os.symlink(os.environ["REQCLI"], self.folder / "reqcli")
        self.environment = {"PATH": f"{self.folder}:{os.environ['PATH']}", "HOME": str(self.folder)}

    def run_in_repository(self, *words):
        run = subprocess.run(
            words, cwd=HERE / "../..", capture_output=True, timeout=120, env=self.environment, text=True)
        return run, run.stdout + run.stderr

    def example(self, kind):
        return (HERE / "../../docs/how-to/serve-tests.md").read_text().split(f"```{kind}\n")[1].split("```")[0]

    def test_python(self):
        script = self.folder / "example.py"
        script.write_text(self.example("python") + "\ntest_empty_feed()\nteardown_module()\n")
        run, output = self.run_in_repository(sys.executable, script)
        self.assertEqual(run.returncode, 0, output)

    def test_javascript(self):
        script = self.folder / "example.mjs"
        script.write_text(self.example("js") + """
if (feed.items.length !== 0) process.exit(1);
""")
        run, output = self.run_in_repository("node", script)
        self.assertEqual(run.returncode, 0, output)

    def test_swift(self):
        script = self.folder / "main.swift"
        # On Linux, URLSession is in a module of its own.
        script.write_text("import FoundationNetworking\n" + (HERE / "example.swift").read_text().replace(
            "/usr/local/bin/reqcli", str(self.folder / "reqcli")) + "\nprint(String(decoding: data, as: UTF8.self))\n")
        run, output = self.run_in_repository("swiftc", "-o", self.folder / "example", script)
        self.assertEqual(run.returncode, 0, output)
        run, output = self.run_in_repository(self.folder / "example")
        self.assertEqual(run.returncode, 0, output)
        self.assertEqual(len(json.loads(run.stdout)["items"]), 2)

    def test_ci(self):
        text = (HERE / "../../docs/how-to/serve-tests.md").read_text().split("```console\n")[1].split("```")[0]
        commands = text.replace("\\\n> ", "").split("$ reqcli")[1:]
        self.assertEqual(len(commands), 2)
        for each in commands:
            command, *expected = each.rstrip("\n").split("\n")
            run, output = self.run_in_repository("bash", "-c", "reqcli" + command)
            self.assertEqual(run.stdout.splitlines(), expected, output)


class Front(unittest.TestCase):
    """nginx and Caddy in front, with TLS, as docs/how-to/serve-tls.md describes them."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="reqcli-front-")
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.root.chmod(0o755)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", self.root / "key.pem", "-out",
             self.root / "cert.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
            check=True, capture_output=True)
        self.port = free_port()
        self.url = f"https://localhost:{self.port}"
        self.context = ssl.create_default_context(cafile=str(self.root / "cert.pem"))

    def start(self, *words, **variables):
        process = subprocess.Popen(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.root,
            env={"PATH": os.environ["PATH"], "HOME": str(self.root), **variables})
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        for _ in range(100):
            try:
                return urllib.request.urlopen(f"{self.url}/v1/user/1/feed", context=self.context).read()
            except OSError:
                time.sleep(0.1)
        self.fail(f"{words[0]} doesn't answer")

    def call(self):
        with httpx.Client(verify=self.context, base_url=self.url) as client:
            self.assertEqual(client.get("/v1/user/1/feed").json(), [1, 2, 3])
            self.assertEqual(client.get("/v1/user/1/feed", headers=stub("error")).status_code, 503)
            created = client.post("/v1/user", json={"name": "é" * 100_000})
            self.assertEqual(created.json(), {"name": "é" * 100_000})
            self.assertEqual(len(client.get("/v1/user/1/feed", headers=stub("large")).content), 5_120_000)
            # A connection that ends early is the proxy's own error.
            self.assertEqual(client.get("/v1/user/1/feed", headers=stub("reset")).status_code, 502)

    def page(self, kind):
        """The configuration that docs/how-to/serve-tls.md shows, with this run's port, files and server."""
        text = (HERE / "../../docs/how-to/serve-tls.md").read_text()
        config = text.split(f"```{kind}\n")[1].split("```")[0]
        return config.replace("8443", str(self.port)).replace("/etc/ssl/localhost", str(self.root)).replace(
            "127.0.0.1:8080", f"127.0.0.1:{self.server.port}")

    def test_nginx(self):
        with Serve() as self.server:
            user = "user root;" if os.getuid() == 0 else ""
            paths = " ".join(f"{kind}_temp_path {self.root}/{kind};" for kind in
                             ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
            (self.root / "nginx.conf").write_text(
                f"{user} daemon off; pid {self.root}/pid; error_log {self.root}/log; events {{}}\n"
                f"http {{ access_log off; {paths}\n{self.page('nginx')} }}")
            self.assertEqual(self.start(shutil.which("nginx"), "-c", f"{self.root}/nginx.conf"), b"[1,2,3]")
            self.call()

    def test_caddy(self):
        with Serve() as self.server:
            (self.root / "Caddyfile").write_text("{\nadmin off\n}\n" + self.page("caddy"))
            self.assertEqual(
                self.start("caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"), b"[1,2,3]")
            self.call()


if __name__ == "__main__":
    unittest.main(verbosity=2)
