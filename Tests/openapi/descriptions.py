"""Random descriptions in OpenAPI 3.0 and 3.1, and responses that nearly agree with them."""

import json

HOST = "http://api.example.com"
METHODS = ["get", "put", "post", "delete", "patch", "head", "options"]
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
