"""Calls of every command, mostly right ones."""

from pathlib import Path

from samples import NASTY_TEXTS

#: What is imported: some by their format's name, some that are told by their text, and some that aren't there.
SOURCES = ["api.yaml", "openapi api.yaml", "postman.json", "shop.request.yaml", "insomnia.json", "saved.har", "list.hurl", "list.http", "list.bru",
           "copied.sh"] * 4 + [
    "copied.sh --as a.b", "curl copied.sh body rows.json", "api.yaml --into x", "curl -- curl http://h/{a,b}/7 -u a:b", "body", "no.txt",
    "endpoints", ".", "", "openapi list.http", "--update"]
#: For each command words that may follow it: at most one of each list.
REQUEST = [
    ["-H X:y", "-H Cookie:a=b", "-H Accept;", "-H Host:a", "-H X-Token:", f"-H X:{'a' * 90_000}", "-H x:1 -H X:2",
     "-H Expect:100-continue", "-H Range:bytes=0-1"],
    ["-q a=b", "-q é={{x}}", f"-q a={'&' * 30_000}", "-q a=1 -q a=2"],
    ["--netrc", "--netrc-file netrc"], ["--env-file vars", "--env-file body"],
    ["--resolve localhost:80:127.0.0.1", "--resolve localhost:80:[::1] --resolve x:1:127.0.0.1", "--resolve 127.0.0.1:1:[::1]",
     "--unix-socket jar", "--connect-to ::127.0.0.1:1", "--connect-to localhost::[::1]: --connect-to :::", "--connect-to a:0:b:1"],
    ["--http1.0", "--http1.1", "--http2", "--http1.1 --http2"], ["--trust"], ["--seed 7", "--seed x"], ["--at 2026-01-01T00:00:00Z", "--at now"], ["--no-input"], ["--color always", "--color never"], ["-C .", "-C ../workspace"],
    ["--proxy 127.0.0.1:1", "-x http://localhost:1", "--proxy socks5h://[::1]:1", "--proxy=", "--noproxy * --proxy x:1",
     "--noproxy 10.0.0.0/8,.a,,é", "--proxytunnel", "--proxy-digest", "--proxy-header X:y", "--proxy-header X;"],
]
MESSAGE = REQUEST + [
    ["--body {}", "--body @body", "--body @body", "--body -"], ["--cookie-jar jar", "--cookie-jar jar", "--cookie-jar new", "--cookie-file jar", "--cookie-file gone"],
    ["--follow", "--follow", "--no-follow", "--max-redirects 0", "--follow --max-redirects 1"], ["--insecure"], ["--tls-max 1.2", "--tls-max 1.0"], ["--ca certs/ca.pem"],
]
SENDING = [["--yes"]]
OPTIONS = {
    "send": MESSAGE + SENDING + [
        ["--again", "--again 1", "--again=2 id=1"], ["--retry 1", "--retry 2", "--retry 3", "--retry 101"], ["--keep 10m", "--keep 0"],
        ["-i", "-v", "--headers", "--body-only", "-Q", "-o out", "-o stubs/large.json", "-o no/out", "--download", "--download -v",
         "-o out --continue", "-o out --output-errors", "--if-changed since", "--if-changed since -o out", "--if-changed body", "--if-changed no/since", "-D head", "-D head -o out", "--dump-header no/head", "-D -", "-w {status}{time.total}{header.etag}\\n", "-Q -w {{{url}}", "-w {statsu}", "-w {", "--pager",
         "-s $..id", "-s $..*", "-s $..[?@.id>1].name --pretty", "-s $.items[?match(@.name,'(A|a)*b')]",
         "--json", "--json -s $..id", "--json -v", "--pretty", "--pretty --color always", "--raw",
         "--save-stub saved", "--save-stub saved", "--save-stub standard --force", "--save-stub standard", "--save a.b", "--save a.b --force"],
        ["--max-events 1", "--for 10ms", "--max-events 2 --for 1s", "--paginate", "--paginate --max-pages 2"],
    ],
    "render": MESSAGE + [
        ["--format curl", "--shell fish", "--shell powershell", "--one-line", "--format http", "--format json", "--format har",
         "--diff staging", "--diff shared", "--diff local"],
        ["--reveal"], ["--if-changed since", "--if-changed body"],
    ],
    "diff": REQUEST + SENDING + [
        ["--body {}", "--body @body", "--body -"], ["--follow", "--no-follow", "--max-redirects 1"], ["--insecure"], ["--ca certs/ca.pem"],
        ["--retry 1", "--keep 10m"], ["--json"], ["--shape"], ["--headers"], ["--max-body 1", "--max-body 1K"],
        ["--ignore $..id", "--ignore $..*", "--ignore $.items[?@.id>1] --ignore $"],
    ],
    "explain": MESSAGE + [["--json"]],
    "check": REQUEST + SENDING + [
        ["--report json=-", "--report junit=r.xml", "--report html=r.html", "--report tap=-",
         "--report github=- --report html=r.html --report json=r.json"],
        ["--mutate", "--mutate --min 80", "--mutate --live", "--min 1"], ["--fail-fast"], ["--jobs 1", "--jobs 8"], ["--list", "-v", "-Q"], ["--update-snapshots", "--update-snapshots=new"],
        ["--shard 1/2", "--shard 2/9", "--shard auto", "--shard auto/3", "--shard 1/2 --balance part.json", "--balance no.json"],
        ["--fail-on-flaky --retry 1"], ["--record run.reqcli", "--replay run.reqcli", "--replay no.json", "--replay reqcli.json"],
        ["--exclude tag:smoke", "--exclude orders.*"], ["--uses endpoints/todos.json", "--uses no.json"],
        ["--openapi openapi.json", "--openapi reqcli.json", "--openapi no.json"], ["--retry 2 --retry-interval 10ms"],
        ["orders.list --data rows.csv", "todos.get orders.list --data rows.json", "orders.list/* --data rows.ndjson",
         "orders.list --data -"],
    ],
    "load": REQUEST + SENDING + [
        ["--shard 1/2 --seed 1 --start-at 2020-01-01T00:00:00Z", "--shard 3/2", "--start-at soon"],
        ["--threshold p50<1ms", "--threshold errors<50% --threshold rate>=1/s", "--threshold x", "--abort errors<1", "--poisson"],
        ["--report json=-", "--report junit=l.xml", "--report markdown=l.md --report json=l.json", "--report html=l.html --report tap=l.tap", "--report github=-"], ["--list", "-Q"],
        ["--data rows.csv", "--data rows.json", "--in-flight 1", "--threads 2"], ["--stub", "--stub standard"],
    ],
    "report": [
        ["merge part.json"] * 5 + ["merge part.json part.json", "merge reqcli.json part.json", "merge no.json", "merge -", "part"] + ["trend part.json", "trend .", "trend part.json no.json"],
        ["--report json=-", "--report junit=m.xml --report tap=-", "--report github=-", "--report html=m.html"], ["-v", "-Q"],
        ["--output m.html", "-o -", "-o m.html --json"],
    ],
    "drift": REQUEST + SENDING + [
        ["--strict"], ["--update", "--update --strict"], ["--jobs 1", "--jobs 8"], ["--shard 1/2"], ["--max-body 1", "--max-body 1K"],
        ["--exclude tag:smoke", "--exclude orders.*"], ["orders", "todos.get", "*"],
    ],
    "serve": [
        ["--strict", "--no-validate"], ["--json"], ["--stub standard", "--stub orders.get=standard", "--stub x=y", "--stub="],
        ["--delay 1ms..2ms", "--delay 2..1", "--delay x"], ["--cors *", "--cors http://a.test", "--no-cors", "--no-cors --cors *"],
        ["--allow-host a.test"], ["--host 127.0.0.1", "--host ::1", "--host nowhere", "--unix-socket socket"], ["--grace 1s"],
        ["orders", "*", "tag:smoke"], ["--no-page"],
    ],
    "login": [["orders.list", "nowhere"], ["--no-browser"], ["--no-input"], ["--env base", "--env shared", "--env no"]],
    "logout": [["orders.list"], ["--all"], ["--env base", "--env shared"]],
    "whoami": [["orders.list"], ["--json"], ["--remote"], ["--env base", "--env shared"]],
    "token": [["orders.list"], ["--trust"], ["--env-file vars"], ["--env base", "--env shared"]],
    "show": [["--json"], ["--color always"]],
    "list": [["--json"], ["environments", "orders", "user.*", "tag:smoke", "tag:orders orders.get/*", "*"], ["--env shared"]],
    "history": [["show 1", "show 2 --json", "show x", "orders", "*", "clear", "clear --env shared"], ["--json"], ["--env shared"]],
    "validate": [["--json"], ["--color always"]],
    "secrets": [["--json"], ["--env base", "--env shared", "--env no"], ["--allow-origin http://h", "--allow-origin http://127.0.0.1:1 --allow-origin https://a", "--allow-origin a"]],
    "lsp": [["--color always", "orders"]],
    "mcp": [["--env base", "--env shared --env base", "--env no"], ["--max-result 4K", "--max-result 1", "--max-result x"]],
    "export": [
        ["-o exported", "-o exported --force", "-o exported/", "-o body"], ["tag:smoke", "orders", "orders.list", "*"],
        ["--weight *=2", "--weight x=", "--weight =1"], ["--flavor vscode", "--flavor jetbrains"], ["--source https://h.example/a", "--source x"]],
    "generate": [["swift -o made", "swift -o made --check", "swift"], ["--module Made", "--module 1"], ["orders", "tag:smoke"], ["--models"]],
    "init": [["made", "made", "endpoints", "new/made", ".", "made --from http://h/{{a}}?b={{b}}"]],
    "import": [
        ["--dry-run", "--force"], ["--exact"], ["--json"], ["--strict"], ["--only tag:a", "--only GET*", "--only *", "--only *", "--only *"],
        ["--env base", "--env new"], ["--save-secrets"], ["--shell cmd", "--shell sh", "--shell powershell"],
        ["--stubs none", "--stubs all", "--no-schema", "--all"],
    ],
    "completions": [["bash", "bash", "fish", "zsh"]],
    "schema": [["endpoint", "environment", "settings", "infer orders", "infer rows.json -", "infer body gone", "infer * --write s.json", "test schemas/user.json body", "test schemas/id.json rows.json --output basic", "test body body"]],
    "help": [["send", "check", "render", "init", "nothing"], ["--color always"]],
    "__complete": [[
        "bash 0 se", "zsh 1 send ", "fish 2 send uploads.json ", "bash 2 send uploads.json flag=", "zsh 1 check --stub=orders.list=",
        "fish 3 render orders.get --env ", "bash 99 send", "zsh -1 send"]],
}
#: What a load calls, and how often.
LOADS = [
    "orders.list --rate 100/s --count 20", "todos.get=3 orders.list --rate 0..100/s --for 200ms", "todos.get --users 3 --count 10",
    "todos.get --stage 10/s:100ms --stage 100..1/s:100ms", "todos.get --users 2 --think 1ms..5ms --for 100ms", "todos.get",
    "afternoon", "load:afternoon --rate 50/s --for 100ms", "scenario:checkout=2 orders.list --rate 20/s --for 200ms", "afternon"]
COMMANDS = ["send"] * 12 + ["check"] * 6 + ["render"] * 4 + ["explain", "validate", "diff", "drift", "serve", "load"] * 2 + [
    "report", "report", "login", "logout", "whoami", "token", "secrets", "show", "list", "history", "history", "export", "generate", "init", "import", "import", "import",
    "completions", "schema", "help", "lsp", "mcp", "__complete"]


def arguments(chance, port, samples, endpoint):
    """The words of a call."""
    command = chance.choice(COMMANDS)
    words = [command]
    if command == "diff" and chance.random() < 0.3:
        return words + chance.sample(["body", "rows.json", "rows.csv", "stubs/large.json", "-", "gone", "1", "2", "99"], 2) + chance.choice(
            [[], ["--json"], ["--last"], ["--shape"], ["--ignore", "$..id"]])
    if command in ("show", "explain", "render", "send", "diff") or command == "check" and samples.expects.get(endpoint):
        words.append(endpoint)
    if command in ("explain", "render", "send", "diff"):
        words += samples.params(endpoint, chance)
    if command in ("explain", "render"):
        words += [f"{capture}={chance.choice(['1', 'x y'])}" for capture in samples.captures.get(endpoint, [])]
    if command == "load":
        words += chance.choice(LOADS).split()
    if command == "import":
        words += chance.choice(SOURCES).split()
    if command == "serve":
        # Its standard input is at its end, so that it ends at once.
        words += ["--until-eof", "--env", chance.choice(["base", "shared", "local"])]
        words += ["--port", "0"] if chance.random() < 0.9 else []
    if command == "export":
        words += [chance.choice(["openapi", "postman", "hurl", "http", "locust", "k6", "html"] * 4 + ["soap"]), "--env", chance.choice(["base", "shared"])]
    lists = OPTIONS[command]
    for choices in lists if len(lists) == 1 else chance.sample(lists, min(len(lists), chance.choice([0, 1, 2, 3, 4, 6]))):
        words += chance.choice(choices).split(" ")
    if command in ("explain", "render", "send", "check", "diff", "drift", "load"):
        names = [Path(name).stem for name in samples.names(endpoint) if name.startswith("environments/")]
        words += ["--env", chance.choice(["base"] * 30 + ["local"] * 5 + ["shared"] * 5 + names)]
        if command == "diff":
            words += ["--env", chance.choice(["shared"] * 5 + names)]
        variant = chance.choice(samples.variants.get(endpoint) or [""])
        if command not in ("send", "check", "diff") or "--save-stub" in words or chance.random() < 0.75:
            words += ["--base-url", f"http://127.0.0.1:{port}{chance.choice(['', '', '/api/', '/é'])}"]
        else:
            words.append(f"--stub={endpoint}={variant}" if variant and chance.random() < 0.8 else "--stub")
        words += ["--timeout", chance.choice(["200ms", "0.1"] if command == "check" else ["1s", "500ms", "0.2"])]
    if chance.random() < 0.03:
        words.insert(chance.randrange(len(words) + 1), chance.choice(NASTY_TEXTS).replace("\x00", ""))
    if chance.random() < 0.03:
        words += chance.choice(chance.choice(OPTIONS[chance.choice(COMMANDS)])).split(" ")
    return words
