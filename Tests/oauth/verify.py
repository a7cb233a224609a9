#!/usr/bin/env python3
"""Logs in, gets, renews and revokes tokens at a server made of Authlib, as a person, a machine and many processes do; and meets answers
that are wrong.

usage: Tests/oauth/verify.py PROGRAM [--kills N] [--processes N]
"""
import argparse, json, os, pathlib, pty, random, re, select, signal, socket, stat, subprocess, sys, tempfile, threading, time
import urllib.error, urllib.parse, urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("program", type=pathlib.Path)
parser.add_argument("--kills", type=int, default=10, help="how often a process is killed while it renews a token")
parser.add_argument("--processes", type=int, default=50, help="how many processes share an expired token")
options = parser.parse_args()

here = pathlib.Path(__file__).resolve().parent
try:
    import authlib, flask
except ImportError:
    # The same script again, in an environment of its own.
    folder = here.parents[1] / ".build/oauth"
    if not (folder / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "authlib", "flask"], check=True)
    os.execv(folder / "bin/python", [str(folder / "bin/python"), *sys.argv])

import warnings
warnings.showwarning = lambda *_: None  # of Authlib, about names in later versions
sys.path.insert(0, str(here))
import server

PROGRAM, BASE, SECRET = str(options.program.resolve()), server.start(), "s:ecret +1ä"
folder = tempfile.TemporaryDirectory(prefix="reqcli-oauth-")
root = pathlib.Path(folder.name)
failures, seen = [], []


def check(name, holds, found=""):
    print(f"{'ok' if holds else 'not ok'} - {name}{'' if holds else f': found {found}'}")
    if not holds: failures.append(name)


def count(what): return server.counts.get(what, 0)


# MARK: The workspace

def workspace(name, issuer=BASE, api=BASE):
    place = root / name
    (place / "endpoints").mkdir(parents=True)
    (place / "environments").mkdir()
    (place / "endpoints/api.json").write_text('{"path": "/api", "expect": {"status": 200}}')
    for flow, client in [("clientCredentials", "machine"), ("authorizationCode", "app"), ("deviceCode", "tv")]:
        oauth = {"flow": flow, "issuer": issuer, "clientID": client, "scopes": ["openid", "orders:read"]}
        if client == "machine": oauth |= {"clientSecret": "{{secret.client}}"}
        text = {"baseURL": api, "auth": {"oauth2": oauth}, "secrets": {"client": {"env": "CLIENT_SECRET"}}}
        (place / f"environments/{client}.json").write_text(json.dumps(text))
    return place


def variables(home, **more):
    return {"PATH": f"{root}/bin:/usr/bin:/bin", "HOME": str(home), "LC_ALL": "C.UTF-8", "CLIENT_SECRET": SECRET, "TERM": "xterm", **more}


def run(place, *words, home=None, **more):
    result = subprocess.run([PROGRAM, *words], cwd=place, env=variables(home or place, **more), capture_output=True, text=True, timeout=60)
    seen.append(result.stdout + result.stderr if words[0] != "token" else result.stderr)
    return result


def files(home): return sorted((home / ".local/state/reqcli/tokens").glob("*.json"))


def change(file, **members):
    text = json.loads(file.read_text()) | members
    file.write_text(json.dumps(text))


def expire(file): change(file, obtained=int(time.time()) - 4000, expires=int(time.time()) - 400)


# MARK: A person at a terminal

BROWSERS = {
    # What opens the address, as xdg-open does.
    "person": f"#!{sys.executable}\nimport runpy, sys; sys.argv = ['browse', sys.argv[1]]; runpy.run_path('{here}/browse.py', run_name='__main__')\n",
    "chromium": f"#!/bin/sh\nexec node '{here}/browse.mjs' \"$1\"\n",
    "recorder": f"#!/bin/sh\nprintf '%s' \"$1\" > '{root}/address.new' && mv '{root}/address.new' '{root}/address'\n",
}


def browser(kind):
    (root / "bin").mkdir(exist_ok=True)
    path = root / "bin/xdg-open"
    path.write_text(BROWSERS[kind])
    path.chmod(0o755)
    (root / "address").unlink(missing_ok=True)


def address():
    for _ in range(500):
        if (root / "address").exists(): return (root / "address").read_text()
        time.sleep(0.02)
    raise AssertionError("no address was opened")


class Terminal:
    """A program at a terminal, and what it has shown."""
    def __init__(self, place, *words, **more):
        self.text, self.is_over = "", False
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.chdir(place)
            os.execve(PROGRAM, [PROGRAM, *words], variables(place, **more))

    def read(self, timeout):
        if not select.select([self.master], [], [], timeout)[0]: return False
        try: part = os.read(self.master, 65536)
        except OSError: part = b""
        self.is_over = not part
        self.text += part.decode(errors="replace")

    def wait_for(self, text, timeout=20):
        end = time.time() + timeout
        while text not in self.text:
            if time.time() > end: raise AssertionError(f"{text!r} was not shown: {self.text!r}")
            self.read(0.1)

    def type(self, text): os.write(self.master, text.encode())

    def end(self, timeout=30):
        end = time.time() + timeout
        while not self.is_over and time.time() < end: self.read(0.2)
        if not self.is_over: os.kill(self.process, signal.SIGKILL)
        status = os.waitpid(self.process, 0)[1]
        os.close(self.master)
        seen.append(self.text)
        return os.waitstatus_to_exitcode(status)


def login(place, environment, *words, kind="person", **more):
    browser(kind)
    terminal = Terminal(place, "login", "-e", environment, *words, **more)
    terminal.wait_for("Go on? [y/N]")
    terminal.type("y\n")
    return terminal


def get(url, host=None, method="GET"):
    request = urllib.request.Request(url, method=method, headers={"Host": host} if host else {})
    try: return urllib.request.urlopen(request, timeout=10).status
    except urllib.error.HTTPError as error: return error.code


# MARK: A machine

def machines():
    place = workspace("machine")
    result = run(place, "send", "api", "-e", "machine")
    check("a machine gets a token with its secret, and sends it", (result.returncode, json.loads(result.stdout or "{}")) == (0, {"client": "machine", "user": None}), result)
    before = count("token")
    result = run(place, "check", "api", "-e", "machine")
    check("the token is used again", result.returncode == 0 and count("token") == before, result)
    command = run(place, "render", "api", "-e", "machine", "--one-line").stdout
    path = variables(place)["PATH"]
    (root / "bin").mkdir(exist_ok=True)
    (root / "bin/reqcli").unlink(missing_ok=True)
    (root / "bin/reqcli").symlink_to(PROGRAM)
    curl = subprocess.run(["sh", "-c", command], cwd=place, env=variables(place), capture_output=True, text=True)
    check("the command that render prints gets the token itself", json.loads(curl.stdout or "{}").get("client") == "machine" and f"$(reqcli token -e machine --for {BASE})" in command, (command, curl))
    result = run(place, "logout", "-e", "machine")
    check("logout revokes and removes", result.returncode == 0 and count("revoked") == 1 and not files(place), result)
    result = run(place, "send", "api", "-e", "machine", CI="1")
    check("in CI nothing is kept", result.returncode == 0 and not files(place), result)
    result = run(place, "send", "api", "-e", "machine", CLIENT_SECRET="wrong")
    check("a wrong secret is status 3, with the server's error", result.returncode == 3 and "invalid_client" in result.stderr, result)


GOOD = {"access_token": "t" * 20, "token_type": "Bearer", "expires_in": 3600}
JSON = {"Content-Type": "application/json"}
WRONG = [
    ("HTML", 3, (200, {"Content-Type": "text/html"}, "<html>t0k3n</html>")),
    ("2 MiB", 3, (200, JSON, json.dumps(GOOD | {"x": "y" * (2 << 20)}))),
    ("a redirect", 3, (302, {"Location": "/api"}, "")),
    ("a redirect that keeps the method", 3, (307, {"Location": "/token"}, "")),
    ("nothing", 3, (200, JSON, "")),
    ("half of an object", 3, (200, JSON, json.dumps(GOOD)[:-9])),
    ("a list", 3, (200, JSON, "[1]")),
    ("no token", 3, (200, JSON, json.dumps({"token_type": "Bearer"}))),
    ("an empty token", 3, (200, JSON, json.dumps(GOOD | {"access_token": ""}))),
    ("a token with a line break", 3, (200, JSON, json.dumps(GOOD | {"access_token": "a\r\nX: y"}))),
    ("a token that is an object", 3, (200, JSON, json.dumps(GOOD | {"access_token": {}}))),
    ("a token of another type", 3, (200, JSON, json.dumps(GOOD | {"token_type": "mac"}))),
    ("an error", 3, (400, JSON, json.dumps({"error": "invalid_scope"}))),
    ("an error with 200", 3, (200, JSON, json.dumps({"error": "incorrect_client_credentials"}))),
    ("an error that is no text", 3, (400, JSON, json.dumps({"error": 7}))),
    ("401 without a body", 3, (401, {}, "")),
    ("503", 3, (503, {"Content-Type": "text/plain"}, "busy")),
    ("a lifetime that is missing", 4, (200, JSON, json.dumps({"access_token": "t" * 20}))),
    ("a lifetime that is a text", 4, (200, JSON, json.dumps(GOOD | {"expires_in": "3600"}))),
    ("a lifetime that is nonsense", 4, (200, JSON, json.dumps(GOOD | {"expires_in": "soon"}))),
]


def wrong_answers():
    for name, status, answer in WRONG:
        place = workspace("wrong " + name)
        # A token that the server doesn't know is rejected by the API, and one more is asked for.
        server.settings["answers"] = [answer] * (2 if status == 4 else 1)
        before = count("api")
        result = run(place, "send", "api", "-e", "machine")
        sent = count("api") - before
        holds = result.returncode == status and (sent == 0 if status == 3 else sent > 0) and (status == 4 or not files(place))
        check(f"instead of a token, {name}: status {status}", holds and "t0k3n" not in result.stderr, (sent, result))
        server.settings["answers"] = []
    for name, metadata in [("another issuer", {"issuer": "https://evil.example"}), ("an unencrypted endpoint", {"token_endpoint": "http://evil.example/token"}), ("no endpoint", {"token_endpoint": None})]:
        server.settings["metadata"] = metadata
        before = count("token")
        result = run(workspace("metadata " + name), "send", "api", "-e", "machine")
        check(f"metadata with {name}: status 3, and no secret is sent", result.returncode == 3 and count("token") == before, result)
    server.settings["metadata"] = {}


# MARK: A person

def people():
    place = workspace("person")
    result = run(place, "send", "api", "-e", "app")
    check("without a login, send ends with 3 and says what to do", result.returncode == 3 and 'run "reqcli login -e app"' in result.stderr, result)
    result = run(place, "login", "-e", "app")
    check("login without a terminal is status 2", result.returncode == 2 and "clientCredentials" in result.stderr, result)
    terminal = Terminal(place, "login", "-e", "app", CI="1")
    check("login in CI is status 2", terminal.end() == 2 and "clientCredentials" in terminal.text, terminal.text)
    terminal = Terminal(place, "login", "-e", "app")
    terminal.wait_for("Go on? [y/N]")
    terminal.type("n\n")
    check("nothing is opened without a yes", terminal.end() == 2 and count("authorization_code") == 0, terminal.text)

    terminal = login(place, "app")
    status = terminal.end()
    check("a login in a browser gives a token", status == 0 and "ada@example.com" in terminal.text and f"sent to {BASE}" in terminal.text, (status, terminal.text))
    result = run(place, "send", "api", "-e", "app")
    check("send uses it", json.loads(result.stdout or "{}") == {"client": "app", "user": "ada"}, result)
    file = files(place)[0]
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (file, file.parent)]
    check("the file is 0600, and its folder 0700", modes == [0o600, 0o700], modes)
    result = run(place, "whoami", "-e", "app")
    check("whoami knows the user", "ada@example.com" in result.stdout and str(file) in result.stdout, result)
    result = run(place, "whoami", "-e", "app", "--remote", "--json")
    check("whoami --remote asks the server", json.loads(result.stdout or "{}").get("userinfo") == {"sub": "ada"}, result)
    expire(file)
    before = count("refresh")
    result = run(place, "send", "api", "-e", "app")
    check("an expired token is renewed", result.returncode == 0 and count("refresh") == before + 1, result)
    change(file, accessToken="unknown")
    result = run(place, "send", "api", "-e", "app")
    check("a rejected token is renewed", result.returncode == 0 and count("refresh") == before + 2, result)

    copy = workspace("stranger", api=BASE.replace("127.0.0.1", "localhost"))
    result = run(copy, "send", "api", "-e", "app", home=place)
    check("another workspace gets no token", result.returncode == 3 and "not logged in" in result.stderr, result)
    before = count("api")
    result = run(place, "send", "api", "-e", "app", "--base-url", BASE.replace("127.0.0.1", "localhost"))
    check("another server gets no token", result.returncode == 3 and "is not for http://localhost" in result.stderr and count("api") == before, result)

    change(file, refreshToken="used already", accessToken="unknown")
    result = run(place, "send", "api", "-e", "app")
    check("a refresh token that ended ends the login", result.returncode == 3 and "has ended" in result.stderr and not files(place), result)


def listeners():
    place = workspace("listener")
    terminal = login(place, "app", kind="recorder")
    url = address()
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    back, state = query["redirect_uri"], query["state"]
    check("the address has PKCE", query["code_challenge_method"] == "S256" and len(query["code_challenge"]) == 43 and "verifier" not in url, url)
    port = urllib.parse.urlsplit(back).port
    refused = [
        get(f"{back}?code=evil&state=wrong"), get(f"{back}?code=evil"), get(f"http://127.0.0.1:{port}/other?code=evil&state={state}"),
        get(f"{back}?code=evil&state={state}", host="evil.example"), get(f"{back}?code=evil&state={state}", method="POST"),
        get(f"{back}?code=evil&state={state}&state={state}"),
    ]
    check("strangers at the listener are turned away", refused == [404] * 6, refused)
    with socket.create_connection(("127.0.0.1", port)) as idle:
        outside = {address[4][0] for address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
        reached = [each for each in outside if not each.startswith("127.") and socket.socket().connect_ex((each, port)) == 0]
        check("it listens on this machine only", not reached, reached)
        subprocess.run([sys.executable, here / "browse.py", url], check=True)
        status = terminal.end()
    check("the login still succeeds after them", status == 0, terminal.text)

    terminal = login(place, "app", kind="recorder")
    url = address()
    server.settings["iss"] = "https://evil.example"
    subprocess.run([sys.executable, here / "browse.py", url], check=False)
    status = terminal.end()
    check("an answer of another issuer is not used", status == 3 and "another issuer" in terminal.text, terminal.text)
    del server.settings["iss"]

    terminal = login(place, "app", kind="recorder")
    subprocess.run([sys.executable, here / "browse.py", address(), "no"], check=False)
    status = terminal.end()
    check("a person who refuses", status == 3 and "access_denied" in terminal.text, terminal.text)

    terminal = login(place, "app", "--no-browser")
    terminal.wait_for("Paste")
    url = re.search(r"http://\S+/authorize\S+", terminal.text)[0]
    end = subprocess.run([sys.executable, here / "browse.py", url, "yes", "print"], capture_output=True, text=True).stdout.strip()
    terminal.type(end + "\n")
    status = terminal.end()
    check("--no-browser takes the pasted address, and doesn't show it", status == 0 and "code=" not in terminal.text, terminal.text)
    terminal = login(place, "app", "--no-browser")
    terminal.wait_for("Paste")
    terminal.type(end + "\n")
    status = terminal.end()
    check("--no-browser doesn't take the address of another login", status == 3, terminal.text)


def chromium():
    place = workspace("chromium")
    terminal = login(place, "app", kind="chromium")
    status = terminal.end(60)
    check("a login in Chromium", status == 0 and "ada@example.com" in terminal.text, terminal.text)


# MARK: A device

def devices():
    place = workspace("device")
    terminal = login(place, "tv")
    terminal.wait_for("/device")
    code = re.search(r"[A-Z]{4}-[A-Z]{4}", terminal.text)[0]
    time.sleep(2.5)
    server.settings["device"] = {code: (server.User("ada"), True)}
    status = terminal.end()
    check("a device logs in with a code", status == 0 and "ada@example.com" in terminal.text, terminal.text)
    check("it keeps to the interval", count("poll") <= 4, count("poll"))
    result = run(place, "send", "api", "-e", "tv")
    check("send uses its token", json.loads(result.stdout or "{}") == {"client": "tv", "user": "ada"}, result)
    terminal = login(place, "tv")
    terminal.wait_for("/device")
    code = re.search(r"[A-Z]{4}-[A-Z]{4}", terminal.text)[0]
    server.settings["device"] = {code: (server.User("ada"), False)}
    status = terminal.end()
    check("a person who refuses a device", status == 3 and "access_denied" in terminal.text, terminal.text)


# MARK: Many processes

def together():
    place = workspace("together")
    assert login(place, "app").end() == 0
    expire(files(place)[0])
    before, reused = count("refresh"), count("reused")
    command = [PROGRAM, "send", "api", "-e", "app"]
    processes = [
        subprocess.Popen(command, cwd=place, env=variables(place), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(options.processes)]
    ends = [(process.communicate(timeout=120)[0], process.returncode) for process in processes]
    seen.extend(text for text, _ in ends)
    failed = [end for end in ends if end[1] != 0]
    asked = (count("refresh") - before, count("reused") - reused)
    check(f"{options.processes} processes with one expired rotating token: one renewal, no failure", not failed and asked == (1, 0), (asked, failed[:2]))


def kills():
    place = workspace("killed")
    assert login(place, "app").end() == 0
    expire(files(place)[0])
    start = time.time()
    run(place, "send", "api", "-e", "app")
    span = (time.time() - start) * 1.1
    generator = random.Random(1)
    lost = 0
    for _ in range(options.kills):
        if not files(place): assert login(place, "app").end() == 0
        file = files(place)[0]
        expire(file)
        process = subprocess.Popen([PROGRAM, "send", "api", "-e", "app"], cwd=place, env=variables(place), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(generator.uniform(0, span))
        process.kill()
        process.communicate()
        json.loads(file.read_text())["accessToken"]
        # A process that was killed after the server had rotated the token leaves one that is used up: the login has ended, and says so.
        result = run(place, "send", "api", "-e", "app")
        if result.returncode == 3 and "has ended" in result.stderr: lost += 1
        elif result.returncode != 0: check("a killed process leaves a file that reads", False, result)
    check(f"{options.kills} killed processes left files that read ({lost} logins had to be repeated)", True)


def masked():
    """No token, code or secret was shown, and no file but those of tokens has one."""
    shown = "\n".join(seen)
    values = {SECRET} | set(server.tokens) | {each.token["refresh_token"] for each in server.tokens.values() if "refresh_token" in each.token}
    check("no token or secret was shown", not [each for each in values if each in shown or urllib.parse.quote(each) in shown])
    check("no code and no verifier was shown", not re.search(r"[?&]code=(?!evil)|code_verifier", shown))
    holding = [
        path for path in root.rglob("*")
        if path.is_file() and path.parent.name != "tokens" and any(each.encode() in path.read_bytes() for each in values)]
    check("no other file has a token or a secret", not holding, holding)


for part in (machines, wrong_answers, people, listeners, chromium, devices, together, kills, masked):
    part()
print(f"{len(failures)} failed" if failures else "all held")
sys.exit(1 if failures else 0)
