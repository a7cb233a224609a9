"""Sources of n parts, one kind for each reader and each place where parts can be many."""

import json

JSON_TYPE = "Content-Type: application/json"


def joined(n, text, separator=""):
    """A text n times, each with its number in place of `#`."""
    return separator.join(text.replace("#", str(i)) for i in range(n))


def lines(n, text):
    return joined(n, text, "\n")


def chained(i):
    """The value of the variable `vi`: the next one, in chains of 100, since no chain may be longer than 512."""
    return "{{v%d}}" % (i + 1) if i % 100 < 99 else "x"


# --- curl

def curl(rest):
    return "curl http://h/p " + rest


def curl_commands(n):
    return lines(n, "curl http://h/a/#x")


def curl_next(n):
    return curl(joined(n, "--next http://h/a#", " "))


def curl_urls(n):
    return curl(joined(n, "http://h/a#", " "))


def curl_headers(n):
    return curl(joined(n, "-H 'X-#: #'", " "))


def curl_data(n):
    return curl(joined(n, "-d a#=#", " "))


def curl_fields(n):
    return curl(joined(n, "-F a#=#", " "))


def curl_files(n):
    return curl(joined(n, "-F a#=@x", " "))


def curl_query(n):
    return f"curl 'http://h/?{joined(n, 'a#=#', '&')}'"


def curl_path(n):
    return f"curl http://h/{joined(n, 'a/#', '/')}"


def curl_cookies(n):
    return curl(joined(n, "-b a#=#", " "))


def curl_variables(n):
    return f"curl \"http://h/{joined(n, '$V#', '/')}\""


def curl_json(n):
    return curl(f"-H '{JSON_TYPE}' -d '{json.dumps({f'k{i}': i for i in range(n)})}'")


def curl_long_line(n):
    return curl("-d " + "x" * (100 * n))


def curl_comments(n):
    return "# comment\n" * n + "curl http://h/p"


# --- Postman

def postman(items, **more):
    return json.dumps({"info": {"name": "S"}, "item": items, **more})


def postman_item(name, url="http://h/p", **more):
    return {"name": name, "request": {"method": "POST", "url": url, **more}}


def postman_script(text, listen="test"):
    return [{"listen": listen, "script": {"exec": text if isinstance(text, list) else [text]}}]


def postman_requests(n):
    return postman([postman_item(f"r{i}", f"http://h/a/{i}") for i in range(n)])


def postman_same_name(n):
    return postman([postman_item("r") for _ in range(n)])


def postman_folders(n):
    return postman([{"name": f"f{i}", "item": [postman_item("r")]} for i in range(n)])


def postman_headers(n):
    return postman([postman_item("r", header=[{"key": f"X-{i}", "value": "1"} for i in range(n)])])


def postman_disabled(n):
    query = [{"key": f"q{i}", "value": "1", "disabled": True} for i in range(n)]
    return postman([postman_item("r", {"raw": "http://h", "query": query})])


def postman_files(n):
    fields = [{"key": f"q{i}", "type": "file"} for i in range(n)]
    return postman([postman_item("r", body={"mode": "formdata", "formdata": fields})])


def postman_form(n):
    fields = [{"key": f"q{i}", "value": "1"} for i in range(n)]
    return postman([postman_item("r", body={"mode": "urlencoded", "urlencoded": fields})])


def postman_body(n):
    text = json.dumps({f"k{i}": "{{v%d}}" % i for i in range(n)})
    return postman([postman_item("r", body={"mode": "raw", "raw": text})])


def postman_path(n):
    return postman([postman_item("r", {"raw": "http://h/" + joined(n, ":p#", "/")})])


def postman_variables(n):
    return postman([postman_item("r", "http://h/" + joined(n, "{{v#}}"))],
                   variable=[{"key": f"v{i}", "value": str(i)} for i in range(n)])


def postman_variable_chains(n):
    return postman([postman_item("r", "http://h/{{v0}}")],
                   variable=[{"key": f"v{i}", "value": chained(i)} for i in range(n)])


def postman_unknown(n):
    return postman([postman_item("r", "http://h/" + joined(n, "{{v#}}"))])


def postman_saved(n):
    responses = [{"name": "x", "code": 200 + i % 300, "body": "{}"} for i in range(n)]
    return postman([{**postman_item("r"), "response": responses}])


def postman_secrets(n):
    return postman([postman_item(f"r{i}", header=[{"key": "X-Api-Key", "value": f"secret-value-{i}"}])
                    for i in range(n)])


def postman_needs(n):
    """Requests that use what the one before them captures, in chains of 100."""
    return postman([{**postman_item(f"r{i}", "http://h/{{v%d}}" % (i - 1) if i % 100 else "http://h"),
                     "event": postman_script(f"pm.environment.set('v{i}', pm.response.json().a)")} for i in range(n)])


def postman_circle(n):
    """The first request uses what all others capture, and each other one what the first one and the one before it capture."""
    first = {**postman_item("first", "http://h/" + joined(n, "{{v#}}")),
             "event": postman_script("pm.environment.set('v', pm.response.json().a)")}
    return postman([first] + [
        {**postman_item(f"r{i}", "http://h/{{v}}/{{v%d}}" % (i - 1)),
         "event": postman_script(f"pm.environment.set('v{i}', pm.response.json().a)")} for i in range(n)])


def postman_captures(n):
    script = [f"pm.environment.set('v{i}', pm.response.json().a{i})" for i in range(n)]
    return postman([{**postman_item("r"), "event": postman_script(script)}])


def postman_tests(n):
    script = [f"pm.test('t{i}', () => pm.expect(pm.response.json().a{i}).to.eql({i}))" for i in range(n)]
    return postman([{**postman_item("r"), "event": postman_script(script)}])


def postman_events(n):
    return postman([{**postman_item("r"), "event": sum(
        (postman_script(f"pm.environment.set('v{i}', pm.response.json().a{i})") for i in range(n)), [])}])


def postman_nested_script(n):
    return postman([{**postman_item("r"), "event": postman_script("(" * n)}])


def postman_nesting(n):
    """Nesting that is refused, not read."""
    return '{"item": ' + "[" * (50 * n)


# --- Postman v3, as one file

def postman_v3(items, **more):
    """A collection in YAML, of which JSON is a part. The kind has a line of its own."""
    members = [f"{key}: {json.dumps(value)}" for key, value in {**more, "items": items}.items()]
    return "\n".join(["$kind: collection", *members])


def postman_v3_item(name="r", url="http://h/p", **more):
    return {"$kind": "http-request", "name": name, "url": url, **more}


def pairs(n, name="k#", value="#"):
    return [{"key": name.replace("#", str(i)), "value": value.replace("#", str(i))} for i in range(n)]


def postman_v3_requests(n):
    return postman_v3([postman_v3_item(f"r{i}", f"http://h/a/{i}") for i in range(n)])


def postman_v3_folders(n):
    return postman_v3([{"$kind": "collection", "name": f"f{i}", "items": [postman_v3_item()]} for i in range(n)])


def postman_v3_headers(n):
    return postman_v3([postman_v3_item(headers={f"X-{i}": "1" for i in range(n)})])


def postman_v3_query(n):
    url = "http://h/p?" + joined(n, "k#=#", "&")
    return postman_v3([postman_v3_item(url=url, queryParams=pairs(2 * n))])


def postman_v3_form(n):
    return postman_v3([postman_v3_item(method="POST", body={"type": "urlencoded", "content": pairs(n)})])


def postman_v3_saved(n):
    examples = [{"name": "x", "response": {"statusCode": 200 + i % 300, "body": {"type": "json", "content": "{}"}}}
                for i in range(n)]
    return postman_v3([postman_v3_item(examples=examples)])


def postman_v3_scripts(n):
    code = joined(n, "pm.test('t#', () => pm.expect(pm.response.json().a#).to.eql(#));\n")
    return postman_v3([postman_v3_item(scripts=[{"type": "afterResponse", "code": code}])])


def postman_v3_variables(n):
    return postman_v3([postman_v3_item(url="http://h/" + joined(n, "{{k#}}"))], variables=pairs(n))


# --- Insomnia

def insomnia(*resources):
    return json.dumps({"_type": "export", "__export_format": 4, "resources": resources})


def insomnia_item(i=0, url="http://h/p", parent="w", **more):
    return {"_id": f"r{i}", "parentId": parent, "_type": "request", "name": f"r{i}", "url": url, "method": "POST", **more}


def insomnia_folder(i, parent="w", **more):
    return {"_id": f"f{i}", "parentId": parent, "_type": "request_group", "name": f"f{i}", **more}


def insomnia_items(n, **item):
    return [{key: value.replace("#", str(i)) for key, value in item.items()} for i in range(n)]


def insomnia_requests(n):
    return insomnia(*[insomnia_item(i, f"http://h/a/{i}") for i in range(n)])


def insomnia_folders(n):
    return insomnia(*[insomnia_folder(i) for i in range(n)], *[insomnia_item(i, parent=f"f{i}") for i in range(n)])


def insomnia_circles(n):
    """Folders that contain each other in pairs."""
    return insomnia(*[insomnia_folder(i, parent=f"f{i ^ 1}") for i in range(2 * n)], insomnia_item(parent="f0"))


def insomnia_same_ids(n):
    return insomnia(*[insomnia_folder(0) for _ in range(n)], *[insomnia_item(parent="f0") for _ in range(n)])


def insomnia_headers(n):
    return insomnia(insomnia_item(headers=insomnia_items(n, name="X-#", value="#")))


def insomnia_parameters(n):
    return insomnia(insomnia_item(url="http://h/p?" + joined(n, "a#=#", "&"),
                                  parameters=insomnia_items(n, name="b#", value="# & #")))


def insomnia_parts(n):
    params = [{**part, "type": "file", "fileName": "x"} for part in insomnia_items(n, name="a#")]
    return insomnia(insomnia_item(body={"mimeType": "multipart/form-data", "params": params}))


def insomnia_templates(n):
    return insomnia(insomnia_item(url="http://h/" + joined(n, "{{ _.a# }}{% uuid %}{# # #}")))


def insomnia_unclosed(n):
    return insomnia(insomnia_item(body={"mimeType": "text/plain", "text": "{{ {% {# }" * n}))


def insomnia_tags(n):
    return insomnia(insomnia_item(url="http://h/" + joined(n, "{% tag 'a', # %}")))


def insomnia_responses(n):
    return insomnia(insomnia_item(0), insomnia_item(1, "http://h/" + joined(n, "{% response 'body', 'r0', '$.a.b#' %}")))


def insomnia_variables(n):
    data = {f"v{i}": "{{ _.v%d }}" % (i + 1) if i % 100 < 99 else "x" for i in range(n)}
    return insomnia({"_id": "e", "_type": "environment", "name": "Base", "data": data},
                    insomnia_item(url="http://h/{{ _.v0 }}"))


def insomnia_environments(n):
    bases = [{"_id": f"e{i}", "parentId": "e", "_type": "environment", "name": f"e{i}", "data": {"a": str(i)}}
             for i in range(n // 10)]
    return insomnia({"_id": "e", "_type": "environment", "name": "Base", "data": {}}, *bases, insomnia_item())


def insomnia_bases(n):
    """Folders with a server of their own, each with a request."""
    return insomnia(*[insomnia_folder(i, environment={"base": f"http://h{i}/x"}) for i in range(n)],
                    *[insomnia_item(i, "{{ _.base }}/a", parent=f"f{i}") for i in range(n)])


def insomnia_v5(n):
    items = lines(n, "- {name: r#, url: http://h/a/#, method: GET, meta: {id: r#, sortKey: #}}")
    return f"type: collection.insomnia.rest/5.0\nname: Shop\ncollection:\n{items}\n"


# --- HAR

def har(entries):
    return json.dumps({"log": {"entries": entries}})


def har_entry(url="http://h/p", response=None, **more):
    entry = {"request": {"method": "POST", "url": url, "headers": [], **more}}
    return {**entry, "response": response} if response else entry


def har_entries(n):
    return har([har_entry(f"http://h/p{i}") for i in range(n)])


def har_same_path(n):
    return har([har_entry(f"http://h/p/{i}?q={i}") for i in range(n)])


def har_hosts(n):
    return har([har_entry(f"http://h{i}/p") for i in range(n)])


def har_queries(n):
    return har([har_entry(f"http://h/p?q{i}={i}") for i in range(n)])


def har_query(n):
    return har([har_entry("http://h/p?" + joined(n, "q#=#", "&")), har_entry("http://h/p?" + joined(n, "q#=x#", "&"))])


def har_files(n):
    params = [{"name": f"a{i}", "fileName": "x"} for i in range(n)]
    return har([har_entry(postData={"mimeType": "multipart/form-data", "params": params})])


def har_headers(n):
    pairs = [{"name": f"X-{i}", "value": "1"} for i in range(n)]
    return har([har_entry(headers=pairs, queryString=pairs, cookies=pairs)])


def har_bodies(n):
    return har([har_entry(postData={"mimeType": "application/json", "text": json.dumps({f"a{i}": i})})
                for i in range(n)])


def har_responses(n):
    return har([har_entry(response={"status": 200 + i % 300, "headers": [],
                                    "content": {"mimeType": "application/json", "text": json.dumps({f"a{i}": i})}})
                for i in range(n)])


# --- Hurl

def hurl(rest):
    return "GET http://h/p\n" + rest


def hurl_entries(n):
    return lines(n, "GET http://h/p#\nHTTP 200")


def hurl_headers(n):
    return hurl(lines(n, "X-#: #"))


def hurl_query(n):
    return hurl("[Query]\n" + lines(n, "q#: #"))


def hurl_form(n):
    return "POST http://h/p\n[Form]\n" + lines(n, "q#: #")


def hurl_files(n):
    return "POST http://h/p\n[Multipart]\n" + lines(n, "q#: file,a#.txt;")


def hurl_variables(n):
    return hurl("[Options]\n" + lines(n, "variable: v#=#") + "\n[Query]\n" + lines(n, "q#: {{v#}}"))


def hurl_entries_with_variables(n):
    return lines(n, "GET http://h/p#/{{v#}}\n[Options]\nvariable: v#=#")


def hurl_asserts(n):
    return hurl('HTTP 200\n[Captures]\n' + lines(n, 'c#: jsonpath "$.a#"') + "\n[Asserts]\n"
                + lines(n, 'jsonpath "$.a#" == #'))


def hurl_used_captures(n):
    return hurl('HTTP 200\n[Captures]\n' + lines(n, 'c#: jsonpath "$.a#"') + "\n" + lines(n, "GET http://h/q#/{{c#}}"))


def hurl_json(n):
    return "POST http://h/p\n" + json.dumps({f"k{i}": "{{v%d}}" % i for i in range(n)})


def hurl_empty_lines(n):
    return hurl("\n" * 20 * n + "# c\n" * 20 * n + "GET http://h/q")


def hurl_nesting(n):
    return "POST http://h/p\n" + "[" * (50 * n)


# --- .http

def http_requests(n):
    return "".join(f"### r{i}\nGET http://h/p{i}\n" for i in range(n))


def http_headers(n):
    return "GET http://h/p\n" + lines(n, "X-#: #")


def http_query(n):
    return "GET http://h/p\n" + lines(n, "  &q#=#")


def http_variables(n):
    return lines(n, "@v# = #") + "\nGET http://h/p?" + joined(n, "q#={{v#}}", "&")


def http_variable_chains(n):
    return "".join(f"@v{i} = {chained(i)}\n" for i in range(n)) + "GET http://h/{{v0}}"


def http_prompts(n):
    return "### a\n" + "".join(f"# @prompt p{i}\n" for i in range(n)) + "GET http://h/p"


def http_references(n):
    return "# @name a\nGET http://h/p\n" + "".join("###\nGET http://h/q/{{a.response.body.$.x%d}}\n" % i for i in range(n))


def http_form(n):
    return "POST http://h/p\nContent-Type: application/x-www-form-urlencoded\n\n" + lines(n, "&a#=#")


def http_multipart(n):
    return ("POST http://h/p\nContent-Type: multipart/form-data; boundary=B\n\n"
            + lines(n, '--B\nContent-Disposition: form-data; name="a#"\n\nt') + "\n--B--")


def http_json(n):
    return f"POST http://h/p\n{JSON_TYPE}\n\n" + json.dumps({f"k{i}": "{{v%d}}" % i for i in range(n)})


def http_comments(n):
    return "# comment\n" * 20 * n + "GET http://h/p"


# --- Bruno

def bruno(*blocks, method="get", url="http://h/p", body="none"):
    start = f"{method} {{\n  url: {url}\n  body: {body}\n}}"
    return "\n".join(["meta {\n  name: a\n}", start, *blocks])


def block(name, n, line):
    return f"{name} {{\n{lines(n, '  ' + line)}\n}}"


def bruno_headers(n):
    return bruno(block("headers", n, "X-#: #"))


def bruno_disabled(n):
    return bruno(block("params:query", n, "~q#: #"))


def bruno_path(n):
    return bruno(block("params:path", n, "p#: #"), url="http://h/" + joined(n, ":p#", "/"))


def bruno_variables(n):
    return bruno(block("vars:pre-request", n, "v#: #"), url="http://h/" + joined(n, "{{v#}}"))


def bruno_variable_chains(n):
    values = "\n".join(f"  v{i}: {chained(i)}" for i in range(n))
    return bruno(f"vars:pre-request {{\n{values}\n}}", url="http://h/{{v0}}")


def bruno_template_variables(n):
    return bruno(block("vars:pre-request", n, "v#: {{w}}"), url="http://h/" + joined(n, "{{v#}}"))


def bruno_asserts(n):
    return bruno(block("assert", n, "res.body.a#: eq #"), block("vars:post-response", n, "c#: res.body.a#"))


def bruno_form(n):
    return bruno(block("body:multipart-form", n, "a#: 1"), method="post", body="multipart-form")


def bruno_blocks(n):
    return bruno(*(f"x{i} {{\n}}" for i in range(n)))


def bruno_json(n):
    text = lines(n, '    "k#": "{{v#}}",')
    return bruno(f"body:json {{\n  {{\n{text}\n    \"k\": 1\n  }}\n}}", method="post", body="json")


# --- OpenAPI

def openapi(paths, **more):
    return json.dumps({"openapi": "3.0.0", "info": {"title": "S", "version": "1"}, "servers": [{"url": "http://h"}],
                       "paths": paths, **more})


def openapi_operation(**operation):
    return openapi({"/a": {"post": operation}})


def openapi_query(n):
    return openapi_operation(parameters=[{"name": f"p{i}", "in": "query", "schema": {"type": "string"}}
                                         for i in range(n)])


def openapi_headers(n):
    return openapi_operation(parameters=[{"name": f"p{i}", "in": "header", "schema": {"type": "string"}}
                                         for i in range(n)])


def openapi_cookies(n):
    return openapi_operation(parameters=[{"name": f"p{i}", "in": "cookie", "required": True} for i in range(n)])


def openapi_operations(n):
    return openapi({f"/p{i}": {"get": {"operationId": f"op{i}"}} for i in range(n)})


def openapi_same_names(n):
    return openapi({f"/p{i}": {"get": {"operationId": "op", "tags": ["t"]}} for i in range(n)})


def openapi_tags(n):
    return openapi({f"/p{i}": {"get": {"tags": [f"t{i}"]}} for i in range(n)}, tags=[{"name": f"t{i}"} for i in range(n)])


def openapi_yaml(n):
    return ("openapi: 3.0.0\ninfo: {title: S, version: '1'}\nservers: [{url: 'http://h'}]\npaths:\n"
            + lines(n, "  /p#: { get: { responses: {} } }"))


def openapi_repeated(n):
    return "openapi: 3.0.0\nservers: [{url: 'http://h'}]\npaths:\n" + lines(n, "  /p: { get: { responses: {} } }")


def openapi_servers(n):
    return openapi({"/p": {"get": {}}}, servers=[{"url": f"http://h{i}"} for i in range(n)])


def openapi_examples(n):
    examples = {f"e{i}": {"value": i} for i in range(n)}
    return openapi_operation(responses={"200": {"description": "",
                                                "content": {"application/json": {"examples": examples}}}})


def json_body(schema):
    return {"content": {"application/json": {"schema": schema}}}


def openapi_properties(n):
    schema = {"type": "object", "properties": {f"k{i}": {"type": "string", "default": "x"} for i in range(n)},
              "required": [f"k{i}" for i in range(n)]}
    return openapi_operation(requestBody=json_body(schema))


def openapi_references(n):
    paths = {f"/p{i}": {"post": {"requestBody": json_body({"$ref": "#/components/schemas/A"})}} for i in range(n)}
    return openapi(paths, components={"schemas": {"A": {"type": "object", "properties": {"a": {"type": "string"}}}}})


def openapi_reference_chain(n):
    schemas = {f"A{i}": {"$ref": f"#/components/schemas/A{i + 1}"} for i in range(n)}
    paths = {"/p": {"post": {"requestBody": json_body({"$ref": "#/components/schemas/A0"})}}}
    return openapi(paths, components={"schemas": {**schemas, f"A{n}": {"type": "string"}}})


def openapi_schemas(n):
    schemas = {f"A{i}": {"type": "object", "properties": {"a": {"type": "string"}}} for i in range(n)}
    responses = {f"/p{i}": {"get": {"responses": {"200": {"description": "", **json_body(
        {"$ref": f"#/components/schemas/A{i}"})}}}} for i in range(n)}
    return openapi(responses, components={"schemas": schemas})


def openapi_keys(n):
    schemes = {f"s{i}": {"type": "apiKey", "in": "header", "name": f"X-{i}"} for i in range(n)}
    return openapi({"/p": {"get": {"security": [{f"s{i}": [] for i in range(n)}]}}},
                   components={"securitySchemes": schemes})


def openapi_security(n):
    schemes = {f"s{i}": {"type": "apiKey", "in": "header", "name": f"X-{i}"} for i in range(n)}
    return openapi({"/p": {"get": {"security": [{f"s{i}": []} for i in range(n)]}}},
                   components={"securitySchemes": schemes})


FORMATS = ("curl", "postman", "insomnia", "har", "hurl", "http", "bruno", "openapi")
PARTS = (postman_item, postman_script, postman_v3, postman_v3_item, insomnia_item, insomnia_folder, insomnia_items,
         har_entry, openapi_operation)
#: Kinds that may be refused: nested, or in need of each other, too deeply.
REFUSED = {"postman_circle", "postman_nesting", "hurl_nesting"}
#: The functions above whose names begin with a format.
KINDS = {name: make for name, make in list(globals().items())
         if callable(make) and name.partition("_")[0] in FORMATS and "_" in name and make not in PARTS}
