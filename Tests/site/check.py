#!/usr/bin/env python3
"""Checks the documentation as `make site` has written it: its HTML, and, if chromium and node are installed, how a browser shows it.

Links and anchors exist, tags are balanced, titles and ids are unique, nothing is loaded from elsewhere, and the content security policy
is strict. In the browser, from the disk and from a server, no page is wider than the window, and the search works with the keyboard.
usage: check.py FOLDER [FOLDER FOR SCREENSHOTS]
"""
import functools
import html.parser
import http.server
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import threading
import urllib.parse

VOID = {"br", "hr", "img", "input", "link", "meta", "source"}
POLICY = {"default-src": "'none'", "style-src": "'self'", "script-src": "'self'", "img-src": "'self' data:",
          "base-uri": "'none'", "form-action": "'none'"}
failures = []


def check(what, problems):
    print(f"{'not ok' if problems else 'ok'} - {what}", flush=True)
    for problem in problems[:20]:
        print(f"    {problem}")
    if problems:
        failures.append(what)


class Page(html.parser.HTMLParser):
    """What one page has: links, ids, addresses of its parts, and problems with its tags."""

    def __init__(self, folder, file):
        super().__init__()
        self.name = file.relative_to(folder).as_posix()
        self.open, self.ids, self.links, self.parts, self.problems = [], [], [], [], []
        self.title, self.policy = "", ""
        self.feed(file.read_text("utf-8"))
        self.close()
        self.problems += [f"<{tag}> has no end" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if len(values) < len(attributes):
            self.problems.append(f"{self.getpos()[0]}: <{tag}> has an attribute twice")
        if tag not in VOID:
            self.open.append(tag)
        if values.get("id"):
            self.ids.append(values["id"])
        if tag == "a":
            self.links.append(values["href"])
        else:
            self.parts += [values[name] for name in ("src", "srcset", "href") if name in values]
        if tag == "script" and "src" not in values or tag == "style" or any(name.startswith("on") or name == "style" for name in values):
            self.problems.append(f"{self.getpos()[0]}: <{tag}> has a script or a style of its own")
        if tag == "img" and not values.get("alt"):
            self.problems.append(f"{self.getpos()[0]}: a picture has no text")
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"{self.getpos()[0]}: </{tag}> ends no open tag")
            self.open.clear()

    def handle_data(self, data):
        if self.open[-1:] == ["title"]:
            self.title += data


def lost(page, pages, folder):
    """The links of a page that lead nowhere."""
    for link in page.links + page.parts:
        if re.match("https?://|data:", link):
            continue
        path, _, anchor = urllib.parse.unquote(link).partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), path)) if path else page.name
        if target.startswith("..") or not (folder / target).is_file():
            yield f"{page.name}: there is no {link}"
        elif anchor and anchor not in pages[target].ids:
            yield f"{page.name}: {target} has no heading {anchor}"


def check_pages(folder, least=41):
    pages = {page.name: page for page in (Page(folder, file) for file in sorted(folder.rglob("*.html")))}
    check(f"there are pages ({len(pages)})", [] if len(pages) >= least else [f"only {len(pages)} in {folder}"])
    check(f"every link and anchor exists ({sum(len(page.links) for page in pages.values())})",
          [problem for page in pages.values() for problem in lost(page, pages, folder)])
    check("every page is well-formed", [f"{page.name}: {problem}" for page in pages.values() for problem in page.problems])
    check("nothing is loaded from elsewhere",
          [f"{page.name}: {part}" for page in pages.values() for part in page.parts if re.match(r"[a-z]+:(?!,$)|//", part)])
    check("ids are unique", [f"{page.name}: {each}" for page in pages.values() for each in sorted(set(page.ids)) if page.ids.count(each) > 1])
    titles = [page.title for page in pages.values()]
    check("titles are unique", [f"{page.name}: {page.title!r}" for page in pages.values() if titles.count(page.title) > 1 or not page.title])
    policies = {page.name: dict(part.strip().split(" ", 1) for part in page.policy.split(";") if part) for page in pages.values()}
    check("the content security policy is strict", [f"{name}: {found}" for name, found in policies.items() if found != POLICY])
    check("the style loads nothing", re.findall(r".*(?:url\(|@import).*", (folder / "style.css").read_text("utf-8")))


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def check_in_browser(folder, shots, script=pathlib.Path(__file__).with_name("pages.mjs")):
    chromium = os.environ.get("CHROMIUM", "chromium")
    missing = [tool for tool in (chromium, "node") if not shutil.which(tool)]
    if missing:
        print(f"SKIPPED: the pages were not opened in a browser, because {' and '.join(missing)} is not installed")
        return
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for address in (folder.resolve().as_uri(), f"http://127.0.0.1:{server.server_port}"):
            if subprocess.run(["node", script, address, *shots]).returncode != 0:
                failures.append(address)
            shots = []
        server.shutdown()


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip().splitlines()[-1])
    folder = pathlib.Path(sys.argv[1])
    check_pages(folder)
    check_in_browser(folder, sys.argv[2:])
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
