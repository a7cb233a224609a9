#!/usr/bin/env python3
"""Runs an exported script for k6 with Node, in which stand-ins take the place of k6's modules, against a small server.

The requests have to be those that `reqcli render --format http` prints, and every planted failure has to be counted. Needs node and
curl, which sends the requests: those of k6 wait for their response.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import threading

from load_server import ENDPOINTS, FAILING, SECRET, Server, Workspace, differences

MODULES = {
    "index.js": """
        export const counts = {};
        export function check(value, checks, tags) {
          let all = true;
          for (const [name, holds] of Object.entries(checks)) {
            const passed = Boolean(holds(value));
            const count = (counts[name] ||= { passed: 0, failed: 0, endpoint: tags.name });
            count[passed ? "passed" : "failed"] += 1;
            all &&= passed;
          }
          return all;
        }
        """,
    "encoding.js": """
        export default {
          b64encode: (text) => Buffer.from(text).toString("base64"),
          b64decode: (text) => new Uint8Array(Buffer.from(text, "base64")).buffer,
        };
        """,
    "execution.js": "export default { test: { abort: (message) => { throw new Error(message); } } };",
    "http.js": """
        import { spawnSync } from "node:child_process";
        class CookieJar {}
        function request(method, url, body, { headers, redirects, tags, jar }) {
          if (!tags.name || !(jar instanceof CookieJar)) throw new Error("no name, or no jar of its own");
          const words = ["-s", "-g", "-i", "--path-as-is", "-X", method, "-H", "Expect:", "--max-redirs", String(redirects)];
          for (const name of ["User-Agent", "Accept", "Content-Type"]) {
            if (!Object.keys(headers).some((own) => own.toLowerCase() === name.toLowerCase())) words.push("-H", name + ":");
          }
          for (const [name, value] of Object.entries(headers)) words.push("-H", value === "" ? name + ";" : `${name}: ${value}`);
          if (body !== null) words.push("--data-binary", "@-");
          const start = performance.now();
          const input = body === null ? undefined : Buffer.from(body);
          const run = spawnSync("curl", [...words, url], { input });
          const duration = performance.now() - start;
          const [head, ...rest] = run.stdout.toString().split("\\r\\n\\r\\n");
          const lines = head.split("\\r\\n");
          const fields = Object.fromEntries(lines.slice(1).map((line) => line.split(/: (.*)/s).slice(0, 2)));
          const cookies = {};
          for (const line of lines) {
            const [, name, value] = line.match(/^set-cookie: ([^=]*)=([^;]*)/i) || [];
            if (name !== undefined) (cookies[name] ||= []).push({ value });
          }
          return { status: Number(lines[0].split(" ")[1]), headers: fields, cookies, body: rest.join(""), timings: { duration } };
        }
        export default { request, CookieJar, expectedStatuses: (...statuses) => statuses };
        """,
}
RUNNER = """
    globalThis.__ENV = process.env;
    const { default: iterate, options } = await import("./loadtest.js");
    const { counts } = await import("k6");
    for (let number = 0; number < 400; number += 1) iterate();
    console.log(JSON.stringify({ options, counts }));
    """


def main():
    server = Server(refuses_once=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        workspace = Workspace(sys.argv[1], folder, server.server_port)
        workspace.reqcli("export", "k6", "--weight", "shop.often=3", "-o", "loadtest.js")
        modules = folder / "node_modules" / "k6"
        modules.mkdir(parents=True)
        exports = {"." if name == "index.js" else "./" + name.removesuffix(".js"): "./" + name for name in MODULES}
        (modules / "package.json").write_text(json.dumps({"name": "k6", "type": "module", "exports": exports}))
        for name, text in MODULES.items():
            (modules / name).write_text(text)
        (folder / "package.json").write_text(json.dumps({"type": "module"}))
        (folder / "run.js").write_text(RUNNER)
        script = (folder / "loadtest.js").read_text()
        problems = ["the script holds the secret"] if SECRET in script else []
        subprocess.run(["node", "--check", "loadtest.js"], cwd=folder, check=True)
        run = subprocess.run(["node", "run.js"], cwd=folder, env=workspace.variables, capture_output=True, text=True)
        if run.returncode != 0:
            raise SystemExit(run.stderr[-3000:])
        said = json.loads(run.stdout)
        problems += differences(server, workspace.requests())
    if "checks" not in said["options"]["thresholds"]:
        problems.append("no threshold on checks")
    for name in ENDPOINTS["endpoints"]:
        counts = [count for count in said["counts"].values() if count["endpoint"] == f"shop.{name}"]
        failed = [count for count in counts if count["failed"]]
        if not counts or bool(failed) != (name in FAILING) or any(count["passed"] for count in failed):
            problems.append(f"{name}: {counts}")
    for problem in problems:
        print(f"FAIL {problem[:1500]}")
    print(f"{sum(server.seen.values())} requests, {len(said['counts'])} checks")
    print(f"{len(ENDPOINTS['endpoints']) - len(problems)} passed, {len(problems)} failed")
    sys.exit(1 if problems else 0)


main()
