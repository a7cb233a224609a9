#!/usr/bin/env python3
"""Compares what `expect.openapi` says about responses with openapi-core.

    Tests/openapi/compare.py [--answers 5000] [--seed 1] [--folder .build/openapi-compare]

First the published examples of OpenAPI 3 must load. Then the verdicts on random responses to random descriptions in
OpenAPI 3.0 and 3.1 must be those of openapi-core. Differences with a known reason (`ARGUED`) are counted apart: each is
judged again without its reason, and must be gone then. The status is 1 if any other is left.

Needs `swift build`, or the program as REQCLI=PATH, and pip: openapi-core is installed into the folder. The examples are
looked for below REQCLI_CORPORA, or in ../shared/corpora.
"""

import argparse
import base64
import collections
import copy
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("REQCLI", str(ROOT / ".build" / "debug" / "reqcli"))
CORPORA = Path(os.environ.get("REQCLI_CORPORA", ROOT.parent / "shared" / "corpora"))
EXAMPLES = CORPORA / "openapi" / "examples"
METHODS = ["get", "put", "post", "delete", "patch", "head", "options"]
HOST = "http://api.example.com"
ANSWERS_EACH = 50
#: How errors of openapi-core begin if it finds no operation.
NO_OPERATION = ("PathNotFound", "OperationNotFound", "ServerNotFound")


def install(place):
    """Starts again in an environment that has openapi-core."""
    python = place / "venv" / "bin" / "python"
    if Path(sys.prefix) == python.parents[1]:
        return
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "openapi-core==0.23.1"], check=True)
    os.execv(python, [str(python), *sys.argv])


# MARK: Random descriptions

NAMES = ["id", "name", "tags", "size", "kind"]
TEXTS = ["", "a", "ab", "abc", "b1", "é", "A-1", "Cat"]
NUMBERS = [0, 1, 2, 3, -1, 1.5, 2.5, 10, 100]
PATTERNS = ["^a", "^[a-z]+$", "^.{2}$", "[0-9]$"]
MEDIA = ["application/json"] * 6 + ["application/problem+json", "application/vnd.api+json", "application/*", "*/*"]
MEDIA += ["text/plain", "text/*", "application/octet-stream", "application/json; version=2"]
STATUSES = ["200"] * 4 + ["201", "204", "404", "2XX", "4XX", "default"]
HEADERS = ["X-Count", "X-Kind", "X-Tags", "X-Flag", "X-Map"]


class Descriptions:
    """Random descriptions, and responses that nearly agree with them."""

    def __init__(self, generator):
        self.random = generator

    def chance(self, likelihood):
        return self.random.random() < likelihood

    def description(self):
        r = self.random
        self.is_new = self.chance(0.5)
        # Each schema refers to those after it, so that no value is endless.
        self.schemas, self.known = {}, []
        for name in ["Tag", "Cat", "Dog", "User", "Page"]:
            made = self.object(2) if name != "Tag" else self.scalar()
            if name in ("Cat", "Dog"):
                made["properties"]["kind"] = {"type": "string"}
                made["required"] = sorted({*made.get("required", []), "kind"})
            self.schemas[name] = made
            self.known.append(name)
        tree = {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}
        self.schemas["Tree"] = {"type": "object", "required": ["id"], "properties": {"id": self.scalar(), "tags": tree}}
        self.known.append("Tree")
        self.responses = {"Problem": self.response()}
        self.headers = {"Count": self.header("X-Count")}
        paths = {}
        for path in ["/users/{id}", "/users/me", "/users", "/users/{id}/files/{name}", "/a-{id}.json", "/pages/{id}"]:
            names = [part.split("}")[0] for part in path.split("{")[1:]]
            parameters = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]
            item = {"parameters": parameters} if parameters else {}
            for method in r.sample(METHODS[:5], 2):
                item[method] = {"responses": self.described()}
            if self.chance(0.2):
                item["servers"] = [{"url": HOST + "/own"}]
            paths[path] = item
        server = r.choice([{"url": HOST}, {"url": HOST + "/v1"}, {"url": HOST + "/v1/"}, None])
        server = server or {"url": HOST + "/{v}", "variables": {"v": {"default": "v1", "enum": ["v1", "v2"]}}}
        return {
            "openapi": "3.1.0" if self.is_new else "3.0.3",
            "info": {"title": "Random", "version": "1"},
            "servers": [server],
            "paths": paths,
            "components": {"schemas": self.schemas, "responses": self.responses, "headers": self.headers},
        }

    def described(self):
        responses = {status: self.response() for status in self.random.sample(sorted(set(STATUSES)), 3)}
        if self.chance(0.3):
            responses["404"] = {"$ref": "#/components/responses/Problem"}
        return responses

    def response(self):
        r = self.random
        response = {"description": "One"}
        if self.chance(0.88):
            types = {r.choice(MEDIA): None for _ in range(r.choice([1, 1, 1, 2, 3]))}
            response["content"] = {name: {} if self.chance(0.05) else {"schema": self.schema(3)} for name in types}
        if self.chance(0.35):
            names = r.sample(HEADERS, r.choice([1, 1, 2]))
            response["headers"] = {name: self.header(name) for name in names}
            if self.chance(0.2) and hasattr(self, "headers"):
                response["headers"]["X-Count"] = {"$ref": "#/components/headers/Count"}
        return response

    def header(self, name):
        r = self.random
        schema = {
            "X-Count": {"type": r.choice(["integer", "number"]), "minimum": r.choice([0, 2])},
            "X-Kind": {"type": "string", **r.choice([{"enum": ["a", "ab"]}, {"pattern": "^a"}, {"minLength": 2}])},
            "X-Tags": {"type": "array", "items": {"type": r.choice(["integer", "string"])}, "maxItems": 2},
            "X-Flag": {"type": "boolean"},
            "X-Map": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}},
        }[name]
        header = {"schema": schema}
        if self.chance(0.6):
            header["required"] = True
        if name == "X-Map" and self.chance(0.5):
            header["explode"] = True
        return header

    def scalar(self):
        r = self.random
        kind = r.choice(["string", "string", "integer", "number", "boolean"])
        schema = {"type": kind}
        if kind == "string" and self.chance(0.5):
            more = [{"minLength": 1}, {"maxLength": 2}, {"pattern": r.choice(PATTERNS)}, {"enum": r.sample(TEXTS, 3)}]
            schema.update(r.choice(more))
        elif kind in ("integer", "number") and self.chance(0.6):
            schema[r.choice(["minimum", "maximum"])] = r.choice(NUMBERS)
            if self.chance(0.3):
                name = "exclusiveMinimum" if "minimum" in schema else "exclusiveMaximum"
                schema[name] = r.choice(NUMBERS) if self.is_new else True
        if self.chance(0.2):
            self.make_nullable(schema)
        return schema

    def make_nullable(self, schema):
        if self.is_new:
            schema["type"] = [schema["type"], "null"]
        else:
            schema["nullable"] = True

    def object(self, depth):
        r = self.random
        names = r.sample(NAMES, r.randrange(1, 4))
        schema = {"type": "object", "properties": {name: self.schema(depth - 1) for name in names}}
        for member in schema["properties"].values():
            if self.chance(0.12) and "$ref" not in member:
                member[r.choice(["readOnly", "writeOnly"])] = True
        if self.chance(0.7):
            schema["required"] = sorted(r.sample(names, r.randrange(1, len(names) + 1)))
        if self.chance(0.4):
            schema["additionalProperties"] = r.choice([False, True, self.scalar()])
        if self.is_new and self.chance(0.2):
            more = {"dependentRequired": {names[0]: ["id"]}, "patternProperties": {"^t": self.scalar()}}
            more["unevaluatedProperties"] = False
            name = r.choice(list(more))
            schema[name] = more[name]
        if self.chance(0.1):
            self.make_nullable(schema)
        return schema

    def reference(self):
        schema = {"$ref": "#/components/schemas/" + self.random.choice(self.known)}
        if self.chance(0.15):
            # It counts in 3.1 only.
            schema["maxProperties"] = 1
        return schema

    def schema(self, depth):
        r = self.random
        kind = r.randrange(12) if depth > 0 else 0
        if kind < 3 or kind < 5 and not self.known:
            return self.scalar()
        if kind < 5:
            return self.reference()
        if kind < 7:
            return self.object(depth)
        if kind < 9:
            schema = {"type": "array", "items": self.schema(depth - 1)}
            schema.update(r.choice([{}, {}, {"minItems": 1}, {"maxItems": 1}, {"uniqueItems": True}]))
            if self.is_new and self.chance(0.2):
                schema["prefixItems"] = [self.scalar()]
            return schema
        if kind == 9:
            return r.choice([{}, {"not": self.scalar()}, {"enum": ["a", 1, None]}, {"nullable": True}])
        word = r.choice(["oneOf", "anyOf", "allOf"])
        if "Dog" in self.known and word != "allOf" and self.chance(0.4):
            schema = {word: [{"$ref": "#/components/schemas/" + name} for name in ("Cat", "Dog")]}
            schema["discriminator"] = {"propertyName": "kind"}
            if self.chance(0.5):
                schema["discriminator"]["mapping"] = {"cat": "#/components/schemas/Cat"}
            return schema
        if word == "allOf":
            schema = {word: [self.object(1), self.object(1)]}
        else:
            schema = {word: [self.schema(depth - 1) for _ in range(2)]}
        if not self.is_new and self.chance(0.2):
            schema["nullable"] = True
        return schema

    # MARK: Responses

    def answer(self, description):
        r = self.random
        paths = description["paths"]
        path = r.choice(list(paths))
        method = r.choice([method for method in METHODS if method in paths[path]])
        item = paths[path]
        server = item.get("servers", description["servers"])[0]["url"]
        base = server.removeprefix(HOST).replace("{v}", r.choice(["v1", "v2"])).removesuffix("/")
        if self.chance(0.01):
            base = ""
        for name in ("id", "name"):
            path = path.replace("{" + name + "}", r.choice(["1", "me", "a%20b", "x.y", "%C3%A9"]))
        responses = item[method]["responses"]
        status = r.choice(list(responses))
        response = responses[status]
        if "$ref" in response:
            response = self.responses["Problem"]
        code = {"2XX": "202", "4XX": "403", "default": "500"}.get(status, status)
        if self.chance(0.08):
            code = r.choice(["200", "203", "404", "422", "503"])
        headers = [[name, self.header_text(name)] for name in HEADERS if self.chance(0.02)]
        for name in response.get("headers", {}):
            if self.chance(0.9):
                headers.append([r.choice([name, name.lower()]), self.header_text(name)])
        body = b""
        if "content" in response or self.chance(0.1):
            type_, content = r.choice(list(response.get("content", {"application/json": {}}).items()))
            body = self.body(type_, content.get("schema", {}))
            type_ = self.concrete(type_)
            if type_:
                headers.append(["Content-Type", type_])
        # A header that comes twice is not what this compares.
        headers = list({name.lower(): [name, text] for name, text in headers}.values())
        return {"method": method.upper(), "path": base + path, "status": int(code), "headers": headers, "body": body}

    def concrete(self, type_):
        r = self.random
        if self.chance(0.04):
            return r.choice([None, "text/html", "application/json", "image/png", "application/problem+json"])
        type_ = type_.replace("*/*", "application/json").replace("text/*", "text/csv")
        type_ = type_.replace("application/*", r.choice(["application/json", "application/zip"]))
        if self.chance(0.1):
            type_ = type_.replace("json", "JSON") if self.chance(0.3) else type_ + "; charset=utf-8"
        return type_

    def header_text(self, name):
        texts = {
            "X-Count": ["0", "1", "2", "5", "2.5", "x", "-1", ""],
            "X-Kind": ["a", "ab", "abc", "b", "1"],
            "X-Tags": ["1", "1,2", "1,2,3", "a,b", "a", "1,a"],
            "X-Flag": ["true", "false", "x", "yes"],
            "X-Map": ["a,1", "a=1", "b,1", "a,x", "a=x,b=2"],
        }
        return self.random.choice(texts[name])

    def body(self, type_, schema):
        if type_.startswith("text/") or type_ == "application/octet-stream":
            return self.random.choice([b"some text", b"1", b"a"])
        if self.chance(0.02):
            return self.random.choice([b"", b"{", b"nothing", b'{"id": 1,}', b"[1"])
        value = self.value(schema, 6)
        if self.chance(0.5):
            value = self.changed(value)
        return json.dumps(value, ensure_ascii=False).encode()

    def value(self, schema, depth):
        """A value that fits the schema, or nearly."""
        r = self.random
        if "$ref" in schema:
            return self.value(self.schemas[schema["$ref"].split("/")[-1]], depth)
        for word in ("oneOf", "anyOf"):
            if word in schema:
                chosen = r.choice(schema[word])
                value = self.value(chosen, depth)
                if "discriminator" in schema and isinstance(value, dict):
                    name = chosen["$ref"].split("/")[-1]
                    value["kind"] = "cat" if name == "Cat" and "mapping" in schema["discriminator"] else name
                return value
        if "allOf" in schema:
            values = [self.value(part, depth) for part in schema["allOf"]]
            return {name: value for part in values if part for name, value in part.items()}
        if "enum" in schema:
            return r.choice(schema["enum"])
        kind = schema.get("type", "string")
        if isinstance(kind, list):
            kind = r.choice([kind[0], kind[0], "null"])
        if kind == "null" or schema.get("nullable") and self.chance(0.3):
            return None
        if kind == "object":
            value = {}
            for name, member in schema.get("properties", {}).items():
                is_wanted = name in schema.get("required", []) or self.chance(0.6) and depth > 0
                if is_wanted and not (member.get("writeOnly") and self.chance(0.9)):
                    value[name] = self.value(member, depth - 1)
            return value
        if kind == "array":
            count = r.choice([0, 1, 1, 2]) if depth > 0 else 0
            return [self.value(schema["items"], depth - 1) for _ in range(max(count, schema.get("minItems", 0)))]
        if kind == "boolean":
            return self.chance(0.5)
        if kind == "string":
            return r.choice([text for text in TEXTS if len(text) >= schema.get("minLength", 0)])
        low, high = schema.get("minimum", -1), schema.get("maximum", 100)
        fitting = [number for number in NUMBERS if low <= number <= high and (kind != "integer" or number % 1 == 0)]
        return r.choice(fitting or NUMBERS)

    def changed(self, value):
        """The value with one change somewhere inside."""
        r = self.random
        if isinstance(value, dict) and value and self.chance(0.8):
            value = dict(value)
            name = r.choice(list(value))
            kind = r.randrange(5)
            if kind == 0:
                del value[name]
            elif kind == 1:
                value[r.choice([*NAMES, "other"])] = r.choice([1, "a", None])
            else:
                value[name] = self.changed(value[name])
            return value
        if isinstance(value, list) and value and self.chance(0.8):
            return [*value[1:], self.changed(value[0])] if self.chance(0.7) else [*value, value[0]]
        return r.choice([None, 1, 1.0, 2.5, "a", "abc", True, [], {}, -5, "Dog"])


# MARK: The two judges


def judged_by_reqcli(description, answers):
    """The failures of each answer, and the URL of its request; each pair is nil where the program gave no verdict."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        files = {"openapi.json": description, "environments/development.json": {"baseURL": HOST}}
        for number, answer in enumerate(answers):
            variant = {"status": answer["status"], "base64": base64.b64encode(answer["body"]).decode()}
            variant["headers"] = dict(answer["headers"])
            files[f"endpoints/a{number}.json"] = {
                "method": answer["method"],
                "path": answer["path"],
                "expect": {"openapi": "openapi.json"},
                "stubs": {"variants": {"standard": variant}},
            }
        for name, content in files.items():
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_text(json.dumps(content))
        run = subprocess.run(
            [PROGRAM, "check", "--stub", "--report", "json=-", "-C", folder], capture_output=True, text=True
        )
    if run.returncode not in (0, 1):
        return None, run.stderr
    cases = {case["id"]: case for case in json.loads(run.stdout)["cases"]}
    return [cases.get(f"a{number}") for number in range(len(answers))], run.stderr


class Reference:
    """The verdicts of openapi-core on one description."""

    def __init__(self, description):
        from openapi_core import Config, OpenAPI

        # The description itself is not what is compared, and checking it takes long.
        self.api = OpenAPI.from_dict(description, config=Config(spec_validator_cls=None))

    def errors(self, answer, url):
        from openapi_core.testing import MockRequest, MockResponse

        headers = dict(answer["headers"])
        request = MockRequest(HOST, answer["method"], url.removeprefix(HOST))
        response = MockResponse(answer["body"], answer["status"], headers, type_of(answer))
        try:
            return [repr(error.__cause__ or error) for error in self.api.iter_response_errors(request, response)]
        except TypeError as error:
            # It looks up what a discriminator names in a dict, even if that is an object.
            return [repr(error)]


# MARK: Differences that have a reason


def everywhere(change):
    """A change of the description that is applied to each of its objects, from the inside out."""

    def changed(value):
        if isinstance(value, list):
            return [changed(element) for element in value]
        if isinstance(value, dict):
            return change({name: changed(member) for name, member in value.items()})
        return value

    return lambda description, answer: (changed(description), answer)


def without_discriminator(value):
    return {name: member for name, member in value.items() if name != "discriminator"}


def without_siblings(value):
    return {"$ref": value["$ref"]} if isinstance(value.get("$ref"), str) else value


def type_of(answer):
    return next((text for name, text in answer["headers"] if name.lower() == "content-type"), "")


def is_json(type_):
    subtype = type_.split(";")[0].strip().lower().split("/")[-1]
    return subtype == "json" or subtype.endswith("+json")


def siblings_apart(value):
    if not isinstance(value.get("$ref"), str) or len(value) == 1:
        return value
    return {"allOf": [{"$ref": value["$ref"]}], **{name: member for name, member in value.items() if name != "$ref"}}


def parts_of(type_):
    """The type and its parameters, in lowercase letters."""
    type_, *parameters = [part.strip().lower() for part in type_.split(";")]
    return type_, set(parameters)


def as_plain_json(description, answer):
    """The same with the narrowest content for the type of the answer alone: as `application/json`, or without a schema."""
    type_, parameters = parts_of(type_of(answer))
    ranges = [type_, type_.split("/")[0] + "/*", "*/*"]

    def picked(value):
        if "description" not in value or "content" not in value:
            return value
        fitting = []
        for name, content in value["content"].items():
            range_, needed = parts_of(name)
            if range_ in ranges and needed <= parameters:
                fitting.append((ranges.index(range_), -len(needed), len(fitting), content))
        if not fitting:
            return {**value, "content": {"image/none": {}}}
        content = min(fitting, key=lambda each: each[:3])[3]
        return {**value, "content": {"application/json": content} if is_json(type_) else {"text/plain": {}}}

    new = "application/json" if is_json(type_) else "text/plain"
    headers = [[name, new if name.lower() == "content-type" else text] for name, text in answer["headers"]]
    return everywhere(picked)(description, {**answer, "headers": headers})


def with_plain_servers(value):
    """The object with a server for each value of the variable, which is what `enum` allows."""
    if not value.get("servers"):
        return value
    servers = []
    for server in value["servers"]:
        values = server.get("variables", {}).get("v", {}).get("enum", [""])
        servers += [{"url": server["url"].replace("{v}", value)} for value in values]
    return {**value, "servers": servers}


def with_some_body(description, answer):
    is_without = answer["body"] == b"" and not is_json(type_of(answer))
    return (description, {**answer, "body": b"something"}) if is_without else None


def without_write_only(description, answer):
    """3.1 for them with the rules of `writeOnly` written out: no value fits such a member, and it isn't required."""
    schemas = description["components"]["schemas"]

    def is_write_only(member):
        seen = member
        while isinstance(seen, dict) and "$ref" in seen and not seen.get("writeOnly"):
            seen = schemas.get(seen["$ref"].split("/")[-1])
        return isinstance(seen, dict) and seen.get("writeOnly") is True

    def changed(value):
        members = value.get("properties")
        if not isinstance(members, dict):
            return value
        hidden = [name for name, member in members.items() if is_write_only(member)]
        value = {**value, "properties": {name: {"not": {}} if name in hidden else member for name, member in members.items()}}
        if "required" in value:
            value["required"] = [name for name in value["required"] if name not in hidden]
        return value

    return everywhere(changed)(description, answer)


def no_content(description, answer):
    return everywhere(lambda value: {name: member for name, member in value.items() if name != "content"})(description, answer)


#: Each has a name, the reason, the failures of ours that it explains, and the change without which they judge otherwise.
ARGUED = [
    (
        "discriminator",
        "It decides for openapi-core, which then tries that schema alone. OpenAPI 3.1.1, 4.8.25: it is a hint, and does not "
        "change the result of validation",
        None,
        everywhere(without_discriminator),
    ),
    (
        "siblings of $ref",
        "In 3.0 they are ignored (3.0.3, 4.7.23), in 3.1 they count; openapi-core applies them in both, but not at the root",
        None,
        lambda description, answer: everywhere(
            without_siblings if description["openapi"].startswith("3.0") else siblings_apart
        )(description, answer),
    ),
    (
        "undocumented body",
        "A response without content has no body, says the description; openapi-core does not look",
        lambda failure: failure["expected"].startswith("no body"),
        None,
    ),
    (
        "no body by HTTP",
        "204, 304 and HEAD have no body by RFC 9110, also where content is documented; openapi-core misses it",
        None,
        lambda description, answer: no_content(description, answer) if answer["status"] in (204, 304) else None,
    ),
    (
        "media ranges and types",
        "openapi-core takes the first range, not the narrowest; reads JSON only in application/json and "
        "application/vnd.api+json, and by no range; holds bodies that are no JSON against schemas as text; and compares "
        "parameters as text",
        None,
        as_plain_json,
    ),
    (
        "empty body",
        "Text and bytes may be of length 0; openapi-core says that they are missing",
        None,
        with_some_body,
    ),
    (
        "variables of servers",
        "openapi-core takes any value for a variable with `enum`",
        None,
        everywhere(with_plain_servers),
    ),
    (
        "writeOnly",
        "openapi-core ignores it in 3.1, and in 3.0 does not see it behind $ref",
        None,
        without_write_only,
    ),
    (
        "`yes` in headers",
        "For openapi-core it is a boolean",
        lambda failure: failure["subject"] == "header X-Flag" and failure["actual"] == '"yes"',
        None,
    ),
    (
        "servers",
        "A server for tests may lack the path of the documented one; openapi-core finds no operation then",
        None,
        lambda description, answer: everywhere(
            lambda value: {**value, "servers": [{"url": HOST}]} if "servers" in value else value
        )(description, answer),
    ),
]


def explanation(description, answer, url, failures):
    """The names of the reasons without which both judge alike: as few as possible, at most three."""
    for count in (1, 2, 3):
        for reasons in itertools.combinations(ARGUED, count):
            changed, left = (description, answer), list(failures)
            for _, _, forgives, change in reasons:
                if forgives:
                    left = [failure for failure in left if not forgives(failure)]
                if change and changed:
                    changed = change(copy.deepcopy(changed[0]), changed[1])
            if changed is None or len(left) == len(failures) and any(reason[2] for reason in reasons):
                continue
            try:
                theirs = Reference(changed[0]).errors(changed[1], url)
            except Exception:
                continue
            # What has no operation says nothing about the response.
            if bool(left) == bool(theirs) and not any(error.startswith(NO_OPERATION) for error in theirs):
                return " + ".join(reason[0] for reason in reasons)
    return None


def load_examples():
    """Whether each operation of the published examples can be held against a response."""
    files = sorted(EXAMPLES.glob("v3.*/*.json"))
    if not files:
        print(f"examples: skipped, because there are none in {EXAMPLES}; set REQCLI_CORPORA")
        return True
    loaded = operations = 0
    for file in files:
        description = json.loads(file.read_text())
        paths = description.get("paths", {})
        found = [(path, method) for path, item in paths.items() for method in METHODS if method in item]
        answers = [
            {"method": method.upper(), "path": path.replace("{", "").replace("}", ""), "status": 599, "headers": [], "body": b""}
            for path, method in found
        ]
        none = {"method": "GET", "path": "/none", "status": 200, "headers": [], "body": b""}
        cases, errors = judged_by_reqcli(description, answers or [none])
        if cases and all(cases):
            loaded += 1
            operations += len(found)
        elif not found and "the description has no operations" in errors:
            print(f"examples: {file.name} is read, and refused because it has no operations (webhooks are not checked)")
            loaded += 1
        else:
            print(f"{file}: {errors}")
    print(f"examples: {loaded} of {len(files)} load, {operations} operations")
    return loaded == len(files)


def compare(count, seed, shown):
    generator = random.Random(seed)
    counts, explained, unexplained = collections.Counter(), collections.Counter(), []
    while counts["answers"] < count:
        descriptions = Descriptions(generator)
        description = descriptions.description()
        answers = [descriptions.answer(description) for _ in range(min(ANSWERS_EACH, count - counts["answers"]))]
        reference = Reference(copy.deepcopy(description))
        cases, errors = judged_by_reqcli(description, answers)
        if cases is None:
            print(f"REFUSED: {errors}\n{json.dumps(description)}")
            return False
        for answer, case in zip(answers, cases):
            counts["answers"] += 1
            failures, url = case["failures"], case["request"]["url"]
            if case["verdict"] not in ("passed", "failed"):
                counts["NO VERDICT"] += 1
                unexplained.append((answer, case, "no verdict", description))
                continue
            # A stub has a Content-Type, also where none is stated.
            lines = case["response"]["head"].split("\n")[1:]
            answer["headers"] = [line.split(": ", 1) if ": " in line else [line.rstrip(":"), ""] for line in lines if line]
            theirs = reference.errors(answer, url)
            if bool(failures) == bool(theirs):
                counts["both refuse" if failures else "both accept"] += 1
                continue
            side = "only ours refuses" if failures else "only theirs refuses"
            reason = explanation(description, answer, url, failures)
            if reason:
                explained[f"{side}: {reason}"] += 1
            else:
                counts[f"UNEXPLAINED, {side}"] += 1
                unexplained.append((answer, case, theirs, description))
    print(dict(counts))
    for reason, number in explained.most_common():
        print(f"  {number:5} {reason}")
    for answer, case, theirs, description in unexplained[:shown]:
        print(f"DIFFERS: {description['openapi']} {answer}\n  ours {[(f['subject'], f['expected'], f['actual']) for f in case['failures']]}")
        print(f"  theirs {theirs}\n  places {[f.get('schema', {}).get('absolute') for f in case['failures']]}")
        if os.environ.get("WHOLE"):
            print(json.dumps(description))
    return not unexplained


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--answers", type=int, default=5000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", type=int, default=10, help="how many differences without a reason are shown")
    arguments.add_argument("--folder", type=Path, default=ROOT / ".build" / "openapi-compare")
    options = arguments.parse_args()
    install(options.folder.absolute())
    loads = load_examples()
    agrees = compare(options.answers, options.seed, options.show)
    sys.exit(0 if loads and agrees else 1)


if __name__ == "__main__":
    main()
