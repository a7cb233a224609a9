"""Workspaces that were good once, and damage to them."""

import collections
import copy
import json
import re
from pathlib import Path

from server import SECRET, Server, deep

ROOT = Path(__file__).resolve().parent.parent.parent
NASTY_TEXTS = [
    "", " ", "{{", "}}", "{{x}}", "{{$uuid}}", "{{secret.token}}", "{{$env.TOKEN}}", "\\{{", "\x00", "\x1b[31m", "\u202e",
    "é", "👩‍👩‍👧", "a" * 5000, "../../etc/passwd", "~", "/", "//", "http://", "http://[::1", "https://bücher.example/", "-1",
    "1e999", "0", "9223372036854775808", "null", "true", "GET", "CONNECT", "\r\nX: y", "%", "%zz", "[a-", "(", "$.", "$..*",
    "$[?match(@.n,'(')]", "{{a}}{{a}}", "2xx", "10ms..", "1s", "Content-Length", "Transfer-Encoding", "Host", "*",
]
NASTY_VALUES = [None, True, False, 0, -1, 1.5, 1e308, 2**63, 10**30, [], {}, [[]], {"": ""}, [None], "x"]


class Workspace:
    """A folder of files that were good once."""

    FILES = {
        "rows.csv": [
            b"id,name\n1,Ada\n2,\n", b"id\n1\n2\n", b"", b'"', b"id\n" + b"1\n" * 300, b"id,id\n1,2\n", b"id\n\xff\n",
            b'name\n"' + b"a" * 90_000,
        ],
        "rows.json": [
            b'[{"id":1},{"id":2,"name":"Ada"}]', b"[1]", deep(9000), b'[{"id":9007199254740993}]', b"[]", b'{"id":1}',
        ],
        "rows.ndjson": [b'{"id":1}\n{"id":2}\n', b'{"id":null}\n\n{', b"\x00"],
        # A report of check, whole and with strange values.
        "part.json": [
            b'{"format":"reqcli.check","version":1,"environment":"base","plan":"1","totals":{"selected":1},'
            b'"startedAt":"2026-03-01T12:30:00Z","durationMs":5,"cases":[{"number":1,"id":"orders.list","endpoint":"orders.list",'
            b'"file":"endpoints/orders.json","line":1,"column":1,"verdict":"failed","attempts":2,"durationMs":4,"failures":[{"subject":"status",'
            b'"expected":"200","actual":"500","file":"a","line":9,"column":1,"difference":[{"kind":"note","text":"x"}]}],'
            b'"response":{"status":200,"head":"","body":"{","bodySize":1}}]}',
            b'{"format":"reqcli.check","environment":"base","shard":{"index":1,"count":99999},"plan":"","cases":[]}',
            b'{"format":"reqcli.check","environment":"","cases":[{"id":"","verdict":"passed","line":9223372036854775807,"file":"","attempts":-1}]}',
            b'{"format":"reqcli.check","environment":"e","startedAt":"9999-99-99T99:99:99Z","cases":[],"totals":{"selected":-5}}', b"{", deep(9000),
        ],
        "jar": [
            b"127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n",
            b"#HttpOnly_127.0.0.1\tFALSE\t/\tTRUE\t99999999999999999999\tc\td\n# x\n", b"\xff\n", b"a\tb\n",
            b"".join(b"127.0.0.1\tFALSE\t/%d\tFALSE\t0\tc%d\tv\n" % (n, n) for n in range(3000)),
        ],
        "netrc": [
            b"machine 127.0.0.1 login ada password " + SECRET.encode(), b"default login x", b'machine "a\\',
            b"macdef x\n" + b"y\n" * 9000, b"machine x " * 9000,
        ],
        "copied.sh": [
            b"curl 'http://h/v1/users/7?a=b&c' -H 'Authorization: Bearer " + SECRET.encode()
            + b"' -H $'X: \\u00e9' --data-raw '{\"password\":\"x\"}' -F a=@b -F 'c=d;type=e'\n",
            b'curl ^"http://h/^" ^\r\n  -H ^"A: b^"', b"curl -G -d a=1 --data-urlencode 'b=c d' http://u:p@h $X ${Y:-z}\n",
            b"curl http://h -d @- <<E\nx $A\nE\n", b"curl " * 20_000, b"curl '" + b"a" * 90_000, b"curl {a,b}[1-9999999999]/[a-z:2]",
            b"curl \xff\x00", b"curl http://h -X $(x)", b"curl http://h" + b" --next http://h" * 9000,
        ],
        "api.yaml": [
            b"openapi: 3.1.0\ninfo: {title: Shop}\nservers: [{url: 'http://h/{v}', variables: {v: {default: v1}}}]\npaths:\n"
            b"  /users/{id}:\n    get:\n      operationId: getUser\n      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]\n"
            b"      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/U'}, example: {id: 1}}}}}\n"
            b"components: {schemas: {U: {type: object, properties: {id: {type: integer}}}}}\n",
            b"openapi: 3.0.0\npaths: &a\n  /x: *a\n", b"swagger: '2.0'\npaths: {/a: {$ref: '#/paths/~1a'}}\n",
            b"openapi: 3.1.0\na: &a [x,x]\n" + b"".join(b"a%d: &a%d [*a,*a,*a]\n" % (n, n) for n in range(2000)),
            b"openapi: 3.1.0\npaths: " + b"[" * 90_000, b"openapi: 3.1.0\npaths:\n" + b"".join(b"  /p%d: {get: {}}\n" % n for n in range(2000)),
        ],
        "postman.json": [
            b'{"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "variable": '
            b'[{"key": "base", "value": "http://h"}], "item": [{"name": "One", "request": {"method": "POST", "url": "{{base}}/a?token='
            + SECRET.encode() + b'", "body": {"mode": "raw", "raw": "{}"}}, "response": [{"name": "ok", "code": 200, "body": "{}"}]}]}',
            b'{"info": {"name": "x", "_postman_id": "1"}, "item": ' + b'[{"item":' * 9000 + b"[]" + b"}]" * 9000 + b"}",
            b'{"info": {"schema": "v2.1.0/collection.json"}, "item": [' + b'{"request": "http://h/a"},' * 9000 + b"1]}",
        ],
        "shop.request.yaml": [
            b"$kind: http-request\nurl: 'http://h/a/:id?token=" + SECRET.encode() + b"'\nmethod: POST\npathVariables: [{key: id, value: '7'}]\n"
            b"auth: {type: bearer, credentials: {token: '{{t}}'}}\nbody: {type: json, content: '{\"a\": {{b}}}'}\n",
            b"$kind: collection\nitems: " + b"[{items: " * 400 + b"[]" + b"}]" * 400, b"$kind: http-request\nheaders: " + b"[" * 90_000,
            b"$kind: collection\nitems:\n" + b"- {url: 'http://h/a'}\n" * 9000,
        ],
        "insomnia.json": [
            b'{"_type": "export", "__export_format": 4, "resources": [{"_id": "w", "_type": "workspace", "name": "Shop"}, {"_id": "e", "parentId": "w", '
            b'"_type": "environment", "name": "Base", "data": {"base": "http://h"}}, {"_id": "r", "parentId": "w", "_type": "request", "name": "One", "method": '
            b'"POST", "url": "{{ _.base }}/a", "authentication": {"type": "bearer", "token": "' + SECRET.encode() + b'"}, "body": {"mimeType": '
            b'"application/json", "text": "{\\"a\\": \\"{% uuid %}\\"}"}}]}',
            b'{"_type": "export", "resources": [' + b",".join(
                b'{"_id": "f%d", "parentId": "f%d", "_type": "request_group"}' % (n, n - 1) for n in range(9000)) + b"]}",
            b'{"_type": "export", "resources": [{"_type": "request", "url": "' + b"{{ {% " * 9000 + b'"}]}',
        ],
        "saved.har": [
            b'{"log": {"version": "1.2", "entries": [{"request": {"method": "GET", "url": "http://h/a/7?x=1", "headers": [{"name": "Cookie", '
            b'"value": "a=' + SECRET.encode() + b'"}]}, "response": {"status": 200, "content": {"mimeType": "application/json", "text": "{}"}}}]}}',
            b'{"log": {"entries": [' + b'{"request": {"method": "PUT", "url": "http://h/a"}},' * 900 + b"{}]}}", b'{"log": {"entries": [1,{}]}}',
        ],
        "list.hurl": [
            b"POST http://h/login\n[FormParams]\npassword: " + SECRET.encode() + b'\nHTTP 200\n[Captures]\nt: jsonpath "$.t"\n\n'
            b'GET http://h/me\nAuthorization: Bearer {{t}}\nHTTP 200\n[Asserts]\njsonpath "$.id" == 1\n',
            b"GET http://h/a\n" * 9000, b"GET http://h\n```\n" + b"a" * 90_000, b"[Asserts]\n" * 9000, b"GET http://h\n" + b"{[" * 9000,
        ],
        "list.http": [
            b"@base = http://h\n### One\n# @name one\nPOST {{base}}/a HTTP/1.1\nContent-Type: application/json\nX-Api-Key: " + SECRET.encode()
            + b'\n\n{"a": 1}\n\n### Two\nGET {{base}}/b?x={{one.response.body.$.id}}\n',
            b"### \n" * 9000, b"@a = {{a}}\nGET {{a}}\n", b"GET http://h\n\n< body\n> {%\n" + b"client.test(" * 9000,
        ],
        "list.bru": [
            b"meta {\n  name: One\n}\nget {\n  url: http://h/a/:id?b=c\n  auth: bearer\n}\nauth:bearer {\n  token: " + SECRET.encode()
            + b"\n}\nassert {\n  res.status: eq 200\n}\n",
            b"meta {\n" * 9000, b"get {\n  url: \'\'\'\n" + b"a\n" * 9000, b"headers {\n" + b"  a: b\n" * 90_000,
        ],
        "vars": [b'STAGE=bin\nTOKEN="a b"\n', b"export A='\n", b"=\n\x00", b"A=$A\n" * 3000],
        "body": [
            b"{}", b"a=b&c=d", b"\x00\xff" * 9000, b"[" + b"1," * 100_000 + b"1]", deep(9000), b"", b"{{x}}", b"x" * 2_000_000,
        ],
        "queries/me.graphql": [
            b"query Me($id: ID!) { me(id: $id) { name } }", b"", b"{ me", b"query ($a: [Int!]! = [1]) { a }", b"#" * 90_000,
            b"query (" + b"$a: Int " * 9000 + b") { a }", b"\xff", b"{" * 90_000, b'{ a(b: """x',
        ],
        "schemas/user.json": [
            b'{"$defs": {"short": {"type": "object", "properties": {"id": {"$ref": "id.json"}}}}}',
            b'{"$defs": {"short": {"$ref": "#/$defs/short"}}}', b'{"$defs": {"short": ' + deep(9000) + b"}}", b"true", b"",
            b'{"$defs": {"short": {"pattern": "(a{1,999}){1,999}", "$schema": "http://json-schema.org/draft-04/schema#"}}}',
            b'{"$schema": "user.json", "$dynamicRef": "#x", "$defs": {"short": {"anyOf": [' + b"{}," * 9000 + b"false]}}}",
        ],
        "openapi.json": [
            b'{"openapi": "3.1.0", "paths": {"/users/{id}": {"get": {"operationId": "getUser", "responses": {"200": {"description": "", "headers": '
            b'{"X": {"required": true, "schema": {"type": "integer"}}}, "content": {"application/json": {"schema": {"type": "object"}}}}}}}}}',
            b'{"openapi": "3.0.0", "paths": {"/users/{id}": {"get": {"operationId": "getUser", "responses": {"default": {"$ref": "#/a"}}}}}, "a": {"$ref": "#/a"}}',
            b'{"openapi": "3.1.0", "paths": {"/{a}/{b}": {"get": {"responses": {"2XX": {"content": {"*/*": {"schema": {"$ref": "schemas/user.json"}}}}}}}}}',
            b'{"openapi": "3.1.0", "paths": {' + b",".join(b'"/{a%d}": {"get": {}}' % n for n in range(9000)) + b"}}", deep(9000), b"openapi: 3.1.0",
        ],
        "schemas/id.json": [
            b'{"type": ["integer", "string"], "format": "uuid"}', b'{"multipleOf": 1e-999999999}', b'{"$ref": "../../x.json"}', b"[]",
            b'{"$id": "https://h/id", "enum": [' + b"1," * 90_000 + b'1], "uniqueItems": true}', b'{"$ref": "id.json"}',
        ],
        "stubs/large.json": [
            Server.GOOD, b"[" + Server.GOOD + (b"," + Server.GOOD) * 9000 + b"]", deep(9000), b'{"a":', b"\x00\xff" * 99_000,
        ],
    }
    VALUES = {"string": "Ada é", "integer": "1", "number": "-1.5e3", "boolean": "true", "json": "{\"a\":[1,null]}", "file": "body", "list": "1"}

    def __init__(self):
        self.good = {f"certs/{name}.pem": b"not a certificate" for name in ("ca", "me", "acme")}
        for name in ("openapi.json", "stubs/large.json", "queries/me.graphql", "schemas/user.json", "schemas/id.json"):
            self.good[name] = self.FILES[name][0]
        for root in (ROOT, ROOT / "Tests/fuzz/workspace"):
            for folder in ("endpoints", "environments", "snapshots", "stubs", "bodies"):
                for path in sorted((root / folder).rglob("*.*")):
                    self.good[str(path.relative_to(root))] = path.read_bytes()
        for kind in ("endpoint", "environment"):
            for path in sorted((ROOT / "Tests/Fixtures/good" / kind).glob("*.json")):
                self.good[f"{kind}s/{path.stem}-sample.json"] = path.read_bytes()
        self.trees = {}
        for name, data in self.good.items():
            try:
                self.trees[name] = json.loads(data)
            except ValueError:
                pass
        self.subtrees = [value for tree in self.trees.values() for value in all_values(tree)]
        self.values_of = collections.defaultdict(list)
        for tree in self.subtrees:
            for key, value in tree.items() if isinstance(tree, dict) else ():
                self.values_of[key].append(value)
        self.keys = sorted(self.values_of)
        #: By id: each endpoint's params, its stub variants, the captures it takes, and whether it expects anything.
        self.endpoints, self.variants, self.captures, self.expects = {}, {}, {}, {}
        for name, tree in self.trees.items():
            if name.startswith("endpoints/"):
                common = tree.get("defaults", {})
                for key, endpoint in tree.get("endpoints", {"": tree}).items():
                    identifier = Path(name).stem + ("." + key if key else "")
                    params = {**common.get("params", {}), **endpoint.get("params", {})}
                    self.endpoints[identifier] = {name: param for name, param in params.items() if param}
                    text = json.dumps([common, endpoint])
                    self.captures[identifier] = sorted(set(re.findall(r"\{\{((?!secret)\w+\.\w+)\}\}", text)))
                    self.expects[identifier] = "expect" in {*common, *endpoint} or "checks" in endpoint
                    self.variants[identifier] = list(endpoint.get("stubs", {}).get("variants", {}))

    def names(self, endpoint):
        """The files to have; the samples belong to each other."""
        return [name for name in sorted(self.good) if "-sample" in endpoint or "-sample" not in name]

    def write_good(self, folder, names):
        for name in names:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.good[name])

    def write(self, folder, chance, endpoint):
        """Writes the workspace, in most runs with damage, mostly in a file that the endpoint's requests read."""
        names = self.names(endpoint)
        self.write_good(folder, names)
        for name, contents in self.FILES.items():
            (folder / name).write_bytes(chance.choice(contents[:1] * 12 + contents))
        own = [f"endpoints/{endpoint.split('.')[0]}.json", "endpoints/auth.json", "environments/base.json"]
        names = [name for name in own if name in names] if chance.random() < 0.6 else names
        for name in chance.sample(names, min(len(names), chance.choice([0, 0, 0, 1, 1, 2, 4]))):
            (folder / name).write_bytes(self.damaged(name, chance))

    def params(self, endpoint, chance):
        """The words that give an endpoint its params."""
        words = []
        for name, param in self.endpoints.get(endpoint, {}).items():
            needed = param.get("required", "default" not in param)
            if chance.random() > (0.98 if needed else 0.3):
                continue
            value = chance.choice(param.get("enum", [param.get("example", self.VALUES[param["type"]])]))
            value = value if isinstance(value, str) else json.dumps(value)
            if chance.random() < (0.3 if param["type"] == "string" else 0.04):
                value = chance.choice(NASTY_TEXTS + ["5", "x" * 100_000])
            if chance.random() < 0.03:
                name, value = name + "@", chance.choice(["body", "-", "jar"])
            words.append(f"{name}={value}".replace("\x00", ""))
        return words

    def damaged(self, name, chance):
        if name in self.trees and chance.random() < 0.75:
            tree, is_gentle = copy.deepcopy(self.trees[name]), chance.random() < 0.7
            for _ in range(chance.choice([1, 1, 2, 5])):
                tree = self.changed(tree, chance, is_gentle)
            return json.dumps(tree, ensure_ascii=chance.random() < 0.5).encode(errors="surrogatepass")
        data = bytearray(self.good[name])
        for _ in range(chance.choice([1, 2, 5, 20])):
            if not data:
                break
            place = chance.randrange(len(data))
            how = chance.randrange(5)
            if how == 0:
                data[place] = chance.randrange(256)
            elif how == 1:
                del data[place:]
            elif how == 2:
                data[place:place] = data[place : place + chance.randrange(200)] * chance.choice([1, 2, 50])
            elif how == 3:
                del data[place : place + chance.randrange(20)]
            else:
                data[place:place] = chance.choice(NASTY_TEXTS).encode()
        return bytes(data)

    def changed(self, tree, chance, is_gentle, key=None):
        """The tree, a value of this key, with one place in it changed; gently, another value of its type takes its place."""
        if isinstance(tree, dict) and tree and (is_gentle or chance.random() < 0.85):
            key = chance.choice(list(tree))
            how = 0 if is_gentle else chance.random()
            if how < 0.6:
                tree[key] = self.changed(tree[key], chance, is_gentle, key)
            elif how < 0.7:
                del tree[key]
            elif how < 0.85:
                tree[chance.choice(self.keys + NASTY_TEXTS)] = tree.pop(key)
            else:
                tree[chance.choice(self.keys)] = copy.deepcopy(chance.choice(self.subtrees))
            return tree
        if isinstance(tree, list) and tree and chance.random() < 0.8:
            index = chance.randrange(len(tree))
            tree[index] = self.changed(tree[index], chance, is_gentle, key)
            # Lists of lists would grow by a factor for each level.
            is_flat = not any(isinstance(value, (dict, list)) for value in tree)
            return tree * chance.choice([1, 1, 1, 40]) if is_flat else tree
        how = chance.random()
        if is_gentle and tree is not None:
            others = self.values_of[key] if chance.random() < 0.7 else NASTY_TEXTS + NASTY_VALUES + self.subtrees
            return copy.deepcopy(chance.choice([value for value in others if type(value) is type(tree)] or [tree]))
        if how < 0.4:
            return chance.choice(NASTY_TEXTS)
        if how < 0.7:
            return copy.deepcopy(chance.choice(NASTY_VALUES))
        if how < 0.9:
            return copy.deepcopy(chance.choice(self.subtrees))
        for _ in range(chance.choice([5, 100, 600])):
            tree = [tree] if chance.random() < 0.5 else {"a": tree}
        return tree


def all_values(tree):
    yield tree
    for value in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else []:
        yield from all_values(value)
