#!/usr/bin/env python3
"""Takes secrets from where people keep them, as the recipes in docs/reference/values.md do: from pass, from the Secret Service, and from
one program that prints several in JSON. They arrive at a server with `send`, and those of the stores with the curl command that `render`
prints.

usage: Tests/secrets/recipes.py PROGRAM
Needs Debian's packages pass, gpg, libsecret-tools, gnome-keyring and dbus.
"""
import http.server, json, os, pathlib, shlex, subprocess, sys, tempfile, threading, time

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
if "DBUS_SESSION_BUS_ADDRESS" not in os.environ or os.environ.get("RECIPES") != "1":
    os.execvpe("dbus-run-session", ["dbus-run-session", "--", sys.executable, *sys.argv], os.environ | {"RECIPES": "1"})

arrived = []


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        arrived.append({name.lower(): value for name, value in self.headers.items() if name.lower().startswith("x-")})
        self.send_response(204)
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
temporary = tempfile.TemporaryDirectory(prefix="reqcli-recipes-")
root = pathlib.Path(temporary.name)
environment = {"HOME": str(root), "GNUPGHOME": str(root / "gpg"), "PATH": os.environ["PATH"], "DBUS_SESSION_BUS_ADDRESS": os.environ["DBUS_SESSION_BUS_ADDRESS"],
               "XDG_RUNTIME_DIR": str(root / "run"), "XDG_STATE_HOME": str(root / "state")}
for name in ("gpg", "run"): (root / name).mkdir(mode=0o700)


def run(*words, text="", folder=root):
    done = subprocess.run(words, cwd=folder, env=environment, input=text, capture_output=True, text=True, timeout=60)
    if done.returncode: sys.exit(f"{shlex.join(words)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


EXPECTED = {"x-pass": "from-pass-Tok1", "x-service": "from-service-Tok2", "x-id": "AKIDTok3", "x-key": "key/Tok4+"}
keyring = subprocess.Popen(
    ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    run("gpg", "--batch", "--passphrase", "", "--quick-gen-key", "acme", "default", "default", "never")
    run("pass", "init", "acme")
    run("pass", "insert", "-e", "acme/token", text=EXPECTED["x-pass"] + "\n")
    keyring.stdin.write(b"any")
    keyring.stdin.close()
    # It says nothing when the collection is ready.
    for _ in range(100):
        if b"true" in subprocess.run(["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner",
                                      "string:org.freedesktop.secrets"], env=environment, capture_output=True).stdout: break
        time.sleep(0.1)
    run("secret-tool", "store", "--label=acme", "service", "acme", text=EXPECTED["x-service"])

    workspace = root / "workspace"
    for name in ("endpoints", "environments"): (workspace / name).mkdir(parents=True)
    credentials = ["sh", "-c", f"echo run >> {root}/runs; echo '{{\"AccessKeyId\": \"AKIDTok3\", \"SecretAccessKey\": \"key/Tok4+\"}}'"]
    (workspace / "environments/development.json").write_text(json.dumps({
        "baseURL": f"http://127.0.0.1:{server.server_port}", "secrets": {
            "pass": {"command": ["pass", "show", "acme/token"]}, "service": {"command": ["secret-tool", "lookup", "service", "acme"]},
            "id": {"command": credentials, "json": "$.AccessKeyId"}, "key": {"command": credentials, "json": "$.SecretAccessKey"}}}))
    stores = {"X-Pass": "{{secret.pass}}", "X-Service": "{{secret.service}}"}
    for name, headers in {"all": stores | {"X-Id": "{{secret.id}}", "X-Key": "{{secret.key}}"}, "stores": stores}.items():
        (workspace / f"endpoints/{name}.json").write_text(json.dumps({"path": "/", "headers": headers}))
    run(PROGRAM, "send", "all", "--trust", folder=workspace)
    if (root / "runs").read_text() != "run\n": sys.exit("a program that prints two secrets must run once")
    command = run(PROGRAM, "render", "stores", "--trust", folder=workspace)
    if any(value in command for value in EXPECTED.values()): sys.exit(f"the command holds a secret: {command}")
    run("sh", "-c", command, folder=workspace)
    expected = [EXPECTED, {name: EXPECTED[name] for name in ("x-pass", "x-service")}]
    if arrived != expected: sys.exit(f"expected {expected}, and found {arrived}")
finally:
    subprocess.run(["gpgconf", "--kill", "all"], env=environment)
    keyring.terminate()
print("ok: secrets of pass, the Secret Service and a program with two values arrive; the rendered command reads the stores, too")
