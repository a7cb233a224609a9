"""Differences between the judges that have a reason, and how to judge again without it."""

import copy
import itertools

from descriptions import HOST
from judges import NO_OPERATION, Reference, type_of


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


def on_server_for_tests(description, answer):
    """Each path on the server alone, if the request is below none of its documented servers and has no operation otherwise."""
    errors = Reference(description).errors(answer, HOST + answer["path"])
    if not any(error.startswith(NO_OPERATION) for error in errors):
        return None

    def is_below(item):
        urls = [server["url"] for server in with_plain_servers({"servers": item.get("servers", description["servers"])})["servers"]]
        bases = [url.removeprefix(HOST).removesuffix("/") for url in urls]
        return any(answer["path"].startswith(base + "/") for base in bases)

    items = {
        path: item if is_below(item) else {**item, "servers": [{"url": HOST}]} for path, item in description["paths"].items()
    }
    return {**description, "paths": items}, answer


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
        on_server_for_tests,
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
