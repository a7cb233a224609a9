#!/usr/bin/env python3
"""Writes the Markdown documentation as HTML: a page for each file, docs/images, one style sheet, one script and its search index.

Markdown that the pages of this repository don't use is an error with file and line. A link to a file that is not a page becomes a link
below URL (such as https://HOST/OWNER/NAME/blob/main); without --source it becomes text with the path.
usage: scripts/make-site.py FOLDER [--source URL]
"""
import argparse
import html
import json
import pathlib
import posixpath
import re
import shutil
import string
import sys

from markdown_html import Document, Failure, plain, quoted

ROOT = pathlib.Path(__file__).resolve().parent.parent
#: The frame, the style and the search, which `reqcli export html` writes, too.
PARTS = ROOT / "Sources/Work/Exporting/Formats/HTML/Page"
TEMPLATE = string.Template((PARTS / "page.html").read_text("utf-8"))
#: The Markdown files that become pages, in the order of the search index.
PAGES = ["README.md", "docs/README.md", "docs/tutorials/*.md", "docs/how-to/*.md", "docs/reference/*.md", "docs/explanation/*.md",
         "docs/**/*.md", "examples/shop/README.md", "CONTRIBUTING.md", "contributing/*.md", "CHANGELOG.md", "SECURITY.md"]
IMAGES = "docs/images/"


class Page(Document):
    """One Markdown file as a page of the site."""

    def __init__(self, name, site):
        super().__init__(name)
        self.site = site
        self.path = posixpath.join(posixpath.dirname(name), "index.html") if name.endswith("README.md") else name[:-2] + "html"
        self.root = "../" * name.count("/")

    def resolve(self, target, line):
        """The path of a link's target in the repository."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.name), target)) if target else self.name
        if path.startswith("..") or not (ROOT / path).exists():
            raise self.failure(line, f"the link to {target} leads to no file of this repository")
        return path

    def relative(self, path):
        return posixpath.relpath(path, posixpath.dirname(self.path) or ".")

    def asset(self, target, line):
        path = self.resolve(target, line)
        if not path.startswith(IMAGES):
            raise self.failure(line, f"the picture {target} must be in {IMAGES}")
        return self.relative(path)

    def link(self, markup, target, line):
        if re.match("https?://", target):
            return f"<a href={quoted(target)}>{markup}</a>"
        file, hash_mark, name = target.partition("#")
        if not file:
            return f"<a href={quoted(target)}>{markup}</a>"
        path = self.resolve(file, line)
        if path in self.site.pages:
            return f"<a href={quoted(self.relative(self.site.pages[path].path) + hash_mark + name)}>{markup}</a>"
        if path.startswith(IMAGES):
            return f"<a href={quoted(self.relative(path))}>{markup}</a>"
        if self.site.source:
            return f"<a href={quoted(self.site.source.rstrip('/') + '/' + path)}>{markup}</a>"
        return markup if path in plain(markup) else f"{markup} (<code>{html.escape(path)}</code>)"

    def navigation(self):
        """The links to all pages, in sections."""
        def item(label, page):
            current = ' aria-current="page"' if page is self else ""
            return f"<li><a href={quoted(self.relative(page.path))}{current}>{label}</a></li>"

        return "\n".join(f"<h2>{section}</h2>\n<ul>\n" + "\n".join(item(*entry) for entry in entries) + "\n</ul>"
                         for section, entries in self.site.navigation)

    def contents(self):
        """The links to the headings of a page that has more than three."""
        headings = [heading for heading in self.headings if heading[0] in (2, 3)]
        if len(headings) <= 3:
            return ""
        items = "\n".join(f'<li class="level-{level}"><a href="#{name}">{re.sub("</?a[^>]*>", "", markup)}</a></li>'
                          for level, name, markup in headings)
        return ('\n<details class="switch"><summary>On this page</summary></details>\n'
                f'<nav class="contents" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n{items}\n</ul>\n</nav>')

    def html(self):
        title = self.title if self.title == "reqcli" else f"{self.title} · reqcli"
        return TEMPLATE.substitute(name="reqcli", title=html.escape(title), root=self.root, links=self.navigation(),
                                   contents=self.contents(), body=self.body)


class Site:
    """All pages, and the navigation between them."""

    def __init__(self, source):
        self.source = source
        names = dict.fromkeys(file.relative_to(ROOT).as_posix() for pattern in PAGES for file in sorted(ROOT.glob(pattern)))
        self.pages = {name: Page(name, self) for name in names}

    def sections(self):
        """The sections of the navigation: those of docs/README.md, between the pages that are not in its tables."""
        def entries(*names):
            return [(html.escape(self.pages[name].title), self.pages[name]) for name in names]

        index, listed = self.pages["docs/README.md"], set()
        shown = [("Overview", entries("README.md", "docs/README.md", "examples/shop/README.md"))]
        for section, rows in index.tables:
            links = []
            for row in rows:
                for position, link in enumerate(row):
                    text, target = re.fullmatch(r"\[(.*)\]\(([^#)]*).*\)", link).groups()
                    page = self.pages[index.resolve(target, 1)]
                    # The first link of a row has the name of its page; the others are parts of a sentence.
                    if page.name not in listed:
                        links.append((index.inline(text, 1) if position == 0 else html.escape(page.title), page))
                    listed.add(page.name)
            if links:
                shown.append((section.partition(":")[0], links))
        maintainers = sorted(name for name in self.pages if name.startswith("contributing/"))
        return shown + [("Project", entries("CONTRIBUTING.md", *maintainers, "CHANGELOG.md", "SECURITY.md"))]

    def write(self, folder):
        for page in self.pages.values():
            page.convert((ROOT / page.name).read_text("utf-8"))
        self.navigation = self.sections()
        index = []
        for page in self.pages.values():
            file = folder / page.path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(page.html(), "utf-8")
            index += [[plain(markup), "" if level == 1 else page.title, page.path + ("" if level == 1 else f"#{name}")]
                      for level, name, markup in page.headings]
        entries = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in index)
        (folder / "search-index.js").write_text(f"// Each heading, the page that it is on, and its address.\nconst searchIndex = [\n{entries}\n];\n", "utf-8")
        style = "\n".join(file.read_text("utf-8") for file in (PARTS / "style.css", ROOT / "scripts/site/site.css"))
        (folder / "style.css").write_text(style, "utf-8")
        shutil.copyfile(PARTS / "script.js", folder / "script.js")
        shutil.copytree(ROOT / IMAGES, folder / IMAGES, dirs_exist_ok=True)
        return len(self.pages), len(index)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="the folder to write the site to")
    parser.add_argument("--source", metavar="URL", help="where the files of the repository can be read")
    options = parser.parse_args()
    try:
        pages, headings = Site(options.source).write(options.folder)
    except Failure as failure:
        sys.exit(str(failure))
    print(f"{options.folder}/index.html: {pages} pages, {headings} headings")


if __name__ == "__main__":
    main()
