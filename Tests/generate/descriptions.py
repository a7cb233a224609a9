#!/usr/bin/env python3
"""Imports descriptions of APIs, generates Swift from them, builds it, and makes ten calls of each against `reqcli serve`.

usage: descriptions.py REQCLI FOLDER [--scratch-path FOLDER] [DESCRIPTION ...]    (default: the five of ../shared/corpora/openapi)

The code must compile in Swift 6 mode without warnings, and one file imports the modules of all descriptions. Each request must be that of
`reqcli render`; a body that has a type may have its members in another order. Each response of the server must be that of `reqcli send
--stub`, and a response with a type must decode to it.
"""

import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import proof
from proof import ROOT, SECRET, definition, environments, swift_literal

CORPORA = pathlib.Path(os.environ.get("REQCLI_CORPORA", ROOT.parent / "shared" / "corpora")) / "openapi" / "openapi-to-postman"
PUBLIC = [
    "valid_openapi/petstore-detailed.yaml", "valid_swagger/yaml/instagram.yaml", "valid_swagger/json/swagger_xyz.json",
    "valid_openapi/nested_schemas.yaml", "valid_openapi/stripe_openapi.json",
]
MOST_CALLS = 10

SUPPORT = """
import Exchange
import Foundation
import RequestBuilding

/// A call whose request goes to a server on this machine.
struct Local<Call: EndpointCall>: EndpointCall {
    typealias Value = Call.Value
    static var id: String { Call.id }
    let call: Call
    let port: Int
    var request: RequestBuilder { call.request.scheme("http").host("127.0.0.1").port(port) }
}

/// A value from JSON, as a client reads it from a response.
func decoded<Value: Decodable>(_ json: String) async throws -> Value {
    let client = APIClient(base: RequestBuilder().baseURL("http://localhost"), transport: StubTransport().stubbingRest(Stub(json: json)))
    return try await client.value(of: .get("value"))
}

func ask<Call: EndpointCall>(_ key: String, _ base: RequestBuilder, _ port: Int, _ call: Call) async throws {
    try await ask(key, base, port, call) { _ in }
}

func ask<Call: EndpointCall>(_ key: String, _ base: RequestBuilder, _ port: Int, _ call: Call) async throws where Call.Value: Decodable {
    try await ask(key, base, port, call) { response in
        if response.isSuccess { _ = try await APIClient(base: base).value(of: Local(call: call, port: port)) }
    }
}

private func ask<Call: EndpointCall>(
    _ key: String, _ base: RequestBuilder, _ port: Int, _ call: Call, _ decode: (Response) async throws -> Void
) async throws {
    await show(key, Call.id, 0, base, call)
    var record: [String: Any] = ["key": key]
    do {
        let response = try await APIClient(base: base).send(Local(call: call, port: port))
        record["status"] = response.status
        record["body"] = try await response.body.data().base64EncodedString()
        try await decode(response)
    } catch {
        record["error"] = "\\(error)"
    }
    FileHandle.standardOutput.write(try JSONSerialization.data(withJSONObject: record, options: [.sortedKeys]) + Data("\\n".utf8))
}
"""


def split(text):
    """The parts of a list of parameters, at the commas that are in no brackets."""
    parts, depth, part = [], 0, ""
    for character in text:
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return [part for part in [*parts, part.strip()] if part]


def plain(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


class Unknown(Exception):
    """A param without an example."""


def example(param):
    if param["type"] == "file" or "example" not in param and "default" not in param:
        raise Unknown
    return param.get("example", param.get("default"))


def is_required(param):
    return param.get("required", "default" not in param)


def arguments(signature, content):
    """The arguments in Swift, and the words for the command line."""
    params = content.get("params", {})
    swift, words, given = [], [], set()
    for part in split(signature):
        name, _, type = part.partition(": ")
        name = name.strip("`")
        if " = " in type:
            continue
        source = next((p for p in params if plain(name) in (plain(p), plain(p) + "value", "value" + plain(p))), None)
        if source is None and name == "body":
            value = body(content, params, words, given)
        else:
            value = example(params[source])
            words += typed(source, params[source], given)
        swift.append(f"{name}: try await decoded({swift_literal(json.dumps(value))})")
    return ", ".join(swift), words


def body(content, params, words, given):
    value = {}
    for key, template in content["body"]["json"].items():
        placeholder = re.fullmatch(r"\{\{(.*)\}\}", template) if isinstance(template, str) else None
        if placeholder is None:
            value[key] = template
        elif is_required(params[placeholder.group(1)]):
            value[key] = example(params[placeholder.group(1)])
            words += typed(placeholder.group(1), params[placeholder.group(1)], given)
    return value


def typed(name, param, given):
    if name in given:
        return []
    given.add(name)
    values = example(param) if param["type"] == "list" else [example(param)]
    return [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for value in values]


def heads(module):
    """The calls of a module: type, id, and the parameters of the initializer."""
    for path in sorted(module.glob("*API.swift")):
        text = path.read_text()
        outer = re.search(r"^public enum (\w+) \{", text, re.M)
        parts = re.split(r"^ *public struct (\w+): EndpointCall, Hashable \{$", text, flags=re.M)
        for name, code in zip(parts[1::2], parts[2::2]):
            head = re.search(r"/// The call(?: with its params|, which has no params)\.\n *(@available[^\n]*\n *)?public init\((.*?)\) \{\}?\n", code, re.S)
            if not head.group(1):  # a call of a deprecated endpoint is a warning
                yield (f"{outer.group(1)}.{name}" if outer else name), re.search(r'static let id = "([^"]+)"', code).group(1), head.group(2)


def canonical(request):
    """A request whose body has its members in order, if it is JSON."""
    body = request.get("body") or {}
    text = base64.b64decode(body["base64"]).decode() if "base64" in body else body.get("text")
    try:
        return request | {"body": {"text": json.dumps(json.loads(text), sort_keys=True)}}
    except (TypeError, ValueError):
        return request


class API:
    def __init__(self, number, description, program, folder, package):
        self.module, self.program = f"D{number}", program
        self.workspace = folder / f"{number}-{description.stem}"
        shutil.rmtree(self.workspace, ignore_errors=True)
        (self.workspace / "endpoints").mkdir(parents=True)
        proof.run([program, "import", "openapi", str(description), "--stubs", "all"], self.workspace, check=False)
        proof.run([program, "generate", "swift", "-o", str(package / "Sources"), "--module", self.module, "--models"], self.workspace)
        folders = [package / "Sources" / self.module, package / "Sources" / f"{self.module}Stubs"]
        self.lines = sum(1 for f in folders for path in f.iterdir() for line in path.read_text().split("\n") if not re.match(r"\s*(//.*)?$", line))
        self.environment, self.factory = environments(folders[0])[0]
        found = list(heads(folders[0]))
        self.count = len(found)
        for path in (self.workspace / "environments").iterdir():
            for secret in json.loads(path.read_text()).get("secrets", {}).values():
                proof.VARIABLES[secret["env"]] = SECRET
        # Calls with bodies first, and then some from each group.
        found.sort(key=lambda call: ("body: " not in call[2], call[1].split(".")[-1], call[1]))
        self.calls = {}
        for type, id, signature in found:
            content = definition(self.workspace, id)
            if len(self.calls) < MOST_CALLS and "baseURL" not in content:
                try:
                    swift, words = arguments(signature, content)
                    self.calls[f"{self.module} {id}"] = (id, words, f"{type}({swift})")
                except Unknown:
                    continue

    def code(self):
        lines = [f"func ask{self.module}(_ port: Int) async throws {{"]
        for key, (_, _, call) in self.calls.items():
            lines.append(f"    try await ask({swift_literal(key)}, {self.factory}, port, {self.module}.{call})")
        return "\n".join([*lines, "}", ""])

    def server(self):
        server = subprocess.Popen(
            [self.program, "serve", "--port", "0", "--json", "--until-eof", "--env", self.environment], cwd=self.workspace,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=proof.VARIABLES)
        return server, json.loads(server.stdout.readline())["port"]

    def failures(self, records):
        for key, (id, words, _) in self.calls.items():
            made, asked = records.get(key, ({"error": "no request"}, {"error": "no response"}))
            wanted = proof.expected(self.program, self.workspace, id, self.environment, words)
            for difference in proof.differences(canonical(made), canonical(wanted)):
                yield f"{key} {words}: {difference}"
            stub = proof.stubbed(self.program, self.workspace, id, self.environment, words, "", 0)
            ours = (asked.get("status"), base64.b64decode(asked.get("body", "")))
            if stub is None or "error" in asked or ours != (stub.get("status"), stub.get("body")):
                yield f"{key} {words}: {asked.get('error', ours)}, not {stub}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("folder", type=lambda path: pathlib.Path(path).resolve(), help="where the package is built")
    parser.add_argument("descriptions", nargs="*", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--scratch-path")
    given = parser.parse_args()
    package = given.folder / "descriptions"
    shutil.rmtree(package, ignore_errors=True)
    main_folder = package / "Sources" / "Ask"
    main_folder.mkdir(parents=True)
    if not (given.folder / "reqcli").is_symlink():
        os.symlink(ROOT, given.folder / "reqcli")
    apis = [
        API(number, description, given.program, given.folder / "workspaces", package)
        for number, description in enumerate(given.descriptions or [CORPORA / name for name in PUBLIC])
    ]
    (main_folder / "Show.swift").write_text(proof.SUPPORT)
    (main_folder / "Support.swift").write_text(SUPPORT)
    imports = "".join(f"import {api.module}\nimport {api.module}Stubs\n" for api in apis)
    lists = "".join(f"    client = client.stubbingAll({api.module}Variants.standard)\n" for api in apis)
    (main_folder / "Calls.swift").write_text(
        f"import Exchange\nimport RequestBuilding\n{imports}\n" + "".join(api.code() for api in apis)
        + f"\nfunc offline() -> APIClient {{\n    var client = APIClient(base: {apis[0].factory})\n{lists}    return client\n}}\n")
    (main_folder / "main.swift").write_text("".join(f"try await ask{api.module}(Int(CommandLine.arguments[{n}])!)\n" for n, api in enumerate(apis, 1)))
    (package / "Package.swift").write_text(proof.package_file("descriptions", "Ask", given.folder, [api.module for api in apis]))
    output = proof.built(package, "Ask", given.scratch_path)
    servers = [api.server() for api in apis]
    ran = subprocess.run([output, *(str(port) for _, port in servers)], capture_output=True, text=True)
    for server, _ in servers:
        server.stdin.close()
        server.wait(30)
    made, asked = {}, {}
    for record in map(json.loads, ran.stdout.splitlines()):
        (asked if "key" in record else made)[record.get("key", record.get("workspace"))] = record
    records = {key: (made[key], asked[key]) for key in made.keys() & asked.keys()}
    failed = [ran.stderr[-1500:]] if ran.returncode != 0 else []
    for api in apis:
        found = list(api.failures(records))
        failed += found
        print(f"{api.workspace.name}: {api.count} endpoints in {api.lines} lines; {len(api.calls)} calls, {len(found)} failures")
        if not api.calls:
            failed.append(f"{api.workspace.name} has no calls")
    for failure in failed[:40]:
        print("FAIL", failure[:1500])
    print(f"{len(apis)} descriptions, {sum(len(api.calls) for api in apis)} calls against serve, {len(failed)} failures")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
