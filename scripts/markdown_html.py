"""The Markdown of this repository as HTML: the part of GitHub's Markdown that its pages use. Everything else is an error."""
import html
import html.parser
import re

FENCE = re.compile(r"(`{3,}|~{3,})\s*([^`]*)$")
HEADING = re.compile(r"(#{1,6}) +(\S.*)$")
ITEM = re.compile(r"([-*+]|(\d{1,9})[.)]) {1,4}(?=\S)")
#: The beginning of a block that ends a paragraph without an empty line.
BLOCK = re.compile("<!--|>|" + "|".join(pattern.pattern for pattern in (FENCE, HEADING, ITEM)))
DELIMITERS = re.compile(r"\|(?:\s*-+\s*\|)+\s*$")
#: HTML that may start a block. Each tag is listed with the attributes that it may have.
TAGS = {"picture": set(), "source": {"media", "srcset", "type"}, "img": {"src", "alt", "width", "height"}}
VOID = {"source", "img"}
#: Blocks of Markdown that this script does not convert, with their names.
UNKNOWN_BLOCKS = [
    (re.compile(r" {4}"), "an indented code block"), (re.compile(r"(=+|-+)\s*$"), "an underlined heading or a rule"),
    (re.compile(r"([-*_] *){3,}$"), "a rule"), (re.compile(r"\[[^\]]+\]:"), "a link definition or a footnote"),
    (re.compile(r"</?[A-Za-z!?]"), "HTML"), (re.compile(r"\|"), "a row without a table"), (re.compile(r"#"), "a heading without text"),
    (re.compile(r"([-*+]|\d{1,9}[.)])(\s*$| {5}| *\t)"), "a list item that is empty or far from its mark"),
]
#: Pieces of a text: the first alternative that matches at a place wins. `unknown` is Markdown that this script does not convert.
INNER = r"(?:`[^`]*`|\\.|{other})"
PIECE = re.compile("|".join([
    r"(?<!`)(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)",
    r"\\(?P<escaped>[!-/:-@\[-`{-~])",
    r"!\[(?P<alt>[^\[\]`<*_&\\]*)\]\((?P<image>[^()\s]+)\)",
    r"\[(?P<link>" + INNER.format(other=r"[^\[\]`\\]") + r"+)\]\((?P<target>[^()\s]+)\)",
    r"(?<!\w)\*\*(?=[^\s*])(?P<bold>" + INNER.format(other=r"[^*`\\]") + r"+)(?<=\S)\*\*(?![\w*])",
    r"(?P<unknown>`|\t|</?[A-Za-z!?]|&#?\w+;|~~|\*\*|\\$| {2,}$|\]\(|\]\[|\[[\^ xX]|(?<![^\W_])_+(?=[^\s_])|\*(?=[^\s*])[^*]*\*)",
]), re.S | re.M)


class Failure(Exception):
    """A mistake in a Markdown file, with file and line."""


def anchor(heading, seen):
    """The anchor that GitHub makes from the Markdown of a heading. `seen` counts the anchors of the page."""
    text = re.sub(r"\]\([^)]*\)", "", heading).lower()
    text = "".join(character for character in text if character.isalnum() or character in " -_").replace(" ", "-")
    count = seen.get(text, 0)
    seen[text] = count + 1
    return f"{text}-{count}" if count else text


def plain(markup):
    """The text of a piece of HTML."""
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


def unbroken(code):
    """Code whose short words, such as `--form`, a browser does not break at their hyphens."""
    return re.sub(r"(?<!\S)(?=\S{2,30}(?:\s|$))\S*-\S*", r'<span class="word">\g<0></span>', code)


def cells(row):
    """The cells of a row of a table. `\\|` is a part of its cell, also in code."""
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]]


class Pictures(html.parser.HTMLParser):
    """Copies the tags of `<picture>` and `<img>`, and refuses every other tag and attribute."""

    def __init__(self, page, line):
        super().__init__()
        self.page, self.line, self.markup, self.depth = page, line, "", 0

    def handle_starttag(self, tag, attributes):
        unknown = [name for name, _ in attributes if name not in TAGS.get(tag, ())]
        if tag not in TAGS or unknown:
            raise self.page.failure(self.line, f"the site has no <{' '.join([tag] + unknown)}>")
        values = {name: self.page.asset(value, self.line) if name in ("src", "srcset") else value for name, value in attributes}
        self.markup += f"<{tag}{''.join(f' {name}={quoted(value)}' for name, value in values.items())}>"
        self.depth += tag not in VOID

    def handle_endtag(self, tag):
        self.markup += "" if tag in VOID else f"</{tag}>"
        self.depth -= tag not in VOID

    def handle_data(self, data):
        if data.strip():
            raise self.page.failure(self.line, "text inside HTML")


def quoted(value):
    return '"' + html.escape(value or "") + '"'


class Document:
    """One Markdown file and its HTML. A subclass says where links and pictures lead."""

    def __init__(self, name):
        self.name = name
        #: Level, anchor and HTML of each heading.
        self.headings, self.seen = [], {}
        #: The rows of the tables below each heading: the HTML of the heading, and for each row the Markdown of its links.
        self.tables = []

    def link(self, markup, target, line):
        """The HTML of a link with this HTML inside."""
        raise NotImplementedError

    def asset(self, target, line):
        """The address of a picture."""
        raise NotImplementedError

    def convert(self, text):
        self.body = self.blocks(list(enumerate(text.splitlines(), 1)))
        if [level for level, *_ in self.headings].count(1) != 1 or self.headings[0][0] != 1:
            raise self.failure(1, "the first heading, and no other, must have level 1")
        self.title = plain(self.headings[0][2])

    def failure(self, line, message):
        return Failure(f"{self.name}:{line}: error: {message}")

    # Blocks

    def blocks(self, lines, tight=False):
        """The HTML of numbered lines. In a tight list, paragraphs have no tags."""
        parts, index = [], 0
        while index < len(lines):
            number, text = lines[index]
            if not text.strip():
                index += 1
                continue
            if text.startswith("<!--"):
                reader = self.comment
            elif FENCE.match(text):
                reader = self.fence
            elif HEADING.match(text):
                reader = self.heading
            elif re.match(r"<(picture|img)\b", text):
                reader = self.pictures
            elif text.startswith("|") and index + 1 < len(lines) and DELIMITERS.match(lines[index + 1][1]):
                reader = self.table
            elif ITEM.match(text):
                reader = self.list
            elif text.startswith(">"):
                reader = self.quote
            else:
                reader = None
            count, markup = reader(lines[index:]) if reader else self.paragraph(lines[index:], tight)
            parts.append(markup)
            index += count
        return "\n".join(part for part in parts if part)

    def comment(self, lines):
        for count, (_, text) in enumerate(lines, 1):
            if "-->" in text:
                if text.partition("-->")[2].strip():
                    raise self.failure(lines[count - 1][0], "text after a comment")
                return count, ""
        raise self.failure(lines[0][0], "the comment has no end")

    def fence(self, lines):
        ticks, language = FENCE.match(lines[0][1]).groups()
        end = next((index for index, (_, text) in enumerate(lines) if index and re.fullmatch(ticks + ticks[0] + r"*\s*", text)), None)
        if end is None:
            raise self.failure(lines[0][0], "the code block has no end")
        language = language.split()[0] if language.strip() else ""
        code = [text for _, text in lines[1:end]]
        content = console(code) if language == "console" else html.escape("\n".join(code), quote=False)
        name = f' class="language-{html.escape(language)}"' if language else ""
        return end + 1, f"<pre><code{name}>{content}\n</code></pre>"

    def heading(self, lines):
        number, text = lines[0]
        marks, source = HEADING.match(text).groups()
        name, markup = anchor(source, self.seen), self.inline(source, number)
        level = len(marks)
        if re.search(r"(^| )#+\s*$", source):
            raise self.failure(number, "the site cannot show # after a heading")
        self.headings.append((level, name, markup))
        self.tables.append((markup, []))
        link = "" if level == 1 else f' <a class="self" href="#{name}" aria-label="Link to this section">#</a>'
        return 1, f'<h{level} id="{name}">{markup}{link}</h{level}>'

    def pictures(self, lines):
        end = 1 if lines[0][1].startswith("<img") else next(
            (index for index, (_, text) in enumerate(lines, 1) if text.rstrip().endswith("</picture>")), 0)
        parser = Pictures(self, lines[0][0])
        parser.feed("\n".join(text for _, text in lines[:end]))
        parser.close()
        if not end or parser.depth or end < len(lines) and lines[end][1].strip():
            raise self.failure(lines[0][0], "the HTML has no end, or no empty line after it")
        return end, f"<p>{parser.markup}</p>"

    def table(self, lines):
        rows = []
        for number, text in lines:
            if not text.strip():
                break
            rows.append((number, cells(text)))
            if not re.match(r"\|.*(?<!\\)\|\s*$", text) or len(rows[-1][1]) != len(rows[0][1]):
                raise self.failure(number, f"the row must have {len(rows[0][1])} cells between |")
        if self.tables:
            self.tables[-1][1].extend(re.findall(r"\[[^\]]*\]\([^)]*\)", text) for _, text in lines[2:len(rows)])
        markup = ["<tr>" + "".join(f"<{tag}>{self.inline(cell, number)}</{tag}>" for cell in row) + "</tr>"
                  for index, (number, row) in enumerate(rows) if index != 1 for tag in ["td" if index else "th"]]
        body = "\n".join(markup[1:])
        return len(rows), f'<div class="table"><table>\n<thead>{markup[0]}</thead>\n<tbody>\n{body}\n</tbody></table></div>'

    def list(self, lines):
        """A list. The lines of an item are indented as its text is, and may contain other blocks."""
        first = ITEM.match(lines[0][1])
        items, index, loose = [], 0, False
        while index < len(lines):
            marker = ITEM.match(lines[index][1])
            if not marker or marker[1][-1] != first[1][-1]:
                break
            item = [(lines[index][0], lines[index][1][marker.end():])]
            index += 1
            while index < len(lines):
                number, text = lines[index]
                if text.strip() and not text.startswith(" " * marker.end()):
                    # The next line of a paragraph may be indented by less.
                    if not (text.startswith(" ") and item[-1][1].strip() and not BLOCK.match(text.lstrip())):
                        break
                    text = " " * marker.end() + text.lstrip()
                item.append((number, text[marker.end():]))
                index += 1
            if index < len(lines) and item[-1][1].strip() and not ITEM.match(lines[index][1]):
                raise self.failure(lines[index][0], "a line after a list must be indented, or follow an empty line")
            blank = [not text.strip() for _, text in item]
            while blank[-1]:
                blank.pop()
            following = ITEM.match(lines[index][1]) if index < len(lines) else None
            goes_on = following is not None and following[1][-1] == first[1][-1]
            loose = loose or any(blank) or (goes_on and len(blank) < len(item))
            items.append(item[:len(blank)])
        tag, start = ("ol", f' start="{first[2]}"' if first[2] != "1" else "") if first[2] else ("ul", "")
        content = "\n".join(f"<li>{self.blocks(item, tight=not loose)}</li>" for item in items)
        return index, f"<{tag}{start}>\n{content}\n</{tag}>"

    def quote(self, lines):
        inner = []
        for number, text in lines:
            if not text.startswith(">"):
                break
            inner.append((number, re.sub("^> ?", "", text)))
        if len(inner) < len(lines) and lines[len(inner)][1].strip():
            raise self.failure(lines[len(inner)][0], "a line after a quote must begin with >, or follow an empty line")
        return len(inner), f"<blockquote>\n{self.blocks(inner)}\n</blockquote>"

    def paragraph(self, lines, tight):
        count = 0
        for number, text in lines:
            starts, item = BLOCK.match(text), ITEM.match(text)
            if not text.strip() or count and (starts and not item or item and item[2] in (None, "1")):
                break
            if text[0] in " \t" and (not count or BLOCK.match(text.lstrip())):
                raise self.failure(number, "the site cannot show an indented block outside of a list")
            for pattern, name in UNKNOWN_BLOCKS:
                if pattern.match(text) or pattern.match(text.lstrip()):
                    raise self.failure(number, f"the site cannot show {name}")
            count += 1
        markup = self.inline("\n".join(text.lstrip() for _, text in lines[:count]), lines[0][0])
        return count, markup if tight else f"<p>{markup}</p>"

    # Text

    def inline(self, text, number):
        """The HTML of a text that begins in this line."""
        markup, end = "", 0
        for piece in PIECE.finditer(text):
            line = number + text.count("\n", 0, piece.start())
            markup += html.escape(text[end:piece.start()], quote=False)
            markup += self.piece(piece, line)
            end = piece.end()
        return markup + html.escape(text[end:], quote=False)

    def piece(self, piece, line):
        if piece["unknown"] is not None:
            raise self.failure(line, f"the site cannot show {piece['unknown']!r} outside of code")
        if piece["code"]:
            code = piece["code"].replace("\n", " ")
            code = code[1:-1] if code[0] == code[-1] == " " and code.strip() else code
            return f"<code>{unbroken(html.escape(code, quote=False))}</code>"
        if piece["escaped"]:
            return html.escape(piece["escaped"], quote=False)
        if piece["image"]:
            return f"<img src={quoted(self.asset(piece['image'], line))} alt={quoted(piece['alt'])}>"
        if piece["bold"]:
            return f"<strong>{self.inline(piece['bold'], line)}</strong>"
        return self.link(self.inline(piece["link"], line), piece["target"], line)


def console(lines):
    """A recorded terminal: prompts are marked, so that they can't be selected, and what was typed differs from what was printed."""
    marked, goes_on = [], False
    for line in lines:
        prompt = "$ " if line.startswith("$ ") else "> " if goes_on and line.startswith("> ") else ""
        text = html.escape(line[len(prompt):], quote=False)
        typed = bool(prompt) or goes_on
        marked.append((f'<span class="prompt">{html.escape(prompt)}</span>' if prompt else "")
                      + (f'<span class="typed">{text}</span>' if typed else text))
        goes_on = typed and line.endswith("\\")
    return "\n".join(marked)
