#!/usr/bin/env python3
"""Generates Swift from this repository and from random workspaces, builds it, and compares each call's request with `render`.

The code must compile in Swift 6 mode without warnings.
Each call is made with its required params, and with all of them; method, URL, headers and body of its request must be those of
`reqcli render` with the same seed and time. Only the User-Agent differs: the app has its own. No file may hold a secret.

The responses of each stub variant, and of the one that the call gets without a choice, must be those of `reqcli send --stub`: status,
headers, body and error, and with retries the next ones of a sequence.
"""

import argparse
import base64
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

from workspaces import Workspace

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECRET = "sEcReT-vAlUe-4711"
VARIABLES = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TOKEN": SECRET, "STAGING_TOKEN": SECRET, "PRODUCTION_TOKEN": SECRET}
# For random values and times, which are then the same here as there.
SEED, TIME = "proof", "2026-01-01T00:00:00Z"
# Set by reqcli from the URL and the body when the request is sent, or of reqcli alone.
ADDED = {"user-agent", "host", "content-length", "accept-encoding"}

SUPPORT = """
import Exchange
import Foundation
@_spi(Generated) import RequestBuilding

let seededTime = ISO8601DateFormatter().date(from: "TIME") ?? .distantPast

extension RequestBuilder {
    var seeded: RequestBuilder { seed("SEED").time(seededTime) }
}

func show(_ workspace: String, _ id: String, _ number: Int, _ requests: RequestBuilder, _ call: some EndpointCall) async {
    var record: [String: Any] = ["workspace": workspace, "id": id, "number": number]
    do {
        let request = try await requests.named(type(of: call).id).appending(call.request).awaitingValues().prepared().signed(at: seededTime)
        record["method"] = request.method.token
        record["url"] = request.url.absoluteString
        record["headers"] = request.headers.map { [$0.name, $0.value] }
        switch request.body {
        case nil: break
        case .data(let data): record["body"] = ["base64": data.base64EncodedString()]
        case .file(let path): record["body"] = ["file": path]
        case .multipart(let form):
            record["body"] = [
                "boundary": form.boundary,
                "parts": form.parts.map { part -> [String: String] in
                    var fields = ["name": part.name]
                    fields["filename"] = part.filename
                    fields["contentType"] = part.contentType
                    switch part.content {
                    case .data(let data): fields["base64"] = data.base64EncodedString()
                    case .file(let path): fields["file"] = path
                    }
                    return fields
                },
            ]
        }
    } catch {
        record["error"] = "\\(error)"
    }
    let line = (try? JSONSerialization.data(withJSONObject: record, options: [.sortedKeys])) ?? Data()
    FileHandle.standardOutput.write(line + Data("\\n".utf8))
}

/// Sends a call to each of its variants, and to the one that it gets without a choice.
func show<Variant: StubVariant>(
    _ workspace: String, _ number: Int, _ requests: RequestBuilder, _ call: Variant.Call, _ type: Variant.Type,
    standard: [any StubVariant]
) async {
    let transport = StubTransport(sleep: { _ in })
    for variant in Array(Variant.allCases) {
        await show(workspace, number, requests, call, variant.rawValue, transport.stubbing(variant))
    }
    await show(workspace, number, requests, call, "", transport.stubbingAll(standard))
}

private func show(
    _ workspace: String, _ number: Int, _ requests: RequestBuilder, _ call: some EndpointCall, _ variant: String, _ transport: StubTransport
) async {
    var record: [String: Any] = ["workspace": workspace, "number": number, "variant": variant]
    var responses: [[String: Any]] = []
    for _ in 0..<4 {
        var fields: [String: Any] = [:]
        do {
            let response = try await APIClient(base: requests, transport: transport).send(call)
            fields["status"] = response.status
            fields["headers"] = response.headers.map { [$0.name, $0.value] }
            var body = Data()
            defer { fields["body"] = body.base64EncodedString() }
            for try await chunk in response.body { body += chunk }
        } catch {
            fields["error"] = "\\(error)"
        }
        responses.append(fields)
    }
    record["responses"] = responses
    let line = (try? JSONSerialization.data(withJSONObject: record, options: [.sortedKeys])) ?? Data()
    FileHandle.standardOutput.write(line + Data("\\n".utf8))
}
""".replace('"SEED"', f'"{SEED}"').replace('"TIME"', f'"{TIME}"')


def run(words, folder, check=True):
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=VARIABLES)
    if check and ended.returncode != 0:
        raise SystemExit(f"FAIL {' '.join(map(str, words))} ended with {ended.returncode}: {ended.stderr[:3000]}")
    return ended


def swift_literal(text):
    return '"' + "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\u{{{ord(c):X}}}" for c in text) + '"'


class Call:
    """A call as its generated type declares it."""

    def __init__(self, type, id, parameters, options):
        self.type, self.id, self.parameters, self.options = type, id, parameters, options


def calls(module):
    """The calls of a module, from the lines of its files."""
    found = []
    for path in sorted(module.glob("*API.swift")):
        text = re.sub(r"^( *)let text\d+[^\n]*\"\"\"\n.*?\n\s*\"\"\"#*$", "", path.read_text(), flags=re.M | re.S)
        outer = re.search(r"^public enum (\w+) \{", text, re.M)
        parts = re.split(r"^ *public struct (\w+): EndpointCall, Hashable \{$", text, flags=re.M)
        for name, body in zip(parts[1::2], parts[2::2]):
            id = re.search(r'public static let id = "([^"]+)"', body).group(1)
            head = re.search(r"/// The call(?: with its params|, which has no params)\.\n *public init\((.*?)\) \{", body, re.S).group(1)
            parameters = re.findall(r"(?:^|,)\s*(`?\w+`?): (\[?\w+\]?\??)", re.sub(r'#*"(?:[^"\\]|\\.|"(?=#))*?"#*', "0", head))
            options = {}
            for option, cases in re.findall(r"public enum (\w+): String, CaseIterable, Codable, Hashable, Sendable \{\n(.*?)\n        ? ? ? ?\}", body, re.S):
                options[option] = cases
            options |= dict.fromkeys(re.findall(r"public typealias (\w+) = ", body.split("public static let id")[1]))
            found.append(Call(f"{outer.group(1)}.{name}" if outer else name, id, parameters, options))
    return found


def definition(folder, id):
    parts = id.split(".")
    for count in range(len(parts), 0, -1):
        path = folder / "endpoints" / ("/".join(parts[:count]) + ".json")
        if path.exists():
            content = json.loads(path.read_text())
            if "endpoints" not in content:
                return content
            return content["endpoints"][parts[count]]
    raise KeyError(id)


def swift_value(value, type, options):
    type = type.rstrip("?")
    if type.startswith("["):
        return "[" + ", ".join(swift_value(item, type[1:-1], options) for item in value) + "]"
    if type in options:
        text = value if isinstance(value, str) else json.dumps(value)
        return f".init(rawValue: {swift_literal(text)})!"
    if type == "JSONLiteral":
        return json_literal(value)
    if isinstance(value, str):
        return swift_literal(value)
    return json.dumps(value)


def json_literal(value):
    if value is None:
        return ".null"
    if isinstance(value, bool):
        return f".bool({str(value).lower()})"
    if isinstance(value, (int, float)):
        return f'.number(text: "{json.dumps(value)}")'
    if isinstance(value, str):
        return f".string({swift_literal(value)})"
    if isinstance(value, list):
        return f".array([{', '.join(map(json_literal, value))}])"
    return ".object([" + ", ".join(f".init({swift_literal(k)}, {json_literal(v)})" for k, v in value.items()) + "])"


def arguments(call, params, rng, fills_all):
    """The arguments in Swift, and the words for the command line; None if a word can't be typed."""
    swift, words = [], []
    names = list(params)
    for index, (name, type) in enumerate(call.parameters):
        name = name.strip("`")
        if index >= len(names):
            swift.append(f"{name}: \"captured\"")
            words.append("login.token=captured")
            continue
        param = params[names[index]]
        is_required = "default" not in param and param.get("required", True)
        if not is_required and not fills_all:
            continue
        value = param.get("example", {"string": "x y", "integer": 3, "number": 2.5, "boolean": True}.get(param["type"]))
        swift.append(f"{name}: {swift_value(value, type, call.options)}")
        for item in value if param["type"] == "list" else [value]:
            text = item if isinstance(item, str) else json.dumps(item)
            if "\0" in text:
                return None
            words.append(f"{names[index]}={text}")
    return ", ".join(swift), words


def expected(program, folder, id, environment, words):
    ended = run([program, "render", id, *words, "--env", environment, "--format", "json", "--reveal", "--seed", SEED, "--at", TIME], folder, check=False)
    return json.loads(ended.stdout) if ended.returncode == 0 else {"error": ended.stderr}


def differences(made, wanted):
    if "error" in wanted or "error" in made:
        # A call that one refuses, the other refuses, too.
        return [] if "error" in wanted and "error" in made else [f"made {made.get('error', 'a request')}, and wanted {wanted.get('error', 'a request')}"]
    found = []
    for key in ("method", "url"):
        if made[key] != wanted[key]:
            found.append(f"{key} {made[key]!r}, not {wanted[key]!r}")
    headers = [[h["name"], h["value"]] for h in wanted["headers"] if h["name"].lower() not in ADDED]
    ours = [h for h in made["headers"] if h[0].lower() not in ADDED]
    if ours != headers:
        found.append(f"headers {ours}, not {headers}")
    if body(made.get("body")) != body(wanted.get("body")):
        found.append(f"body {body(made.get('body'))}, not {body(wanted.get('body'))}")
    return found


def body(value):
    if value is None:
        return None
    if "parts" in value:
        return [value["boundary"]] + [body(part) | {k: part.get(k) for k in ("name", "filename", "contentType")} for part in value["parts"]]
    if "base64" in value:
        return {"bytes": base64.b64decode(value["base64"])}
    if "text" in value:
        return {"bytes": value["text"].encode()}
    return {"file": value.get("file")}


RETRYING = {"on": [200, 201, 204, 401, 404, 409, 503], "methods": ["GET", "POST", "PUT", "DELETE", "PATCH", "PURGE"], "delay": "1ms"}


def retrying(workspace, environment):
    """Lets an environment send a request again after any response, so that `send` shows the later ones of a sequence."""
    path = workspace / "environments" / f"{environment}.json"
    content = json.loads(path.read_text())
    content["retry"] = RETRYING
    path.write_text(json.dumps(content))


def stubbed(program, folder, id, environment, words, variant, retries):
    """The response of `send --stub`, as the generated code shows one; None if there is no request."""
    stub = f"--stub={variant}" if variant else "--stub"
    ended = subprocess.run(
        [program, "send", id, *words, "--env", environment, stub, "--retry", str(retries), "-i", "--raw", "--no-input", "--seed", SEED, "--at", TIME], cwd=folder, capture_output=True,
        env=VARIABLES)
    if ended.returncode in (2, 3):
        return None
    response = {}
    if ended.stdout:
        head, _, content = ended.stdout.partition(b"\n\n")
        lines = head.decode().split("\n")
        if b"<" in head:  # the mask of a secret param whose value stands here by chance
            return None
        response["status"] = int(lines[0].split(" ")[1])
        response["headers"] = [line.split(": ", 1) if ": " in line else [line.rstrip(":"), ""] for line in lines[1:]]
        response["body"] = content
    if ended.returncode in (6, 7):
        response["error"] = plain_error([line for line in ended.stderr.decode().split("\n") if line.startswith("error: ")][-1][len("error: "):])
    return response


def plain_error(text):
    """An error without the name of the stub and without advice."""
    if "has no response left" in text or "has sent all of its" in text:
        return "the end of the sequence"
    return re.sub(r" \(stub [^)]*\)", "", text).split(": ")[0]


def made_response(fields):
    fields = dict(fields)
    if "body" in fields:
        fields["body"] = base64.b64decode(fields["body"])
    if "error" in fields:
        fields["error"] = plain_error(fields["error"])
    return fields


def decides(module, call, variants):
    """Whether the code has all conditions of the variants, and a variant without a choice, which there isn't if all of them are failures."""
    standard = module.with_name(module.name + "Stubs") / "Variants.swift"
    if f" {call.type}.Variant." not in standard.read_text().split("public static var")[1]:
        return False
    wanted = sum("when" in variant for variant in variants.values())
    text = "".join(path.read_text() for path in module.with_name(module.name + "Stubs").glob("*+Variants.swift"))
    own = text.split(f"extension {call.type} {{\n")[1].split("\n}\n")[0]
    return own.count("return Self.") == wanted


def compare_stubs(program, made, workspace, id, environment, words, variants, has_conditions):
    """The number of responses that are the same, and the differences."""
    variant = made["variant"]
    if not variant and not has_conditions:
        return 0, []
    count, found = 0, []
    # The variant that a call gets without a choice is compared once: its sequence is that of the same variant, chosen by name.
    for retries, fields in enumerate(made["responses"][:4 if "sequence" in variants.get(variant, {}) else 1]):
        wanted, ours = stubbed(program, workspace, id, environment, words, variant, retries), made_response(fields)
        if wanted is None:
            continue
        if wanted == ours:
            count += 1
        else:
            found.append(f"{made['workspace']} {id} {words} variant {variant or 'of its own'}, response {retries + 1}: {ours}, not {wanted}")
    return count, found


def environments(module):
    """The environments of a module: their names with the closures that they take, but for the variable that no process has."""
    text = (module / "Environments.swift").read_text()
    found = re.findall(r"public static (var|func) (`?\w+`?)(?:: RequestBuilder|\((.*?)\) -> RequestBuilder) \{", text, re.S)
    names = re.findall(r'\.value\("\$environment", "([^"]+)"\)', text)
    result = []
    for (kind, name, parameters), real in zip(found, names):
        closures = [name for name in re.findall(r"(`?\w+`?): \(@Sendable", parameters) if name != "reqcliUnset"]
        result.append((real, f"{module.name}Environment.{name}" + (f"({', '.join(f'{c.strip(chr(96))}: {{ {swift_literal(SECRET)} }}' for c in closures)})" if kind == "func" else "") + ".seeded"))
    return result


def many(program, folder):
    """The failures with 10,000 endpoints, and with two of them whose names would be the same."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "endpoints").mkdir(parents=True)
    (folder / "environments").mkdir()
    (folder / "environments" / "development.json").write_text('{"baseURL": "http://localhost"}')
    endpoints = {f"e{number}": {"path": "e/{{id}}", "params": {"id": {"type": "integer"}}} for number in range(10_000)}
    words = [program, "generate", "swift", "-o", "out"]
    found = []

    def made(endpoints):
        (folder / "endpoints" / "many.json").write_text(json.dumps({"endpoints": endpoints}, indent=1))
        return run(words, folder, check=False)

    if made(endpoints).returncode != 0 or (folder / "out" / "API" / "ManyAPI.swift").read_text().count("EndpointCall") != 10_000:
        found.append("10,000 endpoints have no code")
    else:
        parsed = subprocess.run(["swiftc", "-frontend", "-parse", str(folder / "out" / "API" / "ManyAPI.swift")], capture_output=True, text=True)
        if parsed.returncode != 0:
            found.append(f"the code of 10,000 endpoints is no Swift: {parsed.stderr[:800]}")
    clash = made(endpoints | {"E5000": {"path": "other"}})
    places = re.findall(r"endpoints/many\.json:(\d+):\d+", clash.stderr)
    if clash.returncode != 3 or '"many.e5000" and "many.E5000" would both be' not in clash.stderr or len(set(places)) != 2:
        found.append(f"two names of 10,001 that would be one ended with {clash.returncode}: {clash.stderr[:800]}")
    return found


def package_file(name, executable, folder, modules):
    """A package whose targets are generated modules with their stubs, and an executable that uses them."""
    products = "[" + ", ".join(f'.product(name: "{name}", package: "reqcli")' for name in ("Exchange", "RequestBuilding", "ReqcliFunctions")) + "]"
    targets = "".join(
        f'.target(name: "{m}", dependencies: libraries, swiftSettings: strict),\n'
        f'.target(name: "{m}Stubs", dependencies: libraries + ["{m}"], swiftSettings: strict),\n' for m in modules)
    names = ", ".join(f'"{m}", "{m}Stubs"' for m in modules)
    return f"""// swift-tools-version: 6.2
import PackageDescription
let libraries: [Target.Dependency] = {products}
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility")]
let package = Package(
    name: "{name}", platforms: [.macOS(.v14)], dependencies: [.package(path: "{folder / 'reqcli'}")],
    targets: [
        {targets}
        .executableTarget(name: "{executable}", dependencies: libraries + [{names}], swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    ])
"""


def built(package, product, scratch_path):
    """Builds a package, and returns the path of its program."""
    scratch = ["--scratch-path", scratch_path] if scratch_path else []
    words = ["swift", "build", "--product", product, *scratch]
    made = subprocess.run(words, cwd=package, capture_output=True, text=True)
    if made.returncode != 0:
        log = made.stdout + made.stderr
        lines = [line for line in log.split("\n") if "error:" in line or "warning:" in line]
        raise SystemExit("FAIL the generated code does not compile:\n" + "\n".join(dict.fromkeys(lines[:40])) + "\n" + log[-1500:])
    shown = subprocess.run(["swift", "build", "--show-bin-path", *scratch], cwd=package, capture_output=True, text=True)
    return f"{shown.stdout.strip()}/{product}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("folder", type=lambda path: pathlib.Path(path).resolve(), help="where the package is built")
    parser.add_argument("--workspaces", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scratch-path")
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--without-build", action="store_true", help="only generate")
    arguments_ = parser.parse_args()
    program, folder = arguments_.program, arguments_.folder
    failures = many(program, folder / "many")
    package = folder / "proof"
    shutil.rmtree(package, ignore_errors=True)
    (package / "Sources" / "Proof").mkdir(parents=True)
    (package / "Sources" / "Proof" / "Support.swift").write_text(SUPPORT)
    if not (folder / "reqcli").is_symlink():
        os.symlink(ROOT, folder / "reqcli")
    modules, expectations, main_lines, stubs = [], {}, [], {}
    for number in range(-1, arguments_.workspaces):
        rng = random.Random(arguments_.seed * 1_000_003 + number)
        workspace = folder / "workspaces" / f"w{number if number >= 0 else 'own'}"
        if number < 0:
            shutil.rmtree(workspace, ignore_errors=True)
            for name in ("endpoints", "environments", "stubs"):
                shutil.copytree(ROOT / name, workspace / name)
        else:
            Workspace(rng).write(workspace)
        module = f"W{number if number >= 0 else 'Own'}"
        checked = run([program, "validate"], workspace, check=False)
        if checked.returncode != 0 and "error" in checked.stderr:
            failures.append(f"workspace {number} is not valid: {checked.stderr[:1500]}")
            continue
        words = [program, "generate", "swift", "-o", str(package / "Sources"), "--module", module] + (["--models"] if arguments_.models else [])
        made = run(words, workspace, check=False)
        if made.returncode != 0:
            if "would both be" in made.stderr:
                continue
            failures.append(f"workspace {number}: generate ended with {made.returncode}: {made.stderr[:1500]}")
            continue
        again = run([*words, "--check"], workspace, check=False)
        if again.returncode != 0:
            failures.append(f"workspace {number} differs between two runs: {again.stdout[:800]}")
        for path in [*(package / "Sources" / module).iterdir(), *(package / "Sources" / f"{module}Stubs").iterdir()]:
            if SECRET in path.read_text():
                failures.append(f"{path} holds a secret")
        modules.append(module)
        lines = []
        for call in calls(package / "Sources" / module):
            params = definition(workspace, call.id).get("params", {})
            for fills_all in (False, True):
                given = arguments(call, params, rng, fills_all)
                if given is None:
                    continue
                for environment, factory in environments(package / "Sources" / module):
                    key = (module, call.id, len(lines))
                    expectations[key] = (workspace, environment, given[1])
                    lines.append(f"    await show({swift_literal(module)}, {swift_literal(call.id)}, {len(lines)}, {factory}, {call.type}({given[0]}))")
                variants = definition(workspace, call.id).get("stubs", {}).get("variants", {})
                if variants:
                    environment, factory = environments(package / "Sources" / module)[0]
                    stubs[(module, len(lines))] = (workspace, call.id, environment, given[1], variants, decides(package / "Sources" / module, call, variants))
                    lines.append(f"    await show({swift_literal(module)}, {len(lines)}, {factory}, {call.type}({given[0]}), {call.type}.Variant.self, standard: {module}Variants.standard)")
        (package / "Sources" / "Proof" / f"{module}Proof.swift").write_text(
            f"import Exchange\nimport RequestBuilding\nimport {module}\nimport {module}Stubs\n\nfunc prove{module}() async {{\n" + "\n".join(lines) + "\n}\n")
        main_lines.append(f"await prove{module}()")
        retrying(workspace, environments(package / "Sources" / module)[0][0])
    (package / "Sources" / "Proof" / "main.swift").write_text("\n".join(main_lines) + "\n")
    (package / "Package.swift").write_text(package_file("proof", "Proof", folder, modules))
    if arguments_.without_build:
        print("\n".join(failures))
        sys.exit(1 if failures else 0)
    print("\n".join(failures), end="")
    # All workspaces have the same files, whose paths are relative to the app's current folder.
    output = subprocess.run(
        [built(package, "Proof", arguments_.scratch_path)], capture_output=True, text=True, cwd=folder / "workspaces" / "w0")
    seen = compared = 0
    sequences = []
    for line in output.stdout.splitlines():
        made = json.loads(line)
        if "variant" in made:
            sequences.append(made)
            continue
        seen += 1
        workspace, environment, words = expectations[(made["workspace"], made["id"], made["number"])]
        wanted = expected(program, workspace, made["id"], environment, words)
        found = differences(made, wanted)
        if found:
            failures.append(f"{made['workspace']} {made['id']} {environment} {words}: " + "\n    ".join(found))
        elif "error" not in wanted:
            compared += 1
    with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as executor:
        outcomes = list(executor.map(lambda made: compare_stubs(program, made, *stubs[(made["workspace"], made["number"])]), sequences))
    answered = sum(count for count, _ in outcomes)
    failures += [failure for _, found in outcomes for failure in found]
    if len(sequences) != sum(len(case[4]) + 1 for case in stubs.values()):
        failures.append(f"{len(sequences)} variants were used: {output.stderr[-500:]}")
    if seen != len(expectations):
        failures.append(f"{seen} calls were made, and {len(expectations)} were wanted: {output.stderr[-500:]}")
    for failure in failures[:40]:
        print("FAIL", failure[:1800])
    print(f"{len(modules)} workspaces, {compared} requests are the same, {seen - compared} others, {answered} responses of stubs are the same, {len(failures)} failures")
    sys.exit(1 if failures or not compared or not answered else 0)


if __name__ == "__main__":
    main()
