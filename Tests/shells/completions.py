"""Presses TAB in a real shell and looks at what it offers and what the line becomes.

Called by completions.sh, in the folder of its workspace: completions.py SHELL FOLDER
"""

import os
import pty
import re
import select
import shlex
import subprocess
import sys
import time

# (the line before TAB, candidates it must offer, candidates it must not offer). A "|" is the cursor, if not at the end.
# A candidate is the whole word that the line would get, unquoted.
OFFERS = [
    ("reqcli ", ["send", "completions", "help"], ["user.get", "--env"]),
    ("reqcli se", ["send", "serve"], []),
    ("reqcli help ", ["send"], []),
    ("reqcli send ", ["user.get", "user.feed", "ping"], ["--env"]),
    ("reqcli send user.", ["user.get", "user.feed"], ["ping"]),
    ("reqcli send --", ["--env", "--follow", "--no-follow", "--output"], ["user.get"]),
    ("reqcli send --env staging --", ["--follow"], ["--env"]),
    ("reqcli send user.get --env ", ["development", "staging", "production"], ["user.get"]),
    ("reqcli send user.feed ", ["userID=", "ascending=", "city="], ["user.get"]),
    ("reqcli send user.feed ascending=", ["ascending=true", "ascending=false"], []),
    ("reqcli send user.feed city=", ["city=Berlin", "city=San Francisco"], []),
    ("reqcli send --color=", ["--color=auto", "--color=always", "--color=never"], []),
    ("reqcli completions ", ["bash", "zsh", "fish"], []),
    ("reqcli schema ", ["endpoint", "environment", "settings"], ["user.get"]),
    ("reqcli show ", ["user.get", "user.feed", "ping"], ["user", "tag:smoke"]),
    ("reqcli list ", ["user.get", "ping", "user", "tag:smoke", "environments"], ["--env"]),
    ("reqcli list tag:", ["tag:smoke"], ["ping"]),
    ("reqcli list ping -e ", ["development", "staging", "production"], ["ping"]),
    ("reqcli render user.feed ", ["userID=", "ascending=", "city="], ["user.get"]),
    ("reqcli render user.feed userID=1 ", ["ascending=", "city="], ["userID="]),
    ("reqcli -C ../elsewhere send ", [], ["user.get"]),
    ("reqcli --workspace=../elsewhere send ", [], ["user.get"]),
    ("cd ../elsewhere; reqcli -C ../work send us", ["user.get", "user.feed"], []),
    ("reqcli -C ~/elsewhere send ", [], ["user.get"]),
    ("cd ../elsewhere; reqcli -C ~/work send us", ["user.get", "user.feed"], []),
    ("reqcli sned ", [], ["user.get"]),
    ("reqcli send -- us", ["user.get"], []),
    ("reqcli send user.get -o bod", ["bodies.txt", "body of it.json"], []),
    ("reqcli send user.get --output=bod", ["--output=bodies.txt", "--output=body of it.json"], []),
    ("reqcli send user.get --body @bod", ["@bodies.txt", "@body of it.json"], []),
    ("reqcli send user.feed city@=bod", ["city@=bodies.txt", "city@=body of it.json"], []),
    ("reqcli -C end", ["endpoints"], []),
    ("reqcli send user.| --env staging", ["user.get", "user.feed"], ["ping"]),
    ("reqcli send user.| -C ../elsewhere", [], ["user.get", "user.feed"]),
    ("reqcli user.", ["user.get", "user.feed"], ["ping", "send"]),
    ("reqcli PO", ["POST"], ["GET", "send"]),
    ("reqcli GET /v", ["/v3/user", "/v3/user/"], ["user.get"]),
    ("reqcli send GET /v", ["/v3/user", "/v3/user/"], ["user.get"]),
    ("reqcli user.feed asc", ["ascending="], ["city="]),
    ("reqcli import o", ["openapi"], ["postman"]),
    ("reqcli send user.feed -s $.", ["$.items", "$.items[*]"], ["user.feed"]),
    ("reqcli send user.feed -s '$.", ["$.items", "$.items[*]"], ["user.feed"]),
    ("reqcli import ", ["curl", "openapi", "postman", "bodies.txt"], ["send"]),
    ("reqcli import openapi bod", ["bodies.txt", "body of it.json"], ["openapi"]),
    ("reqcli env ", ["use", "development", "staging", "production"], ["ping"]),
    ("reqcli env use st", ["staging"], ["use"]),
    ("reqcli send | --env staging", ["ping", "user.get", "user.feed"], []),
]

# (the line before TAB, the line after it, however the shell quotes it)
BECOMES = [
    ("reqcli sen", "reqcli send "),
    ("reqcli send user.g", "reqcli send user.get "),
    ("reqcli send ping --env st", "reqcli send ping --env staging "),
    ("reqcli send ping --env=st", "reqcli send ping --env=staging "),
    ("reqcli send ping -e st", "reqcli send ping -e staging "),
    ("reqcli send ping -est", "reqcli send ping -estaging "),
    ("reqcli send user.feed ci", "reqcli send user.feed city="),
    ("reqcli send user.feed city=B", "reqcli send user.feed city=Berlin "),
    ("reqcli send user.feed city=S", "reqcli send user.feed city=San\\ Francisco "),
    ("reqcli send user.feed 'city=S", "reqcli send user.feed 'city=San Francisco' "),
    ("reqcli send user.feed city='S", "reqcli send user.feed city='San Francisco' "),
    ("reqcli send user.feed city=San\\ F", "reqcli send user.feed city=San\\ Francisco "),
    ("reqcli send user.feed userID=4 asc", "reqcli send user.feed userID=4 ascending="),
    ("reqcli send -H 'A: b' user.g", "reqcli send -H 'A: b' user.get "),
    ("reqcli send -o bodi", "reqcli send -o bodies.txt "),
    ("reqcli send -o body", "reqcli send -o body\\ of\\ it.json "),
    ("reqcli send --body @bodi", "reqcli send --body @bodies.txt "),
    ("reqcli send --body @body", "reqcli send --body @body\\ of\\ it.json "),
    ("reqcli send user.feed city@=bodi", "reqcli send user.feed city@=bodies.txt "),
    ("reqcli send user.feed city@=body", "reqcli send user.feed city@=body\\ of\\ it.json "),
    ("reqcli send user.get > bodi", "reqcli send user.get > bodies.txt "),
    ("reqcli --wor", "reqcli --workspace "),
    ("reqcli -C end", "reqcli -C endpoints/"),
    ("reqcli --workspace=end", "reqcli --workspace=endpoints/"),
    ("true && reqcli sen", "true && reqcli send "),
]

# The value of an enum that the shell must not obey, and how far its word is typed: what the shell makes of the line that
# becomes of it is the value.
HOSTILE = "it's $(echo run) `echo run` \\ \" $HOME !!"
HOSTILE_STARTS = ["tag=it", "'tag=it", '"tag=it', "tag='it", 'tag="it']

# For a program that answers from stubs.
STUB_OFFERS = [("reqcli send user.feed --stub ", ["standard", "empty", "userID="], [])]
STUB_BECOMES = [
    ("reqcli send user.feed --stub=em", "reqcli send user.feed --stub=empty "),
    ("reqcli send user.feed --stub em", "reqcli send user.feed --stub empty "),
]

PATIENCE = 20  # Seconds; nothing waits that long unless it fails.


class Interactive:
    """A shell on a pseudo-terminal, told what to type; it reports through files, never through its screen."""

    has_cursor = True

    def __init__(self, arguments, setup, folder):
        self.line_file = os.path.join(folder, "line")
        self.offer_file = os.path.join(folder, "offered")
        environment = dict(os.environ, TERM="xterm", LINE_FILE=self.line_file, OFFER_FILE=self.offer_file)
        environment["COMPLETION"] = os.path.join(folder, self.name + ".completion")
        environment["HOME"] = folder
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvpe(arguments[0], arguments, environment)
        setup_file = os.path.join(folder, self.name + ".setup")
        with open(setup_file, "w") as file:
            file.write(setup)
        self.screen = ""
        if os.path.exists(self.line_file):
            os.remove(self.line_file)  # Another shell's.
        self.type(". " + setup_file + "\n")
        self.await_file(self.line_file)

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def await_file(self, path):
        """Waits for the shell to write a file, reading its screen meanwhile so that it never blocks."""
        end = time.monotonic() + PATIENCE
        while not os.path.exists(path):
            if time.monotonic() > end:
                raise SystemExit(f"{self.name}: no answer; its screen:\n{self.screen[-2000:]}")
            if select.select([self.terminal], [], [], 0.02)[0]:
                self.screen += os.read(self.terminal, 65536).decode(errors="replace")
        with open(path) as file:
            return file.read()

    def press_tab(self, line, key="\t"):
        """What was offered for the line, and what became of it."""
        prefix, line = split_commands(line)
        if prefix:
            self.run(prefix)
        for path in (self.line_file, self.offer_file):
            if os.path.exists(path):
                os.remove(path)
        # Control-B goes back, Control-X D writes the line to the file and clears it.
        line, _, behind = line.partition("|")
        self.type(line + behind + "\x02" * len(behind) + key + "\x18d")
        became = self.await_file(self.line_file)
        offered = ""
        if os.path.exists(self.offer_file):
            with open(self.offer_file) as file:
                offered = file.read()
        if prefix:
            self.run("cd ../work")
        return offered.splitlines(), became.rstrip("\n")

    def run(self, command):
        if os.path.exists(self.line_file):
            os.remove(self.line_file)
        self.type(f"{command}; : > $LINE_FILE\n")
        self.await_file(self.line_file)

    def close(self):
        os.write(self.terminal, b"\x03exit\n")
        os.close(self.terminal)
        os.waitpid(self.process, 0)


class Bash(Interactive):
    name = "bash"
    before = ""

    def __init__(self, folder):
        setup = self.before + r"""
PS1='$ '
bind 'set enable-bracketed-paste off'
bind 'set show-all-if-ambiguous on'
bind 'set completion-query-items 0'
bind 'set page-completions off'
. "$COMPLETION"
report() {
    _reqcli "$@"
    printf '%s\n' "${COMPREPLY[@]}" > "$OFFER_FILE"
}
complete -F report reqcli
write_line() { printf '%s\n' "$READLINE_LINE" > "$LINE_FILE.new"; READLINE_LINE=; mv "$LINE_FILE.new" "$LINE_FILE"; }
bind -x '"\C-xd": write_line'
: > "$LINE_FILE"
"""
        super().__init__(["bash", "--norc", "--noprofile", "-i"], setup, folder)

    def press_tab(self, line, key="\t"):
        offered, became = super().press_tab(line, key)
        if not any(offered) and key == "\t":
            # Files are readline's own business: Meta-* puts all of them on the line.
            _, inserted = super().press_tab(line, "\x1b*")
            shown = split_commands(line)[1].replace("|", "")
            start = len(shown) - len(re.split(r"[\s=:@]", shown)[-1])
            if inserted != shown:
                offered = shlex.split(inserted[start:])
        return offered, became


class BashWithoutBreaks(Bash):
    """With readline told not to split words at these: a common setting."""

    before = "COMP_WORDBREAKS=${COMP_WORDBREAKS//[=:@]}"


class Zsh(Interactive):
    name = "zsh"
    load = 'autoload -Uz compinit && compinit -u -d "$HOME/.zcompdump"\n. "$COMPLETION"'

    def __init__(self, folder):
        setup = self.load + r"""
PS1='$ '
unset zle_bracketed_paste
setopt no_beep
# Writes down every match on its way to the editor.
compadd() {
    builtin compadd "$@"
    local found=$?
    if [[ ${@[1,(i)(-|--)]} != *-[OAD]\ * ]]; then
        local -a matches
        builtin compadd -O matches "$@"
        (( $#matches )) && print -rl -- "$IPREFIX"${^matches} >> "$OFFER_FILE"
    fi
    return found
}
write_line() { print -r -- "$BUFFER" > "$LINE_FILE.new"; BUFFER=; mv "$LINE_FILE.new" "$LINE_FILE"; }
zle -N write_line
bindkey '^Xd' write_line
: > "$LINE_FILE"
"""
        super().__init__(["zsh", "-f", "-i"], setup, folder)


class ZshAutoloading(Zsh):
    """With the script among the functions that zsh finds by itself."""

    load = r"""
mkdir -p "$HOME/functions" && cp "$COMPLETION" "$HOME/functions/_reqcli"
fpath=("$HOME/functions" $fpath)
autoload -Uz compinit && compinit -u -d "$HOME/.zcompdump.autoloading"
"""


class Fish:
    """fish answers for a line without a terminal."""

    name = "fish"
    has_cursor = False

    def __init__(self, folder):
        self.completion = os.path.join(folder, "fish.completion")
        self.environment = dict(os.environ, HOME=folder)

    def press_tab(self, line):
        prefix, line = split_commands(line)
        script = f"source {self.completion}; {prefix or 'true'}; complete -C {fish_quoted(line)}"
        done = subprocess.run(
            ["fish", "--no-config", "-c", script], env=self.environment, capture_output=True, text=True,
            timeout=PATIENCE)
        if done.stderr:
            raise SystemExit(f"fish: {done.stderr}")
        offered = [entry.split("\t")[0] for entry in done.stdout.splitlines()]
        return offered, self.line_after(line, offered)

    @staticmethod
    def line_after(line, offered):
        """What fish does with a sole candidate: a space follows unless the word asks for more."""
        if len(offered) != 1:
            return line
        start = line[: len(line) - len(re.search(r"(\\.|\S)*$", line).group())]
        word = offered[0].replace(" ", "\\ ")
        return start + word + ("" if word[-1] in "/=@:.," else " ")

    def close(self):
        pass


def split_commands(line):
    """`cd there; reqcli …` as the command to run first and the line to complete."""
    first, semicolon, rest = line.partition("; ")
    return (first, rest) if semicolon else ("", line)


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def whole_word(shell, line, candidate):
    """A candidate as the whole word: bash offers only what follows the last break of the word."""
    candidate = candidate.replace("\\", "")
    if shell != "bash":
        return candidate
    word = re.search(r"(\\.|\S)*$", line.partition("|")[0]).group()
    settled = re.search(r"^.*[=:]|^", word).group()
    return candidate if candidate.startswith(settled) else settled + candidate


def meaning(line):
    """The words of a line, and whether the last one is finished."""
    return shlex.split(line), line.endswith(" ")


SHELLS = {"bash": [Bash, BashWithoutBreaks], "zsh": [Zsh, ZshAutoloading], "fish": [Fish]}


def failures_of(shell):
    for line, wanted, unwanted in OFFERS:
        if "|" in line and not shell.has_cursor:
            continue
        offered, became = shell.press_tab(line)
        words = {whole_word(shell.name, line, candidate) for candidate in offered if candidate}
        missing = [word for word in wanted if word not in words and word + "/" not in words]
        surplus = [word for word in unwanted if word in words]
        if missing or surplus:
            yield f"{line!r}: missing {missing}, surplus {surplus}, of {sorted(words)}; line {became!r}"
    for line, expected in BECOMES:
        _, became = shell.press_tab(line)
        if meaning(became) != meaning(expected):
            yield f"{line!r}: became {became!r}, not {expected!r}"
    # fish quotes what it puts on the line by itself, which takes a terminal to see.
    for start in HOSTILE_STARTS if shell.has_cursor else []:
        _, became = shell.press_tab(f"reqcli send user.feed {start}")
        # At its prompt, zsh takes the backslash before "!" away; with -c it does not.
        if shell.name == "zsh":
            became = became.replace("\\!", "!")
        command = "printf '%s\\n' " + became.removeprefix("reqcli ")
        run = subprocess.run([shell.name, "-c", command], capture_output=True, text=True)
        if run.stdout != f"send\nuser.feed\ntag={HOSTILE}\n":
            yield f"{start!r}: became {became!r}, which the shell takes for {run.stdout!r}"


def main():
    name, folder = sys.argv[1:]
    if "--stub" in subprocess.run(["reqcli", "help", "send"], capture_output=True, text=True, check=True).stdout:
        OFFERS.extend(STUB_OFFERS)
        BECOMES.extend(STUB_BECOMES)
    failed = False
    for kind in SHELLS[name]:
        shell = kind(folder)
        failures = list(failures_of(shell))
        shell.close()
        for failure in failures:
            print(f"{kind.__name__}: {failure}", file=sys.stderr)
        count = len(OFFERS) + len(BECOMES) + (len(HOSTILE_STARTS) if kind.has_cursor else 0)
        print(f"{kind.__name__}: {count} cases, {len(failures)} failed")
        failed = failed or bool(failures)
    sys.exit(1 if failed else 0)


main()
