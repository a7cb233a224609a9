#!/usr/bin/env python3
"""Compares the YAML reader with ruamel.yaml.

    Tests/yaml/compare.py [--documents 5000] [--seed 1] [FOLDER ...]

Random trees, written in random styles; the same documents after random changes; and all YAML files below the folders
(default: ../shared/corpora/openapi). Each value must be that of ruamel.yaml, or refused with a place. Of the documents
that are not changed, none may be refused.

ruamel.yaml only builds the tree of nodes. What the scalars are is decided here, by the core schema of YAML 1.2.

Needs `swift build -c release --product YAMLRunner`, or the runner as RUNNER=PATH, and pip: the package is installed into
.build/yaml-compare.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / ".build" / "yaml-compare"
RUNNER = os.environ.get("RUNNER", str(ROOT / ".build" / "release" / "YAMLRunner"))
CORPORA = Path(os.environ.get("REQCLI_CORPORA", ROOT.parent / "shared" / "corpora"))

CORE = "tag:yaml.org,2002:"
INTEGER = re.compile(r"[-+]?[0-9]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
# Where ruamel.yaml differs from YAML 1.2: `...` ends a text behind `|`, spaces at the end of the file are a line of it;
# in brackets, `?x` and `:x` are texts, and `x:,` has a key.
KNOWN = re.compile(rb"[|>][-+0-9]*([ \t]*(#.*)?[\r\n]+)+\.\.\.|[\r\n] +$|[\[{,\n]\s*[?:]\S|:[,\]}]")
WORDS = {
    **dict.fromkeys(["", "null", "Null", "NULL", "~"]),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
}


def install():
    """Starts again in an environment that has the package."""
    python = PLACE / "bin" / "python"
    if Path(sys.prefix) == PLACE:
        return
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PLACE)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "ruamel.yaml"], check=True)
    os.execv(python, [str(python), *sys.argv])


class Refused(Exception):
    """A document for which JSON has no value, or that the other reader refuses."""


# What the documents mean, by ruamel.yaml.


def scalar(text):
    """The value of a plain scalar."""
    if text in WORDS:
        return WORDS[text]
    if re.fullmatch(r"0o[0-7]+", text):
        return Decimal(int(text[2:], 8))
    if re.fullmatch(r"0x[0-9a-fA-F]+", text):
        return Decimal(int(text[2:], 16))
    if SPECIAL.fullmatch(text):
        raise Refused("no number of JSON")
    if FLOAT.fullmatch(text):
        return Decimal(text)
    return text


class Node:
    """A node of the events: `content` is a text, a list of nodes, or a list of pairs of nodes."""

    def __init__(self, event, content=None):
        self.tag = str(event.ctag) if event.ctag else ""
        self.content = content
        self.is_plain = getattr(event, "style", None) is None


def compose(events, anchors):
    """The node at the next event; None at the end of a collection."""
    import ruamel.yaml.events as kinds

    event = next(events)
    if isinstance(event, kinds.AliasEvent):
        if event.anchor not in anchors:
            raise Refused("an unknown anchor")
        return anchors[event.anchor]
    if isinstance(event, (kinds.SequenceEndEvent, kinds.MappingEndEvent)):
        return None
    node = Node(event, event.value if isinstance(event, kinds.ScalarEvent) else None)
    if event.anchor:
        anchors[event.anchor] = node
    if isinstance(event, kinds.SequenceStartEvent):
        node.content = []
        while item := compose(events, anchors):
            node.content.append(item)
    elif isinstance(event, kinds.MappingStartEvent):
        node.content = {}
        pairs = []
        while key := compose(events, anchors):
            pairs.append((key, compose(events, anchors)))
        node.content = tuple(pairs)
    return node


def value(node, parents=()):
    if node in parents:
        raise Refused("a circle")
    tag, content = node.tag, node.content
    if isinstance(content, str):
        if tag == CORE + "str" or tag == "!":
            return content
        if tag in (CORE + "int", CORE + "float", CORE + "bool", CORE + "null"):
            return scalar(content)
        if tag:
            raise Refused("a tag")
        return scalar(content) if node.is_plain else content
    if tag and tag not in ("!", CORE + ("seq" if isinstance(content, list) else "map")):
        raise Refused("a tag")
    parents = (*parents, node)
    if isinstance(content, list):
        return [value(item, parents) for item in content]
    own, merged = {}, []
    for key, item in content:
        if not isinstance(key.content, str):
            raise Refused("a collection as a key")
        if key.content == "<<" and key.is_plain and not key.tag:
            merged += item.content if isinstance(item.content, list) else [item]
        else:
            own[key.content] = value(item, parents)
    for item in merged:
        if not isinstance(item.content, tuple):
            raise Refused("a merge of something else")
        for name, inner in value(item, parents).items():
            own.setdefault(name, inner)
    return own


def expected(text):
    import ruamel.yaml.events as kinds
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        events = list(YAML(typ="safe", pure=True).parse(text))
    except (YAMLError, ValueError, AttributeError, IndexError, AssertionError) as error:
        raise Refused(str(error).split("\n")[0]) from error
    starts = [number for number, event in enumerate(events) if isinstance(event, kinds.DocumentStartEvent)]
    if len(starts) != 1:
        raise Refused("no document, or several")
    return value(compose(iter(events[starts[0] + 1 :]), {}))


# Random documents.


class Generator:
    """Random trees, each written in a style by chance."""

    NAMES = ["a", "b", "name", "x-y", "200", "1.10", "true", "null", "é", "日本", "a b", "", "~", "a:b", "#a", "- a", "<<", "0x1F"]
    TEXTS = [
        "", "a", "no", "yes", "on", "2020-01-01", "12:30:45", "1_000", "1.2.3", "+", "-", ".", "e5", "0o8", "0b1", "a: b", "a #b",
        "a#b", "a:b", "http://example.org/?a=b&c", "- a", "? a", "{a}", "[a]", "a, b", "*a", "&a", "!a", "|", ">", "%a", "@a", "`a",
        "'", '"', "it's", 'say "hi"', "\\", "a\\n", " a", "a ", "\ta", "a\tb", "a\n", "a\nb", "a\n\nb", "\na", "a\n\n", "a\n b\nc",
        "a\n  b\n\n c\n", "  a\nb", "\n", "\n\n", " ", "é", "日本語", "😀", "\x07", "\x85", "\u2028", "\ufeff", "\x7f", "---", "...",
        "--- a", "a\n---\nb", "a\n...\n", "#", "a\n#b\nc", "null", "~", "true", "12", "1e3", "0x1F", ".inf", "word " * 30,
        "lorem ipsum\ndolor sit amet\n\nconsectetur\n", "x" * 300,
    ]
    NUMBERS = [
        "0", "1", "-1", "12", "012", "+12", "0.5", ".5", "1.", "-.5", "+1.5", "1e3", "1E-3", "1.5e+10", "0o17", "0x1F", "0xdeadBEEF",
        "12345678901234567890123", "1.10", "-0", "0.0", "00", "0x" + "f" * 40, "1.e2",
    ]
    WORDS = ["null", "Null", "NULL", "~", "true", "True", "TRUE", "false", "False", "FALSE"]

    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, part):
        return self.random.random() < part

    def document(self):
        r = self.random
        self.anchors, self.named = [], 0
        self.line_break = r.choice(["\n", "\n", "\n", "\r\n"])
        body = self.block(-1, r.randrange(1, 5), is_first=True)
        start = r.choice(["", "", "", "---\n", "--- # start\n", "# comment\n", "%YAML 1.2\n---\n", "\ufeff", "\n\n"])
        if body.startswith("\n"):
            body = body[1:]
        elif start.endswith("---\n"):
            start = start[:-1] + " "
        text = start + body.lstrip(" ")
        text += r.choice(["", "\n"]) if not text.endswith("\n") else ""
        if text.endswith("\n") and self.chance(0.1):
            text += "...\n"
        return text.replace("\n", self.line_break)

    def comment(self):
        return self.random.choice([" # comment", "  #", " # a: b"]) if self.chance(0.08) else ""

    def gap(self, column):
        return self.random.choice(["\n", "\n# comment\n", "\n   \n", "\n" + " " * column + "# é\n"]) if self.chance(0.07) else "\n"

    def blanks(self):
        return " " * self.random.choice([1, 1, 1, 2, 3])

    def anchor(self, text):
        """An anchor before a value, and the text of an alias to it later."""
        if not self.chance(0.05):
            return ""
        self.named += 1
        name = self.random.choice(["a", "b", f"n{self.named}", "é"])
        self.pending = name
        return f"&{name} "

    def alias(self):
        return "*" + self.random.choice(self.anchors) if self.anchors and self.chance(0.06) else None

    def block(self, parent, depth, is_first=False, aligned=False):
        """A value behind an indicator: begins with a space or a line break, ends without a line break."""
        r = self.random
        if depth == 0 or self.chance(0.45):
            return " " + self.scalar(parent)
        if self.chance(0.2):
            return " " + self.flow(parent, depth) + self.comment()
        alias = self.alias()
        if alias:
            return " " + alias
        column = parent + r.choice([1, 2, 2, 2, 4]) if parent >= 0 else 0
        name = self.anchor("")
        tag = r.choice(["!!map ", "!!seq "]) if self.chance(0.03) else ""
        is_list = self.chance(0.45) if not tag else tag == "!!seq "
        if is_list and aligned and self.chance(0.4):
            column = parent
        head = f" {name}{tag}".rstrip(" ") + self.comment()
        body = self.items(column, depth) if is_list else self.members(column, depth)
        if name:
            self.anchors.append(name[1:-1])
        return head + self.gap(max(column, 0)) + " " * column + body

    def items(self, column, depth):
        items = []
        for _ in range(self.random.randrange(1, 5)):
            if depth > 1 and self.chance(0.25):
                # A collection on the line of the dash.
                blanks = self.blanks()
                inner = column + 1 + len(blanks)
                body = self.items(inner, depth - 1) if self.chance(0.3) else self.members(inner, depth - 1)
                items.append("-" + blanks + body)
            elif self.chance(0.05):
                items.append("-")
            else:
                items.append("-" + self.block(column, depth - 1))
        return self.joined(items, column)

    def members(self, column, depth):
        members, names = [], set()
        for _ in range(self.random.randrange(1, 5)):
            key = self.key(names)
            if self.chance(0.06):
                value = self.block(column, depth - 1, aligned=True) if self.chance(0.8) else None
                members.append(f"? {key}" + ("" if value is None else self.gap(column) + " " * column + ":" + value))
            elif self.chance(0.05):
                members.append(key + ":" + self.comment())
            else:
                members.append(key + self.random.choice(["", "", "", " "]) + ":" + self.block(column, depth - 1, aligned=True))
        if self.anchors and self.chance(0.03):
            members.append("<<: {m: 1, a: 2}")
        return self.joined(members, column)

    def joined(self, parts, column):
        text = parts[0]
        for part in parts[1:]:
            text += ("" if text.endswith("\n") else self.gap(column)) + " " * column + part
        return text

    def key(self, names, in_flow=False):
        while True:
            name = self.random.choice(self.NAMES) if self.chance(0.7) else self.random.choice(self.TEXTS)[:200]
            if name not in names:
                break
        names.add(name)
        if self.is_plain(name, True) and name and self.chance(0.7) and name != "<<":
            return name
        return self.double(name, None) if "\n" in name or self.chance(0.5) or not self.is_printable(name) else self.single(name)

    # Scalars.

    @staticmethod
    def is_printable(text):
        return not re.search(r"[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029\ufeff]", text)

    def is_plain(self, text, in_flow):
        """Whether the text can stand without quotes, on one line."""
        if not self.is_printable(text) or text != text.strip(" \t\n") or "\n" in text or text in ("---", "..."):
            return False
        if re.match(r"[,\[\]{}#&*!|>'\"%@`]|[-?:]( |$)|(---|\.\.\.)\s", text) or re.search(r":(\s|$)|\s#", text):
            return False
        return not (in_flow and (re.search(r"[,\[\]{}]", text) or re.match(r"[-?:]", text)))

    def scalar(self, parent, in_flow=False):
        r = self.random
        alias = self.alias()
        if alias:
            return alias
        name = self.anchor("")
        text = self.scalar_text(parent, in_flow)
        if name:
            self.anchors.append(name[1:-1])
        return name + text

    def scalar_text(self, parent, in_flow):
        r = self.random
        kind = r.random()
        if kind < 0.2:
            return r.choice(["", "", "", "!!float ", "!!str "]) + r.choice(self.NUMBERS)
        if kind < 0.3:
            return r.choice(["", "", "", "! ", "!!str "]) + r.choice(self.WORDS)
        text = r.choice(self.TEXTS)
        is_typed = text in WORDS or FLOAT.fullmatch(text) or re.fullmatch(r"0[ox].*", text) or SPECIAL.fullmatch(text)
        styles = ["double"]
        if self.is_printable(text):
            if "\n" not in text or not re.search(r"[ \t]\n|\n[ \t]", text) and text.strip(" \t") == text:
                styles.append("single")
            if not in_flow and not re.match(r"\s*$", text) and not re.search(r"\n[ \t]*$(?<!\n)", text):
                styles += ["literal", "literal"]
                if "\n " not in text and "\n\t" not in text and not text.startswith((" ", "\t", "\n")):
                    styles.append("folded")
            if self.is_plain(text, in_flow) and not is_typed and text:
                styles += ["plain"] * 4
            elif "\n" in text and all(self.is_plain(line, in_flow) or not line for line in text.split("\n")) and text.strip() == text:
                styles += ["plain lines"] * 3
        style = r.choice(styles)
        indent = " " * (parent + r.choice([1, 2, 3]) if parent >= 0 else r.choice([0, 1, 2]))
        if style == "plain":
            words = text.split(" ")
            if len(words) > 3 and self.chance(0.7) and all(words) and all(self.is_plain(word, True) for word in words):
                return self.wrapped(text, indent or " ")
            return text
        if style == "plain lines":
            return self.folded_lines(text, indent or " ")
        if style == "single":
            return self.single(self.folded_lines(text, indent or " ") if "\n" in text else text)
        if style in ("literal", "folded"):
            return self.block_scalar(text, parent, style == "folded")
        return self.double(text, indent or " ")

    def wrapped(self, text, indent):
        """The words with some line breaks between them."""
        words = text.strip().split(" ")
        result = words[0]
        for word in words[1:]:
            result += (self.random.choice(["\n", " \n", "\t\n"]) + indent if self.chance(0.15) else " ") + word
        return result + ("" if text == text.rstrip() else "")

    def folded_lines(self, text, indent):
        """Line breaks of the text as blank lines."""
        return re.sub(r"\n+", lambda found: "\n" * (len(found[0]) + 1) + indent, text)

    def single(self, text):
        return "'" + text.replace("'", "''") + "'"

    def double(self, text, indent):
        names = {"\n": "n", "\t": "t", '"': '"', "\\": "\\", "\x07": "a", "\x85": "N", "\u2028": "L", "/": "/", " ": " "}
        result = ""
        for position, character in enumerate(text):
            inner = 0 < position < len(text) - 1
            if character in '"\\\n' or not self.is_printable(character) or character == "\t" or self.chance(0.03):
                if character in names and self.chance(0.8):
                    result += "\\" + names[character]
                else:
                    code = ord(character)
                    result += f"\\x{code:02x}" if code < 256 and self.chance(0.5) else (
                        f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08x}")
            elif character == " " and inner and indent is not None and text[position - 1].isalnum() and text[position + 1].isalnum() and self.chance(0.1):
                result += "\n" + indent
            else:
                result += character
                if indent is not None and character.isalnum() and inner and text[position + 1].isalnum() and self.chance(0.02):
                    result += "\\\n" + indent
        return f'"{result}"'

    def block_scalar(self, text, parent, is_folded):
        body = text.rstrip("\n")
        breaks = len(text) - len(body)
        chomping = "-" if breaks == 0 else "" if breaks == 1 and self.chance(0.8) else "+"
        width = self.random.choice([1, 2, 4])
        lines = body.split("\n")
        needs_hint = lines[0].startswith((" ", "\t")) or not lines[0]
        hint = str(width) if needs_hint or self.chance(0.1) else ""
        column = max(parent, 0) + width
        if is_folded:
            # A single break in the text is two in the file.
            lines = re.sub(r"\n+", lambda found: found[0] + "\n", body).split("\n")
        head = (">" if is_folded else "|") + self.random.choice([hint + chomping, chomping + hint]) + self.comment()
        return head + "\n" + "\n".join(" " * column + line if line else "" for line in lines) + "\n" * max(breaks, 1)

    # Flow.

    def flow(self, parent, depth):
        r = self.random
        alias = self.alias()
        if alias:
            return alias + " "
        indent = " " * (max(parent, 0) + r.choice([1, 2, 4]))

        def space():
            return r.choice(["", " ", " ", "  ", "\n" + indent, " # comment\n" + indent]) if self.chance(0.5) else ""

        parts, names = [], set()
        is_list = self.chance(0.5)
        for _ in range(r.randrange(0, 4)):
            item = self.flow(parent, depth - 1) if depth > 1 and self.chance(0.3) else self.scalar(parent, True)
            if is_list and not self.chance(0.1):
                parts.append(item)
            elif self.chance(0.1) and not is_list:
                parts.append(self.key(names, True) + " ")
            else:
                question = "? " if self.chance(0.05) else ""
                parts.append(question + self.key(names, True) + r.choice([": ", " : ", ":\n" + indent]) + item)
        text = ("," ).join(space() + part + space() for part in parts)
        if parts and self.chance(0.1):
            text += "," + space()
        return "[" + text + "]" if is_list else "{" + text + "}"


def changed(text, r):
    """The text after a few random changes."""
    pieces = [" ", "\n", "\t", "- ", ": ", ":", "? ", "#", " #", "'", '"', "[", "]", "{", "}", ",", "&a ", "*a", "!!str ", "|", ">", "\\", "  ", "a", "\r"]
    for _ in range(r.choice([1, 1, 2, 3])):
        at = r.randrange(len(text) + 1)
        kind = r.randrange(4)
        if kind == 0:
            text = text[:at] + r.choice(pieces) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + r.choice([1, 1, 2, 5]):]
        elif kind == 2:
            other = r.randrange(len(text) + 1)
            text = text[:at] + text[other:other + r.randrange(1, 20)] + text[at:]
        else:
            lines = text.split("\n")
            line = r.randrange(len(lines))
            lines[line] = r.choice([" " + lines[line], lines[line][1:], lines[line] + " ", ""])
            text = "\n".join(lines)
    return text


# Ours.


class Runner:
    """The process that reads with the code of this repository."""

    def __init__(self):
        self.process = subprocess.Popen([RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.path = tempfile.mkstemp(suffix=".yaml")[1]

    def read(self, data):
        Path(self.path).write_bytes(data)
        self.process.stdin.write(self.path + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().rstrip("\n")
        if not answer:
            sys.exit(f"the runner ended at {self.path}")
        if answer.startswith("!"):
            raise Refused(answer[1:])
        return json.loads(answer[1:], parse_int=Decimal, parse_float=Decimal)


def same(one, other):
    """Whether two values are equal, with their types, and with the order of members aside."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


class Comparison:
    def __init__(self):
        self.runner = Runner()
        self.counts = {}
        self.shown = 0
        self.reasons = {}

    def judge(self, data, name, must_be_read=False):
        """Compares the readings of a document. False if they differ."""
        try:
            theirs, their_reason = expected(data.decode()), None
        except (Refused, UnicodeDecodeError, RecursionError) as error:
            theirs, their_reason = None, str(error) or "refused"
        try:
            ours, our_reason = self.runner.read(data), None
        except Refused as error:
            ours, our_reason = None, str(error)
        if our_reason is None and their_reason is None:
            verdict = "equal" if same(ours, theirs) else "known to differ" if KNOWN.search(data) else "DIFFERENT"
        elif our_reason is None:
            verdict = "only we read it"
        elif their_reason is None:
            verdict = "REFUSED" if must_be_read else "only they read it"
        else:
            verdict = "both refuse it"
        self.counts[verdict] = self.counts.get(verdict, 0) + 1
        reason = our_reason.split(": ", 1)[1] if our_reason else their_reason
        if verdict.startswith("only"):
            key = (verdict, re.sub(r'".*"|&\S+', "…", reason or ""))
            self.reasons.setdefault(key, []).append(data)
        if verdict.isupper():
            self.shown += 1
            if self.shown <= 5:
                print(f"{verdict}: {name}\n{data.decode()!r}\n  ours {ours if our_reason is None else our_reason}\n  theirs {theirs}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--documents", type=int, default=5000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--reasons", action="store_true", help="show why only one of the two reads a document")
    arguments.add_argument("folders", nargs="*", default=[CORPORA / "openapi"])
    options = arguments.parse_args()
    install()
    fails = 0
    comparisons = {"random": Comparison(), "changed": Comparison(), "files": Comparison()}
    for number in range(options.documents):
        generator = Generator(options.seed * 1_000_000 + number)
        text = generator.document()
        comparisons["random"].judge(text.encode(), f"seed {number}", must_be_read=True)
        for _ in range(3):
            comparisons["changed"].judge(changed(text, generator.random).encode(errors="ignore"), f"seed {number}")
    for folder in options.folders:
        for path in sorted(Path(folder).rglob("*.y*ml")):
            comparisons["files"].judge(path.read_bytes(), path)
    for name, comparison in comparisons.items():
        print(f"{name}: {comparison.counts}")
        fails += sum(count for verdict, count in comparison.counts.items() if verdict.isupper())
        if options.reasons:
            for (verdict, reason), examples in sorted(comparison.reasons.items(), key=lambda item: -len(item[1]))[:25]:
                print(f"  {len(examples):5} {verdict}: {reason}\n        {min(examples, key=len)!r}"[:400])
    sys.exit(1 if fails else 0)


if __name__ == "__main__":
    main()
