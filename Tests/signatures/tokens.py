#!/usr/bin/env python3
"""Sends requests with tokens (JSON Web Tokens) of random keys and claims, and verifies each with PyJWT.

usage: Tests/signatures/tokens.py PROGRAM [COUNT OF EACH ALGORITHM] [--seed N]
"""
import argparse, http.server, json, os, pathlib, random, shutil, subprocess, sys, tempfile, threading, time

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("count", type=int, nargs="?", default=10)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()

try:
    import cryptography, jwt
except ImportError:
    # The same script again, in an environment of its own.
    folder = pathlib.Path(__file__).resolve().parents[2] / ".build/tokens"
    if not (folder / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "PyJWT", "cryptography"], check=True)
    os.execv(folder / "bin/python", [str(folder / "bin/python"), *sys.argv])

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

ALGORITHMS = ["HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]
KEYS_OF_EACH = 4
cases, seen, problems = {}, set(), []
lock = threading.Lock()


def key(source, algorithm):
    """The key and the passphrase for reqcli, and the key for PyJWT."""
    if algorithm.startswith("HS"):
        text = "".join(source.choice("abcdefghijkl0123456789é→ ") for _ in range(64)).strip()
        return text, None, text.encode()
    private = {"RS": lambda: rsa.generate_private_key(65537, source.choice([2048, 3072])), "PS": lambda: rsa.generate_private_key(65537, 2048),
               "ES": lambda: ec.generate_private_key(ec.SECP256R1() if algorithm == "ES256" else ec.SECP384R1()),
               "Ed": ed25519.Ed25519PrivateKey.generate}[algorithm[:2]]()
    passphrase = source.choice([None, None, "open sesame é"])
    formats = [serialization.PrivateFormat.PKCS8] + ([] if algorithm == "EdDSA" else [serialization.PrivateFormat.TraditionalOpenSSL])
    protection = serialization.BestAvailableEncryption(passphrase.encode()) if passphrase else serialization.NoEncryption()
    pem = private.private_bytes(serialization.Encoding.PEM, source.choice(formats), protection).decode()
    return source.choice([pem, pem.replace("\n", "\\n")]), passphrase, private.public_key()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        number = int(self.path.strip("/"))
        case = cases[number]
        try:
            scheme, _, token = self.headers["Authorization"].partition(" ")
            assert scheme == "Bearer"
            found = jwt.decode(token, case["public"], algorithms=[case["algorithm"]], options={"verify_aud": False})
            assert jwt.get_unverified_header(token) == {"alg": case["algorithm"], "typ": "JWT"} | ({"kid": case["id"]} if case["id"] else {})
            assert {name: value for name, value in found.items() if name not in ("iat", "exp")} == case["claims"]
            age = time.time() - found["iat"]
            assert 4 < age < case["life"] / 2 + 6, f"it is {age} s old"
            assert found["exp"] == found["iat"] + case["life"]
            answer = 200
        except Exception as error:
            answer = 403
            with lock: problems.append(f"case {number} ({case['algorithm']}): {type(error).__name__}: {error}")
        with lock: seen.add(number)
        self.send_response(answer)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_): pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


def main():
    program = str(pathlib.Path(options.program).resolve())
    source = random.Random(options.seed)
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = pathlib.Path(tempfile.mkdtemp(prefix="tokens-"))
    for folder in ("endpoints", "environments"): (root / folder).mkdir()
    (root / "reqcli.json").write_text("{}")
    variables = {"PATH": os.environ["PATH"], "HOME": str(root), "LC_ALL": "C.UTF-8", "REQCLI_ENV": "local"}
    keys, secrets = [], {}
    for algorithm in ALGORITHMS:
        for index in range(min(KEYS_OF_EACH, options.count)):
            text, passphrase, public = key(source, algorithm)
            name = f"{algorithm}_{index}"
            variables[f"K_{name}"] = text
            secrets[name] = {"env": f"K_{name}"}
            if passphrase:
                variables[f"P_{name}"] = passphrase
                secrets[f"{name}_pass"] = {"env": f"P_{name}"}
            keys.append((algorithm, name, passphrase, public, text))
    (root / "environments/local.json").write_text(json.dumps({"baseURL": f"http://127.0.0.1:{server.server_port}", "secrets": secrets}))
    odd = 'ab"\\/é→\u2028\x01 '
    total = options.count * len(ALGORITHMS)
    for number in range(total):
        algorithm = ALGORITHMS[number % len(ALGORITHMS)]
        _, name, passphrase, public, _ = source.choice([one for one in keys if one[0] == algorithm])
        def text(): return "".join(source.choice(odd) for _ in range(source.randint(1, 8)))
        claims = {"n": number, "iss": text(), "aud": [text(), text()], "deep": {text(): [1.5, None, True, {}]}}
        case = {"algorithm": algorithm, "public": public, "claims": claims, "id": source.choice([None, "key-1", text().strip() or "k"]), "life": source.choice([120, 600, 3600])}
        cases[number] = case
        token = {"algorithm": algorithm, "key": "{{secret.%s}}" % name, "claims": claims, "expires": case["life"]}
        if passphrase: token["passphrase"] = "{{secret.%s_pass}}" % name
        if case["id"]: token["keyID"] = case["id"]
        (root / f"endpoints/c{number}.json").write_text(json.dumps({"path": f"/{number}", "auth": {"jwt": token}, "expect": {"status": 200}}))
    result = subprocess.run([program, "check", "--jobs", "8"], cwd=root, env=variables, capture_output=True, text=True)
    shown = result.stdout + result.stderr
    if result.returncode != 0: problems.append(shown[-3000:])
    if len(seen) != total: problems.append(f"{len(seen)} of {total} requests were sent: {shown[-2000:]}")
    for _, name, passphrase, _, text in keys:
        if text in shown or text.split("\\n")[-3:][0] in shown or passphrase and passphrase in shown: problems.append(f"the key {name} is shown")
    for problem in problems[:20]: print(problem, file=sys.stderr)
    print(f"{total} tokens of {len(ALGORITHMS)} algorithms and {len(keys)} keys verified by PyJWT (seed {options.seed}): {len(problems)} problems")
    if problems:
        print(f"the workspace is {root}", file=sys.stderr)
        return 1
    shutil.rmtree(root)
    return 0


sys.exit(main())
