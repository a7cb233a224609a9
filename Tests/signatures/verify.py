#!/usr/bin/env python3
"""Makes random requests that are signed for AWS or with an HMAC, and verifies each as it is sent, and as curl sends what `render`
prints. Signatures for AWS are verified with botocore's signer, the others with Python's hmac.

usage: Tests/signatures/verify.py PROGRAM [COUNT] [--seed N]
"""
import argparse, base64, hashlib, hmac, http.server, json, os, pathlib, random, shutil, string, subprocess, sys, tempfile
import threading, urllib.parse
from concurrent.futures import ThreadPoolExecutor

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("count", type=int, nargs="?", default=100)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()

try:
    import botocore
except ImportError:
    # The same script again, in an environment of its own.
    folder = pathlib.Path(__file__).resolve().parents[2] / ".build/signatures"
    if not (folder / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "botocore"], check=True)
    os.execv(folder / "bin/python", [str(folder / "bin/python"), *sys.argv])

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth, SigV4Auth, SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.compat import HTTPHeaders
from botocore.credentials import Credentials

KEY_ID, SECRET, TOKEN, HMAC_KEY = "AKIDEXAMPLE1234", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "tok/en+with=signs" * 3, "hmac key\u00e9 1"
cases, seen, problems = {}, {}, []
lock = threading.Lock()


# MARK: Verifying

def canonical(query):
    """The query as a server of AWS reads it: decoded, and encoded again. botocore expects a query that it has encoded itself."""
    def text(part):
        return urllib.parse.quote(urllib.parse.unquote_to_bytes(part), safe="-_.~")
    items = [item.partition("=") for item in query.split("&") if item]
    return "&".join(f"{text(name)}={text(value)}" for name, _, value in items)


def verify_aws(case, method, target, headers, body):
    path, _, query = target.partition("?")
    assert "+" not in query, "some servers read a plus as a space"
    host = next(value for name, value in headers if name.lower() == "host")
    is_storage = case["service"].startswith("s3")
    # S3 decodes the path, and encodes it again. botocore expects a path that it has encoded itself.
    if is_storage: path = "/".join(urllib.parse.quote(urllib.parse.unquote_to_bytes(part), safe="-_.~") for part in path.split("/"))
    def value(name):
        return next((value for key, value in headers if key.lower() == name), None)
    if case["in"] == "query":
        items = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        signed, signature = items["X-Amz-SignedHeaders"], items["X-Amz-Signature"]
        credential, stamp, token = items["X-Amz-Credential"], items["X-Amz-Date"], items.get("X-Amz-Security-Token")
        query = "&".join(item for item in query.split("&") if not item.startswith("X-Amz-Signature="))
        kind = S3SigV4QueryAuth if is_storage else SigV4QueryAuth
        assert int(items["X-Amz-Expires"]) == case["expires"], "expires"
    else:
        parts = dict(part.split("=", 1) for part in value("authorization").split(" ", 1)[1].split(", "))
        signed, signature, credential = parts["SignedHeaders"], parts["Signature"], parts["Credential"]
        stamp, token = value("x-amz-date"), value("x-amz-security-token")
        kind = S3SigV4Auth if is_storage else SigV4Auth
        if is_storage: assert value("x-amz-content-sha256"), "S3 needs the hash of the body"
    assert token == (TOKEN if case["token"] else None), "session token"
    assert credential == f"{KEY_ID}/{stamp[:8]}/{case['region']}/{case['service']}/aws4_request", credential
    names = signed.split(";")
    assert "host" in names and names == sorted(names), signed
    for name, _ in headers:
        start = "x-amz-" if case["in"] == "query" else "x-"
        assert name.lower() in names or not name.lower().startswith(start), f"{name} is not signed"
    own = value("x-amz-content-sha256")
    if own and own != "UNSIGNED-PAYLOAD": assert own == hashlib.sha256(body).hexdigest(), "hash of the body"
    if case["payload"] == "unsigned" and case["in"] == "header": assert own == "UNSIGNED-PAYLOAD"

    class Verifier(kind):
        def headers_to_sign(self, request):
            result = HTTPHeaders()
            for name, text in headers:
                if name.lower() in names: result[name.lower()] = text
            return result
    request = AWSRequest(method, f"http://{host}{path}" + (f"?{canonical(query)}" if query else ""), data=body)
    for name, text in headers:
        if name.lower() in names: request.headers[name] = text
    request.context["timestamp"] = stamp
    verifier = Verifier(Credentials(KEY_ID, SECRET, token), case["service"], case["region"])
    text = verifier.string_to_sign(request, verifier.canonical_request(request))
    expected = verifier.signature(text, request)
    assert expected == signature, f"botocore's canonical request:\n{verifier.canonical_request(request)}"


def verify_hmac(case, method, target, headers, body):
    path, _, query = target.partition("?")
    value = {name.lower(): text for name, text in headers}
    if case["in"] == "query":
        sent = urllib.parse.unquote(query.rpartition("sig=")[2])
        query = query.rpartition("sig=")[0].rstrip("&")
        target = path + (f"?{query}" if query else "")
    else:
        sent = value["x-signature"].removeprefix("v1=")
    ordered = "&".join(sorted((item for item in query.split("&") if item), key=lambda item: (item.partition("=")[0], item.partition("=")[1:])))
    text = "\n".join([method, value["host"], path, query, ordered, target, value["x-time"], value["x-case"],
                      hashlib.sha256(body).hexdigest()]).encode() + (b"\n" + body if case["raw"] else b"")
    code = hmac.new(HMAC_KEY.encode(), text, case["algorithm"]).digest()
    expected = {"hex": code.hex(), "base64": base64.b64encode(code).decode(),
                "base64url": base64.urlsafe_b64encode(code).decode().rstrip("=")}[case["encoding"]]
    assert sent == expected, f"the text that is signed:\n{text!r}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self):
        # The path that Python gives has fewer slashes.
        method, target, _ = self.requestline.split(" ")
        headers = [(name, text.encode("latin-1").decode()) for name, text in self.headers.items()]
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        number = int(self.headers["X-Case"])
        case = cases[number]
        try:
            (verify_aws if case["kind"] == "aws" else verify_hmac)(case, method, target, headers, body)
            answer = 200
        except Exception as error:
            answer = 403
            with lock: problems.append(f"case {number}: {type(error).__name__}: {error}\n{self.requestline}\n{headers}")
        with lock: seen[number] = seen.get(number, 0) + 1
        self.send_response(answer)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = handle_any

    def log_message(self, *_): pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


# MARK: Random requests

def make(random, number, root):
    pick, chance = random.choice, random.random
    def text(letters, most): return "".join(pick(letters) for _ in range(random.randint(0, most)))
    plain = string.ascii_letters + string.digits + "-_.~"
    odd = plain + "".join("(')*,;:@!$&=+") + " é→"
    segments = [text(plain if chance() < 0.5 else odd, 8) or pick(["a", "", ".", "..", "%20", "%2F", "b%C3%A9"]) for _ in range(random.randint(0, 4))]
    path = "/" + "/".join(segments)
    if path.startswith("//"): path = "/x" + path
    headers = {"X-Case": str(number)}
    for _ in range(random.randint(0, 3)):
        name = pick(["X-A", "X-A-B", "X-Amz-Meta-Note", "x-b", "Cache-Control", "User-Agent", "Content-Language"])
        value = text(plain + "  ,;=\"é" if chance() < 0.4 else plain, 12).strip()
        headers[name] = [value, "two"] if name == "X-A" and chance() < 0.3 else value
    if chance() < 0.2: headers["Accept"] = pick([None, "application/json"])
    endpoint = {"method": pick(["GET", "GET", "POST", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]), "path": path,
                "headers": headers, "expect": {"status": 200}}
    kind = random.random()
    if kind < 0.3:
        endpoint["query"] = {text(odd, 5) or "q": [text(odd, 6)] if chance() < 0.7 else [text(odd, 3), text(odd, 3)] for _ in range(random.randint(1, 4))}
    elif kind < 0.45:
        endpoint["query"] = {name: text(plain, 6) for name in sorted({text(string.ascii_lowercase, 5) or "k" for _ in range(3)})}
    elif kind < 0.6:
        endpoint["query"] = "&".join(pick(["b=2", "a=1", "a=0", "flag", "x=a/b", "y=%20%2f", "z=a+b", "e=", "a-b=3", "=v"]) for _ in range(random.randint(1, 4)))
    if endpoint["method"] not in ("GET", "HEAD", "OPTIONS") and chance() < 0.75 or chance() < 0.05 and endpoint["method"] != "HEAD":
        content = text(odd + "\n\"{", 60)
        kind = pick(["json", "text", "form", "base64", "file", "multipart"])
        if kind == "file":
            (root / f"body-{number}").write_bytes(content.encode() * random.randint(0, 50))
            content = f"body-{number}"
        endpoint["body"] = {kind: {"json": {"a": content.replace("{{", "")}, "text": content.replace("{{", ""), "file": content,
                                   "base64": base64.b64encode(random.randbytes(random.randint(0, 80))).decode(),
                                   "form": {"a": content.replace("{{", ""), "b": "1"},
                                   "multipart": {"a": content.replace("{{", ""), "b": {"text": "1", "contentType": "text/x-b"}}}[kind]}
        if chance() < 0.2: endpoint["headers"]["Content-Type"] = "text/x-own"
    case = {"number": number, "in": pick(["header", "header", "query"]), "raw": chance() < 0.5}
    if chance() < 0.8:
        case |= {"kind": "aws", "service": pick(["s3", "execute-api", "dynamodb"]), "region": pick(["eu-central-1", "us-east-1"]),
                 "token": chance() < 0.3, "payload": "unsigned" if chance() < 0.2 else "signed", "expires": pick([900, 60, 86400])}
        auth = {"service": case["service"], "region": case["region"], "accessKeyID": "{{secret.id}}",
                "secretAccessKey": "{{secret.key}}", "in": case["in"], "payload": case["payload"]}
        if case["token"]: auth["sessionToken"] = "{{secret.token}}"
        if case["in"] == "query": auth["expires"] = case["expires"]
        endpoint["auth"] = {"aws": auth}
    else:
        case |= {"kind": "hmac", "algorithm": pick(["sha1", "sha256", "sha512"]), "encoding": pick(["hex", "base64", "base64url"])}
        words = ["$method", "$host", "$path", "$query", "$query.sorted", "$target", "$header.X-Time", "$header.X-Case", "$body | sha256 | hex"]
        if "file" in endpoint.get("body", {}): endpoint["body"] = {"text": "instead"}
        auth = {"algorithm": case["algorithm"], "key": "{{secret.hmac}}", "encoding": case["encoding"],
                "sign": "\n".join("{{%s}}" % word for word in words + ["$body"] * case["raw"]),
                "headers": {"X-Time": "{{$now | unix}}"}}
        if case["in"] == "query": auth["query"] = {"sig": "{{$signature}}"}
        else: auth["headers"]["X-Signature"] = "v1={{$signature}}"
        endpoint["auth"] = {"hmac": auth}
    return case, endpoint


def render(program, root, environment, number):
    def run(*words):
        # A text file of Python would have a line feed in place of each carriage return.
        ended = subprocess.run([program, "render", f"c{number}", "--one-line", *words], cwd=root, env=environment, capture_output=True)
        ended.stdout, ended.stderr = ended.stdout.decode(), ended.stderr.decode()
        return ended
    result = run()
    signs = "--aws-sigv4" in result.stdout
    for value in (SECRET, TOKEN, HMAC_KEY):
        if value in result.stdout + result.stderr: problems.append(f"case {number}: render shows a secret")
    if not signs: result = run("--reveal")
    if result.returncode != 0:
        return problems.append(f"case {number}: render: {result.stderr}")
    before = len(problems)
    sent = subprocess.run(["sh", "-c", result.stdout], cwd=root, env=environment, capture_output=True, text=True)
    if sent.returncode != 0: problems.append(f"case {number}: curl: {sent.stderr}\n{result.stdout}")
    if len(problems) > before: problems.append(f"  the command of case {number}:\n{result.stdout}")
    return signs


def main():
    program = str(pathlib.Path(options.program).resolve())
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = pathlib.Path(tempfile.mkdtemp(prefix="signatures-"))
    (root / "endpoints").mkdir()
    (root / "environments").mkdir()
    (root / "reqcli.json").write_text("{}")
    (root / "environments/local.json").write_text(json.dumps({
        "baseURL": f"http://127.0.0.1:{server.server_port}",
        "secrets": {name: {"env": variable} for name, variable in
                    [("id", "AWS_ID"), ("key", "AWS_KEY"), ("token", "AWS_TOKEN"), ("hmac", "HMAC_KEY")]}}))
    source = random.Random(options.seed)
    for number in range(options.count):
        case, endpoint = make(source, number, root)
        cases[number] = case
        (root / f"endpoints/c{number}.json").write_text(json.dumps(endpoint))
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "AWS_ID": KEY_ID, "AWS_KEY": SECRET, "AWS_TOKEN": TOKEN,
                   "HMAC_KEY": HMAC_KEY, "REQCLI_ENV": "local", "LC_ALL": "C.UTF-8"}
    result = subprocess.run([program, "check", "--jobs", "8"], cwd=root, env=environment, capture_output=True, text=True)
    if result.returncode != 0 and not problems: problems.append(result.stdout[-3000:] + result.stderr[-3000:])
    sent = sum(seen.values())
    if sent != options.count: problems.append(f"{sent} of {options.count} requests were sent: {result.stderr[-2000:]}{result.stdout[-2000:]}")
    seen.clear()
    with ThreadPoolExecutor(4) as pool:
        signing = sum(map(bool, pool.map(lambda number: render(program, root, environment, number), range(options.count))))
    if sum(seen.values()) != options.count: problems.append(f"{sum(seen.values())} of {options.count} commands have sent a request")
    # curl signs about one in ten commands. Without any, nothing would verify its signatures.
    if options.count >= 100 and signing < options.count * 0.05: problems.append(f"curl signs only {signing} of {options.count} commands")
    for problem in problems[:20]: print(problem, file=sys.stderr)
    print(f"{options.count} requests sent, and as many commands run, {signing} of them signed by curl (seed {options.seed}): {len(problems)} problems")
    if problems:
        print(f"the workspace is {root}", file=sys.stderr)
        return 1
    shutil.rmtree(root)
    return 0


sys.exit(main())
