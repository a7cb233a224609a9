"""Random workspaces for generated code: every kind of param, place and body, with hostile names and values."""

import json
import random
import re
import shutil

# Random values and times, and variables that have one.
GENERATED = ["{{$uuid}}", "{{$randomInt}}", "{{$timestamp}}", "{{$isoTimestamp}}", "{{trace}}", "{{nonce}}", "a {{ $uuid }}{{$randomInt}}-{{$uuid}} b", "{{trace}}{{nonce}}",
             "{{$now | iso}}", "{{$now | startOf day | date 'yyyy-MM-dd'}}", "{{$random.hex 12}}", "{{$random.int 1 6}}", "{{$random.text 8}}-{{$random.pick 'a' '\"b' 'c'}}",
             "{{trace | upper}}", "{{stamp}}", "{{$uuid | slice 0 8}}", "{{secret.token | sha256 | hex}}", "{{file 'files/a.txt' | base64}}", "{{stamp | fromISO | unixMillis}}",
             "{{$env.REQCLI_UNSET | default 'none' | upper}}"]
# Functions for a value of each kind.
FUNCTIONS = {
    "string": ["upper", "trim | default 'no \"quote\"'", "sha256 | hex", "hmacSHA256 secret.token | base64", "url", "length", "replace 'a' region", "split ' '"],
    "integer": ["plus 1.5 | round 1", "times 3", "minus limit | text", "pad 6 '0'"], "number": ["times 1.19 | round 2", "text"], "boolean": ["json", "default 'none'"],
    "json": ["json | base64url", "at '$.x' | json", "keys", "at '$.none'"], "list": ["join '+'", "first", "last | default 'none'", "json | md5 | hex"], "file": ["upper"],
}
NASTY = [
    '"); pwned(); ("', "\\(pwned())", "\\#(pwned())", "*/ pwned() /*", '"""\npwned()\n"""', '"#); pwned()', "a\nb", "a\r\npwned()", "a\u2028pwned()\u2029b",
    "\u0085pwned()", "\\{{braces}}", "}}", "é\U0001f600", "e\u0301", "\\", "\\u{0}", "# comment", "// comment", "\x01\x7f", "$(pwned)", "#if pwned", "\u202epwned",
    "- Parameter x: y", "ends with a space ", " starts with one", "x" * 150, "a long text " * 14, "line\n" * 4, "tab\tx", "``` `code` ```", "\ufeffx", "",
]
# Names that mean something in Swift.
NAMES = [
    "id", "name", "count", "default", "in", "class", "self", "init", "Type", "protocol", "values", "request", "body1", "text1", "choice1", "is", "user-id", "max_results",
    "URL", "HTTPCode", "2fa", "_", "Any", "String", "switch", "throws", "repeat", "where", "builder", "query", "path", "method", "headers", "endpoint", "description",
]
ENDPOINTS = [
    "get", "list", "Type", "self", "String", "class", "default", "RequestBuilder", "create-one", "delete_all", "2nd", "Protocol", "Variant", "Value", "Int", "init", "error",
    "Stub", "Self", "Any", "data", "search", "Hashable", "none", "import",
]
VARIANTS = ["standard", "empty", "with_more", "stubs", "default", "self", "404", "none", "allCases", "rawValue", "init", "slow-one", "case"]


def literal(text):
    return text.replace("{{", "\\{{") if "\\{{" not in text else text


def plain(text):
    """A text that a default may be."""
    return text.replace("\\{{", "{").replace("{{", "{")


class Workspace:
    def __init__(self, rng):
        self.rng = rng
        self.calls = []

    def nasty(self):
        return literal(self.rng.choice(NASTY))

    def header(self):
        return re.sub(r"[^ -~]", "", self.nasty()).strip() or "x"

    def key(self):
        return "k" + re.sub(r"[{}\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\u202e]", "", self.nasty())[:40].strip()

    def auth(self):
        """A signature of the finished request."""
        rng = self.rng
        if rng.random() < 0.2:
            jwt = {"algorithm": rng.choice(["HS256", "HS384", "HS512"]), "key": "{{secret.token}}"}
            return {"jwt": jwt | rng.choice([{}, {"keyID": "{{region}}"}, {"claims": {"iss": "{{host}}", "aud": ["{{region}}", {"a": None}], "n": 1.50}}, {"expires": "1h"}])}
        if rng.random() < 0.5:
            aws = {"service": rng.choice(["s3", "execute-api"]), "region": rng.choice(["eu-central-1", "{{host}}"]), "accessKeyID": "AKIDEXAMPLE", "secretAccessKey": "{{secret.token}}"}
            aws |= rng.choice([{}, {"in": "query"}, {"in": "query", "expires": "60s"}]) | rng.choice([{}, {"payload": "unsigned"}, {"sessionToken": "{{secret.token}}"}])
            return {"aws": aws}
        words = ["$method", "$host", "$path", "$query", "$query.sorted", "$target", "$header.X-Time", "$header.X-Nonce", "$body", "$body | sha256 | hex", "$target | hmacSHA1 region | base64",
                 "region", "trace", "$timestamp", "$isoTimestamp", "$uuid", "$now | minus 5m | unix", "limit | text"]
        hmac = {"algorithm": rng.choice(["sha1", "sha256", "sha512"]), "key": "{{secret.token}}", "encoding": rng.choice(["hex", "base64", "base64url"]),
                "sign": "\n".join("{{%s}}" % word for word in rng.sample(words, rng.randint(1, 9))) + rng.choice(["", " \"end\" \\"]),
                "headers": {"X-Time": "{{$now | unix}}", "X-Nonce": "{{$random.hex 8}}", "X-Mac": "v1={{$signature}}"}}
        return {"hmac": hmac | rng.choice([{}, {"query": {"sig": "{{$signature | slice 0 12}}", "at": "{{$timestamp}}"}}])}

    def param(self, name):
        rng = self.rng
        kind = rng.choice(["string", "string", "integer", "number", "boolean", "json", "list", "file"])
        param = {"type": kind, "description": rng.choice(NASTY)}
        sample = {
            "string": lambda: plain(rng.choice(NASTY)) or "x", "integer": lambda: rng.choice([1, 42, -7, 1234567]), "number": lambda: rng.choice([1.5, 1000, -0.25]),
            "boolean": lambda: rng.random() < 0.5, "json": lambda: {"x": [1, plain(rng.choice(NASTY))], "y": None}, "file": lambda: "files/a.txt",
        }
        if kind == "list":
            inner = rng.choice(["string", "integer", "number", "boolean"])
            param["items"] = {"type": inner}
            if rng.random() < 0.4:
                param["join"] = rng.choice([",", "|", "; "])
            values = lambda: [sample[inner]() for _ in range(rng.randint(1, 3))]
        elif kind in ("string", "integer", "number") and rng.random() < 0.25:
            allowed = {"string": ["ascending", "with_more", "é\U0001f600", "a b", "A b", "default", "404", 'q"\\('], "integer": [1, 20, 300], "number": [0.5, 1, 1.5]}[kind]
            param["enum"] = allowed
            values = lambda: rng.choice(allowed)
        else:
            values = sample[kind]
        key = rng.random()
        if key < 0.3:
            param["default"] = values()
            if kind == "file":
                param.pop("default")
        elif key < 0.6:
            param["required"] = False
        if kind == "number" and "default" in param and "enum" not in param and rng.random() < 0.3:
            param["default"] = 2.5
        if kind == "string" and rng.random() < 0.2:
            param["minLength"] = 0
            param["secret"] = rng.random() < 0.5
        param["example"] = values()
        return param, values

    def schema(self, depth=0):
        """A schema of a response, for --models."""
        rng = self.rng
        kind = rng.choice(["object", "object", "array", "string", "enum", "integer", "number", "boolean", "map", "open", "ref", "all"] if depth < 4 else ["string", "integer"])
        schema = {
            "object": lambda: self.object_schema(depth), "array": lambda: {"type": "array", "items": self.schema(depth + 1)}, "string": lambda: {"type": "string"},
            "enum": lambda: {"type": "string", "enum": ["ascending", "with_more", "", "default", "é\U0001f600", self.rng.choice(NASTY)[:30] + "!"]},
            "integer": lambda: {"type": "integer"}, "number": lambda: {"type": ["number", "null"]}, "boolean": lambda: {"type": "boolean"},
            "map": lambda: {"type": "object", "additionalProperties": self.schema(depth + 1)}, "open": lambda: rng.choice([{}, {"oneOf": [{"type": "string"}, {"type": "null"}]}]),
            "ref": lambda: {"$ref": rng.choice(["node.json", "node.json#/$defs/String", "type.json"])},
            "all": lambda: {"allOf": [{"$ref": "type.json"}, self.object_schema(depth)]},
        }[kind]()
        if "$ref" not in schema:
            schema["description"] = rng.choice(NASTY)
        if kind in ("string", "integer", "boolean", "object") and rng.random() < 0.2:
            schema["type"] = [schema["type"], "null"]
        return schema

    def object_schema(self, depth):
        rng = self.rng
        properties = {name: self.schema(depth + 1) for name in rng.sample(NAMES + [self.key()], rng.randint(0, 5))}
        return {"type": "object", "properties": properties, "required": rng.sample(list(properties), len(properties) // 2)}

    def endpoint(self, index, needs):
        rng = self.rng
        params, values = {}, {}
        lowered = set()
        for name in rng.sample(NAMES, rng.randint(0, 6)):
            params[name], values[name] = self.param(name)
        kinds = {name: param["type"] for name, param in params.items()}
        certain = [n for n, p in params.items() if "default" in p or p.get("required", True)]
        inline = [n for n in certain if kinds[n] not in ("list", "json")]
        flags = [n for n, k in kinds.items() if k == "boolean"]
        enums = [n for n, p in params.items() if "enum" in p]

        def placeholder(name):
            return "{{%s}}" % name

        def switch(mode="text"):
            if flags and rng.random() < 0.7:
                subject = rng.choice(flags)
                cases = {"true": self.nasty() or "t", "false": self.nasty() or "f"}
                if rng.random() < 0.3:
                    cases.pop("true")
                    cases["$default"] = "other"
            elif enums:
                subject = rng.choice(enums)
                cases = {str(value) if isinstance(value, str) else json.dumps(value): f"v{number}" for number, value in enumerate(params[subject]["enum"][:3])}
                cases["$default"] = placeholder(rng.choice(inline)) if inline else "d"
            else:
                return self.nasty()
            return {"$switch": placeholder(subject)} | cases

        def value():
            choice = rng.random()
            if choice < 0.35 and params:
                return placeholder(rng.choice(list(params)))
            if choice < 0.5 and inline:
                return self.nasty()[:30] + placeholder(rng.choice(inline)) + "-" + placeholder(rng.choice(inline))
            if choice < 0.6:
                return switch()
            if choice < 0.7:
                return "{{region}}" if rng.random() < 0.5 else "{{limit}}"
            if choice < 0.76:
                return rng.choice(GENERATED)
            if choice < 0.86 and params:
                name = rng.choice(list(params))
                return rng.choice(["", "", "x "]) + "{{%s | %s}}" % (name, rng.choice(FUNCTIONS[kinds[name]]))
            if choice < 0.9:
                return [self.nasty(), "b"] + ([placeholder(rng.choice(list(params)))] if params else [])
            return self.nasty()

        def tree(depth=0):
            if depth < 3 and rng.random() < 0.4:
                if rng.random() < 0.5:
                    return {self.key(): tree(depth + 1) for _ in range(rng.randint(0, 4))}
                return [tree(depth + 1) for _ in range(rng.randint(0, 4))]
            found = rng.choice([value, lambda: rng.choice([1, 1.5, True, None, 12345678, -3, 1e30])])()
            return found

        definition = {"description": rng.choice(NASTY), "method": rng.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "PURGE"]), "params": params}
        in_path = [n for n in inline if kinds[n] != "string" and "enum" not in params[n] or n in enums][:2]
        if rng.random() < 0.5:
            definition["path"] = rng.choice(["", "/"]) + f"e{index}/é b" + "".join("/" + rng.choice(["", "x-"]) + placeholder(n) for n in in_path)
        else:
            segments = [f"e{index}", "a:b/c"] + [placeholder(n) for n in params if kinds[n] not in ("json", "list", "string")]
            definition["path"] = segments
        definition["query"] = {self.key(): value() for _ in range(rng.randint(0, 3))} | {n: placeholder(n) for n in params if rng.random() < 0.5}
        if rng.random() < 0.1:
            definition["query"] = "flag&a=b+c" + "".join("&x=" + placeholder(n) for n in inline[:2])
        safe = [n for n in params if kinds[n] in ("integer", "number", "boolean")]
        definition["headers"] = {"X-A": self.header(), "X-Environment": rng.choice([None, "mine", self.header()]), "X-Id": rng.choice(GENERATED)}
        for n in safe[:2]:
            definition["headers"]["X-" + re.sub(r"[^A-Za-z0-9]", "", n) + "H"] = rng.choice([placeholder(n), [placeholder(n), "y"]])
        if rng.random() < 0.6:
            definition["body"] = rng.choice([
                lambda: {"json": tree()}, lambda: {"json": {self.key(): tree(), self.key(): tree()}}, lambda: {"json": {"big": [tree(1) for _ in range(14)]}},
                lambda: {"text": self.nasty() + "".join(placeholder(n) for n in inline)},
                lambda: {"form": {self.key(): value() for _ in range(rng.randint(1, 4))}},
                lambda: {"multipart": {"a": self.nasty(), "b": {"text": "x" + self.nasty(), "filename": "a.png"}} | {"p" + n: placeholder(n) for n in params if kinds[n] != "json"}},
                lambda: {"multipart": {"up": {"file": "files/a.txt"}, "t": {"text": "x", "contentType": "text/csv"}}},
                lambda: {"file": "files/a.txt"}, lambda: {"base64": "AAECA/8="},
                lambda: {"graphql": {"query": "query Q { a }\n# " + self.nasty().replace("\r", ""), "operationName": "Q"}},
                lambda: {"graphql": {"query": "query ($name: String) { a(name: $name) }", "variables": {"v": value()}}},
            ])()
        if rng.random() < 0.2:
            definition["auth"] = rng.choice([None, {"bearer": "own"}, {"basic": {"user": "u", "password": "{{secret.token}}"}}, {"apiKey": {"query": "own", "value": "{{secret.token}}"}}, self.auth(), self.auth()])
        if rng.random() < 0.25:
            definition["environments"] = {"main": {"headers": {"X-Overlay": self.header()}, "query": {"overlay": "{{region}}"}, "timeout": "3s"}}
        if rng.random() < 0.2:
            definition["timeout"] = rng.choice([5, "250ms", {"connect": "1s", "idle": None}])
        if needs:
            definition["needs"] = {"login": "login"}
            definition["headers"]["X-Token"] = "t {{login.token}}"
        names = rng.sample(VARIANTS[1:], rng.randint(0, 3))
        names.insert(rng.randint(0, len(names)), "standard")
        variants = {}
        for number, name in enumerate(names):
            variants[name] = rng.choice([
                lambda: {"json": {"a": rng.choice(NASTY)}}, lambda: {"status": 404, "text": rng.choice(NASTY)}, lambda: {"status": 204},
                lambda: {"base64": "AAECA/8=", "headers": {"X-Q": self.header(), "Content-Type": "image/png"}}, lambda: {"error": rng.choice(["refused", "dns", "tls", "reset", "truncated", "timeout"])},
                lambda: {"json": {}, "delay": rng.choice(["8ms", "8ms..20ms", "300ms"]), "bodyTime": "10ms"}, lambda: {"file": "a.json"},
                lambda: {"sequence": [{"status": 503}, {"error": "reset"}, {"json": [1, rng.choice(NASTY)]}], "then": rng.choice(["last", "loop", "fail"])},
            ])() | {"description": rng.choice(NASTY)}
        for name in names:
            if name != "standard" and rng.random() < 0.4:
                # In the other cases of a $switch, the value isn't in the request, where reqcli reads it. A note of `generate` says so.
                hidden = re.findall(r'"\$default": "\{\{([^"]*)\}\}"', json.dumps(definition)) + re.findall(r"\{\{(\S+) \|", json.dumps(definition))
                simple = [n for n in params if kinds[n] in ("integer", "number", "boolean", "string") and n not in hidden]
                conditions = {"headers": {"X-A": rng.choice([self.header(), {"contains": "x"}, {"not": {"startsWith": "y"}}, {"exists": True}])}}
                if simple:
                    n = rng.choice(simple)
                    operand = {"integer": {">": 5}, "number": {"<=": 2.5}, "boolean": True, "string": rng.choice([{"in": ["x y", plain(self.nasty()), "b"]}, {"not": {"contains": self.nasty() or "x"}}, "x y", {"endsWith": "y"}, {"length": 3}])}[kinds[n]]
                    conditions["params"] = {n: operand}
                if rng.random() < 0.3:
                    conditions["query"] = {rng.choice(list(params) + ["k"]): rng.choice([self.nasty(), 3, True, {"exists": rng.random() < 0.5}, {"contains": "x", "not": {"endsWith": "y"}}])}
                if rng.random() < 0.3:
                    conditions["body"] = rng.choice([self.nasty(), {"empty": rng.random() < 0.5}, {"contains": self.nasty() or "x"}, {"length": 3}, {"not": {"startsWith": "{"}}])
                if rng.random() < 0.1:
                    conditions["json"] = {"$.x": 1}
                for key in list(conditions):
                    if len(conditions) > 1 and rng.random() < 0.5:
                        conditions.pop(key)
                variants[name]["when"] = conditions
        definition["stubs"] = {"variants": variants}
        if rng.random() < 0.3:
            schema = rng.choice([self.schema, lambda: "node.json", lambda: {"type": "array", "items": {"$ref": "node.json"}}])()
            definition["expect"] = {"schema": schema}
        self.calls.append((index, params, values, kinds))
        return definition

    def write(self, folder):
        rng = self.rng
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("endpoints", "environments", "files", "schemas", "stubs"):
            (folder / name).mkdir(parents=True)
        (folder / "schemas" / "node.json").write_text(json.dumps({
            "type": "object", "description": rng.choice(NASTY), "required": ["next"],
            "properties": {"children": {"type": "array", "items": {"$ref": "#"}}, "next": {"$ref": "#"}, "self": {"$ref": "#/$defs/String"}},
            "$defs": {"String": {"type": "object", "properties": {"Type": {"type": "string"}, "nodes": {"type": "object", "additionalProperties": {"$ref": "node.json"}}}}}}))
        (folder / "schemas" / "type.json").write_text(json.dumps({
            "type": "object", "required": ["in"], "properties": {"in": {"type": "string", "enum": ["a", "b"]}, "node": {"$ref": "node.json"}}}))
        (folder / "files" / "a.txt").write_text("a")
        (folder / "stubs" / "a.json").write_text('{"from": "a file", "text": "' + "long " * 60 + '"}\n')
        names = rng.sample(ENDPOINTS, rng.randint(2, 6))
        names = [n for i, n in enumerate(names) if type_name(n) not in [type_name(m) for m in names[:i]]]
        has_login = rng.random() < 0.5
        endpoints = {name: self.endpoint(index, has_login and rng.random() < 0.3) for index, name in enumerate(names)}
        group = {"description": rng.choice(NASTY), "endpoints": endpoints}
        if rng.random() < 0.5:
            group["defaults"] = {"headers": {"X-Default": "{{region}}", "X-Group": "{{$uuid}}", "Content-Type": "application/x-own", "X-A": "default"}, "query": {"page": "{{limit}}", "tags": "t"}}
        self.group = rng.choice(["group", "some-group", "billing/invoice", "2d"])
        path = folder / "endpoints" / f"{self.group}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(group))
        if has_login:
            (folder / "endpoints" / "login.json").write_text(json.dumps({
                "method": "POST", "path": "login", "body": {"json": {"password": "{{secret.token}}", "region": "{{region}}"}}, "auth": None,
                "capture": {"token": {"json": "$.token", "secret": True}}, "stubs": {"variants": {"standard": {"json": {"token": "captured"}}}}}))
        auth = rng.choice([
            {"bearer": "{{secret.token}}"}, {"basic": {"user": "u", "password": "{{secret.token}}"}}, {"digest": {"user": "u", "password": "{{secret.token}}"}},
            {"apiKey": {"header": "X-Key", "value": "{{secret.token}}"}}, {"apiKey": {"query": "key", "value": "{{secret.token}}"}}, None, self.auth(), self.auth(), self.auth()])
        environment = {
            "description": rng.choice(NASTY), "headers": {"X-Environment": self.header(), "X-Region": "r{{limit}}", "X-Call": "{{$uuid}} {{trace}}"},
            "variables": {"trace": "{{$uuid}}", "nonce": "{{$randomInt}}", "stamp": "{{$now | minus 7d | iso}}", "region": self.nasty()[:20].replace("\n", "").replace("\r", "") and "r-1", "limit": rng.choice([10, "ten", 2.5]), "host": "localhost", "port": 8080},
            "secrets": {"token": rng.choice([{"env": "TOKEN"}, {"env": "TOKEN"}])}}
        environment |= rng.choice([
            {"baseURL": "http://localhost:8080/api"}, {"baseURL": "http://{{host}}:{{port}}/v1/{{limit}}"}, {"scheme": "http", "host": "{{host}}", "port": "{{port}}", "basePath": "/é/{{limit}}"}])
        if auth:
            environment["auth"] = auth
        if rng.random() < 0.3:
            environment["cachePolicy"] = "reloadIgnoringLocalAndRemoteCacheData"
        if rng.random() < 0.3:
            environment |= {"retry": {"times": 2, "on": [503]}, "redirects": {"follow": True, "max": 3}, "tls": {"minVersion": "1.2"}, "httpVersion": "1.1"}
        (folder / "environments" / "main.json").write_text(json.dumps(environment))
        if rng.random() < 0.5:
            (folder / "environments" / "other.json").write_text(json.dumps({"extends": "main", "auth": None, "variables": {"region": ["a", "b"]}, "stubs": {"*": "standard"}}))


def type_name(name):
    words = re.findall(r"[A-Za-z0-9]+", name)
    return "".join(word[0].upper() + word[1:] for word in words)
